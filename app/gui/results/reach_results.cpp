#include "app/gui/results/reach_results.h"

#include "app/gui/widgets/group_digits.h"
#include "core/scene/input_data.h"
#include "core/support/part_of_run.h"

#include <algorithm>

namespace attention::gui {
namespace {

PatternData dataOf(const ReachKey& key, const Run& run) {
  if (!key.input)
    return {};
  return inputData(*key.input, key.batch, key.head, key.question.lengths.keys, run);
}

// What to see in the picture, from its numbers.
std::vector<std::string> readingOf(const ReachAnswer& answer) {
  const ReachGrowth& own = answer.growth.front();
  const auto share = [&](const LayerReach& layer) {
    return own.causal ? layer.ofCausal : layer.ofFull;
  };
  const auto complete = std::find_if(own.layers.begin(), own.layers.end(),
                                     [&](const LayerReach& layer) { return share(layer) >= 1; });
  std::vector<std::string> sentences;
  const std::string all = own.causal ? "every earlier token" : "every other token";
  const auto layers = [](Index count) {
    return std::to_string(count) + (count == 1 ? " layer" : " layers");
  };
  if (complete != own.layers.end())
    sentences.push_back("After " + layers(complete->layer) + " every token can use " + all + ".");
  else if (!own.layers.empty())
    sentences.push_back("After " + layers(own.layers.back().layer) + " tokens can use " +
                        percent(share(own.layers.back())) + " of what they may see.");
  for (const ReachVariant& variant : answer.variants)
    sentences.push_back((variant.reversed   ? "In the reverse order"
                         : variant.residual ? "With the residual path"
                                            : "Without the residual path") +
                        std::string(" it would be ") + percent(share(variant.top)) + ", " +
                        groupDigits(variant.top.pairs) +
                        (variant.top.pairs == 1 ? " pair." : " pairs."));
  return sentences;
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

} // namespace

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
  return hopPlot(*answer.hops, *answer.longest, key.cells, run);
}

} // namespace attention::gui
