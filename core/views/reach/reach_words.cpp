#include "core/views/reach/scene_reach.h"

#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

std::string pairsText(Index count) {
  return groupedDigits(count) + (count == 1 ? " pair" : " pairs");
}

// What to see in the picture, from its numbers.
class Reading {
public:
  explicit Reading(const ReachAnswer& answer)
      : answer_(answer), own_(answer.growth.front()),
        complete_(std::find_if(own_.layers.begin(), own_.layers.end(),
                               [&](const LayerReach& layer) { return share(layer) >= 1; })) {}

  std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    const bool whole = complete_ != own_.layers.end();
    if (answer_.hops && answer_.hops->n() == 1)
      return {"The only token sees itself."};
    if (whole)
      all.push_back("After " + countText(complete_->layer, "layer") +
                    " every token reaches every " + (own_.causal ? "earlier" : "other") +
                    " token.");
    if (!own_.layers.empty() && share(own_.layers.back()) < 1)
      all.push_back("After " + countText(own_.layers.back().layer, "layer") + " tokens reach " +
                    (whole ? "only " : "") + sharePercent(share(own_.layers.back())) +
                    (own_.causal ? " of their past." : " of all tokens."));
    if (answer_.lost)
      all.push_back("Fewer layers reach " + pairsText(answer_.lost->count) +
                    " (orange in the matrix) that the full stack loses again.");
    for (const ReachVariant& variant : answer_.variants)
      all.push_back(otherwise(variant));
    all.insert(all.end(), answer_.leftOut.begin(), answer_.leftOut.end());
    return all;
  }

private:
  double share(const LayerReach& layer) const {
    return own_.causal ? layer.ofCausal : layer.ofFull;
  }

  std::string otherwise(const ReachVariant& variant) const {
    const std::string how = variant.reversed   ? "In the reverse order"
                            : variant.residual ? "With the residual connection"
                                               : "Without the residual connection";
    if (variant.top.pairs != own_.layers.back().pairs)
      return how + ", tokens would reach " +
             (variant.top.pairs < own_.layers.back().pairs ? "only " : "") +
             sharePercent(share(variant.top)) + " (" + pairsText(variant.top.pairs) + ").";
    if (share(variant.top) < 1)
      return how + " the share is the same.";
    // For the variant, only the result of all layers together is known.
    if (complete_->layer < answer_.layers)
      return how + ", all " + countText(answer_.layers, "layer") + " together reach " +
             (own_.causal ? "every earlier token" : "every token") + " too.";
    return how.starts_with("Without") ? "This also holds without the residual connection."
                                      : how + " this also holds.";
  }

  const ReachAnswer& answer_;
  const ReachGrowth& own_;
  std::vector<LayerReach>::const_iterator complete_; // the first layer that reaches all
};

} // namespace

std::vector<std::string> readingOf(const ReachAnswer& answer) {
  return Reading(answer).sentences();
}

} // namespace attention
