#include "app/gui/views/reach/reach_view.h"
#include "app/gui/interface/latest.h"
#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/reach/reach_layout.h"
#include "app/gui/views/reach/reach_results.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/analysis/reach/reach_text.h"
#include "core/scene/input_data.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr float kMostOfName = 0.42F; // of the width, for a curve's name

std::string wordOf(const ViewContext& context, Index token) {
  const auto words = tokenLabels(context.scene, context.results.input.value.get(), token + 1);
  return words.empty() ? std::string() : " “" + visibleText(words.back()) + "”";
}

// The token and the row of a graph under the pointer.
struct GraphPlace {
  Index row = 0;
  Index token = 0;
};
std::optional<GraphPlace> placeUnder(const Rect& box, const LayersMark& mark,
                                     const CanvasInput& input) {
  const float reach = (box.y1 - box.y0) / static_cast<float>(2 * mark.layers);
  if (!input.hovered || input.mouseX < box.x0 || input.mouseX >= box.x1 ||
      input.mouseY < box.y0 - reach || input.mouseY > box.y1 + reach)
    return std::nullopt;
  const float x = (input.mouseX - box.x0) / widthOf(box);
  const float y = (box.y1 - input.mouseY) / heightOf(box);
  const auto clamped = [](float share, Index most) {
    return std::clamp<Index>(static_cast<Index>(share), 0, most);
  };
  return GraphPlace{clamped(std::round(y * static_cast<float>(mark.layers)), mark.layers),
                    clamped(std::floor(x * static_cast<float>(mark.tokens)), mark.tokens - 1)};
}

class ReachPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;
  float leastHeight(const ViewContext& context) const override;

private:
  PlotPane graph_;
  PlotPane growth_;
  PlotPane cache_;
  PlotPane hops_;
  WholeCellPointer hopPointer_;
};

ShownTitle titleOf(const ViewContext& context) {
  return shownTitle(context, context.results.title,
                    context.results.part<ReachResults>().layers.problem);
}

void drawCaption(const Ui& ui, const Rect& below, const std::string& words) {
  const ImVec2 at(below.x0, below.y0 - ui.px(kReachCaption));
  drawLine(ui, at, {below.x0, below.x1}, ui.colors().dim, words);
}

// Clicks choose a token and the other end of its path.
void graphPointer(const ViewContext& context, const Rect& box, const LayersMark& mark,
                  const CanvasInput& input) {
  const auto place = placeUnder(box, mark, input);
  if (!place)
    return;
  const std::string row = place->row == 0 ? "input" : "layer " + std::to_string(place->row);
  tooltip(context.ui, row + ", token " + groupDigits(place->token) + wordOf(context, place->token));
  if (!input.clicked)
    return;
  Pins pins = context.scene.pins;
  auto& pin = input.shift ? pins.key : pins.query;
  pin = pin == place->token && input.shift ? std::nullopt : std::optional(place->token);
  context.actions.push(SetPins{pins});
}

void drawGraph(const ViewContext& context, PlotPane& pane, const Rect& area) {
  const Ui& ui = context.ui;
  const auto& token = context.results.part<ReachResults>().token;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input = canvas(ui, "Layers", ImVec2(widthOf(area), heightOf(area)),
                                   "token " + std::to_string(token->facts.token));
  const auto box = pane.draw({*token->graph.plot, token.value, "graph"}, area, context);
  if (box)
    graphPointer(context, *box, std::get<LayersMark>(token->graph.plot->mark), input);
}

void setShown(const ViewContext& context, Index shown, Index layers) {
  const auto edit = [shown, layers](Scene& s) {
    s.reach.shown = shown >= layers ? std::nullopt : std::optional(shown);
  };
  context.actions.push(EditScene{"layers followed", edit, "layers followed"});
}

void drawControls(const ViewContext& context, const Rect& area) {
  const Ui& ui = context.ui;
  const Index layers = context.results.part<ReachResults>().layers->answer.layers;
  Index shown = std::min(context.scene.reach.shown.value_or(layers), layers);
  drawWalk(context, {area.x0, area.y0 + ui.px(14), area.x1, area.y1},
           {{"reach.play", "Light the layers one by one, from the top (Space)"},
            {"reach.back", "One fewer layer (←)", shown > 0},
            {"reach.forward", "One more layer (→)", shown < layers}});
  SliderSpec spec;
  spec.tooltip = "How many layers, from the top, are followed";
  const Edit edit = sliderInt(ui, "layers followed", shown, 0, layers, spec);
  if (edit.changed)
    setShown(context, shown, layers);
  if (edit.finished)
    context.actions.push(EndGesture{});
}

// The number of layers between two tokens, under the pointer; the wheel zooms, a drag pans.
void hopPointer(const ViewContext& context, WholeCellPointer& pointer, const ValuesMark& mark,
                const Rect& box, const CanvasInput& input) {
  CanvasInput camera = input;
  camera.clicked = false; // a click chooses both ends
  const auto cell = pointer.point(context, camera, mark, box);
  const ReachAnswer& answer = context.results.part<ReachResults>().layers->answer;
  const HopMatrix& hops = *answer.hops;
  if (!cell || !cell->query || !cell->key || std::max(*cell->query, *cell->key) >= hops.n())
    return; // the last: a picture of the length before
  const bool lost = answer.lost && answer.lost->pairs(*cell->query, *cell->key);
  tooltip(context.ui, hopsText(groupDigits(*cell->key), groupDigits(*cell->query),
                               hops(*cell->query, *cell->key), lost));
  if (input.clicked)
    context.actions.push(SetPins{{cell->query, cell->key}});
}

// Swatches to the right of the matrix, `box`, inside `area`; closer where it is low.
void drawHopLegend(const Ui& ui, std::span<const LegendEntry> entries, const Rect& box,
                   const Rect& area) {
  const float room =
      (area.y1 - box.y0) / static_cast<float>(std::max<std::size_t>(entries.size(), 1));
  const float line = std::min(fontSize(ui.fonts.small) * 1.25F, std::max(room, ui.px(13)));
  const float x = box.x1 + ui.px(14);
  if (x + ui.px(40) > area.x1)
    return;
  float y = box.y0;
  for (const LegendEntry& entry : entries) {
    fill({x, y, x + ui.px(13), y + ui.px(13)}, color(toFloats(entry.color)));
    drawText(ui.fonts.small, ImVec2(x + ui.px(19), y - ui.px(2)), ui.colors().dim, entry.label);
    y += line;
  }
}

// For the matrix of hops; nothing if its job was stopped, which is reported elsewhere.
std::string wordsWithoutHops(const ViewContext& context) {
  const auto& reach = context.results.part<ReachResults>().layers;
  return reach.pending || context.results.part<ReachResults>().hops.pending
             ? "following the layers …"
             : "";
}

void drawHops(const ViewContext& context, PlotPane& pane, WholeCellPointer& pointer,
              const Rect& area) {
  const Ui& ui = context.ui;
  const auto& reach = context.results.part<ReachResults>().layers;
  const auto& hops = context.results.part<ReachResults>().hops;
  drawCaption(ui, area, firstFitting(ui, widthOf(area), {kHopsTitle, kHopsBriefly}));
  if (!hops) {
    drawLine(ui, ImVec2(area.x0, area.y0), {area.x0, area.x1}, ui.colors().dim,
             wordsWithoutHops(context));
    return;
  }
  const Rect room{area.x0, area.y0, area.x1 - ui.px(kHopLegend), area.y1};
  ImGui::SetCursorScreenPos(ImVec2(room.x0, room.y0));
  const CanvasInput input =
      canvas(ui, "Hops", ImVec2(widthOf(room), heightOf(room)), {}, Wheel::Zooms);
  if (const auto box = pane.draw({*hops, hops.value, "hops"}, room, context)) {
    frameCell(ui, std::get<ValuesMark>(hops->mark), *box,
              {context.scene.pins.query, context.scene.pins.key});
    if (reach->answer.hops)
      hopPointer(context, pointer, std::get<ValuesMark>(hops->mark), *box, input);
    const ReachAnswer& answer = reach->answer;
    drawHopLegend(ui,
                  hopLegend(*hops, figureTheme(ui.theme),
                            {answer.stack.residual, answer.lost != nullptr, {}}),
                  *box, area);
  }
}

// A curve's value and full name are shown when the pointer is on it.
void drawGrowth(const ViewContext& context, PlotPane& pane, const Rect& area) {
  const Ui& ui = context.ui;
  const auto& reach = context.results.part<ReachResults>().layers;
  const auto& token = context.results.part<ReachResults>().token;
  const bool followed = token && !token.stale && token->growth;
  const Plot& growth = followed ? *token->growth : reach->growth;
  drawCaption(ui, area, reach->growthTitle);
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input = canvas(ui, "Growth", ImVec2(widthOf(area), heightOf(area)));
  const auto& curves = std::get<CurvesMark>(growth.mark).curves;
  // A single curve goes without a name that would be cut: it needs none.
  const bool unnamed = curves.size() == 1 && textSize(ui.fonts.smallBold, curves.front().label).x >
                                                 kMostOfName * widthOf(area);
  const std::shared_ptr<const void> of = followed ? std::shared_ptr<const void>(token.value)
                                                  : std::shared_ptr<const void>(reach.value);
  const auto box = pane.draw({.plot = growth, .version = of, .slot = "growth", .named = !unnamed},
                             area, context);
  if (box && input.hovered && !context.blocked)
    tooltip(ui, wordsAt(std::get<CurvesMark>(growth.mark), *box, ImVec2(input.mouseX, input.mouseY),
                        ui.px(kPointReach)));
}

// What the models keep for a text of n tokens.
void drawCache(const ViewContext& context, PlotPane& pane, const Rect& area) {
  const Ui& ui = context.ui;
  const auto& models = context.results.part<ReachResults>().models;
  const Plot& cache = *models->cache;
  drawCaption(ui, area,
              firstFitting(ui, widthOf(area),
                           {"KV cache against n, at 2 bytes per number", "KV cache against n"}));
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input = canvas(ui, "KV cache", ImVec2(widthOf(area), heightOf(area)));
  const auto box =
      pane.draw({.plot = cache, .version = models.value, .slot = "cache"}, area, context);
  if (box && input.hovered && !context.blocked)
    tooltip(ui, wordsAt(std::get<CurvesMark>(cache.mark), *box, ImVec2(input.mouseX, input.mouseY),
                        ui.px(kPointReach)));
}

// Why there is no graph, and the way to one.
void offerGraph(const ViewContext& context, const ReachAreas& areas) {
  const Ui& ui = context.ui;
  const auto& token = context.results.part<ReachResults>().token;
  ImGui::SetCursorScreenPos(ImVec2(areas.title.x0, areas.hintTop));
  setContentRight(areas.title.x1);
  if (link(ui, "show the graph of " + std::to_string(kGraphOffered) + " tokens",
           {"Draws the layers as a graph and sets the length to " + std::to_string(kGraphOffered)}))
    context.actions.push(EditScene{"length", [](Scene& s) {
                                     s.length.n = kGraphOffered;
                                     s.reach.layers = std::min(s.reach.layers, kMostGraphLayers);
                                     s.pins = {};
                                   }});
  ImGui::SameLine(0, ui.px(16));
  std::string why = token ? token->graph.whyNot : std::string();
  if (context.results.part<ReachResults>().layers->answer.stack.n() > kMostHopTokens)
    why = "The graph shows up to " + groupDigits(kMostGraphTokens) +
          " tokens, the matrix of hops up to " + groupDigits(kMostHopTokens);
  drawLine(ui, ImVec2(ImGui::GetCursorScreenPos().x, areas.hintTop + ui.px(2)),
           {ImGui::GetCursorScreenPos().x, areas.title.x1}, ui.colors().dim, why);
}

// The least height of the graph; 0 if there is none.
float graphHeight(const ViewContext& context) {
  const auto& token = context.results.part<ReachResults>().token;
  return token && token->graph.plot ? leastGraph(context, *token->graph.plot) : 0;
}

void drawHint(const ViewContext& context, const ReachAreas& areas, bool graph) {
  if (!graph)
    return offerGraph(context, areas);
  drawLine(
      context.ui, ImVec2(areas.title.x0, areas.hintTop), {areas.title.x0, areas.title.x1},
      context.ui.colors().dim,
      firstFitting(
          context.ui, widthOf(areas.title),
          {"Space plays · ← → step layers · click a token, Shift+click another for a path to it · "
           "scroll zooms the matrix",
           "Space plays · ← → step layers · click a token, Shift+click another for a path to it",
           "Space plays · ← → step · click a token, Shift+click another for a path",
           "Space plays · ← → step · click a token"}));
}

float ReachPane::leastHeight(const ViewContext& context) const {
  return context.results.part<ReachResults>().layers
             ? leastReach(context, titleOf(context).words, graphHeight(context))
             : 0;
}

void ReachPane::draw(const ViewContext& context) {
  const auto& reach = context.results.part<ReachResults>().layers;
  const auto& token = context.results.part<ReachResults>().token;
  if (!reach)
    return drawUnmade(context, reach.problem, reach.pending ? "following the layers …" : "");
  const bool graph = token && token->graph.plot;
  const ShownTitle title = titleOf(context);
  ReachAreas areas = reachAreas(context, title.words, graphHeight(context));
  const auto& models = context.results.part<ReachResults>().models;
  if (models && models->cache)
    makeRoomForCache(context.ui, areas);
  drawShownTitle(context.ui, areas.title, title);
  if (graph) {
    drawGraph(context, graph_, areas.graph);
    if (!context.presented)
      drawControls(context, areas.controls);
  }
  drawGrowth(context, growth_, areas.growth);
  if (heightOf(areas.cache) > 0)
    drawCache(context, cache_, areas.cache);
  if (heightOf(areas.hops) > 0)
    drawHops(context, hops_, hopPointer_, areas.hops);
  dimLastGood(context, areas.title, title);
  if (!context.presented)
    drawHint(context, areas, graph);
  if (!context.blocked)
    keepSidewaysForView();
}

} // namespace

std::unique_ptr<ViewPane> reachPane(const std::filesystem::path& /*shaders*/) {
  return std::make_unique<ReachPane>();
}

} // namespace attention::gui
