#include "app/gui/frame/workbench.h"

#include "core/figure/kernels_words.h"
#include "core/input/assets.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/scene/match_pairs.h"
#include "core/scene/pattern_files.h"
#include "core/scene/shown_patterns.h"
#include "core/support/error.h"

#include <algorithm>
#include <limits>

namespace attention::gui {
namespace {

// In a comparison at equal pairs the others follow what is edited, in the same step of undo.
EditScene withMatchedPairs(const Workbench& bench, const EditScene& action) {
  const Results& results = bench.engine.results();
  const Index inputLength = results.input ? results.input->keys : 0;
  const PatternData data = results.masks ? results.masks->data : PatternData();
  return {action.label,
          [edit = action.edit, inputLength, data](Scene& s) {
            edit(s);
            if (s.view != View::Compare || !s.compare.matchPairs)
              return;
            try {
              matchPairs(s, lengthsOf(s.length, inputLength), data);
            } catch (const Error&) { // lengths that are out of bounds: the view says so
            }
          },
          action.gesture};
}

struct Apply {
  Workbench& bench;

  void operator()(const SetCamera& action) const { bench.document.setCamera(action.camera); }
  void operator()(const SetPins& action) const {
    bench.document.setPins(action.pins, action.gesture);
  }
  void operator()(const Hover& action) const { bench.hover = action; }
  void operator()(const EditScene& action) const {
    const Pattern before = editedPattern(bench.document.scene());
    bench.document.apply(withMatchedPairs(bench, action));
    if (!sameMechanism(editedPattern(bench.document.scene()), before))
      rememberPattern(bench.ui, before);
  }
  void operator()(const EndGesture&) const { bench.document.endGesture(); }
  void operator()(const RunAction& action) const { bench.actions.run(action.id, bench); }
};

// Where there is room for one alone.
void showOneSide(Workbench& bench, Workbench::Side side, bool shown) {
  if (shown)
    bench.slimSide = side;
  else if (bench.slimSide == side)
    bench.slimSide = Workbench::Side::None;
}

} // namespace

Workbench::Workbench(JobPool& jobs, Scene scene, UiState habits)
    : pool(jobs), document(std::move(scene)), ui(std::move(habits)),
      engine(jobs, [](const std::string& name) { return samplePath(name); }), rasters(jobs),
      tasks(jobs), watch(jobs.wake()) {
  addPresentActions(actions);
  addFileActions(actions);
  addExportActions(actions);
  addEditActions(actions);
  addViewActions(actions);
  addHelpActions(actions);
}

void showInspector(Workbench& bench, bool shown) {
  if (bench.slim)
    showOneSide(bench, Workbench::Side::Inspector, shown);
  else
    (bench.narrow ? bench.inspectorNarrow : bench.ui.inspector) = shown;
}

void showSidebar(Workbench& bench, bool shown) {
  if (bench.slim)
    showOneSide(bench, Workbench::Side::Sidebar, shown);
  else
    bench.ui.sidebar = shown;
}

void stepReach(Workbench& bench, Index layers) {
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

void stepHead(Workbench& bench, Index step) {
  const Input* input = bench.engine.results().input.value.get();
  if (!input)
    return;
  const InputSpec& spec = bench.document.scene().input;
  const Index all = input->batches * input->heads;
  const Index at = floorMod(spec.batch * input->heads + spec.head + step, all);
  bench.document.apply({"model head",
                        [batch = at / input->heads, head = at % input->heads](Scene& s) {
                          choosePlane(s, {batch, head});
                        },
                        "heads"});
}

void redrawKernels(Workbench& bench, const std::string& gesture) {
  if (bench.document.scene().kernels.redraws >= kMostRedraws) { // the view says so
    bench.playing = false;
    return;
  }
  bench.document.apply({"redraw", [](Scene& s) { ++s.kernels.redraws; }, gesture});
}

void stepProjections(Workbench& bench, int step) {
  if (!readsProjections(bench.document.scene().kernels))
    return;
  std::vector<Index> all = bench.document.scene().kernels.projections;
  std::sort(all.begin(), all.end());
  const Index chosen = bench.document.scene().kernels.chosen;
  const auto above = std::upper_bound(all.begin(), all.end(), chosen);
  const auto from = std::lower_bound(all.begin(), all.end(), chosen);
  std::optional<Index> next;
  if (step > 0 && above != all.end())
    next = *above;
  if (step < 0 && from != all.begin())
    next = *(from - 1);
  if (next)
    bench.document.apply(
        {"projections m", [next](Scene& s) { s.kernels.chosen = *next; }, "projections"});
}

void flyOn(Workbench& bench, float seconds) {
  constexpr double kSecondsOfAll = 6;
  const double moment = bench.document.scene().hashing.moment;
  const double next = std::min(1.0, moment + static_cast<double>(seconds) / kSecondsOfAll);
  if (!(next < 1))
    bench.playing = false;
  bench.document.apply({"sorting", [next](Scene& s) { s.hashing.moment = next; }, kPlayed});
}

void stepSorting(Workbench& bench, int step) {
  constexpr double kSlack = 1e-9;
  const auto& sorting = bench.engine.results().hashing.sorting;
  if (!sorting)
    return;
  const double moment = bench.document.scene().hashing.moment;
  double next = step > 0 ? 1 : 0;
  for (const double at : sortingSteps(sorting->tokens->groups(), sorting->round)) {
    if (step > 0 && at > moment + kSlack)
      next = std::min(next, at);
    if (step < 0 && at < moment - kSlack)
      next = std::max(next, at);
  }
  bench.playing = false;
  bench.document.apply({"sorting", [next](Scene& s) { s.hashing.moment = next; }});
}

void redrawCircle(Workbench& bench, const std::string& gesture) {
  if (bench.document.scene().hashing.circle.redraws >= kMostRedraws) { // the view says so
    bench.playing = false;
    return;
  }
  bench.document.apply({"redraw", [](Scene& s) { ++s.hashing.circle.redraws; }, gesture});
}

void redrawGroups(Workbench& bench) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  bench.document.apply({"new seed", [](Scene& s) {
                          const auto next = [](auto& of) { of.seed += of.seed < kLast ? 1 : 0; };
                          if (auto* lsh = s.pattern.as<Lsh>())
                            next(*lsh);
                          if (auto* cluster = s.pattern.as<Cluster>())
                            next(*cluster);
                          if (auto* routing = s.pattern.as<Routing>())
                            next(*routing);
                        }});
}

void apply(Workbench& bench, const std::vector<Action>& actions) {
  for (const Action& action : actions)
    std::visit(Apply{bench}, action);
}

void reloadFiles(Workbench& bench) {
  bench.watch.accept();
  bench.engine.reload();
  ++bench.reloads;
}

} // namespace attention::gui
