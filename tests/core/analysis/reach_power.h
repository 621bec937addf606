// Receptive fields by the definition (S10), cell by cell: slow and simple by design.
#pragma once

#include "core/analysis/reach/reach.h"

#include <vector>

namespace attention {

using Cells2d = std::vector<std::vector<bool>>;

inline Cells2d cellsOf(const Prepared& pattern) {
  const Index n = pattern.lengths().keys;
  Cells2d cells(static_cast<std::size_t>(n), std::vector<bool>(static_cast<std::size_t>(n)));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      cells[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = pattern.contains(i, j);
  return cells;
}

inline Cells2d identityCells(std::size_t n) {
  Cells2d cells(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i)
    cells[i][i] = true;
  return cells;
}

inline Cells2d booleanProduct(const Cells2d& a, const Cells2d& b) {
  const std::size_t n = a.size();
  Cells2d product(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      if (a[i][k])
        for (std::size_t j = 0; j < n; ++j)
          if (b[k][j])
            product[i][j] = true;
  return product;
}

// R_layers.
inline Cells2d booleanPower(const LayerStack& stack, Index layers) {
  Cells2d reach = identityCells(static_cast<std::size_t>(stack.n()));
  for (Index t = 1; t <= layers; ++t) {
    Cells2d mask = cellsOf(stack.pattern(t));
    for (std::size_t i = 0; stack.residual && i < mask.size(); ++i)
      mask[i][i] = true;
    reach = booleanProduct(mask, reach);
  }
  return reach;
}

} // namespace attention
