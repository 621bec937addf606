// A display list as elements of SVG inside a page, with words as text that can be selected. Colours
// are classes, so that one drawing serves a light and a dark page.
#pragma once

#include "core/export/level_picture.h"
#include "core/plot/display_list.h"
#include "core/support/run.h"

#include <string>
#include <utility>
#include <vector>

namespace attention {

// The colours of a page, each with its counterpart on a dark page, the tables of colours of its
// pictures, and the widths of its lines.
class PageColors {
public:
  using Pair = std::pair<Color, Color>;
  // The number in the names of its classes: f3 fills, s3 strokes.
  std::size_t classOf(const Pair& pair);
  const std::vector<Pair>& pairs() const { return pairs_; }
  // Likewise of a width of lines: w3.
  std::size_t classOf(double width);
  const std::vector<double>& widths() const { return widths_; }
  // Likewise of the colours of a picture's levels: t3.
  std::size_t classOf(const std::vector<LevelColors>& table);
  const std::vector<std::vector<LevelColors>>& tables() const { return tables_; }

private:
  std::vector<Pair> pairs_;
  std::vector<double> widths_;
  std::vector<std::vector<LevelColors>> tables_;
};

// One element per primitive, preceded by the ground. `dark`: the same list in dark colours, or
// `light` itself where the page has one theme. Requires lists of one shape (sameShape).
std::vector<std::string> svgElements(const DisplayList& light, const DisplayList& dark,
                                     PageColors& colors, const TextMeasure& measure);

// The same drawing as one text, shorter where lines are many: those of one look that do not touch
// are one element. O(lines · elements of a look · log lines). Throws Stopped.
std::string svgDrawing(const DisplayList& light, const DisplayList& dark, PageColors& colors,
                       const TextMeasure& measure, const Run& run = {});

// Whether the lists have the same primitives in the same order.
bool sameShape(const DisplayList& a, const DisplayList& b);

// A number with at most two decimals, without zeros at its end.
std::string svgNumber(double value);

// Text for elements and attributes of HTML and XML.
std::string escapedMarkup(std::string_view text);

} // namespace attention
