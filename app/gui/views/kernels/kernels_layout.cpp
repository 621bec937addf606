#include "app/gui/views/kernels/kernels_view.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kSmallHeight = 150; // at scale 1, like all that follow
constexpr float kLeastSmall = 70;   // of their side; smaller ones show nothing
constexpr float kSmallGap = 18;
constexpr float kSmallTitle = 24;
constexpr float kSmallNote = 24;
constexpr float kColumnGap = 30;
constexpr float kLeastPicture = 250; // of the large one's height; with less, nothing is below it
constexpr float kWide = 2.1F;        // width over height: wider, and four panels stand in a row
constexpr float kBroad = 1.75F;      // likewise three, and two plots of curves
constexpr float kLeastColumn = 390;  // of a plot of curves' width: less, and panels are stacked

bool hasCurves(const FigurePanel& panel) {
  return std::any_of(panel.plots.begin(), panel.plots.end(), [](const Plot& plot) {
    return std::holds_alternative<CurvesMark>(plot.mark);
  });
}

// Two by two.
std::vector<Rect> gridRects(const Rect& area, float gap) {
  const float width = (widthOf(area) - gap) / 2;
  const float height = (heightOf(area) - gap / 2) / 2;
  std::vector<Rect> rects;
  for (const float row : {0.0F, 1.0F})
    for (const float column : {0.0F, 1.0F}) {
      const float left = area.x0 + column * (width + gap);
      const float top = area.y0 + row * (height + gap / 2);
      rects.push_back({left, top, left + width, top + height});
    }
  return rects;
}

// A large one over two small ones.
std::vector<Rect> oneOverTwo(const Rect& area, float gap) {
  constexpr float kShare = 0.54F; // of the height
  const float middle = area.y0 + kShare * heightOf(area);
  const float width = (widthOf(area) - gap) / 2;
  return {{area.x0, area.y0, area.x1, middle - gap / 4},
          {area.x0, middle + gap / 4, area.x0 + width, area.y1},
          {area.x1 - width, middle + gap / 4, area.x1, area.y1}};
}

// Panels side by side, or one above the other where plots of curves would get too narrow.
std::vector<Rect> panelRects(const Ui& ui, const Rect& area,
                             const std::vector<FigurePanel>& panels) {
  const auto count = static_cast<float>(panels.size());
  const float gap = ui.px(kColumnGap);
  const float column = (widthOf(area) - (count - 1) * gap) / count;
  const bool stacked = panels.size() > 1 && hasCurves(panels.front()) &&
                       column < ui.px(kLeastColumn) && heightOf(area) > ui.px(kLeastPicture) &&
                       widthOf(area) < kBroad * heightOf(area);
  if (panels.size() == 3 && widthOf(area) < kBroad * heightOf(area))
    return oneOverTwo(area, gap);
  if (panels.size() == 4 && widthOf(area) < kWide * heightOf(area))
    return gridRects(area, gap);
  if (stacked)
    return columnOf(area, panels.size(), gap / 2);
  std::vector<Rect> row = rowOf(area, panels.size(), gap);
  if (!panels.empty() && !hasCurves(panels.front())) // no higher than the matrices at their left
    for (std::size_t k = 0; k < row.size(); ++k)
      row[k].y1 = std::min(row[k].y1, row[k].y0 + widthOf(row[k]));
  return row;
}

// The size of this many squares in a row.
float smallSide(const Ui& ui, float width, std::size_t count) {
  const auto all = static_cast<float>(count);
  return std::min(ui.px(kSmallHeight), (width - (all - 1) * ui.px(kSmallGap)) / all);
}

// The last one takes the remaining width.
std::vector<Rect> smallRects(const Ui& ui, const Rect& area, std::size_t count) {
  const float gap = ui.px(kSmallGap);
  const float side = heightOf(area);
  std::vector<Rect> rects;
  for (std::size_t k = 0; k < count; ++k) {
    const float left = area.x0 + static_cast<float>(k) * (side + gap);
    rects.push_back({left, area.y0, k + 1 == count ? area.x1 : left + side, area.y0 + side});
  }
  return rects;
}

} // namespace

KernelsAreas kernelsAreas(const Ui& ui, const Rect& area, const KernelsShown& shown,
                          const PictureWords& words) {
  KernelsAreas areas;
  areas.frame = pictureFrame(ui, area, words);
  Rect room = areas.frame.room;
  const std::size_t few = std::max<std::size_t>(shown.small.size(), 1);
  const float side = smallSide(ui, widthOf(room), few);
  const float below = ui.px(kSmallTitle + kSmallNote) + side;
  if (!shown.small.empty() && side >= ui.px(kLeastSmall) &&
      heightOf(room) - below > ui.px(kLeastPicture)) {
    areas.note = {room.x0, room.y1 - ui.px(kSmallNote), room.x1, room.y1};
    const Rect row{room.x0, areas.note.y0 - side, room.x1, areas.note.y0};
    areas.small = smallRects(ui, row, shown.small.size());
    room.y1 = row.y0 - ui.px(kSmallTitle);
  }
  areas.panels = panelRects(ui, room, shown.panels);
  for (std::size_t k = 0; k < shown.panels.size(); ++k)
    areas.plots.push_back(
        plotRects(areas.panels[k], shown.panels[k], ui.px(kSmallTitle), ui.px(8)));
  return areas;
}

} // namespace attention::gui
