// Steps as a picture of the Attention view: its command, its keys, how it plays.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/views/steps/steps_view.h"

#include <utility>

namespace attention::gui {
namespace {

constexpr float kSecondsPerStep = 1.6F; // of a play: long enough to read its formula

std::string wayFlags(const StepsSpec& spec) {
  switch (spec.by) {
  case StepsBy::Online:
    return " --by online" +
           flag("key-tile", std::to_string(spec.keyTile), std::to_string(kDefaultKeyTile));
  case StepsBy::Linear:
    return std::string(" --by linear") + (spec.normalized ? "" : " --normalized false");
  case StepsBy::Features:
    return " --by features" +
           flag("m", std::to_string(spec.m), std::to_string(kDefaultStepFeatures)) +
           " --projection-seed " + std::to_string(spec.seed) +
           (spec.normalized ? "" : " --normalized false");
  case StepsBy::Softmax:
    break;
  }
  return {};
}

std::string stepsCommand(const CommandScene& shown) {
  const StepsSpec& spec = shown.scene.attention.steps;
  const bool whole = shown.input && !shown.isCut() && shown.lengths.square() &&
                     shown.input->queries == shown.input->keys;
  if (shown.input && !shown.input->hasQkv()) // no steps, but what the pattern keeps
    return infoText(shown, shown.scene.pattern);
  if (showsMatrices(spec) || !shown.hasInput() || !whole)
    return tableText(shown.scene);
  return "attnx steps" + inputText(shown.scene.input, shown.lengths.keys) +
         scoresText(shown.scene.input) + " " +
         patternText(besideInput(shown, shown.scene.pattern)) + " --query " +
         std::to_string(stepsQuery(shown.scene, shown.lengths)) + wayFlags(spec);
}

Index stepCount(const Workbench& bench) {
  const auto& shown = bench.engine.results().part<StepsResults>().shown;
  return shown ? shown->count : 0;
}

void showStep(Workbench& bench, Index step, const char* gesture) {
  bench.document.apply({"step", [step](Scene& s) { s.attention.steps.step = step; }, gesture});
}

// Where all steps are shown, forward to the first and back to the last but one; nothing where it is
// at its end already.
std::optional<Index> stepAfter(const Workbench& bench, int by) {
  const Index count = stepCount(bench);
  const Index step = bench.document.scene().attention.steps.step;
  const bool all = step <= 0 || step > count;
  const Index next = all && by > 0 ? 1 : (all ? count : step) + by;
  if (count < 1 || next < 1 || next > count)
    return std::nullopt;
  return next;
}

// False where it is at its end already.
bool moveTo(Workbench& bench, std::optional<Index> step) {
  if (step)
    showStep(bench, *step, bench.playing ? kPlayed : "steps");
  return step.has_value();
}

// The last step before the one where the lesson's next step takes the same computation on.
Index lastStepHere(const Workbench& bench) {
  const Scene* next = nextLessonScene(bench);
  if (!next || next->view != View::Attention ||
      next->attention.picture != AttentionPicture::Steps || next->attention.steps.step < 1)
    return stepCount(bench);
  StepsSpec there = next->attention.steps;
  const StepsSpec& here = bench.document.scene().attention.steps;
  const Index taken = std::exchange(there.step, here.step);
  return there == here ? taken - 1 : stepCount(bench);
}

// In a presentation. A lesson goes on at either end of the steps, where it shows all of them, and
// where its next step takes over.
std::optional<Index> presentedStepAfter(const Workbench& bench, int by) {
  const Index step = bench.document.scene().attention.steps.step;
  const bool all = step <= 0 || step > stepCount(bench);
  if (bench.lesson && by > 0 && (all || step >= lastStepHere(bench)))
    return std::nullopt;
  return stepAfter(bench, by);
}

// Without a lesson nothing but steps moves, and the model head stays.
bool presentStepOf(Workbench& bench, int by) {
  return moveTo(bench, presentedStepAfter(bench, by)) || !bench.lesson;
}

std::optional<Scene> sceneAhead(const Workbench& bench) {
  const auto step = presentedStepAfter(bench, 1);
  if (!step)
    return std::nullopt;
  Scene scene = bench.document.scene();
  scene.attention.steps.step = *step;
  return scene;
}

void moveQuery(Workbench& bench, int by) {
  const Lengths& lengths = bench.engine.results().lengths;
  if (lengths.queries < 1)
    return;
  Pins pins = bench.document.scene().pins;
  const Index now = stepsQuery(bench.document.scene(), lengths);
  pins.query = std::clamp<Index>(now + by, 0, lengths.queries - 1);
  bench.document.setPins(pins, "arrows");
}

bool isPlayable(const Scene&) {
  return true;
}
float pauseOfSteps(const Scene&) {
  return kSecondsPerStep;
}
bool playSteps(Workbench& bench, float) {
  if (!moveTo(bench, stepAfter(bench, 1)))
    bench.playing = false;
  return true;
}

// A play begins again where all steps, or the last, are shown.
void togglePlay(Workbench& bench) {
  bench.playing = !bench.playing;
  const Index step = bench.document.scene().attention.steps.step;
  const Index count = stepCount(bench);
  if (bench.playing && (step <= 0 || step >= count) && count > 0)
    showStep(bench, 1, kPlayed);
}

bool showsSteps(const Workbench& bench) {
  const Scene& scene = bench.document.scene();
  return scene.view == View::Attention && scene.attention.picture == AttentionPicture::Steps;
}

void addStepsActions(ActionTable& table) {
  table.add(yielding({"steps.play",
                      "View",
                      "Play the steps",
                      "Show the steps of the computation one by one, from the first",
                      {{Key::Space}},
                      togglePlay,
                      showsSteps,
                      [](const Workbench& b) { return showsSteps(b) && b.playing; },
                      true}));
  table.add(yielding({"steps.back",
                      "View",
                      "Previous step",
                      "One step of the computation fewer",
                      {{Key::Left}},
                      [](Workbench& b) { moveTo(b, stepAfter(b, -1)); },
                      showsSteps}));
  table.add(yielding({"steps.forward",
                      "View",
                      "Next step",
                      "One more step of the computation",
                      {{Key::Right}},
                      [](Workbench& b) { moveTo(b, stepAfter(b, 1)); },
                      showsSteps}));
  table.add(yielding({"steps.query.back",
                      "View",
                      "Previous query",
                      "The steps of the previous query",
                      {{Key::Up}},
                      [](Workbench& b) { moveQuery(b, -1); },
                      showsSteps}));
  table.add(yielding({"steps.query.forward",
                      "View",
                      "Next query",
                      "The steps of the next query",
                      {{Key::Down}},
                      [](Workbench& b) { moveQuery(b, 1); },
                      showsSteps}));
}

bool isSteps(const AttentionSpec& spec) {
  return spec.picture == AttentionPicture::Steps;
}

} // namespace

PictureKind stepsKind() {
  return {.shows = isSteps,
          .stages = stepsStages,
          .pane = stepsPane,
          .options = drawStepsOptions,
          .facts = drawStepsFacts,
          .command = stepsCommand,
          .play = {isPlayable, pauseOfSteps, playSteps},
          .step = presentStepOf,
          .sceneAhead = sceneAhead,
          .addActions = addStepsActions};
}

} // namespace attention::gui
