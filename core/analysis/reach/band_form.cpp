#include "core/analysis/reach/band_form.h"

#include <algorithm>

namespace attention {
namespace {

Index toward(Index size) {
  return size < 0 ? kUnbounded : std::min(size, kUnbounded);
}

struct BandOf {
  bool residual;
  using Result = std::optional<BandForm>;

  template <class M>
  Result operator()(const M&) const {
    return std::nullopt;
  }
  Result operator()(const Causal&) const { return BandForm{kUnbounded, 0, 1}; }
  Result operator()(const Full& full) const {
    return BandForm{kUnbounded, full.causal ? 0 : kUnbounded, 1};
  }
  Result operator()(const Local& local) const {
    const Index tokens =
        std::min(local.window, kUnbounded) + (local.count == Local::Count::Previous ? 1 : 0);
    if (tokens == 0)
      return residual ? Result(BandForm{}) : std::nullopt;
    if (local.causal)
      return BandForm{tokens - 1, 0, 1};
    if (local.edge == Local::Edge::Shift)
      return std::nullopt;
    const bool left = local.tie == Local::Tie::Left;
    return BandForm{left ? tokens / 2 : (tokens - 1) / 2, left ? (tokens - 1) / 2 : tokens / 2, 1};
  }
  Result operator()(const SlidingWindow& window) const {
    const Index right = window.causal ? 0 : window.right.value_or(window.left);
    return BandForm{toward(window.left), toward(right), 1};
  }
  Result operator()(const Dilated& dilated) const {
    const Index r = std::min(dilated.dilation, kUnbounded);
    const bool steps = dilated.unit == Dilated::Unit::Steps;
    const auto extent = [&](Index side) {
      return steps ? std::min(side, kUnbounded / r) * r : std::min(side, kUnbounded) / r * r;
    };
    const Index right = dilated.causal ? 0 : dilated.right.value_or(dilated.left);
    return BandForm{extent(dilated.left), extent(right), r};
  }
  Result operator()(const Strided& strided) const {
    if (strided.head == Factor::Union)
      return std::nullopt;
    const Index l = strided.stride.value(); // resolved before
    const Index w = strided.reading == Strided::Reading::Paper ? l : l - 1;
    if (strided.head == Factor::First)
      return BandForm{w, strided.causal ? 0 : w, 1};
    return BandForm{kUnbounded, strided.causal ? 0 : kUnbounded, l};
  }
};

} // namespace

std::optional<BandForm> bandOf(const Pattern& pattern, bool residual) {
  return std::visit(BandOf{residual}, pattern.mechanism());
}

Pattern resolved(Pattern pattern, Index n) {
  if (auto* strided = pattern.as<Strided>())
    strided->stride = strided->stride.value_or(roundedSqrt(n));
  if (auto* fixed = pattern.as<Fixed>()) {
    fixed->columns = columnsOf(*fixed, n);
    fixed->stride = strideOf(*fixed, n);
  }
  return pattern;
}

Index sinkWindow(const Sinks& sinks) {
  return sinks.window + (sinks.reading == Sinks::Reading::Inclusive ? 1 : 0);
}

bool hasGlobals(const TokenList& globals) {
  const auto* count = std::get_if<Index>(&globals);
  return count ? *count > 0 : !std::get<IndexList>(globals).empty();
}

} // namespace attention
