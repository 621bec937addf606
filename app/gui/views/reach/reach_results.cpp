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

// `of`: where a pattern depends on the data; else none.
ReachLayers makeReachLayers(const ReachQuestion& question, const ModelHead& of,
                            const std::function<void(ReachLayers)>& publish, const Run& run) {
  const PatternData data = of.input
                               ? inputData(*of.input, of.batch, of.head, question.lengths.keys, run)
                               : PatternData();
  const auto onPart = [&](const ReachAnswer& part) { publish(shownOf(part)); };
  return shownOf(reachAnswer(question, data, 0, onPart, partOf(run, 0, 0.95)));
}

// Among layers that it follows, if not all; labels where the graph has room for them.
ReachToken makeReachToken(const ReachLayers& layers, const Pins& pins,
                          const std::optional<Index>& followed,
                          const std::vector<std::string>& labels, const Run& run) {
  const ReachAnswer& answer = layers.answer;
  ReachToken token;
  token.facts = reachOfToken(answer, pins, run);
  token.graph = graphOf(answer, token.facts, followed, labels);
  if (token.graph.plot && followed) {
    token.shown = followed;
    token.growth = growthOf(answer, followed);
    takeTitle(*token.growth);
  }
  return token;
}

// Of layers with hops: the cells that the camera shows.
Plot makeReachHops(const ReachLayers& layers, const attention::Rect& cells, const Run& run) {
  const ReachAnswer& answer = layers.answer;
  return hopPlot(*answer.hops, *answer.longest, answer.lost.get(), cells, run);
}

// What the models read: which they are, and the layers that they are compared with.
ReachSpec modelsOnly(const ReachSpec& spec) {
  ReachSpec only;
  only.models = spec.models;
  only.beside = spec.beside; // whose hues come before theirs
  only.stack = spec.stack;
  only.layers = spec.layers;
  return only;
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
    const auto question =
        asking.lengthsKnown
            ? madeOrProblem([&] { return reachQuestion(asking.scene, all_.lengths); })
            : Outcome<ReachQuestion>{nullptr, all_.masks.problem};
    const bool reads = question.value && readsData(*question.value);
    const bool waits = reads && !all_.input && all_.input.pending;
    if (!question.value || waits) {
      for (AnyStage* stage : std::initializer_list<AnyStage*>{&layers_, &token_, &hops_})
        stage->halt();
      shown_.layers.pending = waits || (!asking.lengthsKnown && !question.problem);
      shown_.layers.problem = question.problem;
      return;
    }
    layers_.askInParts(asking, "following the layers", makeReachLayers, question,
                       reads ? modelHead(asking.scene, all_.input.value) : ModelHead());
    askToken(asking);
    askHops(asking);
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
      models_.ask(asking, "the models' layers", modelsAnswer, modelsOnly(spec), all_.lengths.keys);
    else
      models_.halt();
  }

  void askToken(const Asking& asking) {
    const Scene& scene = asking.scene;
    const Index n = all_.lengths.keys;
    token_.ask(asking, "following a token", makeReachToken, shown_.layers, scene.pins,
               scene.reach.shown,
               n > kMostGraphTokens ? std::vector<std::string>()
                                    : keptTokenLabels(scene, all_.input.value.get(), n));
  }

  void askHops(const Asking& asking) {
    if (hops_.keepIf(!isFresh(shown_.layers) || shown_.layers->answer.hops))
      hops_.ask(asking, "the matrix of hops", makeReachHops, shown_.layers,
                cellsOf(asking.scene.camera, squareLengths(all_.lengths.keys)));
  }

  const Results& all_;
  ReachResults& shown_;
  StageOf<ReachLayers, ReachQuestion, ModelHead> layers_{shown_.layers};
  StageOf<ReachToken, Latest<ReachLayers>, Pins, std::optional<Index>, std::vector<std::string>>
      token_{shown_.token};
  StageOf<Plot, Latest<ReachLayers>, attention::Rect> hops_{shown_.hops};
  StageOf<ModelsAnswer, ReachSpec, Index> models_{shown_.models};
};

} // namespace

std::unique_ptr<ViewStages> reachStages(Results& results) {
  return std::make_unique<ReachStages>(results);
}

} // namespace attention::gui
