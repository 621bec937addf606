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

CostsShown shownOf(const CostsKey& key, MeasuredCosts costs, std::optional<ModelCosts> computed) {
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
  return shown;
}

SweepShown shownOf(SweepPlan plan, MeasuredCosts costs, std::optional<ModelCosts> computed) {
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
  return shown;
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
CostsShown makeCosts(const CostsKey& key, const std::shared_ptr<const CostsShown>& before,
                     const std::function<void(CostsShown)>& publish, const Run& run) {
  if (key.asItIs && key.asItIs->tokens != key.tokens)
    return shownOf(key, begunOf(*key.asItIs, *key.tokens), std::nullopt);
  const auto [shipped, model] = answeringFor(key);
  auto variants = variantsOf(key.spec, key.own, *model, run.quiet());
  if (!key.asItIs)
    return shownOf(key, shippedOf(key, *shipped, variants), std::nullopt);
  const auto onPart = [&, known = shipped.get()](const ModelCosts& part) {
    publish(shownOf(key, withShipped(measuredOf(part), part, known), part));
  };
  const ModelCosts costs = modelCosts(key.asItIs, std::move(variants), computedIn(before),
                                      {onPart, /*firstTokens=*/true}, run);
  return shownOf(key, measuredOf(costs), costs);
}

SweepShown makeSweep(const CostsKey& key, const std::shared_ptr<const SweepShown>& before,
                     const std::function<void(SweepShown)>& publish, const Run& run) {
  const auto [shipped, model] = answeringFor(key);
  const Index n = key.asItIs ? std::ssize(key.tokens->ids) : std::ssize(shipped->ids);
  SweepPlan plan = sweepPlan(key.spec, key.own, *model, n, run.quiet());
  auto variants = variantsOf(plan);
  if (!key.asItIs) {
    MeasuredCosts known = shippedOf(key, *shipped, variants);
    return shownOf(std::move(plan), std::move(known), std::nullopt);
  }
  const auto onPart = [&, known = shipped.get()](const ModelCosts& part) {
    publish(shownOf(plan, withShipped(measuredOf(part), part, known), part));
  };
  const ModelCosts costs =
      modelCosts(key.asItIs, std::move(variants), computedIn(before), {onPart}, run);
  return shownOf(plan, measuredOf(costs), costs);
}

HurtShown makeHurt(const std::shared_ptr<const CostsShown>& of, const ModelSpec& spec,
                   const Pattern& own) {
  const MeasuredCosts& costs = of->costs;
  const MeasuredRow& row = shownRow(spec, own, costs);
  return {of,
          row,
          hurtMark(costs, row),
          titleOfHurt(row),
          captionOfHurt(costs, row),
          hurtSentences(costs, row)};
}

LayersShown makeLayers(const Model& model, const ModelSpec& spec, const Pattern& own, Index n,
                       const Run& run) {
  const ModelVariant variant = shownVariant(spec, own, model, run.quiet());
  return {titleOfLayers(model, variant), captionOfLayers(model, variant),
          readingOfLayers(model, variant, n, run.quiet()), layersPlot(model, variant, n, run)};
}

// Results that are shipped stand there meanwhile; else the first tokens do.
ModelAsItIs makeAsItIs(const std::shared_ptr<const Model>& model,
                       const std::shared_ptr<const ModelTokens>& tokens,
                       const std::function<void(ModelAsItIs)>& publish, const Run& run) {
  return modelAsItIs(model, tokens, tokens->shipped ? nullptr : publish, run);
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
    model_.ask(
        asking, "opening the model",
        [of = *source.value](const std::string&, bool) { return openedModel(of); },
        source.value->model, shipped);
    if (isWhole(shown_.model))
      tokens_.ask(asking, "reading the text", modelTokens, shown_.model, *source.value);
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
      asItIs_.askInParts(asking, "the model as it is", makeAsItIs, shown_.model, shown_.tokens);
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

  void askCosts(const Asking& asking, const CostsKey& key) {
    const auto make = [before = shown_.costs.value](const CostsKey& of, const auto& publish,
                                                    const Run& run) {
      return makeCosts(of, before, publish, run);
    };
    costs_.askInParts(asking, "what variants cost", make, key);
  }

  void askSweep(const Asking& asking, const CostsKey& key) {
    const auto make = [before = shown_.sweep.value](const CostsKey& of, const auto& publish,
                                                    const Run& run) {
      return makeSweep(of, before, publish, run);
    };
    sweep_.askInParts(asking, "the sweep", make, key);
  }

  // As soon as the chosen variant's row is there, with its losses along the text.
  void askHurt(const Asking& asking) {
    const std::shared_ptr<const CostsShown> costs = shown_.costs.value;
    const ModelSpec spec = variantsOnly(asking.scene.model, true);
    const Pattern own = ownIn(asking.scene);
    const bool fresh = isFresh(shown_.costs);
    const MeasuredRow* row = fresh ? findShownRow(spec, own, costs->costs) : nullptr;
    const bool more = fresh && costs->costs.partly; // is to come
    const bool there = row && !(more && row->loss.empty());
    if (there || (isWhole(shown_.costs) && !more))
      hurt_.ask(asking, "the text", makeHurt, costs, spec, own);
    else
      hurt_.halt();
  }

  void askLayers(const Asking& asking) {
    const Scene& scene = asking.scene;
    layers_.ask(asking, "the masks of all heads", makeLayers, shown_.model,
                variantsOnly(scene.model, true), ownIn(scene),
                static_cast<Index>(shown_.tokens->ids.size()));
  }

  ModelResults& shown_;
  ModelPicture picture_ = ModelPicture::Costs;
  StageOf<Model, std::string, bool> model_{shown_.model};
  StageOf<ModelTokens, Latest<Model>, ModelSource> tokens_{shown_.tokens};
  StageOf<ModelAsItIs, std::shared_ptr<const Model>, std::shared_ptr<const ModelTokens>> asItIs_{
      shown_.asItIs};
  StageOf<CostsShown, CostsKey> costs_{shown_.costs};
  StageOf<HurtShown, std::shared_ptr<const CostsShown>, ModelSpec, Pattern> hurt_{shown_.hurt};
  StageOf<SweepShown, CostsKey> sweep_{shown_.sweep};
  StageOf<LayersShown, Latest<Model>, ModelSpec, Pattern, Index> layers_{shown_.layers};
};

} // namespace

std::unique_ptr<ViewStages> modelStages(Results& results) {
  return std::make_unique<ModelStages>(results);
}

} // namespace attention::gui
