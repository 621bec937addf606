#include "app/gui/views/encodings/encodings_trace.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/widgets/drawing.h"
#include "core/plot/draw_marks.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace attention::gui {
namespace {

constexpr Index kMostFrames = 256; // of a row that many positions share

// Columns and rows of a plot, half open.
struct Cells {
  Index x0;
  Index x1;
  Index y0;
  Index y1;
};

void frame(const Ui& ui, const Plot& plot, const std::optional<Rect>& area, const Cells& cells,
           const ImVec4& tint) {
  if (!area)
    return;
  const auto& mark = std::get<CurvesMark>(plot.mark);
  const Box place{static_cast<double>(area->x0), static_cast<double>(area->y0),
                  static_cast<double>(widthOf(*area)), static_cast<double>(heightOf(*area))};
  const auto at = [&](Index x, Index y) {
    const Point point = placeOf(mark, place, {static_cast<double>(x), static_cast<double>(y)});
    return ImVec2(static_cast<float>(point.x), static_cast<float>(point.y));
  };
  const ImVec2 from = at(cells.x0, cells.y0);
  const ImVec2 to = at(cells.x1, cells.y1);
  box({from.x, from.y, to.x, to.y}, color(tint), ui.px(1.5F));
}

// The positions that share a row of one table.
std::vector<Index> positionsOf(const AxialShape& shape, const EncodingTrace& trace) {
  return trace.first ? positionsOfRow1(shape, *trace.first)
                     : positionsOfRow2(shape, trace.second.value_or(0));
}

// The same as ranges [begin, end): neighbours share one frame, which hides nothing between them.
std::vector<std::pair<Index, Index>> rangesOf(const AxialShape& shape, const EncodingTrace& trace) {
  std::vector<std::pair<Index, Index>> ranges;
  for (const Index j : positionsOf(shape, trace))
    if (!ranges.empty() && ranges.back().second == j)
      ++ranges.back().second;
    else
      ranges.emplace_back(j, j + 1);
  return ranges;
}

void framePositions(const Ui& ui, const Plot& e, const std::optional<Rect>& area,
                    const AxialShape& shape, const EncodingTrace& trace, const ImVec4& tint) {
  const Index x0 = trace.first ? 0 : shape.d1;
  const Index x1 = trace.second ? shape.width() : shape.d1;
  if (trace.position)
    return frame(ui, e, area, {x0, x1, *trace.position, *trace.position + 1}, tint);
  if ((trace.first ? shape.l2 : shape.l1) > kMostFrames)
    return;
  for (const auto& [begin, end] : rangesOf(shape, trace))
    frame(ui, e, area, {x0, x1, begin, end}, tint);
}

} // namespace

EncodingTrace traceOf(const AxialShape& shape, Index position) {
  const auto [a, b] = axialRows(shape, position);
  return {a, b, position};
}

std::optional<EncodingTrace> traceUnder(const CurvesMark& mark, EncodingPlot plot,
                                        const AxialShape& shape, const Rect& box, ImVec2 pointer) {
  const float across = (pointer.x - box.x0) / widthOf(box);
  const float down = (pointer.y - box.y0) / heightOf(box);
  if (across < 0 || across >= 1 || down < 0 || down >= 1)
    return std::nullopt;
  const auto row = static_cast<Index>(valueAt(mark.y, 1 - static_cast<double>(down)));
  const auto column = static_cast<Index>(valueAt(mark.x, static_cast<double>(across)));
  switch (plot) {
  case EncodingPlot::E1:
    return EncodingTrace{row, {}, {}};
  case EncodingPlot::E2:
    return EncodingTrace{{}, row, {}};
  case EncodingPlot::Positions: {
    const Index position = axialPosition(shape, column, row);
    return position < shape.length() ? std::optional(traceOf(shape, position)) : std::nullopt;
  }
  case EncodingPlot::E:
    break;
  }
  return traceOf(shape, std::min(row, shape.length() - 1));
}

std::string wordsOf(const AxialShape& shape, const EncodingTrace& trace) {
  if (trace.position)
    return traceText(shape, *trace.position);
  return rowText(shape, trace.first.has_value(), trace.first.value_or(trace.second.value_or(0)));
}

void drawTrace(const Ui& ui, const EncodingsPlots& plots,
               const std::array<std::optional<Rect>, kEncodingPlots>& boxes,
               const AxialShape& shape, const EncodingTrace& trace, const ImVec4& tint) {
  if (trace.first)
    frame(ui, plots.e1, boxes[0], {0, shape.d1, *trace.first, *trace.first + 1}, tint);
  if (trace.second)
    frame(ui, plots.e2, boxes[1], {0, shape.d2, *trace.second, *trace.second + 1}, tint);
  const Index a = trace.first.value_or(0);
  const Index b = trace.second.value_or(0);
  frame(ui, plots.positions, boxes[2],
        {a, trace.first ? a + 1 : shape.l1, b, trace.second ? b + 1 : shape.l2}, tint);
  framePositions(ui, plots.e, boxes[3], shape, trace, tint);
}

} // namespace attention::gui
