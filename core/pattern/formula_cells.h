// The cells of a formula. AskedCells::contains of such cells holds one of these, and whoever asks
// for a whole row takes it out of there (std::function::target), to have hundreds of keys
// evaluated together.
#pragma once

#include "core/pattern/expression.h"

#include <algorithm>
#include <memory>

namespace attention {

struct FormulaCells {
  std::shared_ptr<const Expression> formula;
  bool causal = false; // cells above the diagonal are not evaluated

  bool operator()(Index i, Index j) const { return (!causal || j <= i) && formula->holds(i, j); }

  // Bit j − keys.begin of `bits`, which come as zeros: whether key j of the span is in.
  void mark(Index i, const KeySpan& keys, std::span<std::uint64_t> bits) const {
    const Index end = causal ? std::min(keys.end, i + 1) : keys.end;
    if (keys.begin < end)
      formula->mark(i, {keys.begin, end}, bits);
  }
};

} // namespace attention
