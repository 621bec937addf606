// The rows of the layers of a stack, for algorithms that read them again and again: patterns that
// must be evaluated cell by cell are evaluated once and kept as bits.
#pragma once

#include "core/analysis/reach/bit_product.h"
#include "core/analysis/reach/reach.h"

#include <deque>

namespace attention {

class LayerRows {
public:
  LayerRows(const LayerStack& stack, int threads, const Run& run);
  LayerRows(const LayerRows&) = delete;
  LayerRows& operator=(const LayerRows&) = delete;

  // The mask of layer t ≥ 1, without the residual connection.
  const RowSource& operator[](Index layer) const {
    return rows_[static_cast<std::size_t>((layer - 1) % static_cast<Index>(rows_.size()))];
  }

private:
  std::vector<RowSource> rows_;
  std::deque<BitMatrix> kept_;
};

} // namespace attention
