// What can be said of a mask without knowing where it comes from (spec T12): cells in the future,
// rows and keys that are left out, tiles, symmetry, and what padding does. A mask of n_q queries
// and n_k keys has query i at token i + n_k − n_q.
#pragma once

#include "core/pattern/prepared.h"
#include "core/pattern/value.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

struct MaskReport {
  Index queries = 0;
  Index keys = 0;
  Index pairs = 0;
  Index futureCells = 0;                // attended keys behind the query's token
  std::optional<IndexPair> firstFuture; // cells are (query, key), first in row-major order
  std::vector<Index> emptyRows;
  std::vector<Index> unusedKeys;
  std::vector<Index> rowsWithoutSelf; // that do not attend to their own token, or have none
  // The largest b ≥ 2 such that all cells of every b × b tile are equal, also in those cut at the
  // edge; else 1.
  Index constantTile = 1;

  // Of square masks only: {i > j} with M_ij ≠ M_ji.
  std::optional<Index> asymmetricPairs;
  std::optional<IndexPair> firstAsymmetric;
};

// One pass over the rows, O(runs of keys + changes between neighbouring rows). Stopped; E_EXPR of a
// formula.
MaskReport maskReport(const Prepared& mask, const Run& run = {});

struct PaddingReport {
  Index seenCells = 0; // padded keys that rows of real tokens attend to
  std::optional<IndexPair> firstSeen;
  std::vector<Index> activeRows; // of padding, that attend to anything
};

// `positions` are keys; a row is padding where its token is. E_RANGE: a position that is no key.
PaddingReport paddingReport(const Prepared& mask, std::span<const Index> positions,
                            const Run& run = {});

} // namespace attention
