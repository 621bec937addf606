// The Timings view in the window.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/timings/timings_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/views/scene_figure.h"

#include <algorithm>
#include <memory>

namespace attention::gui {
namespace {

std::vector<Index> eachOnce(std::vector<Index> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// The mechanisms of the Timings view as words and flags of attnx time.
struct TimedFlags {
  std::string patterns;
  std::string features;
  std::string kernels;
  std::vector<Index> projections;
  std::vector<Index> ranks;
  std::size_t causal = 0;
  std::size_t approximations = 0; // with a `causal` of their own

  void add(const TimedMechanism& mechanism, const Pattern& own) {
    using Kind = TimedMechanism::Kind;
    if (mechanism.kind == Kind::Features || mechanism.kind == Kind::Kernel) {
      ++approximations;
      causal += mechanism.causal ? 1 : 0;
    }
    if (mechanism.kind == Kind::Features) {
      features += (features.empty() ? " --features " : ",") + std::string(name(mechanism.features));
      if (takesProjections(mechanism.features))
        projections.push_back(mechanism.m);
    } else if (mechanism.kind == Kind::Linformer) {
      ranks.push_back(mechanism.k);
    } else if (mechanism.kind == Kind::Kernel) {
      kernels += (kernels.empty() ? " --kernel " : ",") + std::string(name(mechanism.kernel));
    } else {
      const Pattern& pattern = mechanism.kind == Kind::Own ? own : mechanism.pattern;
      patterns += (patterns.empty() ? " " : " --with ") +
                  (patterns.empty() ? patternText(pattern) : furtherPatternText(pattern));
    }
  }

  // Every feature is timed with every m, and all are causal or none.
  bool isSayable() const {
    return (causal == 0 || causal == approximations) && eachOnce(projections).size() <= 1;
  }
};

std::string commandOf(const CommandScene& shown) {
  const Scene& scene = shown.scene;
  TimedFlags flags;
  for (const TimedMechanism& mechanism : mechanismsOf(scene.timings, scene.pattern))
    flags.add(mechanism, scene.pattern);
  if (!flags.isSayable())
    return tableText(scene);
  const TimingOptions usual;
  return "attnx time" + flags.patterns + (flags.causal > 0 ? " --causal" : "") + flags.features +
         listFlag("m", eachOnce(flags.projections)) + listFlag("linformer", eachOnce(flags.ranks)) +
         flags.kernels + listFlag("n", timedSizes(scene.timings)) +
         numberFlag("d", scene.timings.d, usual.d) +
         numberFlag("heads", scene.timings.heads, usual.heads) +
         numberFlag("threads", scene.timings.threads, Index{usual.threads});
}

std::string counted(Index count, const char* one, const char* more) {
  return groupDigits(count) + " " + (count == 1 ? one : more);
}

std::string sizesOf(const PanelContext& context) {
  const TimingsSpec& spec = context.scene.timings;
  return "n " + groupDigits(spec.from) + " … " + groupDigits(spec.to) + " · d " +
         groupDigits(spec.d) + " · " + counted(spec.heads, "head", "heads") + " · " +
         counted(spec.threads, "thread", "threads");
}

void addActions(ActionTable& table) {
  table.add({"timings.again",
             "View",
             "Measure again",
             "Measure all times again",
             {{static_cast<Key>('M')}},
             [](Workbench& b) { b.engine.measureAgain(); },
             shows(View::Timings)});
}

void handOver(const Results& results, SceneFigureOptions& options) {
  const Latest<TimingsShown>& times = results.part<TimingsResults>().shown;
  if (times && !times.stale)
    options.ready.give(std::shared_ptr<const Timings>(times.value, &times->timings));
}

} // namespace

WindowView timingsWindow() {
  return {.view = View::Timings,
          .label = "Timings",
          .action = "view.timings",
          .tooltip = "How long mechanisms take on this machine, against n",
          .key = Key::Digit6,
          .leastHeight = 440,
          .leastHeightNarrow = 790,
          .stages = timingsStages,
          .pane = timingsPane,
          .options = drawTimingsOptions,
          .facts = drawTimingsFacts,
          .sizes = sizesOf,
          .command = commandOf,
          .handOver = handOver,
          .addActions = addActions};
}

} // namespace attention::gui
