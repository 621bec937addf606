// The Kernels view in the window.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/kernels/kernels_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/scene/kernels_spec.h"
#include "core/support/text.h"
#include "core/views/kernels/scene_kernels.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <memory>

namespace attention::gui {
namespace {

constexpr float kSecondsPerRedraw = 2; // of a play

// Q, K and V of the Kernels view.
std::string kernelsDataText(const CommandScene& shown) {
  const KernelsSpec& spec = shown.scene.kernels;
  if (spec.loaded)
    return inputText(shown.scene.input);
  RandomInput random;
  random.n = spec.length;
  random.d = spec.d;
  random.parameters["sigma"] = {spec.sigma};
  random.seed = static_cast<std::uint64_t>(spec.seed);
  InputSpec drawn;
  drawn.source = random;
  return inputText(drawn);
}

std::string named(std::initializer_list<std::pair<bool, const char*>> names) {
  std::string text;
  for (const auto& [shown, name] : names)
    if (shown)
      text += (text.empty() ? "" : ",") + std::string(name);
  return text;
}

std::string kernelErrorText(const CommandScene& shown) {
  const KernelsSpec& spec = shown.scene.kernels;
  const KernelsCompared& with = spec.compared;
  const KernelErrorOptions usual;
  std::string text = "attnx kernel-error" + kernelsDataText(shown);
  if (spec.projections != usual.projections)
    text += listFlag("m", spec.projections);
  text += numberFlag("repeats", spec.repeats, usual.repeats);
  if (!with.trig || !with.positive || !with.hyperbolic) // all, where nothing is said
    text +=
        " --features " +
        named({{with.trig, "trig"}, {with.positive, "positive"}, {with.hyperbolic, "hyperbolic"}});
  if (!with.iid || !with.orthogonal)
    text += " --projection " + named({{with.iid, "iid"}, {with.orthogonal, "orthogonal"}});
  if (with.orthogonal && spec.norms == Norms::SqrtD)
    text += " --norms sqrt_d";
  if (spec.stabilize != Stabilize::Off)
    text += " --stabilize " + std::string(name(spec.stabilize));
  if (spec.eps > 0)
    text += " --eps " + shortest(spec.eps);
  if (spec.loaded && spec.seed > 0 &&
      !std::holds_alternative<RandomInput>(shown.scene.input.source))
    text += " --seed " + std::to_string(spec.seed);
  if (spec.redraws > 0)
    text += " --redraws " + std::to_string(spec.redraws);
  return spec.causal ? text + " --causal" : text;
}

std::string lowRankText(const CommandScene& shown, Index tokens) {
  const KernelsSpec& spec = shown.scene.kernels;
  return "attnx lowrank" + kernelsDataText(shown) +
         listFlag("ranks", {std::min(spec.chosen, tokens)}) +
         (spec.exponentials ? " --matrix exp" : "") + (spec.causal ? " --causal" : "");
}

// Errors of features, or singular values, where a command has them.
std::string commandOf(const CommandScene& shown) {
  const KernelsSpec& spec = shown.scene.kernels;
  const bool random = std::holds_alternative<RandomInput>(shown.scene.input.source);
  if (spec.loaded &&
      (!shown.hasInput() || shown.isCut() || random || shown.input->modifiers != ScoreModifiers()))
    return tableText(shown.scene);
  if (spec.picture == KernelsPicture::Error && spec.errorOf != KernelsErrorOf::Layers)
    return kernelErrorText(shown);
  const Index tokens = spec.loaded ? shown.lengths.keys : spec.length;
  if (spec.picture == KernelsPicture::Spectrum && spec.kernel == Kernel::Softmax &&
      tokens <= kMostSpectrumTokens)
    return lowRankText(shown, tokens);
  return tableText(shown.scene);
}

// For the data of the Kernels view.
std::string sizesOf(const PanelContext& context) {
  const KernelsSpec& spec = context.scene.kernels;
  const bool rank = spec.picture == KernelsPicture::Spectrum;
  const std::string chosen = (rank ? "rank " : "m ") + groupDigits(spec.chosen);
  if (spec.loaded)
    return readsProjections(spec) ? chosen : "the input";
  return "L " + groupDigits(spec.length) + " · d " + groupDigits(spec.d) + " · sigma " +
         shortNumber(spec.sigma, 3) + (readsProjections(spec) ? " · " + chosen : "");
}

std::string numbersOf(const PanelContext& context) {
  const KernelsSpec& spec = context.scene.kernels;
  std::string text;
  if (KernelsReads(spec).lengths && !spec.loaded)
    text = "L = " + groupDigits(spec.length) + ", d = " + groupDigits(spec.d);
  if (readsProjections(spec))
    text += (text.empty() ? "" : " · ") + ("m = " + groupDigits(spec.chosen));
  return text;
}

bool isDrawn(const Scene& scene) {
  return KernelsReads(scene.kernels).drawn;
}

// New projections: the next seed. Redraws of one `gesture` are one undo step.
void redraw(Workbench& bench, const std::string& gesture = {}) {
  if (bench.document.scene().kernels.redraws >= kMostRedraws) { // the view says so
    bench.playing = false;
    return;
  }
  bench.document.apply({"redraw", [](Scene& s) { ++s.kernels.redraws; }, gesture});
}

// Waits until the last ones' results are there.
bool playOn(Workbench& bench, float) {
  if (bench.engine.results().part<KernelsResults>().pending())
    return false;
  redraw(bench, "redraws");
  return true;
}

// The next number of projections of the curves, in its order (the one before where negative).
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

void addActions(ActionTable& table) {
  const auto steps = shows(View::Kernels);
  const auto drawn = [](const Workbench& b) {
    return shows(View::Kernels)(b) && isDrawn(b.document.scene());
  };
  table.add({"kernels.redraw",
             "View",
             "Redraw projections",
             "New random projections: the next seed",
             {{static_cast<Key>('R')}},
             [](Workbench& b) { redraw(b); },
             drawn,
             {},
             true});
  table.add(yielding({"kernels.play",
                      "View",
                      "Redraw every 2 s",
                      "New random projections every two seconds",
                      {{Key::Space}},
                      [](Workbench& b) { b.playing = !b.playing; },
                      drawn,
                      [](const Workbench& b) { return b.playing; }}));
  table.add(yielding({"kernels.less",
                      "View",
                      "Fewer projections",
                      "The previous number of projections on the curves",
                      {{Key::Left}},
                      [](Workbench& b) { stepProjections(b, -1); },
                      steps}));
  table.add(yielding({"kernels.more",
                      "View",
                      "More projections",
                      "The next number of projections on the curves",
                      {{Key::Right}},
                      [](Workbench& b) { stepProjections(b, 1); },
                      steps}));
}

void handOver(const Results& results, SceneFigureOptions& options) {
  const KernelsResults& kernels = results.part<KernelsResults>();
  const auto isPart = [](const auto& latest) { return latest && !isWhole(latest); };
  const bool partly = isPart(kernels.sweep) || isPart(kernels.matrices) || isPart(kernels.spectrum);
  if (isWhole(kernels.shown) && !kernels.problem && !partly)
    options.ready.give(
        std::shared_ptr<const KernelsAnswer>(kernels.shown.value, &kernels.shown->answer));
}

} // namespace

WindowView kernelsWindow() {
  return {.view = View::Kernels,
          .label = "Kernels",
          .action = "view.kernels",
          .tooltip = "Attention by random features beside exact attention",
          .key = Key::Digit4,
          .leastHeight = 360,
          .leastHeightNarrow = 650,
          .stages = kernelsStages,
          .pane = kernelsPane,
          .options = drawKernelsOptions,
          .facts = drawKernelsFacts,
          .sizes = sizesOf,
          .numbers = numbersOf,
          .source = kernelsSource,
          .withoutInput = "there are no Q, K and V to use",
          .command = commandOf,
          .handOver = handOver,
          .play = {isDrawn, [](const Scene&) { return kSecondsPerRedraw; }, playOn},
          .hasSteps = always,
          .step = stepProjections,
          .addActions = addActions};
}

} // namespace attention::gui
