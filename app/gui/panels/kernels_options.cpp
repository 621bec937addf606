#include "app/gui/panels/feature_words.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/value_text.h"
#include "app/gui/view/jargon.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/figure/kernels_words.h"
#include "core/scene/kernels_reads.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

using Edits = std::function<void(KernelsSpec&)>;

void edit(const PanelContext& c, const char* label, const Edits& change, const char* gesture = "") {
  c.actions.push(EditScene{label, [change](Scene& s) { change(s.kernels); }, gesture});
}

struct Range {
  Index least;
  Index most;
  bool logarithmic = true;
};

void slider(const PanelContext& c, const char* label, Index KernelsSpec::*field, const Range& range,
            const char* tooltip) {
  Index value = c.scene.kernels.*field;
  SliderSpec spec;
  spec.tooltip = tooltip;
  spec.logarithmic = range.logarithmic;
  const Edit made = sliderInt(c.ui, label, value, range.least, range.most, spec);
  if (made.changed)
    edit(
        c, label, [field, value](KernelsSpec& k) { k.*field = value; }, label);
  if (made.finished)
    c.actions.push(EndGesture{});
}

void slider(const PanelContext& c, const char* label, double KernelsSpec::*field, double least,
            double most, const char* tooltip) {
  double value = c.scene.kernels.*field;
  SliderSpec spec;
  spec.tooltip = tooltip;
  const Edit made = sliderReal(c.ui, label, value, least, most, spec);
  if (made.changed)
    edit(
        c, label, [field, value](KernelsSpec& k) { k.*field = value; }, label);
  if (made.finished)
    c.actions.push(EndGesture{});
}

template <class E>
void choose(const PanelContext& c, const char* label, E KernelsSpec::*field,
            const std::vector<ChoiceItem>& items, const ChoiceSpec& spec) {
  int selected = static_cast<int>(c.scene.kernels.*field);
  if (choice(c.ui, label, selected, items, spec))
    edit(c, label, [field, selected](KernelsSpec& k) { k.*field = static_cast<E>(selected); });
}

// All in one row where their words fit, else two.
template <class Kinds>
std::size_t columnsFor(const Ui& ui, const Kinds& kinds) {
  const float room = shareOfRow(static_cast<int>(kinds.size())) - ui.px(10);
  const bool fit = std::all_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
    return textSize(ui.fonts.text, kind.label).x <= room;
  });
  return fit ? kinds.size() : 2;
}

// The kinds that curves compare: what is pressed is shown.
void compared(const PanelContext& c) {
  struct Kind {
    const char* label;
    const char* tooltip;
    bool KernelsCompared::*shown;
  };
  static constexpr std::array kMaps{
      Kind{"trig", meaningOf(FeatureMap::Trig), &KernelsCompared::trig},
      Kind{"positive", meaningOf(FeatureMap::Positive), &KernelsCompared::positive},
      Kind{"hyperbolic", meaningOf(FeatureMap::Hyperbolic), &KernelsCompared::hyperbolic}};
  static constexpr std::array kDraws{
      Kind{"iid", "Projections drawn independently", &KernelsCompared::iid},
      Kind{"orthogonal", "Projections orthogonal in blocks of d", &KernelsCompared::orthogonal}};
  const WidgetScope scope(c.ui.log, "Curves");
  const auto row = [&](const auto& kinds) {
    const std::size_t columns = columnsFor(c.ui, kinds);
    const float width = shareOfRow(static_cast<int>(columns));
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (k % columns != 0)
        ImGui::SameLine();
      bool on = c.scene.kernels.compared.*kinds[k].shown;
      if (toggle(c.ui, kinds[k].label, on, {kinds[k].tooltip, true, width}))
        edit(c, "curves", [shown = kinds[k].shown, on](KernelsSpec& s) { s.compared.*shown = on; });
    }
  };
  row(kMaps);
  row(kDraws);
}

// The numbers of projections that the text lists. E_RANGE, E_TYPE.
std::vector<Index> projectionsFrom(const std::string& text) {
  const std::string allowed =
      "integers from 1 to " + std::to_string(kMostKernelProjections) + " such as 8, 16, 32";
  Parameter list;
  list.name = "m";
  list.type = ParameterType::Integers;
  Value value;
  try {
    value = valueOf(list, text);
  } catch (const Error&) { // its example is of other lists
    throwRange("m", excerpt(text), allowed);
  }
  const auto* numbers = std::get_if<IndexList>(&value);
  std::vector<Index> projections = numbers ? numbers->get() : std::vector<Index>();
  if (projections.empty())
    throwRange("m", "an empty list", "at least one number of projections");
  for (const Index m : projections)
    if (m < 1 || m > kMostKernelProjections)
      throwRange("m", std::to_string(m), allowed);
  return projections;
}

void projectionList(const PanelContext& c) {
  const std::string meaning = explained(
      c.scene.kernels.picture == KernelsPicture::Spectrum
          ? "Points of the curves, such as 8, 16, 32: numbers of projections (trig and hyperbolic "
            "features make two numbers of each), and k of Linformer."
          : "Numbers of projections m at which the curves are measured, such as 8, 16, 32.",
      jargon::kProjections);
  FieldSpec spec;
  spec.tooltip = meaning;
  std::vector<Index> values;
  if (draftField(c.ui, c.memory, "kernels.m", "m of curves",
                 textOf(Value{IndexList(c.scene.kernels.projections)}), spec,
                 [&](const std::string& text) { values = projectionsFrom(text); }))
    edit(
        c, "m of curves", [values](KernelsSpec& k) { k.projections = values; }, "kernels.m");
}

void curveControls(const PanelContext& c) {
  choose(c, "error of", &KernelsSpec::errorOf,
         {{"output", "D⁻¹ Q′ (K′ᵀ V) against exact attention"},
          {"entries", "φ(q)·φ(k) against exp(q·k/√d), with theory and bounds"},
          {"stack", "Outputs of a stack of layers against an exact one, with m projections"}},
         {});
  compared(c);
  if (c.scene.kernels.errorOf == KernelsErrorOf::Layers)
    slider(c, "layers", &KernelsSpec::layers, {1, 24, false},
           "Layers of the stack; all have the same projections");
  else
    projectionList(c);
  slider(c, "repeats", &KernelsSpec::repeats, {1, 50, false},
         "How often data and projections are drawn; bands span the quartiles");
}

// The one estimate whose matrix and normalisers are shown.
void estimateControls(const PanelContext& c) {
  const KernelsSpec& spec = c.scene.kernels;
  choose(
      c, "kernel", &KernelsSpec::kernel,
      {{"softmax", "exp(q·k/√d), by the features below"},
       {"gauss", "exp(−|q−k|²/(2√d)), by trigonometric features"},
       {"elu+1", "Katharopoulos et al. 2020: a different kernel, shown beside softmax attention"},
       {"ReLU", "Σ max(q,0) max(k,0): a different kernel, shown beside softmax attention"}},
      {});
  if (spec.kernel == Kernel::Softmax) {
    static constexpr std::array kMaps{FeatureMap::Trig, FeatureMap::Positive,
                                      FeatureMap::Hyperbolic};
    int selected =
        static_cast<int>(std::find(kMaps.begin(), kMaps.end(), spec.map) - kMaps.begin());
    const std::vector<ChoiceItem> items{{"trig", meaningOf(FeatureMap::Trig)},
                                        {"positive", meaningOf(FeatureMap::Positive)},
                                        {"hyperbolic", meaningOf(FeatureMap::Hyperbolic)}};
    if (choice(c.ui, "features", selected, items))
      edit(c, "features",
           [map = kMaps[static_cast<std::size_t>(selected)]](KernelsSpec& k) { k.map = map; });
  }
  if (estimatesA(spec) && spec.picture != KernelsPicture::Order)
    choose(c, "drawn", &KernelsSpec::projection,
           {{"iid", "Projections drawn independently"},
            {"orthogonal", "Projections orthogonal in blocks of d"}},
           {});
}

// What parts of the picture read; what none reads is not shown.
struct ReadParts {
  bool estimate = false;   // the one estimate's matrix and normalisers, alone
  bool stabilised = false; // features that may be

  explicit ReadParts(const KernelsSpec& spec) {
    const KernelsPicture picture = spec.picture;
    estimate = picture == KernelsPicture::Matrices || picture == KernelsPicture::Normalisers;
    stabilised = estimate
                     ? spec.kernel == Kernel::Softmax
                     : picture == KernelsPicture::Error && spec.errorOf != KernelsErrorOf::Entries;
  }
};

void projectionControls(const PanelContext& c, bool stabilised) {
  choose(c, "norms", &KernelsSpec::norms,
         {{"chi(d)", "Lengths of Gaussian rows: unbiased"},
          {"√d", "All of length √d: the regularised kernel SMREG, a little below softmax"}},
         {});
  if (!stabilised)
    return;
  choose(c, "stabiliser", &KernelsSpec::stabilize,
         {{"off", "Features as they are defined"},
          {"reference", "Performer's code: subtracts max w·x before exp"},
          {"robust", "Subtracts the maximum of the whole exponent: no query row is empty"}},
         {});
  if (c.scene.kernels.stabilize != Stabilize::Off && c.scene.kernels.eps == 0)
    caption(c.ui,
            "With eps 0 it cancels in D⁻¹: it changes only the normalisers, and what overflows.");
  slider(c, "eps", &KernelsSpec::eps, 0, 0.01,
         "Added to every exponential: keeps normalisers from zero, and biases the estimate");
}

void drawButtons(const PanelContext& c) {
  const float width = shareOfRow(2);
  if (button(c.ui, "↻ Redraw", {"New projections: the next seed (R)", true, width}))
    c.actions.run("kernels.redraw");
  ImGui::SameLine();
  bool on = c.playing;
  if (toggle(c.ui, "every 2 s", on,
             {"New projections every two seconds, as they are redrawn in training (Space)", true,
              width}))
    c.actions.run("kernels.play");
}

void dataControls(const PanelContext& c) {
  const KernelsSpec& spec = c.scene.kernels;
  int loaded = spec.loaded ? 1 : 0;
  const std::vector<ChoiceItem> items{
      {"drawn", "Q, K = sigma N(0,1), V = N(0,1): the experiment of Performer figure 4"},
      {"the input", "Q, K, V of the loaded input's chosen head"}};
  if (choice(c.ui, "Q, K, V", loaded, items))
    edit(c, "data", [loaded](KernelsSpec& k) { k.loaded = loaded == 1; });
  const bool numbers = spec.picture != KernelsPicture::Order; // else shapes alone
  if (!spec.loaded && numbers)
    slider(c, "sigma of Q, K", &KernelsSpec::sigma, 0.05, 2,
           "Standard deviation of the entries of Q and K: large ones make attention sharp");
  if (!spec.loaded) {
    slider(c, "length L", &KernelsSpec::length, {16, 8192}, "Number of tokens L");
    slider(c, "dimension d", &KernelsSpec::d, {1, 128}, "Width of queries, keys and values");
  }
  if (!spec.loaded && numbers)
    slider(c, "seed", &KernelsSpec::seed, {0, 100, false}, "Seed of the data and the projections");
  bool causal = spec.causal;
  if (checkbox(c.ui, "causal (j ≤ i)", causal, {"Each query sees the keys up to itself"}))
    edit(c, "causal", [causal](KernelsSpec& k) { k.causal = causal; });
}

// What the picture reads beside all that.
void pictureControls(const PanelContext& c) {
  switch (c.scene.kernels.picture) {
  case KernelsPicture::Matrices:
    return slider(c, "cells shown", &KernelsSpec::cells, {4, kMostKernelCells},
                  "How many queries and keys are shown, from the first");
  case KernelsPicture::Ratio:
    return slider(c, "slice at ℓ", &KernelsSpec::slice, 0.05, 2,
                  "The length of q and k at which the map is cut");
  case KernelsPicture::Spectrum: {
    int exponentials = c.scene.kernels.exponentials ? 1 : 0;
    const std::vector<ChoiceItem> items{{"softmax", "A = D⁻¹ exp(Q Kᵀ / √d): its rows sum to 1"},
                                        {"exp(s)", "exp(Q Kᵀ / √d), not normalised"}};
    if (choice(c.ui, "matrix", exponentials, items))
      edit(c, "matrix", [exponentials](KernelsSpec& k) { k.exponentials = exponentials == 1; });
    return;
  }
  default:
    return;
  }
}

} // namespace

void drawKernelsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Features");
  const KernelsPicture picture = c.scene.kernels.picture;
  const bool curves = picture == KernelsPicture::Error;
  const bool spectrum = picture == KernelsPicture::Spectrum;
  const bool ratio = picture == KernelsPicture::Ratio;
  const ReadParts reads(c.scene.kernels);
  sectionHeading(c.ui, "Random features");
  pictureControls(c);
  if (spectrum)
    slider(c, "rank m", &KernelsSpec::chosen, {1, 1024},
           "Numbers per token for the facts at the right: the rank of the best matrix, the "
           "features of a map, Linformer's k (← →)");
  else if (readsProjections(c.scene.kernels))
    slider(c, "projections m", &KernelsSpec::chosen, {1, 1024},
           "Rows of W, the paper's m, for the estimate and for the facts at the right (← →)");
  if (curves)
    curveControls(c);
  if (spectrum) {
    compared(c);
    projectionList(c);
  }
  if (curves)
    caption(c.ui, "Matrices and normalisers only:");
  if (!spectrum && !ratio)
    estimateControls(c);
  if (curves)
    caption(c.ui, "Curves too:");
  if (KernelsReads(c.scene.kernels).drawn) {
    projectionControls(c, reads.stabilised);
    drawButtons(c);
  }
  if (ratio)
    return;
  separator(c.ui);
  sectionHeading(c.ui, "Data");
  dataControls(c);
}

} // namespace attention::gui
