#include "app/gui/views/compare_layout.h"

#include "app/gui/views/mask_screen.h"
#include "app/gui/views/paint.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attention::gui {
namespace {

constexpr float kMargin = 26; // at scale 1, as all that follow
constexpr float kGap = 30;
constexpr float kFoot = 8;
constexpr float kPlotsShare = 0.36F; // of the height, at least
constexpr float kShownShare = 0.47F; // of an audience's, whose type is large
constexpr float kLeastPlots = 130;   // of their height: less, and the masks have it all
constexpr float kLeastWide = 280;    // of a plot: less, and they stand one above the other
constexpr float kLeastOfTwo = 105;   // of the height of each of two above each other …
constexpr float kLeastStacked = 90;  // … which would be narrow side by side
constexpr float kBesideWide = 250;   // of plots beside the masks, at least
constexpr float kAsideWide = 200;    // of plots between masks and names
constexpr float kBesideShare = 0.3F; // of the width, likewise

constexpr float kListGap = 14;          // around the list of names
constexpr float kLeastOverList = 200;   // of the plots' height, with the list below them
constexpr float kMostOfList = 0.36F;    // of the width, beside them …
constexpr float kMostBesideTwo = 0.45F; // … and beside two above each other

// A division with the size of its matrices.
struct Way {
  CompareAreas areas;
  float matrix = 0; // points squared
};

// How the masks lie in `area`, which is cut to what they need: downwards, or at its right.
float fitMasks(const ViewContext& context, Rect& area, bool downwards) {
  if (!context.results.masks)
    return 0;
  ViewContext masks = context;
  masks.area = area;
  const MaskLayout layout = maskScreen(masks).layout;
  if (downwards)
    area.y1 = std::min(area.y1, area.y0 + layout.leastHeight);
  else
    area.x1 = std::min(area.x1, area.x0 + layout.leastWidth);
  return widthOf(layout.matrices.front()) * heightOf(layout.matrices.front());
}

float listHeight(const Ui& ui, const NameList& names, float width) {
  const auto count = static_cast<float>(names.count);
  return std::ceil(count / nameColumns(ui, names, width)) * names.rowHeight + ui.px(kListGap);
}

// The names below the plots in columns where these stay high enough, else at their right; takes its
// part of `room`.
Rect takeList(const Ui& ui, const NameList& names, float most, Rect& room) {
  const float height = listHeight(ui, names, widthOf(room));
  Rect list = room;
  if (heightOf(room) - height >= ui.px(kLeastOverList)) {
    room.y1 -= height;
    list.y0 = room.y1 + ui.px(kListGap);
  } else {
    room.x1 -= std::min(names.width + ui.px(kListGap), most * widthOf(room)) + ui.px(kListGap);
    list.x0 = room.x1 + ui.px(kListGap);
    list.y0 -= ui.px(kPlotHeading); // beside the headings too
  }
  return list;
}

// One above the other.
std::array<Rect, 2> column(const Ui& ui, const Rect& room) {
  const float half = (heightOf(room) - ui.px(kPlotHeading + 8)) / 2;
  return {Rect{room.x0, room.y0, room.x1, room.y0 + half},
          Rect{room.x0, room.y1 - half, room.x1, room.y1}};
}

// The masks over the plots, which have what those leave.
Way stacked(const ViewContext& context, const NameList& names) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  const float share = (context.presented ? kShownShare : kPlotsShare) * heightOf(all);
  Way way{{all, {}, {}}, 0};
  Rect masks{all.x0, all.y0, all.x1, all.y1 - share};
  way.matrix = fitMasks(context, masks, /*downwards=*/true);
  Rect room{all.x0 + ui.px(kMargin), masks.y1 + ui.px(kPlotHeading), all.x1 - ui.px(kMargin),
            all.y1 - ui.px(kFoot)};
  if (heightOf(room) + ui.px(kFoot) < ui.px(kLeastPlots))
    return way;
  way.areas.masks = masks;
  const bool high = heightOf(column(ui, room).front()) >= ui.px(kLeastStacked);
  if (names.count > 0)
    way.areas.list = takeList(ui, names, high ? kMostBesideTwo : kMostOfList, room);
  const float wide = (widthOf(room) - ui.px(kGap)) / 2;
  way.areas.plots = {Rect{room.x0, room.y0, room.x0 + wide, room.y1},
                     Rect{room.x1 - wide, room.y0, room.x1, room.y1}};
  const auto above = column(ui, room);
  if (wide < ui.px(kLeastWide) && heightOf(above.front()) >= ui.px(kLeastStacked))
    way.areas.plots = above;
  return way;
}

// The plots in a column at the right of the masks, with the names below them or in a column of
// their own; nothing where they do not fit.
std::optional<Way> beside(const ViewContext& context, const NameList& names, bool namesBelow) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  const float least = std::max(ui.px(kBesideWide), kBesideShare * widthOf(all));
  const float aside = namesBelow ? 0 : names.width + ui.px(2 * kListGap);
  Way way{{all, {}, {}}, 0};
  Rect& masks = way.areas.masks;
  masks.x1 = all.x1 - (namesBelow ? least : ui.px(kAsideWide)) - aside - ui.px(kMargin);
  if (widthOf(masks) < least)
    return {};
  way.matrix = fitMasks(context, masks, /*downwards=*/false);
  Rect room{masks.x1, all.y0 + ui.px(kPlotHeading + kFoot), all.x1 - ui.px(kMargin),
            all.y1 - ui.px(kFoot)};
  Rect& list = way.areas.list = room;
  if (namesBelow) {
    room.y1 -= listHeight(ui, names, widthOf(room));
    list.y0 = room.y1 + ui.px(kListGap);
  } else {
    room.x1 -= aside;
    list.x0 = room.x1 + ui.px(kListGap);
    list.y0 -= ui.px(kPlotHeading); // beside the headings too
  }
  way.areas.plots = column(ui, room);
  const bool high = heightOf(way.areas.plots.front()) >= ui.px(kLeastOfTwo);
  const bool whole = listHeight(ui, names, widthOf(list)) <= heightOf(list) + ui.px(kListGap);
  return high && whole ? std::optional(way) : std::nullopt;
}

} // namespace

float nameColumns(const Ui& ui, const NameList& names, float width) {
  const auto count = static_cast<float>(std::max<std::size_t>(names.count, 1));
  return std::clamp(std::floor(width / (names.width + ui.px(kListGap))), 1.0F, count);
}

CompareAreas compareAreas(const ViewContext& context, const NameList& names) {
  Way best = stacked(context, names);
  if (names.count > 0 && context.results.masks)
    for (const bool namesBelow : {true, false})
      if (const auto way = beside(context, names, namesBelow); way && way->matrix > best.matrix)
        best = *way;
  return best.areas;
}

} // namespace attention::gui
