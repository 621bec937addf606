#include "core/views/view_unit.h"

#include "core/views/model/hurt_text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/model_sweep.h"
#include "core/views/model/scene_model.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

MeasuredCosts costsIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<MeasuredCosts>();
  return ready ? *ready : measuredCostsOf(scene, threaded(run, options));
}

SweepAnswer sweepIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  if (const auto* ready = options.ready.find<SweepAnswer>())
    return *ready;
  SweepAnswer sweep;
  sweep.costs = measuredCostsOf(
      scene,
      [&](const Model& model, Index n) {
        sweep.plan = sweepPlan(scene.model, scene.pattern, model, n, run.quiet());
        return variantsOf(sweep.plan);
      },
      threaded(run, options));
  return sweep;
}

Figure hurtFigure(const Scene& scene, const MeasuredCosts& costs, FigureTheme theme) {
  const MeasuredRow& row = shownRow(scene.model, scene.pattern, costs);
  RunningTextMark mark = hurtMark(costs, row);
  mark.told = [held = std::make_shared<const MeasuredCosts>(costs), row](Index token) {
    return wordsOfHurt(*held, row, token);
  };
  Figure figure;
  figure.title = titleOfHurt(row);
  figure.caption = captionOfHurt(costs, row);
  figure.theme = theme;
  figure.panels.push_back({"", {Plot{std::move(mark), std::nullopt, std::nullopt}}, {}});
  return figure;
}

// A model under the masks that are shown.
struct ShownLayers {
  std::shared_ptr<const Model> model;
  ModelVariant variant;
  Index n = 1;
};

// Without computing what the variants cost.
ShownLayers layersIn(const Scene& scene, const Run& run) {
  const ModelSource source = modelSource(scene.model);
  auto model = openedModel(source);
  ModelVariant variant = shownVariant(scene.model, scene.pattern, *model, run);
  const Index n = std::ssize(modelTokens(*model, source).ids);
  return {std::move(model), std::move(variant), n};
}

Figure layersFigure(const Scene& scene, FigureTheme theme, const Run& run) {
  const auto [model, variant, n] = layersIn(scene, run);
  Figure figure;
  figure.title = titleOfLayers(*model, variant);
  figure.theme = theme;
  figure.panels.push_back({"", {layersPlot(*model, variant, n, run)}, {}});
  figure.caption = captionOfLayers(*model, variant);
  return figure;
}

Figure figureIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  switch (scene.model.picture) {
  case ModelPicture::Layers:
    return layersFigure(scene, options.theme, run);
  case ModelPicture::Sweep: {
    const SweepAnswer sweep = sweepIn(scene, options, run);
    return sweepFigure(sweep.plan, sweep.costs, options.theme);
  }
  case ModelPicture::Text:
    return hurtFigure(scene, costsIn(scene, options, run), options.theme);
  case ModelPicture::Costs:
    break;
  }
  const MeasuredCosts costs = costsIn(scene, options, run);
  return costsFigure(costs, options.theme, singleRows(scene.model, scene.pattern, costs));
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return inWordsOf(scene, figureIn(scene, options, run));
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  if (scene.model.picture == ModelPicture::Sweep) {
    const SweepAnswer sweep = sweepIn(scene, options, run);
    return sweepTable(sweep.plan, sweep.costs);
  }
  if (scene.model.picture != ModelPicture::Text)
    return costsTable(costsIn(scene, options, run));
  const MeasuredCosts costs = costsIn(scene, options, run);
  return hurtTable(costs, shownRow(scene.model, scene.pattern, costs));
}

std::vector<std::string> readingIn(const Scene& scene, const SceneFigureOptions& options,
                                   const Run& run) {
  switch (scene.model.picture) {
  case ModelPicture::Layers: {
    const auto [model, variant, n] = layersIn(scene, run);
    return readingOfLayers(*model, variant, n, run);
  }
  case ModelPicture::Sweep: {
    const SweepAnswer sweep = sweepIn(scene, options, run);
    return readingOf(sweep.plan, sweep.costs);
  }
  case ModelPicture::Text: {
    const MeasuredCosts costs = costsIn(scene, options, run);
    return hurtSentences(costs, shownRow(scene.model, scene.pattern, costs));
  }
  case ModelPicture::Costs:
    break;
  }
  return readingOf(costsIn(scene, options, run));
}

// The layers are shown without computing what they cost.
void giveAnswers(const Scene& scene, SceneFigureOptions& options, const Run& run) {
  if (scene.model.picture == ModelPicture::Sweep)
    return giveAnswer<SweepAnswer, sweepIn>(scene, options, run);
  if (scene.model.picture != ModelPicture::Layers)
    giveAnswer<MeasuredCosts, costsIn>(scene, options, run);
}

constexpr std::array kForms{
    DataForm{".csv",
             "What each variant, or each step of a sweep, costs: pairs, loss, KL and more; in Text "
             "every prediction",
             writeTable<tableOf>}};

bool readsOwnPattern(const Scene& scene) {
  return scene.model.picture == ModelPicture::Sweep ? !sweepsVariants(scene.model)
                                                    : scene.model.own;
}

std::string pictureOf(const Scene& scene) {
  return pictureName(modelSettings(), scene.model);
}

bool sameKind(const Scene& a, const Scene& b) {
  return a.model.picture == b.model.picture && a.model.model == b.model.model;
}

void ignoreLooks(Scene& looked, const Scene& own) {
  const bool chosenIsShown = own.model.picture == ModelPicture::Costs && own.model.single;
  if (!chosenIsShown &&
      (own.model.picture == ModelPicture::Costs || own.model.picture == ModelPicture::Sweep))
    looked.model.chosen = own.model.chosen; // which one is edited; others show that one
}

std::vector<Moving> movingIn(const Scene&, Index n) {
  return {{"n", 1, static_cast<double>(n), true,
           [](Scene& s, double value) { s.model.n = whole(value); }}};
}

Index lengthOf(const Scene& scene) {
  return std::clamp<Index>(scene.model.n, 1, kMostModelTokens);
}

} // namespace

ViewUnit modelUnit() {
  return {.figure = figureOf,
          .text = textOfTable<tableOf>,
          .forms = kForms,
          .reading = readingIn,
          .answers = giveAnswers,
          .copySpec = takeMember<&Scene::model>,
          .givesPattern = true,
          .drawsOwnPattern = readsOwnPattern,
          .leavesPatternOut = always, // the variants are named in the picture
          .takesInput = never,
          .picture = pictureOf,
          .sameKind = sameKind,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn,
          .length = lengthOf};
}

} // namespace attention
