// The longest paths from closed forms (S10): a pair of tokens is as many layers apart as steps of
// the layer lie between them, and factorized attention joins in two what it joins at all.
#include "core/analysis/reach/band_form.h"
#include "core/analysis/reach/reach_forms.h"
#include "core/pattern/mechanism/all.h"

#include <algorithm>

namespace attention {
namespace {

// Which of the c columns of a block are the summaries A²: [begin, end) of the positions in it.
struct SummaryColumns {
  Index begin = 0;
  Index end = 0;
};
SummaryColumns columnsIn(const Fixed& fixed) {
  const Index end = *fixed.stride - fixed.subblock * *fixed.columns;
  const Index more = fixed.reading == Fixed::Reading::Inclusive ? 1 : 0;
  return {std::max<Index>(0, end - *fixed.columns - more), end};
}

// Of a pattern that is resolved, in layers of n tokens.
class LongestOf {
public:
  using Result = std::optional<Index>;

  LongestOf(Index n, bool residual) : n_(n), residual_(residual) {}

  template <class M>
  Result operator()(const M&) const {
    return std::nullopt;
  }

  Result operator()(const Strided& strided) const { // of both factors
    const Index l = *strided.stride;
    return pairsIn(l == 1 || n_ - 1 <= l ? 1 : 2); // further back, the first of a strip is missed
  }

  Result operator()(const Fixed& fixed) const {
    const Index l = *fixed.stride;
    const SummaryColumns of = columnsIn(fixed);
    if (fixed.head == Factor::First)
      return l > 1 ? pairsIn(1) : itself();
    if (fixed.head == Factor::Union) {
      const bool all = of.begin == 0 && (fixed.causal || of.end == l); // that are reached at all
      return pairsIn(n_ > l && !all ? 2 : 1);
    }
    // The first summary, which a short block may have moved; whoever reads it does so in one step.
    const bool moved = fixed.tail == Fixed::Tail::Shift && n_ < l;
    const Index first =
        moved ? std::max<Index>(0, std::min(of.begin, n_ - (of.end - of.begin))) : of.begin;
    if (first >= n_)
      return 0;
    return first < n_ - 1 || !fixed.causal ? pairsIn(1) : itself();
  }

  Result operator()(const Sinks& sinks) const {
    const Index steps = std::min(sinkWindow(sinks), n_) - 1;
    Index longest = sinks.sinks > 0 ? *pairsIn(1) : 0;
    if (steps >= 0 || residual_)
      longest = std::max(longest, itself());
    if (steps > 0)
      longest = std::max(longest, ceilDiv(std::max<Index>(n_ - 1 - sinks.sinks, 0), steps));
    return longest;
  }

  Result operator()(const BlockLocal& local) const {
    if (local.wrap)
      return std::nullopt;
    const Index last = ceilDiv(n_, local.blockSize) - 1;
    Index longest = local.blockSize > 1 ? *pairsIn(1) : itself();
    for (const Index side : {local.before, local.causal ? 0 : local.after})
      if (side > 0)
        longest = std::max(longest, ceilDiv(last, side));
    return longest;
  }

  Result operator()(const Graph& graph) const {
    if (graph.kind != Graph::Kind::Ring || graph.causal || !(residual_ || graph.selfLoops))
      return std::nullopt;
    return std::max(itself(), graph.k > 0 ? ceilDiv(n_ / 2, graph.k) : 0);
  }

  Result operator()(const PrefixLm&) const { return pairsIn(1); }

  Result operator()(const Document& document) const { // itself however often it is repeated
    return pairsOf(document) > n_ ? pairsIn(1) : itself();
  }

  Result operator()(const Longformer& longformer) const { // everything by way of a global token
    if (longformer.causal || !hasGlobals(longformer.globals))
      return std::nullopt;
    return pairsIn(pairsOf(longformer) == n_ * n_ ? 1 : 2);
  }
  Result operator()(const BigBird& bigbird) const {
    if (bigbird.causal || bigbird.globalFirst + bigbird.globalLast == 0)
      return std::nullopt;
    return pairsIn(pairsOf(bigbird) == n_ * n_ ? 1 : 2);
  }

private:
  // A token is one layer from itself where there is no residual connection.
  Index itself() const { return residual_ ? 0 : 1; }
  // This many layers, where there are at least two tokens.
  Result pairsIn(Index layers) const { return n_ > 1 ? layers : itself(); }
  Index pairsOf(const Pattern& pattern) const {
    return prepare(pattern, squareLengths(n_))->pairs();
  }

  Index n_;
  bool residual_;
};

} // namespace

std::optional<Index> maximumPathForm(const Pattern& layer, Index n, bool residual) {
  const Pattern pattern = resolved(layer, n);
  const auto band = bandOf(pattern, residual);
  if (!band)
    return std::visit(LongestOf(n, residual), pattern.mechanism());
  Index longest = residual ? 0 : 1;
  const Index farthest = (n - 1) / band->step * band->step;
  for (const Index side : {band->before, band->after})
    if (side >= band->step)
      longest = std::max(longest, ceilDiv(farthest, side / band->step * band->step));
  return longest;
}

} // namespace attention
