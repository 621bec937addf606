// Tokens are nodes of a graph and attend to their neighbours (S4.12): a list of edges, a ring, a
// grid, a small world, a random graph.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <cstdint>
#include <optional>

namespace attention {

struct Graph {
  enum class Kind { Edges, Ring, Grid, SmallWorld, Random };

  Kind kind = Kind::Edges;
  PairList edges;            // edges: (query, key)
  bool directed = false;     // edges, random
  Index k = 1;               // ring, small world: neighbours on each side
  std::optional<Index> rows; // grid
  std::optional<Index> cols;
  Index neighborhood = 4; // 4 or 8
  bool wrap = false;
  double p = 0.1; // small world, random
  std::uint64_t seed = 0;
  bool selfLoops = true;
  bool causal = false;
  bool operator==(const Graph&) const = default;
};

const Description& describe(const Graph&);
// E_RANGE: a grid whose rows · cols is not n.
void checkLengths(const Graph& graph, const Lengths& lengths);
// A token ≥ n (n_q > n_k, top-left) is not a node: its row is empty. Rings and grids are closed
// forms. Cost of the others: O(edges log edges); random graphs draw n²/2 numbers on the threads of
// `run`, into n²/8 bytes, up to n = 16384 and 2^24 runs of keys, and are evaluated cell by cell
// beyond that; small worlds hold at most 2^27 edges (E_RANGE).
std::shared_ptr<const Prepared> prepared(const Graph& graph, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
