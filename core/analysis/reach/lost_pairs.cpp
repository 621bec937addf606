#include "core/analysis/reach/reach.h"

namespace attention {

std::optional<LostPairs> lostPairs(const HopMatrix& hops, const BitMatrix& reach, Index layers,
                                   const Run& run) {
  const Index n = hops.n();
  LostPairs lost{BitMatrix(n, n)};
  for (Index i = 0; i < n; ++i) {
    run.check();
    const auto kept = reach.row(i);
    const auto row = lost.pairs.row(i);
    for (Index j = 0; j < n; ++j) {
      const Index least = hops(i, j);
      if (least < 0 || least >= layers || bitAt(kept, j))
        continue;
      setBits(row, j, j + 1);
      ++lost.count;
    }
  }
  return lost.count > 0 ? std::optional(std::move(lost)) : std::nullopt;
}

} // namespace attention
