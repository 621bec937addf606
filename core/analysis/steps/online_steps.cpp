#include "core/analysis/steps/online_steps.h"

#include "core/analysis/steps/step_logits.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

// Takes tile after tile.
class Running {
public:
  explicit Running(MatrixView<const double> v) : v_(v), output_(static_cast<std::size_t>(v.cols)) {}

  // Logits of the keys [begin, end), at least one.
  OnlineTile take(std::span<const StepLogit> logits, Index begin, Index end) {
    OnlineTile tile{begin, end, {}, logits.front().value, 0, 0, 0, {}};
    for (const StepLogit& logit : logits)
      tile.tileMax = std::max(tile.tileMax, logit.value);
    tile.max = std::max(max_, tile.tileMax);
    tile.correction = std::exp(max_ - tile.max);
    max_ = tile.max;
    sum_ *= tile.correction;
    for (double& o : output_)
      o *= tile.correction;
    for (const StepLogit& logit : logits) {
      if (tile.keys.empty() || tile.keys.back() != logit.key)
        tile.keys.push_back(logit.key);
      add(logit);
    }
    tile.sum = sum_;
    tile.output = output_;
    return tile;
  }

private:
  void add(const StepLogit& logit) {
    const double e = std::exp(logit.value - max_);
    sum_ += e;
    for (std::size_t c = 0; c < output_.size(); ++c)
      output_[c] += e * v_(logit.key, static_cast<Index>(c));
  }

  MatrixView<const double> v_;
  double max_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
  std::vector<double> output_;
};

} // namespace

OnlineSteps onlineSteps(const StepsInput& input, Index keyTile) {
  if (keyTile < 1)
    throwRange("key-tile", std::to_string(keyTile), "an integer of at least 1");
  const StepLogits logits = stepLogits(input);
  if (logits.combine == Combine::Mean)
    throw Error(ErrorCode::Unsupported, "by",
                "by is online, and the pattern takes the mean of several softmaxes; online softmax "
                "needs one softmax, so by must be softmax, linear or features");
  const std::vector<StepLogit> all = joined(logits);
  OnlineSteps steps;
  Running running(input.v);
  for (auto first = all.begin(); first != all.end();) {
    const Index begin = first->key / keyTile * keyTile;
    const Index end = begin + std::min(keyTile, input.k.rows - begin);
    const auto last =
        std::find_if(first, all.end(), [end](const StepLogit& logit) { return logit.key >= end; });
    steps.tiles.push_back(running.take({first, last}, begin, end));
    first = last;
  }
  steps.output.resize(static_cast<std::size_t>(input.v.cols));
  if (!steps.tiles.empty()) {
    steps.output = steps.tiles.back().output;
    double sum = steps.tiles.back().sum;
    if (const auto& sink = input.options.sink) {
      steps.sinkExp = std::exp(*sink - steps.tiles.back().max);
      sum += *steps.sinkExp;
    }
    for (double& o : steps.output)
      o /= sum;
  }
  return steps;
}

} // namespace attention
