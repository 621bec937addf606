#include "app/gui/results/view_stages.h"
#include "app/gui/views/steps/steps_results.h"
#include "app/gui/views/steps/steps_view.h"
#include "core/pattern/pattern_title.h"

namespace attention::gui {
namespace {

struct StepsKey {
  SceneStepsQuestion question;
  ModelHead of;
  bool operator==(const StepsKey&) const = default;
};

// The numbers of all steps, and the picture as far as the Scene's step.
class StepsStages final : public PictureStages<StepsResults> {
public:
  explicit StepsStages(Results& all) : PictureStages(all, {&steps_, &shown_}) {}

  void update(const Asking& asking) override {
    const auto question =
        questionOfInput(asking, [&] { return sceneStepsQuestion(asking.scene, all_.lengths); });
    if (!question)
      return;
    steps_.ask(
        asking, "steps of the query", {*question, modelHead(asking.scene, all_.input.value)},
        [](const StepsKey& key, const Run& run) { return sceneSteps(key.question, key.of, run); });
    noteProblem(results_.steps, results_.problem);
    if (results_.problem || !results_.steps || results_.steps.stale)
      return shown_.halt();
    shown_.ask(asking, "the picture",
               {results_.steps.value, asking.scene.attention.steps.step,
                stepsQuery(asking.scene, all_.lengths), mechanismTitle(asking.scene.pattern),
                modelHead(asking.scene, all_.input.value),
                keptTokenLabels(asking.scene, all_.input.value.get(), all_.lengths.keys),
                all_.lengths.square()},
               [](const StepsShownKey& key, const Run&) { return makeStepsShown(key); });
  }

private:
  StageOf<StepsKey, SceneSteps> steps_{results_.steps};
  StageOf<StepsShownKey, StepsShown> shown_{results_.shown};
};

} // namespace

std::unique_ptr<ViewStages> stepsStages(Results& results) {
  return std::make_unique<StepsStages>(results);
}

} // namespace attention::gui
