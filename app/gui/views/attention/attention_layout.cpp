#include "app/gui/views/attention/weights_view.h"

#include "app/gui/pictures/figure_painter.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kLine = 22; // at scale 1, like all that follow
constexpr float kStripGap = 22;
constexpr float kCurves = 120;        // height of a row of curves, at least
constexpr float kMostCurves = 0.38F;  // of the height, likewise
constexpr float kHighCurves = 0.9F;   // of their width
constexpr float kBeside = 300;        // width of curves beside a single matrix
constexpr float kCurvesWidth = 0.26F; // width of curves beside several matrices, of all
// Sizes of type around a matrix: its axes and the strip of what keys receive, and the bar of its
// colours, which stands to its right or below it.
constexpr float kBesideMatrix = 4.5F;
constexpr float kAboveMatrix = 6.5F;
constexpr float kBarBeside = 4;
constexpr float kBarBelow = 2.5F;
constexpr float kLinesShape = 1.15F; // width over height of lines between tokens

void append(Rects& to, const Rects& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Curves one above the other: their x axes are the same, and stand below the lowest.
Rects curvesColumn(const Ui& ui, const Rect& area, std::size_t curves, float gap) {
  const auto axis = static_cast<float>(acrossHeight(plotType(ui.fonts)));
  return columnOf(area, curves, gap / 6, axis);
}

// Two by two: three matrices, and the curves in the last quarter (empty if there are none).
Rects quarters(const Ui& ui, const Rect& area, std::size_t maps, std::size_t curves, float gap) {
  const float middle = area.x0 + (widthOf(area) - gap) / 2;
  const float between = 0.7F * gap; // keeps a title with what is below it
  const float half = area.y0 + (heightOf(area) - between) / 2;
  const Rects all{{area.x0, area.y0, middle, half},
                  {middle + gap, area.y0, area.x1, half},
                  {area.x0, half + between, middle, area.y1},
                  {middle + gap, half + between, area.x1, area.y1}};
  Rects rects(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(maps));
  if (curves > 0)
    append(rects, curvesColumn(ui, all[3], curves, gap));
  return rects;
}

// The matrices over a row of curves.
Rects stacked(const Ui& ui, Rect area, std::size_t maps, std::size_t curves, float gap) {
  Rect below = area;
  if (curves > 0) {
    const float least = std::min(ui.px(kCurves), kMostCurves * heightOf(area));
    // Narrow matrices do not fill the height: the curves take what is left.
    const float square = widthOf(rowOf(area, maps, gap).front()) + panelTitle(ui) +
                         kBarBelow * static_cast<float>(plotType(ui.fonts));
    const float most = kHighCurves * widthOf(rowOf(area, curves, gap).front());
    below.y0 = area.y1 - std::max(least, std::min(heightOf(area) - square - gap / 3, most));
    area.y1 = below.y0 - gap / 3;
  }
  Rects rects = rowOf(area, maps, gap);
  if (curves > 0)
    append(rects, rowOf(below, curves, gap));
  return rects;
}

Rects beside(const Ui& ui, const Rect& area, std::size_t curves, float gap) {
  const float width = std::max(ui.px(kBeside), widthOf(area) - heightOf(area) - gap);
  const float middle = area.x1 - std::min(width, widthOf(area) / 2);
  Rects rects{{area.x0, area.y0, middle - gap, area.y1}};
  append(rects, curvesColumn(ui, {middle, area.y0, area.x1, area.y1}, curves, gap));
  return rects;
}

// The matrices side by side and the curves at their right, where the room is wide.
Rects inRow(const Ui& ui, const Rect& area, std::size_t maps, std::size_t curves, float gap) {
  const float middle = area.x1 - kCurvesWidth * widthOf(area);
  Rects rects = rowOf({area.x0, area.y0, middle - gap, area.y1}, maps, gap);
  append(rects, curvesColumn(ui, {middle, area.y0, area.x1, area.y1}, curves, gap));
  return rects;
}

// Roughly the side of the matrix in the first of them: its title and axes take the rest.
float sideOf(const Ui& ui, const Rects& rects) {
  const auto type = static_cast<float>(plotType(ui.fonts));
  const float width = widthOf(rects.front()) - kBesideMatrix * type;
  const float height = heightOf(rects.front()) - panelTitle(ui) - kAboveMatrix * type;
  return std::max(std::min(width - kBarBeside * type, height),
                  std::min(width, height - kBarBelow * type));
}

// The arrangement whose matrices are largest.
Rects mapRects(const Ui& ui, const Rect& area, std::size_t maps, std::size_t curves) {
  const float gap = ui.px(kStripGap);
  std::vector<Rects> ways{stacked(ui, area, maps, curves, gap)};
  if (maps == 3)
    ways.push_back(quarters(ui, area, maps, curves, gap));
  if (maps == 1 && curves > 0)
    ways.push_back(beside(ui, area, curves, gap));
  if (maps > 1 && curves > 0)
    ways.push_back(inRow(ui, area, maps, curves, gap));
  return *std::max_element(ways.begin(), ways.end(), [&](const Rects& one, const Rects& other) {
    return sideOf(ui, one) < sideOf(ui, other);
  });
}

Rect linesRect(const Rect& area) {
  const float width = std::min(widthOf(area), kLinesShape * heightOf(area));
  const float left = area.x0 + (widthOf(area) - width) / 2;
  return {left, area.y0, left + width, area.y1};
}

} // namespace

float panelTitle(const Ui& ui) {
  return ui.px(kLine);
}

AttentionAreas attentionAreas(const Ui& ui, const Rect& area, const AttentionShown& shown,
                              const PictureWords& words) {
  AttentionAreas areas;
  const Rect above{area.x0, area.y0, area.x1, area.y1 - ui.px(kLine)}; // the hint
  areas.frame = pictureFrame(ui, above, words);
  const Rect& inner = areas.frame.room;
  areas.hint = areas.frame.caption;
  areas.hint.y0 = area.y1 - ui.px(8 + kLine);
  areas.hint.y1 = area.y1 - ui.px(8);
  const std::size_t curves = shown.panels.size() - std::min(shown.maps, shown.panels.size());
  if (shown.maps > 0)
    areas.panels = mapRects(ui, inner, shown.maps, curves);
  else if (shown.spec.picture == AttentionPicture::Lines)
    areas.panels = {linesRect(inner)};
  else
    areas.panels = {inner};
  return areas;
}

} // namespace attention::gui
