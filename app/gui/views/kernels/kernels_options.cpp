#include "app/gui/interface/jargon.h"
#include "app/gui/panels/layout.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/views/kernels/kernels_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/scene/kernels_spec.h"
#include "core/views/kernels/scene_kernels.h"

namespace attention::gui {
namespace {

using Controls = SettingControls<KernelsSpec>;

// The kinds that curves compare: what is pressed is shown.
void compared(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Curves");
  const SettingControls settings(
      c, [](auto& s) -> auto& { return s.kernels.compared; }, kernelsComparedSettings());
  settings.toggles({"trig", "positive", "hyperbolic"});
  settings.toggles({"iid", "orthogonal"});
}

void projectionList(const PanelContext& c, const Controls& settings) {
  const bool spectrum = c.scene.kernels.picture == KernelsPicture::Spectrum;
  settings.drawAs("m", [spectrum](ParameterFacts& facts) {
    if (spectrum)
      facts.meaning = "Points of the curves, such as 8, 16, 32: numbers of projections (trig and "
                      "hyperbolic features make two numbers from each), and k of Linformer.";
    facts.meaning = explained(facts.meaning, jargon::kProjections);
  });
}

void curveControls(const PanelContext& c, const Controls& settings) {
  settings.draw({"error_of"});
  compared(c);
  settings.draw({"layers"});
  if (c.scene.kernels.errorOf != KernelsErrorOf::Layers)
    projectionList(c, settings);
  settings.draw({"repeats"});
}

// The settings that parts of the picture read; others are not shown.
struct ReadParts {
  bool estimate = false;   // only the single estimate's matrix and normalisers
  bool stabilised = false; // features that may be

  explicit ReadParts(const KernelsSpec& spec) {
    const KernelsPicture picture = spec.picture;
    estimate = picture == KernelsPicture::Matrices || picture == KernelsPicture::Normalisers;
    stabilised = estimate
                     ? spec.kernel == Kernel::Softmax
                     : picture == KernelsPicture::Error && spec.errorOf != KernelsErrorOf::Entries;
  }
};

void projectionControls(const PanelContext& c, const Controls& settings, bool stabilised) {
  settings.draw({"norms"});
  if (!stabilised)
    return;
  settings.draw({"stabilize"});
  if (c.scene.kernels.stabilize != Stabilize::Off && c.scene.kernels.eps == 0)
    caption(c.ui, "With eps 0 it cancels out in D⁻¹: it changes only the normalisers, and whether "
                  "numbers overflow.");
  settings.draw({"eps"});
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

// The settings that the picture reads besides those.
void pictureControls(const Controls& settings, KernelsPicture picture) {
  if (picture == KernelsPicture::Matrices)
    settings.draw({"cells"});
  if (picture == KernelsPicture::Ratio)
    settings.draw({"slice"});
  if (picture == KernelsPicture::Spectrum)
    settings.draw({"exponentials"});
}

} // namespace

void drawKernelsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Features");
  const KernelsPicture picture = c.scene.kernels.picture;
  const bool curves = picture == KernelsPicture::Error;
  const bool spectrum = picture == KernelsPicture::Spectrum;
  const bool ratio = picture == KernelsPicture::Ratio;
  const ReadParts reads(c.scene.kernels);
  const Controls settings(c, &Scene::kernels, kernelsSettings());
  sectionHeading(c.ui, "Random features");
  pictureControls(settings, picture);
  if (spectrum)
    settings.drawAs("chosen_m", [](ParameterFacts& facts) {
      facts.label = "rank m";
      facts.meaning = "Numbers per token for the facts on the right: the rank of the best matrix, "
                      "the features of a map, Linformer's k (← →)";
    });
  else if (readsProjections(c.scene.kernels))
    settings.draw({"chosen_m"});
  if (curves)
    curveControls(c, settings);
  if (spectrum) {
    compared(c);
    projectionList(c, settings);
  }
  if (curves)
    caption(c.ui, "Matrices and normalisers only:");
  if (!spectrum && !ratio)
    settings.draw({"kernel", "features", "projection"});
  if (curves)
    caption(c.ui, "Curves too:");
  if (KernelsReads(c.scene.kernels).drawn) {
    projectionControls(c, settings, reads.stabilised);
    drawButtons(c);
  }
  if (ratio)
    return;
  separator(c.ui);
  sectionHeading(c.ui, "Data");
  settings.draw({"loaded", "sigma", "length", "d", "seed", "causal"});
}

} // namespace attention::gui
