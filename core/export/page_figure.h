// One figure of a page of HTML: its drawing as elements of SVG, what it says where, its frames.
#pragma once

#include "core/export/cairo_painter.h"
#include "core/export/html_page.h"
#include "core/export/page_areas.h"
#include "core/export/svg_elements.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attention {

// Strings, each once, by their place.
class StringTable {
public:
  std::size_t placeOf(std::string text) {
    const auto [at, isNew] = places_.try_emplace(std::move(text), all_.size());
    if (isNew)
      all_.push_back(&at->first);
    return at->second;
  }
  const std::vector<const std::string*>& all() const { return all_; }

private:
  std::map<std::string, std::size_t> places_;
  std::vector<const std::string*> all_;
};

class PageFigureWriter {
public:
  // `colors` are those of the page; all three must outlive it.
  PageFigureWriter(const PageOptions& options, PageColors& colors, const Run& run)
      : options_(options), colors_(colors), run_(run), size_(options.size) {}

  // Lays all frames out for the size that this figure needs, unless the options give one. Without
  // it a frame has the size that it needs itself.
  void takeSizeOf(const Figure& figure);
  void add(const PageFrame& frame);
  bool exact() const { return exact_; }

  // The element of HTML, which opens with the frame `shown` of the figure whose frames these are.
  std::string html(const PageFigure& page) const;

private:
  struct Frame {
    std::vector<std::size_t> items;
    std::vector<std::size_t> areas;
    std::string label;
  };

  DisplayList listOf(const Figure& figure, std::vector<PlacedMark>* marks) const;
  std::vector<std::string> elementsOf(const Figure& figure, const DisplayList& first) const;
  std::string data(std::size_t shown) const;

  const PageOptions& options_;
  PageColors& colors_;
  const Run& run_;
  std::optional<Size> size_; // that is asked for
  Size drawn_;               // of the frames
  bool exact_ = true;
  TextMeasure measure_ = cairoMeasure();
  StringTable items_;
  StringTable areas_;
  std::vector<Frame> frames_;
};

// JSON for a script element, which "</script>" in a string would end.
std::string inScript(std::string json);

} // namespace attention
