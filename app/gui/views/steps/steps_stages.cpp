#include "app/gui/results/view_stages.h"
#include "app/gui/views/steps/steps_view.h"
#include "core/pattern/pattern_title.h"

namespace attention::gui {
namespace {

// The numbers of all steps, and the picture as far as the Scene's step.
class StepsStages final : public PictureStages<StepsResults> {
public:
  explicit StepsStages(Results& all) : PictureStages(all, {&steps_, &shown_}) {}

  void update(const Asking& asking) override {
    const auto question =
        questionOfInput(asking, [&] { return sceneStepsQuestion(asking.scene, all_.lengths); });
    if (!question)
      return;
    const ModelHead of = modelHead(asking.scene, all_.input.value);
    steps_.ask(asking, "steps of the query", sceneSteps, *question, of);
    shown_.ask(asking, "the picture", makeStepsShown, results_.steps,
               StepsLook{asking.scene.attention.steps.step, stepsQuery(asking.scene, all_.lengths),
                         mechanismTitle(asking.scene.pattern), of,
                         keptTokenLabels(asking.scene, all_.input.value.get(), all_.lengths.keys),
                         all_.lengths.square()});
  }

private:
  StageOf<SceneSteps, SceneStepsQuestion, ModelHead> steps_{results_.steps, results_.problem};
  StageOf<StepsShown, std::shared_ptr<const SceneSteps>, StepsLook> shown_{results_.shown};
};

} // namespace

std::unique_ptr<ViewStages> stepsStages(Results& results) {
  return std::make_unique<StepsStages>(results);
}

} // namespace attention::gui
