#include "app/gui/views/compare/compare_layout.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/views/mask/mask_screen.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

namespace attention::gui {
namespace {

constexpr float kBesideGap = 30;
constexpr float kFoot = 8;
constexpr float kLeastPlots = 130;  // of their height; with less, the masks get it all
constexpr float kLeastHigh = 90;    // of each plot
constexpr float kLeastWide = 170;   // likewise
constexpr float kLeastMasks = 0.3F; // of the width, beside plots
constexpr float kShare = 0.36F;     // of the height reserved for plots while there are none
// The least share of the height for plots below masks, or of the width beside them; they also get
// what the masks leave.
constexpr std::array kShares{0.28F, 0.34F, 0.4F, 0.46F, 0.52F, 0.58F};

constexpr float kListGap = 14;        // around the list of names
constexpr float kAfterName = 6;       // kept free
constexpr float kLeastOverList = 200; // of the plots' height, with the list below them
constexpr float kMostOfList = 0.45F;  // of the width, beside them
constexpr float kCutNames = 0.9F;     // the worth of a division with too narrow a list …
constexpr float kMissingNames = 0.5F; // … or too low

// A division, and its quality.
struct Way {
  CompareAreas areas;
  float worth = 0;
};

enum class NamesAt {
  Plots, // below the plots or beside them
  Masks, // beside the masks or below them
  Blank, // in the cell that the last row of masks leaves blank
};

struct Fitted {
  Rect area;        // what the masks need of theirs
  float side = 0;   // of a matrix
  float bottom = 0; // of what the masks need
  std::optional<Rect> blank;
};

std::optional<Rect> blankCell(const MaskScreen& screen, const Rect& area) {
  const MaskLayout& layout = screen.layout;
  const std::size_t tiles = layout.matrices.size();
  const std::size_t used = tiles % layout.columns;
  if (used == 0 ||
      (!screen.cornerLegends && !screen.legendsBeside && screen.legendAfter(tiles - 1)))
    return {};
  const float gap = screen.context.ui.px(kListGap);
  float left = layout.matrices[used].x0;
  if (screen.legendsBeside)
    left = std::max(left, std::ceil(screen.legendPlace(tiles - 1).x1 + gap));
  const Rect blank{left, layout.matrices.back().y0, area.x1 - gap, layout.block.y1};
  return widthOf(blank) > 0 ? std::optional(blank) : std::nullopt;
}

// Cuts `area` to what the masks need, at the bottom or on the right, and returns how they lie
// there: cutting may move words, and thus the matrices.
Fitted fitMasks(const ViewContext& context, Rect area, bool downwards) {
  if (!context.results.masks)
    return {area, 0, area.y1, {}};
  ViewContext masks = context;
  masks.area = area;
  const MaskLayout whole = maskScreen(masks).layout;
  if (downwards)
    area.y1 = std::min(area.y1, area.y0 + whole.leastHeight);
  else
    area.x1 = std::min(area.x1, area.x0 + whole.leastWidth);
  masks.area = area;
  const MaskScreen screen = maskScreen(masks);
  const Rect& matrix = screen.layout.matrices.front();
  return {area, std::sqrt(widthOf(matrix) * heightOf(matrix)),
          std::min(area.y1, area.y0 + screen.layout.leastHeight), blankCell(screen, area)};
}

// As above, but laid out once for all divisions that give the masks the same room.
class MaskFits {
public:
  explicit MaskFits(const ViewContext& context) : context_(context) {}
  const Fitted& fit(const Rect& area, bool downwards) {
    for (const Known& known : known_)
      if (known.area == area && known.downwards == downwards)
        return known.fitted;
    known_.push_back({area, downwards, fitMasks(context_, area, downwards)});
    return known_.back().fitted;
  }

private:
  struct Known {
    Rect area;
    bool downwards = false;
    Fitted fitted;
  };
  const ViewContext& context_;
  std::deque<Known> known_;
};

float rowsOf(const NameList& names, float columns) {
  return std::ceil(static_cast<float>(names.count) / columns);
}

float columnsOf(const Ui& ui, const NameList& names, float name, float width) {
  const auto count = static_cast<float>(std::max<std::size_t>(names.count, 1));
  return std::clamp(std::floor((width + 1) / (name + ui.px(kListGap))), 1.0F, count);
}

// Of a list of whole names.
float listHeight(const Ui& ui, const NameList& names, float width) {
  return rowsOf(names, columnsOf(ui, names, names.width, width)) * names.rowHeight +
         ui.px(kListGap);
}

// In as few columns as show all names in `height`, whole ones or else short ones, no wider than
// `most`; where that is too narrow for both, in as many columns of short names as fit, or in one of
// whole names.
float widthForNames(const Ui& ui, const NameList& names, float height, float most) {
  const float rows = std::max(std::floor((height + 1) / names.rowHeight), 1.0F);
  const float columns = std::ceil(static_cast<float>(names.count) / rows);
  for (const float name : {names.width, names.least})
    if (const float wide = columns * (name + ui.px(kListGap)); wide <= most)
      return wide;
  const float gap = ui.px(kListGap);
  const float brief = columnsOf(ui, names, names.least, most) * (names.least + gap);
  return std::min(std::max(brief, names.width + gap), most);
}

// The names below the plots in columns where these stay high enough, else at their right; takes its
// part of `room`.
Rect takeList(const Ui& ui, const NameList& names, Rect& room) {
  const float height = listHeight(ui, names, widthOf(room));
  Rect list = room;
  if (heightOf(room) - height >= ui.px(kLeastOverList)) {
    room.y1 -= height;
    list.y0 = room.y1 + ui.px(kListGap);
  } else {
    list.y0 -= ui.px(kPlotHeading); // beside the headings too
    room.x1 -=
        widthForNames(ui, names, heightOf(list), kMostOfList * widthOf(room)) + ui.px(kListGap);
    list.x0 = room.x1 + ui.px(kListGap);
  }
  return list;
}

// The quality of a plot without its numbers; high ones count no more than square ones, wide ones no
// more than three squares.
float sizeOf(const Ui& ui, const Rect& plot) {
  const float line = fontSize(ui.fonts.small);
  const float wide = widthOf(plot) - 4 * line;
  const float high = heightOf(plot) - 3 * line;
  if (widthOf(plot) < ui.px(kLeastWide) || heightOf(plot) < ui.px(kLeastHigh))
    return 0;
  return std::sqrt(std::min(wide, 3 * high) * std::min(high, wide));
}

using Plots = std::array<Rect, 2>;

// One above the other.
Plots column(const Ui& ui, const Rect& room) {
  const float half = (heightOf(room) - ui.px(kPlotHeading + 8)) / 2;
  return {Rect{room.x0, room.y0, room.x1, room.y0 + half},
          Rect{room.x0, room.y1 - half, room.x1, room.y1}};
}

// Stacked or side by side, whichever makes them larger.
Plots plotsIn(const Ui& ui, const Rect& room) {
  const float wide = (widthOf(room) - ui.px(kBesideGap)) / 2;
  const Plots row{Rect{room.x0, room.y0, room.x0 + wide, room.y1},
                  Rect{room.x1 - wide, room.y0, room.x1, room.y1}};
  const Plots above = column(ui, room);
  return sizeOf(ui, above.front()) > sizeOf(ui, row.front()) ? above : row;
}

// Matrices come first, then plots; names that are cut or missing make a division poorer.
float worthOf(const Ui& ui, const CompareAreas& areas, float matrix, const NameList& names) {
  float worth = matrix * std::sqrt(matrix * sizeOf(ui, areas.plots.front()));
  if (names.count == 0)
    return worth;
  const float columns = nameColumns(ui, names, widthOf(areas.list), heightOf(areas.list));
  if (widthOf(areas.list) / columns + 1 < names.width + ui.px(kAfterName))
    worth *= kCutNames;
  if (rowsOf(names, columns) * names.rowHeight > heightOf(areas.list) + 1)
    worth *= kMissingNames;
  return worth;
}

// The masks over the plots, which have at least their share of the height.
Way stacked(const ViewContext& context, const NameList& names, float share, NamesAt at,
            MaskFits& fits) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  Way way{{all, {}, {}}, 0};
  Rect masks{all.x0, all.y0, all.x1, all.y1 - share * heightOf(all)};
  if (at == NamesAt::Masks)
    masks.x1 -= names.width + ui.px(kAfterName + 2 * kListGap);
  const Fitted& fitted = fits.fit(masks, /*downwards=*/true);
  masks = fitted.area;
  Rect room{all.x0 + ui.px(kViewMargin), masks.y1 + ui.px(kPlotHeading),
            all.x1 - ui.px(kViewMargin), all.y1 - ui.px(kFoot)};
  if (heightOf(room) + ui.px(kFoot) < ui.px(kLeastPlots) || (at == NamesAt::Blank && !fitted.blank))
    return way;
  CompareAreas areas{masks, {}, {}};
  if (at == NamesAt::Masks) {
    areas.list = {masks.x1 + ui.px(kListGap), all.y0 + ui.px(kListGap), all.x1 - ui.px(kListGap),
                  masks.y1};
  } else if (at == NamesAt::Blank) {
    areas.list = *fitted.blank;
  } else if (names.count > 0) {
    areas.list = takeList(ui, names, room);
  }
  areas.plots = plotsIn(ui, room);
  return {areas, worthOf(ui, areas, fitted.side, names)};
}

// The plots in a column to the right of the masks, which has at least its share of the width.
Way beside(const ViewContext& context, const NameList& names, float share, NamesAt at,
           MaskFits& fits) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  const float right = all.x1 - ui.px(kViewMargin);
  Rect masks{all.x0, all.y0, right - share * widthOf(all), all.y1};
  Rect list{masks.x0 + ui.px(kViewMargin), 0, masks.x1, masks.y1 - ui.px(kFoot)};
  if (at == NamesAt::Masks)
    masks.y1 -= listHeight(ui, names, widthOf(list)) + ui.px(kFoot);
  if (widthOf(masks) < kLeastMasks * widthOf(all))
    return {};
  const Fitted& fitted = fits.fit(masks, /*downwards=*/false);
  masks = fitted.area;
  if (at == NamesAt::Blank && !fitted.blank)
    return {};
  Rect room{masks.x1, all.y0 + ui.px(kPlotHeading + kFoot), right, all.y1 - ui.px(kFoot)};
  if (at == NamesAt::Masks)
    list = {list.x0, fitted.bottom + ui.px(kListGap), masks.x1, list.y1};
  else
    list = at == NamesAt::Blank ? *fitted.blank : takeList(ui, names, room);
  const CompareAreas areas{masks, column(ui, room), list};
  return {areas, worthOf(ui, areas, fitted.side, names)};
}

} // namespace

float nameColumns(const Ui& ui, const NameList& names, float width, float height) {
  const float whole = columnsOf(ui, names, names.width, width);
  return rowsOf(names, whole) * names.rowHeight <= height + 1
             ? whole
             : columnsOf(ui, names, names.least, width);
}

CompareAreas compareAreas(const ViewContext& context, const NameList& names) {
  MaskFits fits(context);
  Way best = stacked(context, names, kShare, NamesAt::Plots, fits);
  if (names.count == 0 || !context.results.masks)
    return best.areas;
  for (const NamesAt at : {NamesAt::Plots, NamesAt::Masks, NamesAt::Blank})
    for (const float share : kShares)
      for (const Way& way :
           {stacked(context, names, share, at, fits), beside(context, names, share, at, fits)})
        if (way.worth > best.worth)
          best = way;
  return best.areas;
}

} // namespace attention::gui
