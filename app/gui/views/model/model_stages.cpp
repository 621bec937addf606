// The stages of the Model view: the model, its text, the model as it is, then what the picture
// needs of the variants.
#include "app/gui/results/view_stages.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/views/model/model_view.h"
#include "core/support/error.h"
#include "core/views/board/board_figure.h"

#include <utility>

namespace attention::gui {
namespace {

struct ModelKey {
  std::string model;
  bool shipped = false;
  bool operator==(const ModelKey&) const = default;
};

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

// Of the spec only what the variants, or the sweep, are made of. Without `asItIs` the shipped
// results answer, also while it is being computed; it may be of the first tokens alone. Without
// `model` they stand for one that is being opened, or whose text is being read.
struct CostsKey {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const ModelTokens> tokens;
  std::shared_ptr<const ModelAsItIs> asItIs;
  ModelSpec spec;
  Pattern own;
  bool operator==(const CostsKey&) const = default;
};

struct HurtKey {
  std::shared_ptr<const CostsShown> costs;
  ModelSpec spec;
  Pattern own;
  bool operator==(const HurtKey&) const = default;
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
  only.single = spec.single;
  only.chosen = chosen || spec.single ? spec.chosen : 0;
  return only;
}

ModelSpec sweepOnly(const ModelSpec& spec) {
  ModelSpec only;
  only.n = spec.n;
  only.sweep = spec.sweep;
  if (sweepsVariants(spec)) {
    only.own = false;
    only.variants = spec.variants;
  }
  return only;
}

Pattern ownIn(const Scene& scene) {
  return scene.model.own ? scene.pattern : Pattern();
}

std::shared_ptr<const CostsShown> shownOf(const CostsKey& key, MeasuredCosts costs,
                                          std::optional<ModelCosts> computed) {
  CostsShown shown;
  const MeasuredRows single = singleRows(key.spec, key.own, costs);
  shown.front = frontPlot(costs);
  shown.along = alongPlot(costs, single);
  shown.table = boardPlot(costsBoard(costs));
  shown.title = titleOf(costs);
  shown.caption = captionOf(costs, single);
  shown.begun = begunWords(costs);
  shown.reading = readingOf(costs);
  shown.costs = std::move(costs);
  shown.computed = std::move(computed);
  return std::make_shared<const CostsShown>(std::move(shown));
}

std::shared_ptr<const SweepShown> shownOf(SweepPlan plan, MeasuredCosts costs,
                                          std::optional<ModelCosts> computed) {
  SweepShown shown;
  shown.plot = sweepPlot(plan, costs);
  shown.title = titleOf(plan, costs);
  shown.reading = readingOf(plan, costs);
  shown.lacking = lackingSentence(plan, costs);
  shown.drawn = hasPoints(plan, costs);
  if (shown.drawn)
    shown.caption = captionOf(plan, costs, /*withLacking=*/false);
  shown.answer = {std::move(plan), std::move(costs)};
  shown.computed = std::move(computed);
  return std::make_shared<const SweepShown>(std::move(shown));
}

// The shipped results, and the model that they answer for.
struct Answering {
  std::shared_ptr<const ShippedCosts> shipped; // null: of another model
  std::shared_ptr<const Model> model;
};
Answering answeringFor(const CostsKey& key) {
  if (key.model)
    return {shippedFor(*key.model), key.model};
  auto shipped = readShippedCosts();
  return {shipped, shipped->model};
}

// The shipped numbers of these variants. A model with weights is about to compute the others.
MeasuredCosts shippedOf(const CostsKey& key, const ShippedCosts& shipped,
                        const std::vector<ModelVariant>& variants) {
  MeasuredCosts costs = measuredOf(shipped, variants);
  costs.partly = !key.model || hasWeights(*key.model);
  if (costs.partly)
    costs.lacking.clear();
  return costs;
}

const ModelCosts* computedIn(const auto& before) {
  return before && before->computed ? &*before->computed : nullptr;
}

// Variants that `before` has are taken from it.
std::shared_ptr<const CostsShown> makeCosts(const CostsKey& key,
                                            const std::shared_ptr<const CostsShown>& before,
                                            const Run& run, Parts<CostsShown>& parts) {
  if (key.asItIs && key.asItIs->tokens != key.tokens)
    return shownOf(key, begunOf(*key.asItIs, *key.tokens), std::nullopt);
  const auto [shipped, model] = answeringFor(key);
  auto variants = variantsOf(key.spec, key.own, *model, run.quiet());
  if (!key.asItIs)
    return shownOf(key, shippedOf(key, *shipped, variants), std::nullopt);
  const auto publish = [&, known = shipped.get()](const ModelCosts& part) {
    parts.publish(shownOf(key, withShipped(measuredOf(part), part, known), part));
  };
  const ModelCosts costs = modelCosts(key.asItIs, std::move(variants), computedIn(before),
                                      {publish, /*firstTokens=*/true}, run);
  return shownOf(key, measuredOf(costs), costs);
}

std::shared_ptr<const SweepShown> makeSweep(const CostsKey& key,
                                            const std::shared_ptr<const SweepShown>& before,
                                            const Run& run, Parts<SweepShown>& parts) {
  const auto [shipped, model] = answeringFor(key);
  const Index n = key.asItIs ? std::ssize(key.tokens->ids) : std::ssize(shipped->ids);
  SweepPlan plan = sweepPlan(key.spec, key.own, *model, n, run.quiet());
  auto variants = variantsOf(plan);
  if (!key.asItIs) {
    MeasuredCosts known = shippedOf(key, *shipped, variants);
    return shownOf(std::move(plan), std::move(known), std::nullopt);
  }
  const auto publish = [&, known = shipped.get()](const ModelCosts& part) {
    parts.publish(shownOf(plan, withShipped(measuredOf(part), part, known), part));
  };
  const ModelCosts costs =
      modelCosts(key.asItIs, std::move(variants), computedIn(before), {publish}, run);
  return shownOf(plan, measuredOf(costs), costs);
}

HurtShown makeHurt(const HurtKey& key, const Run&) {
  const MeasuredCosts& costs = key.costs->costs;
  const MeasuredRow& row = shownRow(key.spec, key.own, costs);
  return {key.costs,
          row,
          hurtMark(costs, row),
          titleOfHurt(row),
          captionOfHurt(costs, row),
          hurtSentences(costs, row)};
}

LayersShown makeLayers(const LayersKey& key, const Run& run) {
  const ModelVariant variant = shownVariant(key.spec, key.own, *key.model, run.quiet());
  return {titleOfLayers(*key.model, variant), captionOfLayers(*key.model, variant),
          readingOfLayers(*key.model, variant, key.n, run.quiet()),
          layersPlot(*key.model, variant, key.n, run)};
}

// Models and states stay while other views are shown: to make them again takes long.
class ModelStages final : public ViewStages {
public:
  explicit ModelStages(Results& all)
      : ViewStages({&model_, &tokens_, &asItIs_, &costs_, &hurt_, &sweep_, &layers_}),
        shown_(all.part<ModelResults>()) {}

  void update(const Asking& asking) override {
    picture_ = asking.scene.model.picture;
    const auto source = madeOrProblem([&] { return modelSource(asking.scene.model); });
    const bool shipped = source.value && isShipped(*source.value);
    if (!source.value || (source.value->model.empty() && !shipped)) {
      haltFrom(0);
      shown_.model.problem = source.problem;
      return;
    }
    model_.askShared(asking, "opening the model", {source.value->model, shipped},
                     [of = *source.value](const Run&) { return openedModel(of); });
    if (isWhole(shown_.model))
      tokens_.ask(asking, "reading the text", {shown_.model.value, *source.value},
                  [](const ModelTokensKey& key, const Run&) {
                    return modelTokens(*key.model, key.source);
                  });
    else
      tokens_.halt();
    if (!isWhole(shown_.tokens) || !isWhole(shown_.model))
      return waitFor(asking, *source.value, shipped);
    // The answers of other pictures are kept, but no longer those of this Scene.
    if (picture_ != ModelPicture::Layers)
      return askMeasured(asking);
    for (AnyStage* stage : std::initializer_list<AnyStage*>{&asItIs_, &costs_, &hurt_, &sweep_})
      stage->halt();
    askLayers(asking);
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
    ShownState state = stateOfPicture();
    state.problem = problemOf(shown_, picture_);
    return state;
  }
  std::string title() const override { return gui::shownOf(shown_, picture_).title; }
  // Of the text, as far as it goes.
  std::optional<Index> length() const override {
    const Latest<ModelTokens>& tokens = shown_.tokens;
    return tokens && !tokens.stale ? std::optional(std::ssize(tokens->ids)) : std::nullopt;
  }

private:
  // Ends the stages from this one on.
  void haltFrom(std::size_t first) {
    for (AnyStage* stage : stages().subspan(first))
      stage->halt();
  }

  // While the model is opened or its text read, shipped results stand there where they are of both.
  void waitFor(const Asking& asking, const ModelSource& source, bool shipped) {
    const bool problem = shown_.model.problem || shown_.tokens.problem;
    if (problem || shipped || picture_ == ModelPicture::Layers || !mayBeShipped(source))
      return haltFrom(2);
    asItIs_.halt();
    layers_.halt();
    askAnswers(asking, {});
  }

  ShownState stateOfPicture() const {
    switch (picture_) {
    case ModelPicture::Costs:
      return stateOf(shown_.costs);
    case ModelPicture::Text:
      return stateOf(shown_.hurt);
    case ModelPicture::Sweep:
      return stateOf(shown_.sweep);
    case ModelPicture::Layers:
      break;
    }
    return stateOf(shown_.layers);
  }

  void askMeasured(const Asking& asking) {
    layers_.halt();
    CostsKey key;
    if (hasWeights(*shown_.model)) {
      askAsItIs(asking, {shown_.model.value, shown_.tokens.value});
      const Latest<ModelAsItIs>& asItIs = shown_.asItIs;
      const bool shipped = shown_.tokens->shipped;
      const bool begun = asItIs && !asItIs.stale && asItIs.pending;
      if (!isWhole(asItIs) && !shipped && !(begun && picture_ == ModelPicture::Costs))
        return haltFrom(3);
      if (!isWhole(asItIs) && shipped)
        return askAnswers(asking, std::move(key)); // as before they were opened and read
      key.asItIs = shown_.asItIs.value;
    }
    key.model = shown_.model.value;
    key.tokens = shown_.tokens.value;
    askAnswers(asking, std::move(key));
  }

  // What variants or the sweep cost; of the key model, tokens and what is computed of them.
  void askAnswers(const Asking& asking, CostsKey key) {
    const ModelSpec& spec = asking.scene.model;
    if (picture_ == ModelPicture::Sweep) {
      costs_.halt();
      hurt_.halt();
      key.spec = sweepOnly(spec);
      key.own = sweepsVariants(spec) ? Pattern() : asking.scene.pattern;
      return askSweep(asking, key);
    }
    sweep_.halt();
    key.spec = variantsOnly(spec, false);
    key.own = ownIn(asking.scene);
    askCosts(asking, key);
    if (picture_ == ModelPicture::Text)
      askHurt(asking);
    else
      hurt_.halt();
  }

  void askAsItIs(const Asking& asking, const AsItIsKey& key) {
    asItIs_.askInParts(asking, "the model as it is", key,
                       [key](const Run& run, Parts<ModelAsItIs>& parts) {
                         std::function<void(ModelAsItIs)> begun;
                         if (!key.tokens->shipped) // whose results stand there meanwhile
                           begun = [&](ModelAsItIs first) {
                             parts.publish(std::make_shared<const ModelAsItIs>(std::move(first)));
                           };
                         return std::make_shared<const ModelAsItIs>(
                             modelAsItIs(key.model, key.tokens, begun, run));
                       });
  }

  void askCosts(const Asking& asking, const CostsKey& key) {
    costs_.askInParts(asking, "what variants cost", key,
                      [key, before = shown_.costs.value](const Run& run, Parts<CostsShown>& parts) {
                        return makeCosts(key, before, run, parts);
                      });
  }

  void askSweep(const Asking& asking, const CostsKey& key) {
    sweep_.askInParts(asking, "the sweep", key,
                      [key, before = shown_.sweep.value](const Run& run, Parts<SweepShown>& parts) {
                        return makeSweep(key, before, run, parts);
                      });
  }

  // As soon as the chosen variant's row is there, with its losses along the text.
  void askHurt(const Asking& asking) {
    const HurtKey key{shown_.costs.value, variantsOnly(asking.scene.model, true),
                      ownIn(asking.scene)};
    const bool fresh = shown_.costs && !shown_.costs.stale;
    const MeasuredRow* row = fresh ? findShownRow(key.spec, key.own, key.costs->costs) : nullptr;
    const bool more = fresh && key.costs->costs.partly; // is to come
    const bool there = row && !(more && row->loss.empty());
    if (there || (isWhole(shown_.costs) && !more))
      hurt_.ask(asking, "the text", key, makeHurt);
    else
      hurt_.halt();
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
  StageOf<ModelKey, Model> model_{shown_.model};
  StageOf<ModelTokensKey, ModelTokens> tokens_{shown_.tokens};
  StageOf<AsItIsKey, ModelAsItIs> asItIs_{shown_.asItIs};
  StageOf<CostsKey, CostsShown> costs_{shown_.costs};
  StageOf<HurtKey, HurtShown> hurt_{shown_.hurt};
  StageOf<CostsKey, SweepShown> sweep_{shown_.sweep};
  StageOf<LayersKey, LayersShown> layers_{shown_.layers};
};

} // namespace

std::unique_ptr<ViewStages> modelStages(Results& results) {
  return std::make_unique<ModelStages>(results);
}

} // namespace attention::gui
