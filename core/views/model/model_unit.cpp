#include "core/views/view_unit.h"

#include "core/views/model/model_figure.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

ModelCosts costsIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const auto* ready = options.ready.find<ModelCosts>();
  return ready ? *ready : modelCostsOf(scene, threaded(run, options));
}

// Without computing what the variants cost.
Figure layersFigure(const Scene& scene, FigureTheme theme, const Run& run) {
  const ModelSource source = modelSource(scene.model);
  const auto model = openedModel(source.model);
  const ModelVariant variant = shownVariant(scene.model, scene.pattern, *model, run);
  const ModelTokens tokens = modelTokens(*model, source);
  Figure figure;
  figure.title = titleOfLayers(*model, variant);
  figure.theme = theme;
  figure.panels.push_back(
      {"", {layersPlot(*model, variant, static_cast<Index>(tokens.ids.size()), run)}, {}});
  figure.caption = captionOfLayers(*model, variant);
  return figure;
}

Figure figureOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  if (scene.model.picture == ModelPicture::Layers)
    return inWordsOf(scene, layersFigure(scene, options.theme, run));
  return inWordsOf(scene, costsFigure(costsIn(scene, options, run), options.theme));
}

CsvTable tableOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return costsTable(costsIn(scene, options, run));
}

constexpr std::array kForms{
    DataForm{".csv", "What each variant costs: pairs, loss, perplexity, KL, top-1, FLOPs, cache",
             writeTable<tableOf>}};

bool readsOwnPattern(const Scene& scene) {
  return scene.model.own;
}

std::string pictureOf(const Scene& scene) {
  return pictureName(modelSettings(), scene.model);
}

bool sameKind(const Scene& a, const Scene& b) {
  return a.model.picture == b.model.picture && a.model.model == b.model.model;
}

void ignoreLooks(Scene& looked, const Scene& own) {
  if (own.model.picture == ModelPicture::Costs) // Layers draws the masks of that one
    looked.model.chosen = own.model.chosen;     // which one is edited
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
          .copySpec = takeMember<&Scene::model>,
          .givesPattern = true,
          .drawsOwnPattern = readsOwnPattern,
          .takesInput = never,
          .picture = pictureOf,
          .sameKind = sameKind,
          .ignoreLooks = ignoreLooks,
          .moving = movingIn,
          .length = lengthOf};
}

} // namespace attention
