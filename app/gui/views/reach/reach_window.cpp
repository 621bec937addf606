// The Reach view in the window.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/reach/reach_results.h"
#include "app/gui/views/reach/reach_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/support/number_text.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <memory>

namespace attention::gui {
namespace {

constexpr float kSecondsPerLayer = 0.8F; // of a play

std::string commandOf(const CommandScene& shown) {
  const Scene& scene = shown.scene;
  std::vector<Pattern> stack;
  for (const Panel& layer : scene.reach.stack)
    stack.push_back(layer.pattern);
  if (stack.empty())
    stack.push_back(scene.pattern);
  const bool reads = std::any_of(stack.begin(), stack.end(), needsData);
  for (Pattern& layer : stack)
    layer = reads ? besideInput(shown, layer) : layer;
  if (!scene.reach.beside.empty() || (reads && !shown.hasInput()))
    return tableText(scene); // with the curves beside that of the stack
  std::string text =
      "attnx reach" + (reads ? inputFlags(shown) : "") + " " + patternText(stack.front());
  for (std::size_t k = 1; k < stack.size(); ++k)
    text += " --then " + furtherPatternText(stack[k]);
  text += (reads ? "" : lengthFlags(shown)) +
          numberFlag("layers", scene.reach.layers, static_cast<Index>(stack.size()));
  if (!scene.reach.residual)
    text += " --no-residual";
  const Pins& pins = scene.pins;
  const auto inside = [&](const std::optional<Index>& token) {
    return token && *token >= 0 && *token < shown.lengths.keys;
  };
  if (inside(pins.query) && inside(pins.key))
    text += " --path " + std::to_string(*pins.query) + "," + std::to_string(*pins.key);
  return text;
}

// For the Reach view: only pairs of the Scene's own pattern are counted, not those of panels.
std::string sizesOf(const PanelContext& c) {
  const ReachSpec& spec = c.scene.reach;
  if (spec.stack.empty() && c.scene.mask.panels.empty())
    return pairsText(c);
  const std::string text =
      "n " + groupDigits(c.results.lengths.keys) + " · " + countText(spec.layers, "layer");
  const auto other = std::find_if(spec.stack.begin(), spec.stack.end(), [&](const Panel& layer) {
    return layer.pattern != spec.stack.front().pattern;
  });
  if (other == spec.stack.end())
    return text;
  return text + " · " + countText(spec.stack.size(), "pattern") + " in turn";
}

// Lights `layers` more (fewer where negative); a play ends at the last.
void stepLayers(Workbench& bench, int layers) {
  const ReachSpec& reach = bench.document.scene().reach;
  if (reach.layers < 1 || reach.layers > kMostLayersShown || reach.shown.value_or(0) < 0 ||
      reach.shown.value_or(0) > reach.layers) { // the view says so
    bench.playing = false;
    return;
  }
  const Index shown =
      std::clamp<Index>(reach.shown.value_or(reach.layers) + layers, 0, reach.layers);
  const bool played = bench.playing;
  if (shown == reach.layers)
    bench.playing = false;
  bench.document.apply({"layers followed",
                        [&](Scene& s) {
                          s.reach.shown =
                              shown == reach.layers ? std::nullopt : std::optional(shown);
                        },
                        played ? kPlayed : ""});
}

bool playOn(Workbench& bench, float) {
  stepLayers(bench, 1);
  return true;
}

// A play starts over once all layers are lit.
void togglePlay(Workbench& bench) {
  bench.playing = !bench.playing;
  if (bench.playing && !bench.document.scene().reach.shown)
    bench.document.apply({"layers followed", [](Scene& s) { s.reach.shown = 0; }, kPlayed});
}

void addActions(ActionTable& table) {
  const auto steps = shows(View::Reach);
  table.add(yielding({"reach.play",
                      "View",
                      "Play",
                      "Light the layers one by one, from the top",
                      {{Key::Space}},
                      togglePlay,
                      steps,
                      [](const Workbench& b) { return b.playing; },
                      true}));
  table.add(yielding({"reach.back",
                      "View",
                      "Previous layer",
                      "One fewer layer is lit",
                      {{Key::Left}},
                      [](Workbench& b) { stepLayers(b, -1); },
                      steps}));
  table.add(yielding({"reach.forward",
                      "View",
                      "Next layer",
                      "One more layer is lit",
                      {{Key::Right}},
                      [](Workbench& b) { stepLayers(b, 1); },
                      steps}));
}

void handOver(const Results& results, SceneFigureOptions& options) {
  const Latest<ReachLayers>& layers = results.part<ReachResults>().layers;
  if (isWhole(layers))
    options.ready.give(std::shared_ptr<const ReachAnswer>(layers.value, &layers->answer));
}

} // namespace

WindowView reachWindow() {
  return {.view = View::Reach,
          .label = "Reach",
          .action = "view.reach",
          .tooltip = "How far tokens see through several layers of the pattern",
          .key = Key::Digit2,
          .leastHeight = 360,
          .leastHeightNarrow = 650,
          .stages = reachStages,
          .pane = reachPane,
          .options = drawReachOptions,
          .facts = drawReachFacts,
          .whichOfSeveral = "of the lowest layer",
          .namesPatterns = true,
          .sizes = sizesOf,
          .command = commandOf,
          .tokensAtFirst = kGraphOffered,
          .handOver = handOver,
          .play = {always, [](const Scene&) { return kSecondsPerLayer; }, playOn},
          .hasSteps = always,
          .step = stepLayers,
          .addActions = addActions};
}

} // namespace attention::gui
