#include "app/gui/views/model/model_results.h"

#include "app/gui/results/view_stages.h"
#include "app/gui/views/model/model_view.h"
#include "core/views/board/board_figure.h"

#include <array>
#include <cmath>
#include <utility>

namespace attention::gui {
namespace {

struct ModelTokensKey {
  std::shared_ptr<const Model> model;
  ModelSource source;
  bool operator==(const ModelTokensKey&) const = default;
};

struct AsItIsKey {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const ModelTokens> tokens;
  bool operator==(const AsItIsKey&) const = default;
};

// Of the spec only what the variants are made of.
struct CostsKey {
  std::shared_ptr<const ModelAsItIs> asItIs;
  ModelSpec spec;
  Pattern own;
  bool operator==(const CostsKey&) const = default;
};

struct LayersKey {
  std::shared_ptr<const Model> model;
  ModelSpec spec;
  Pattern own;
  Index n = 1;
  bool operator==(const LayersKey&) const = default;
};

ModelSpec variantsOnly(const ModelSpec& spec, bool chosen) {
  ModelSpec only;
  only.own = spec.own;
  only.variants = spec.variants;
  only.n = spec.n;
  only.chosen = chosen ? spec.chosen : 0;
  return only;
}

Pattern ownIn(const Scene& scene) {
  return scene.model.own ? scene.pattern : Pattern();
}

CostsShown shownOf(ModelCosts costs) {
  CostsShown shown;
  shown.front = frontPlot(costs);
  shown.along = alongPlot(costs);
  shown.table = boardPlot(costsBoard(costs));
  shown.title = titleOf(costs);
  shown.caption = captionOf(costs);
  shown.reading = readingOf(costs);
  shown.costs = std::move(costs);
  return shown;
}

// Variants that `before` has are taken from it.
std::shared_ptr<const CostsShown> makeCosts(const CostsKey& key,
                                            const std::shared_ptr<const CostsShown>& before,
                                            const Run& run, Parts<CostsShown>& parts) {
  const auto publish = [&](const ModelCosts& part) {
    parts.publish(std::make_shared<const CostsShown>(shownOf(part)));
  };
  auto variants = variantsOf(key.spec, key.own, *key.asItIs->model, run.quiet());
  return std::make_shared<const CostsShown>(shownOf(modelCosts(
      key.asItIs, std::move(variants), before ? &before->costs : nullptr, publish, run)));
}

LayersShown makeLayers(const LayersKey& key, const Run& run) {
  const ModelVariant variant = shownVariant(key.spec, key.own, *key.model, run.quiet());
  return {titleOfLayers(*key.model, variant), captionOfLayers(*key.model, variant),
          layersPlot(*key.model, variant, key.n, run)};
}

// The model, its text, the model as it is, then the variants. Models and states stay while other
// views are shown: to make them again takes long.
class ModelStages final : public ViewStages {
public:
  explicit ModelStages(Results& all)
      : ViewStages({&model_, &tokens_, &asItIs_, &costs_, &layers_}),
        shown_(all.part<ModelResults>()) {}

  void update(const Asking& asking) override {
    picture_ = asking.scene.model.picture;
    const auto source = madeOrProblem([&] { return modelSource(asking.scene.model); });
    if (!source.value || source.value->model.empty()) {
      haltFrom(0);
      shown_.model.problem = source.problem;
      return;
    }
    model_.askShared(asking, "opening the model", source.value->model,
                     [name = source.value->model](const Run&) { return openedModel(name); });
    if (!isWhole(shown_.model))
      return haltFrom(1);
    tokens_.ask(
        asking, "reading the text", {shown_.model.value, *source.value},
        [](const ModelTokensKey& key, const Run&) { return modelTokens(*key.model, key.source); });
    if (!isWhole(shown_.tokens))
      return haltFrom(2);
    if (picture_ == ModelPicture::Layers) {
      asItIs_.halt(); // their answers are kept, but no longer those of this Scene
      costs_.halt();
      askLayers(asking);
    } else {
      layers_.halt();
      askCosts(asking);
    }
  }
  void leave() override {
    for (AnyStage* stage : stages())
      if (stage->works())
        stage->drop();
  }
  void reload() override {
    model_.renew();
    tokens_.renew();
  }
  ShownState shown() const override {
    ShownState state =
        picture_ == ModelPicture::Layers ? stateOf(shown_.layers) : stateOf(shown_.costs);
    state.problem = problemOf(shown_, picture_);
    return state;
  }
  std::string title() const override {
    if (picture_ == ModelPicture::Layers)
      return shown_.layers ? shown_.layers->title : std::string();
    return shown_.costs ? shown_.costs->title : std::string();
  }

private:
  // Ends the stages from this one on.
  void haltFrom(std::size_t first) {
    for (AnyStage* stage : stages().subspan(first))
      stage->halt();
  }

  void askCosts(const Asking& asking) {
    asItIs_.ask(asking, "the model as it is", {shown_.model.value, shown_.tokens.value},
                [](const AsItIsKey& key, const Run& run) {
                  return modelAsItIs(key.model, key.tokens, run);
                });
    if (!isWhole(shown_.asItIs))
      return costs_.halt();
    const Scene& scene = asking.scene;
    const CostsKey key{shown_.asItIs.value, variantsOnly(scene.model, false), ownIn(scene)};
    costs_.askInParts(asking, "what variants cost", key,
                      [key, before = shown_.costs.value](const Run& run, Parts<CostsShown>& parts) {
                        return makeCosts(key, before, run, parts);
                      });
  }

  void askLayers(const Asking& asking) {
    const Scene& scene = asking.scene;
    layers_.ask(asking, "the masks of all heads",
                {shown_.model.value, variantsOnly(scene.model, true), ownIn(scene),
                 static_cast<Index>(shown_.tokens->ids.size())},
                makeLayers);
  }

  ModelResults& shown_;
  ModelPicture picture_ = ModelPicture::Costs;
  StageOf<std::string, Model> model_{shown_.model};
  StageOf<ModelTokensKey, ModelTokens> tokens_{shown_.tokens};
  StageOf<AsItIsKey, ModelAsItIs> asItIs_{shown_.asItIs};
  StageOf<CostsKey, CostsShown> costs_{shown_.costs};
  StageOf<LayersKey, LayersShown> layers_{shown_.layers};
};

template <class T>
void noteWork(const Latest<T>& part, const char* what, std::string& words) {
  if (part.pending && words.empty())
    words = std::string(what) + " … " +
            std::to_string(std::lround(100 * std::clamp(part.progress, 0.0, 1.0))) + " %";
}

} // namespace

std::optional<Problem> problemOf(const ModelResults& results, ModelPicture picture) {
  const bool layers = picture == ModelPicture::Layers;
  for (const std::optional<Problem>& problem :
       {results.model.problem, results.tokens.problem,
        layers ? results.layers.problem : results.asItIs.problem,
        layers ? std::nullopt : results.costs.problem})
    if (problem)
      return problem;
  return std::nullopt;
}

std::string workOf(const ModelResults& results, ModelPicture picture) {
  std::string words;
  noteWork(results.model, "opening the model", words);
  noteWork(results.tokens, "reading the text", words);
  if (picture == ModelPicture::Layers) {
    noteWork(results.layers, "preparing the masks", words);
    return words;
  }
  noteWork(results.asItIs, "computing the model as it is", words);
  noteWork(results.costs, "computing the variants", words);
  return words;
}

std::unique_ptr<ViewStages> modelStages(Results& results) {
  return std::make_unique<ModelStages>(results);
}

} // namespace attention::gui
