// One figure of a page of HTML: its drawing as elements of SVG, what it says where, its frames; and
// the drawings of all frames of a page.
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

// The drawings that a page's script shows, packed: frames of one figure and steps of a lesson have
// most of their elements in common, so each element is there once.
class PageDrawings {
public:
  // The place of the drawing.
  std::size_t add(std::vector<std::string> elements);
  // The element of HTML that holds them; empty where there are none.
  std::string html() const;

private:
  StringTable elements_;
  std::vector<std::vector<std::size_t>> drawings_;
};

// What the figures of a page share.
struct PageParts {
  PageColors colors = {};
  PageDrawings drawings = {};
};

class PageFigureWriter {
public:
  // All must outlive it. The frame that `page` opens with stands in the page itself; several frames
  // are in the page's drawings.
  PageFigureWriter(const PageFigure& page, const PageOptions& options, PageParts& parts,
                   const Run& run)
      : page_(page), options_(options), parts_(parts), run_(run), size_(options.size) {}

  // Lays all frames out for the size that this figure needs, unless the options give one. Without
  // it a frame has the size that it needs itself.
  void takeSizeOf(const Figure& figure);
  void add(const PageFrame& frame);
  bool exact() const { return exact_; }

  // The element of HTML, once all frames of the figure are added.
  std::string html() const;

private:
  struct Frame {
    std::optional<std::size_t> drawing;
    std::vector<std::size_t> areas;
    std::string label;
    std::string title;
    std::string says; // for screen readers
  };

  // In the theme of the page; where it follows its reader, in dark colours too: as one drawing
  // where both have the same primitives, else as two, of which one is shown.
  struct ThemedLists {
    const DisplayList& first;
    std::optional<DisplayList> dark;
    bool asOne() const { return !dark || sameShape(first, *dark); }
    const DisplayList& other() const { return dark ? *dark : first; }
  };

  void noteType(const DisplayList& list);
  DisplayList listOf(const Figure& figure, std::vector<PlacedMark>* marks) const;
  ThemedLists listsOf(const Figure& figure, const DisplayList& first) const;
  std::vector<std::string> elementsOf(const ThemedLists& lists) const;
  std::string drawingOf(const ThemedLists& lists) const;
  std::string drawingIn(const char* theme, const DisplayList& list) const;
  std::string data() const;

  static constexpr double kLargestType = 64;

  const PageFigure& page_;
  const PageOptions& options_;
  PageParts& parts_;
  const Run& run_;
  std::optional<Size> size_;           // that is asked for
  Size drawn_;                         // of the frames
  double smallestType_ = kLargestType; // of words of any frame, in units of the drawing
  bool exact_ = true;
  TextMeasure measure_ = cairoMeasure();
  std::string standing_; // what is drawn from the start
  StringTable areas_;
  std::vector<Frame> frames_;
};

// JSON for a script element, which "</script>" in a string would end, and "<!--<script>" would not
// let end.
std::string inScript(std::string json);

} // namespace attention
