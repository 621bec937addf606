#include "app/gui/views/reach/reach_results.h"

#include "app/gui/results/view_stages.h"
#include "app/gui/views/reach/reach_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/scene/input_data.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/views/reach/scene_reach.h"
#include "core/views/scene_figure.h"

#include <algorithm>

namespace attention::gui {
namespace {

PatternData dataOf(const ReachKey& key, const Run& run) {
  if (!key.input)
    return {};
  return inputData(*key.input, key.batch, key.head, key.question.lengths.keys, run);
}

// The name of the share stands above the curves, where there is more room.
std::string takeTitle(Plot& growth) {
  return std::exchange(std::get<CurvesMark>(growth.mark).y.label, "");
}

ReachLayers shownOf(ReachAnswer answer) {
  ReachLayers layers;
  layers.growth = growthOf(answer, {});
  layers.growthTitle = takeTitle(layers.growth);
  layers.reading = readingOf(answer);
  layers.answer = std::move(answer);
  return layers;
}

ReachKey reachKey(const Scene& scene, const Lengths& lengths,
                  const std::shared_ptr<const Input>& input) {
  ReachKey key{reachQuestion(scene, lengths)};
  if (readsData(key.question)) {
    key.input = input;
    key.batch = scene.input.batch;
    key.head = scene.input.head;
  }
  return key;
}

std::shared_ptr<const ReachLayers> makeReachLayers(const ReachKey& key, const Run& run,
                                                   Parts<ReachLayers>& parts) {
  const auto publish = [&](const ReachAnswer& part) {
    parts.publish(std::make_shared<const ReachLayers>(shownOf(part)));
  };
  return std::make_shared<const ReachLayers>(
      shownOf(reachAnswer(key.question, dataOf(key, run), 0, publish, partOf(run, 0, 0.95))));
}

ReachToken makeReachToken(const ReachTokenKey& key, const Run& run) {
  const ReachAnswer& answer = key.layers->answer;
  ReachToken token;
  token.facts = reachOfToken(answer, key.pins, run);
  token.graph = graphOf(answer, token.facts, key.shown, key.labels);
  if (token.graph.plot && key.shown) {
    token.shown = key.shown;
    token.growth = growthOf(answer, key.shown);
    takeTitle(*token.growth);
  }
  return token;
}

Plot makeReachHops(const ReachHopsKey& key, const Run& run) {
  const ReachAnswer& answer = key.layers->answer;
  return hopPlot(*answer.hops, *answer.longest, answer.lost.get(), key.cells, run);
}

ReachModelsKey modelsKey(const ReachSpec& spec, Index n) {
  ReachModelsKey key{{}, n};
  key.spec.models = spec.models;
  key.spec.stack = spec.stack;
  key.spec.layers = spec.layers;
  return key;
}

ModelsAnswer makeModels(const ReachModelsKey& key, const Run& run) {
  return modelsAnswer(key.spec, key.n, run);
}

// The token appears only in the graph, as in files.
std::string titleOfLayers(const ReachLayers& layers, const ReachToken& token) {
  if (!token.graph.plot)
    return titleOfGrowth(layers.answer);
  return titleOfReach(layers.answer, token.facts.token, token.shown);
}

// The layers of the Scene (whose growth comes curve by curve), the chosen token among them, and the
// matrix of hops under the camera.
class ReachStages final : public ViewStages {
public:
  explicit ReachStages(Results& all)
      : ViewStages({&layers_, &token_, &hops_, &models_}), all_(all),
        shown_(all.part<ReachResults>()) {}

  void update(const Asking& asking) override {
    updateModels(asking);
    const auto key =
        asking.lengthsKnown
            ? madeOrProblem([&] { return reachKey(asking.scene, all_.lengths, all_.input.value); })
            : Outcome<ReachKey>{nullptr, all_.masks.problem};
    const bool waits =
        key.value && readsData(key.value->question) && !all_.input && all_.input.pending;
    if (!key.value || waits) {
      for (AnyStage* stage : {static_cast<AnyStage*>(&layers_), static_cast<AnyStage*>(&token_),
                              static_cast<AnyStage*>(&hops_)})
        stage->halt();
      shown_.layers.pending = waits || (!asking.lengthsKnown && !key.problem);
      shown_.layers.problem = key.problem;
      return;
    }
    layers_.askInParts(asking, "following the layers", *key.value,
                       [key = *key.value](const Run& run, Parts<ReachLayers>& parts) {
                         return makeReachLayers(key, run, parts);
                       });
    if (shown_.layers && !shown_.layers.stale)
      return askParts(asking);
    token_.halt();
    hops_.halt();
  }
  void reload() override { layers_.renew(); } // the last picture stays until then
  ShownState shown() const override { return stateOf(shown_.layers); }
  std::string title() const override {
    return shown_.layers && shown_.token && !shown_.layers.problem
               ? titleOfLayers(*shown_.layers, *shown_.token)
               : std::string();
  }

private:
  void updateModels(const Asking& asking) {
    const ReachSpec& spec = asking.scene.reach;
    if (spec.models.empty())
      models_.drop();
    else if (asking.lengthsKnown)
      models_.ask(asking, "the models' layers", modelsKey(spec, all_.lengths.keys), makeModels);
    else
      models_.halt();
  }

  // The chosen token and the matrix of hops, both of layers that are there.
  void askParts(const Asking& asking) {
    const Scene& scene = asking.scene;
    const Index n = all_.lengths.keys;
    token_.ask(asking, "following a token",
               {shown_.layers.value, scene.pins, scene.reach.shown,
                n > kMostGraphTokens ? std::vector<std::string>()
                                     : keptTokenLabels(scene, all_.input.value.get(), n)},
               makeReachToken);
    if (!shown_.layers->answer.hops)
      return hops_.drop();
    hops_.ask(asking, "the matrix of hops",
              {shown_.layers.value, cellsOf(scene.camera, squareLengths(n))}, makeReachHops);
  }

  const Results& all_;
  ReachResults& shown_;
  StageOf<ReachKey, ReachLayers> layers_{shown_.layers};
  StageOf<ReachTokenKey, ReachToken> token_{shown_.token};
  StageOf<ReachHopsKey, Plot> hops_{shown_.hops};
  StageOf<ReachModelsKey, ModelsAnswer> models_{shown_.models};
};

} // namespace

std::unique_ptr<ViewStages> reachStages(Results& results) {
  return std::make_unique<ReachStages>(results);
}

} // namespace attention::gui
