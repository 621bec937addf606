#include "app/gui/views/reach/reach_layout.h"
#include "app/gui/pictures/figure_painter.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/reach/reach_results.h"
#include "core/plot/plot_margins.h"
#include "core/views/reach/scene_reach.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kTitleHeight = 38;
constexpr float kControlsHeight = 52;
constexpr float kPlotGap = 34;
constexpr float kGraphShare = 0.56F;  // of the height, where there is a graph
constexpr float kGraphShown = 0.55F;  // for an audience, in large type
constexpr float kGrowthShare = 0.54F; // of the width, beside the matrix below a graph
constexpr float kGrowthShown = 0.6F;  // of an audience's
constexpr float kLeastGrowth = 0.42F; // of the width without a graph
constexpr float kGrowthAbove = 0.4F;  // of the height, where growth stands above the matrix
constexpr float kNarrow = 420;        // of the width: growth stands above the matrix below a graph
constexpr float kGraphAbove = 0.44F;  // of the height there
constexpr float kLow = 480;           // a graph has growth and matrix to its right
constexpr float kLeastWide = 560;     // where that is as wide, an audience's if wider than high
constexpr float kGraphLeft = 0.6F;    // of the width
constexpr float kLeastLayer = 22;     // from a row of a graph to the next
constexpr float kLeastRows = 84;      // and from the input to the top
constexpr float kLeastBelow = 160;    // height of growth and matrix below a graph
constexpr float kLeastColumn = 280;   // and one above the other
constexpr float kTop = 12;            // above the title
constexpr float kHint = 28;           // the line at the bottom
constexpr float kAboveHint = 6;

void placeBeside(const Ui& ui, const Rect& room, float middle, ReachAreas& areas) {
  const float top = room.y0 + ui.px(kReachCaption);
  areas.growth = {room.x0, top, middle - ui.px(kPlotGap) / 2, room.y1};
  areas.growth.y1 = std::min(room.y1, top + widthOf(areas.growth));
  areas.hops = {middle + ui.px(kPlotGap) / 2, top, room.x1, room.y1};
}

// Without a graph side by side or one above the other, whichever leaves more to the matrix.
void placeAlone(const Ui& ui, const Rect& room, ReachAreas& areas) {
  const float caption = ui.px(kReachCaption);
  const float legend = ui.px(kHopLegend);
  const float high = heightOf(room) - caption;
  const float wide = std::min(high + legend, (1 - kLeastGrowth) * widthOf(room));
  const float middle = room.y0 + kGrowthAbove * heightOf(room);
  const float below = std::min(room.y1 - middle - caption, widthOf(room) - legend);
  if (wide - legend >= below)
    return placeBeside(ui, room, room.x1 - wide - ui.px(kPlotGap) / 2, areas);
  areas.growth = {room.x0, room.y0 + caption, room.x1, middle};
  areas.hops = {room.x0, middle + caption, room.x1, room.y1};
}

// The graph over its controls, growth and matrix in a column at their right.
void placeAtLeft(const Ui& ui, const Rect& room, float controls, ReachAreas& areas) {
  const float middle = room.x0 + kGraphLeft * widthOf(room);
  const float bottom = room.y1 - controls;
  areas.graph = {room.x0, room.y0, middle, bottom};
  areas.controls = {room.x0, bottom, middle, room.y1};
  const float left = middle + ui.px(kPlotGap) / 2;
  const float half = room.y0 + kGrowthAbove * heightOf(room);
  areas.growth = {left, room.y0 + ui.px(kReachCaption), room.x1, half - ui.px(8)};
  areas.hops = {left, half + ui.px(kReachCaption), room.x1, room.y1};
}

float titleHeightOf(const Ui& ui, const std::string& title, float width) {
  return std::max(ui.px(kTitleHeight), headingHeight(ui, title, width));
}

} // namespace

float leastGraph(const ViewContext& context, const Plot& graph) {
  const Ui& ui = context.ui;
  const TextMeasure measure = windowMeasure(ui.fonts);
  const double type = plotType(ui.fonts);
  const double width = widthOf(context.area) - 2 * ui.px(kViewMargin);
  const bool names = namesHaveRoom(graph, {width, 0}, type, measure);
  const PlotMargins margins = marginsOf(graph, type, names, measure);
  const auto layers = static_cast<float>(std::get<LayersMark>(graph.mark).layers);
  return ui.px(std::max(layers * kLeastLayer, kLeastRows)) +
         static_cast<float>(margins.top + margins.bottom);
}

ReachAreas reachAreas(const ViewContext& context, const std::string& title, float graph) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  const bool presented = context.presented;
  ReachAreas areas;
  Rect room{all.x0 + ui.px(kViewMargin), all.y0 + ui.px(kTop), all.x1 - ui.px(kViewMargin), 0};
  const bool titled = !title.empty() || !presented; // it may be on its way
  const float most = titleHeightOf(ui, title, widthOf(room));
  areas.title = {room.x0, room.y0, room.x1, room.y0 + (titled ? most : 0)};
  areas.hintTop = all.y1 - ui.px(presented ? 6 : kHint);
  room.y0 = areas.title.y1;
  room.y1 = areas.hintTop - ui.px(kAboveHint);
  if (context.results.part<ReachResults>().layers->answer.stack.n() >
      kMostHopTokens) { // nor is there a graph
    areas.growth = {room.x0, room.y0 + ui.px(kReachCaption), room.x1, room.y1};
    return areas;
  }
  if (graph <= 0) {
    placeAlone(ui, room, areas);
    return areas;
  }
  const float controls = presented ? 0 : ui.px(kControlsHeight);
  const float low = presented ? widthOf(room) : ui.px(kLow);
  const bool narrow = widthOf(room) < ui.px(kNarrow);
  const float plots = heightOf(room) - controls;
  const float below = ui.px(narrow ? kLeastColumn : kLeastBelow);
  const bool isLow = heightOf(all) < low || plots - below < graph - ui.px(1); // but for rounding
  if (isLow && widthOf(room) > ui.px(kLeastWide)) {
    placeAtLeft(ui, room, controls, areas);
    return areas;
  }
  const float share = narrow ? kGraphAbove : presented ? kGraphShown : kGraphShare;
  const float height = std::max({0.0F, plots * share, std::min(graph, plots - below)});
  areas.graph = {room.x0, room.y0, room.x1, room.y0 + height};
  areas.controls = {room.x0, areas.graph.y1, room.x1, areas.graph.y1 + controls};
  room.y0 = areas.controls.y1;
  if (narrow) {
    const float middle = room.y0 + kGrowthAbove * heightOf(room);
    areas.growth = {room.x0, room.y0 + ui.px(kReachCaption), room.x1, middle - ui.px(8)};
    areas.hops = {room.x0, middle + ui.px(kReachCaption), room.x1, room.y1};
    return areas;
  }
  const float growth = widthOf(room) * (presented ? kGrowthShown : kGrowthShare);
  // In a narrow room the matrix takes up to half and fills it down to the bottom.
  const float filled = heightOf(room) - ui.px(kReachCaption - kHopLegend);
  const float hops = std::max(widthOf(room) - growth, std::min(filled, widthOf(room) / 2));
  placeBeside(ui, room, room.x1 - hops, areas);
  return areas;
}

void makeRoomForCache(const Ui& ui, ReachAreas& areas) {
  constexpr float kWide = 1.6F; // side by side where the room is wider than high by this
  Rect& growth = areas.growth;
  if (areas.hops.x0 >= growth.x1) // beside it, the growth alone need not be as high
    growth.y1 = std::max(growth.y1, areas.hops.y1);
  areas.cache = growth;
  if (widthOf(growth) > kWide * heightOf(growth)) {
    const float middle = growth.x0 + widthOf(growth) / 2;
    growth.x1 = middle - ui.px(kPlotGap) / 2;
    areas.cache.x0 = middle + ui.px(kPlotGap) / 2;
    return;
  }
  const float caption = ui.px(kReachCaption);
  const float half = (heightOf(growth) - caption) / 2;
  growth.y1 = growth.y0 + half;
  areas.cache.y0 = growth.y1 + caption;
}

float leastReach(const ViewContext& context, const std::string& title, float graph) {
  if (graph <= 0)
    return 0;
  const Ui& ui = context.ui;
  const float width = widthOf(context.area) - 2 * ui.px(kViewMargin);
  const float least =
      titleHeightOf(ui, title, width) + graph + ui.px(kTop + kControlsHeight + kAboveHint + kHint);
  if (width > ui.px(kLeastWide)) // nothing needs to be below the graph
    return least;
  return least + ui.px(width < ui.px(kNarrow) ? kLeastColumn : kLeastBelow);
}

} // namespace attention::gui
