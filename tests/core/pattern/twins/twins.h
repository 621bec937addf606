// Plain twins of the mechanisms: for each a predicate of a few lines, written from the formulas of
// the specification (S4 – S6, T1 – T7) and not from core/pattern, which the tests compare cell by
// cell. From the code under test they take only the parameters and the random numbers (S9, which
// known answers check).
#pragma once

#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"

#include <functional>
#include <string_view>

namespace attention::twins {

// Whether a query that acts as `token` ≥ 0 attends to key j, 0 ≤ j < n.
using Cells = std::function<bool(Index token, Index j)>;

// The quotient rounded towards minus infinity and the remainder in [0, b), b > 0 (S1).
inline Index quotient(Index a, Index b) {
  Index q = a / b;
  while (q * b > a)
    --q;
  return q;
}
inline Index modulo(Index a, Index b) {
  return a - quotient(a, b) * b;
}

// The integer nearest to √n: the default stride (S4.7).
Index nearestRoot(Index n);

Cells cellsOf(const Full&, Index n);
Cells cellsOf(const Causal&, Index n);
Cells cellsOf(const Local&, Index n);
Cells cellsOf(const SlidingWindow&, Index n);
Cells cellsOf(const Dilated&, Index n);
Cells cellsOf(const BlockLocal&, Index n);
Cells cellsOf(const Strided&, Index n);
Cells cellsOf(const Fixed&, Index n);
Cells cellsOf(const Longformer&, Index n);
Cells cellsOf(const BigBird&, Index n);
Cells cellsOf(const Sinks&, Index n);
Cells cellsOf(const Graph&, Index n);
Cells cellsOf(const VerticalSlash&, Index n);
Cells cellsOf(const PrefixLm&, Index n);
Cells cellsOf(const Document&, Index n);
Cells cellsOf(const Expr&, Index n);
Cells cellsOf(const Neighborhood&, Index n);
Cells cellsOf(const BlockDiffusion&, Index n);
Cells cellsOf(const Spans&, Index n);
Cells cellsOf(const Tree&, Index n);
Cells cellsOf(const Radial&, Index n);
Cells cellsOf(const DilatedSegments&, Index n);
Cells cellsOf(const TopK&, const PatternData& data);
Cells cellsOf(const Cluster&, Index n, const PatternData& data);
Cells cellsOf(const Routing&, const PatternData& data);
Cells cellsOf(const VerticalSlashEstimated&, const PatternData& data);
Cells cellsOf(const Lsh&, const PatternData& data);
Cells cellsOf(const Moba&, const PatternData& data);
Cells cellsOf(const Nsa&, const PatternData& data);
Cells cellsOf(const Dsa&, const PatternData& data);
Cells cellsOf(const Msa&, const PatternData& data);
Cells cellsOf(const Quest&, const PatternData& data);
Cells cellsOf(const XAttention&, const PatternData& data);
Cells cellsOf(const FlexPrefill&, const PatternData& data);
Cells cellsOf(const Sparge&, const PatternData& data);
Cells cellsOf(const BlockTopK&, const PatternData& data);
Cells cellsOf(const Cache&, const PatternData& data);

// For any of them and for compositions; rows of given masks are queries, not tokens, so `offset` is
// that of the lengths.
Cells cellsOf(const Pattern&, Index n, Index offset, const PatternData& data);

// The value of a formula of S4.16 with i, j, n and names in place, by its own grammar, which knows
// nothing of positions and limits. Throws std::runtime_error for other text.
Index valueOf(std::string_view formula, const Variables& names);

} // namespace attention::twins
