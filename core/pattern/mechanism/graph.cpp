#include "core/pattern/mechanism/graph.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/grid_cells.h"
#include "core/pattern/mechanism/graph_edges.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

using Kind = Graph::Kind;

// Random graphs up to these are drawn once and listed: two seconds of draws, 128 MiB of runs.
constexpr Index kMostNodesListed = 16384;
constexpr double kMostRunsListed = 0x1p24;

Rect nodesOf(Index n) {
  return {0, n, 0, n};
}

template <class... K>
auto isKind(K... kinds) {
  return [=](const Graph& graph) { return ((graph.kind == kinds) || ...); };
}

// Neighbours at a circular distance of 1 … k.
PrimitiveSet ringCells(const Graph& graph, Index n) {
  const Index k = std::min(graph.k, n);
  PrimitiveSet set;
  const auto diagonals = [&](Index lo, Index hi) {
    if (lo <= hi && !(graph.causal && hi < 0))
      set.primitives.push_back(band(lo, hi, 1, nodesOf(n)));
  };
  if (2 * k + 1 >= n) { // all see all
    diagonals(1, n);
    diagonals(-n, -1);
    return set;
  }
  diagonals(1, k);
  diagonals(-k, -1);
  if (k > 0) {
    diagonals(n - k, n);
    diagonals(-n, k - n);
  }
  return set;
}

[[noreturn]] void throwGrid(const char* parameter, Index value, Index n) {
  throw Error(ErrorCode::Range, parameter,
              std::string(parameter) + " is " + std::to_string(value) +
                  "; rows · cols must be n = " + std::to_string(n));
}

Index largestDivisorBelowRoot(Index n) {
  Index rows = integerSqrt(n);
  while (n % rows != 0)
    --rows;
  return rows;
}

// Rows and columns to use; where they do not divide n, the plain quotient.
Index rowsOf(const Graph& graph, Index n) {
  if (graph.rows)
    return *graph.rows;
  return graph.cols ? std::max<Index>(n / std::max<Index>(*graph.cols, 1), 1)
                    : largestDivisorBelowRoot(n);
}
Index colsOf(const Graph& graph, Index n) {
  return graph.cols.value_or(std::max<Index>(n / std::max<Index>(rowsOf(graph, n), 1), 1));
}

Grid gridOf(const Graph& graph, Index n) {
  const Index rows = rowsOf(graph, n);
  const Index cols = colsOf(graph, n);
  if (rows > n || cols > n || rows * cols != n)
    throwGrid(graph.rows ? "rows" : "cols", graph.rows ? rows : cols, n);
  return {rows, cols, graph.neighborhood == 8, graph.wrap, graph.causal};
}

template <class Contains>
auto edgeText(Contains contains, bool causal) {
  return [contains, causal](Index i, Index j) {
    if (causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    return "(" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
           (contains(i, j) ? "an edge" : "not an edge");
  };
}

Part tablePart(const std::shared_ptr<const RowTable>& table, bool causal) {
  const auto in = [table](Index i, Index j) { return table->contains(i, j); };
  return {"edges", "neighbours", table, edgeText(in, causal)};
}

Part randomPart(const Graph& graph, Index n, const Run& run) {
  const auto nodes = static_cast<double>(n);
  const double runs = nodes * nodes * graph.p * (1 - graph.p); // expected
  if (n <= kMostNodesListed && runs <= kMostRunsListed)
    return tablePart(randomEdges(graph, n, run), graph.causal);
  const auto in = [graph, n](Index i, Index j) {
    return i < n && i != j && !(graph.causal && j > i) && randomEdge(graph, n, i, j);
  };
  return {"edges", "neighbours", AskedCells{in, edgeText(in, graph.causal)}, {}};
}

Part neighbours(const Graph& graph, Index n, const Run& run) {
  switch (graph.kind) {
  case Kind::Edges:
    return tablePart(listedEdges(graph), graph.causal);
  case Kind::Ring:
    return {"edges", "neighbours", ringCells(graph, n), {}};
  case Kind::Grid: {
    const auto grid = std::make_shared<const GridCells>(gridOf(graph, n));
    return {"edges", "neighbours", counted(grid),
            [grid](Index i, Index j) { return grid->explain(i, j); }};
  }
  case Kind::SmallWorld:
    return tablePart(smallWorldEdges(graph, n, run), graph.causal);
  case Kind::Random:
    break;
  }
  return randomPart(graph, n, run);
}

Bounds sideBounds(const Graph& graph, Index n) {
  if (graph.kind != Kind::SmallWorld)
    return {0};
  const Index most = (n - 1) / 2;
  return {0, static_cast<double>(most)};
}

Bounds nodeBounds(const Graph& graph, Index n) {
  return graph.kind == Kind::Edges ? Bounds{0, static_cast<double>(n - 1)} : Bounds{};
}

} // namespace

const Description& describe(const Graph&) {
  static const Description kDescription =
      DescriptionBuilder<Graph>("graph", "Graph", "Structure")
          .summary("Tokens attend to their neighbours in a graph.")
          .source(
              "Veličković et al. 2018 (graph attention); Watts & Strogatz 1998; Erdős & Rényi 1959")
          .definition({"Sᵢ = { j : (i, j) ∈ E }, with i itself if self loops are on"})
          .conventions("A directed edge (u, v) means that query u sees key v; PyTorch Geometric's "
                       "edge_index is source to target, the opposite.")
          .complexity("O(|E| d)")
          .choice("kind", &Graph::kind, "Where the edges come from",
                  {{Kind::Edges, "edges", "edges", "A list of edges"},
                   {Kind::Ring, "ring", "ring", "The k nearest on each side, on a circle"},
                   {Kind::Grid, "grid", "grid", "Cells of a grid, numbered row by row"},
                   {Kind::SmallWorld, "small_world", "small world",
                    "A ring with edges moved at random"},
                   {Kind::Random, "random", "random", "Every edge with probability p"}})
          .value("edges", "E", &Graph::edges, "Edges (u, v)", ParameterType::Pairs, nodeBounds)
          .visibleIf(isKind(Kind::Edges))
          .boolean("directed", &Graph::directed,
                   "Whether edges have a direction: (u, v) then differs from (v, u)")
          .visibleIf(isKind(Kind::Edges, Kind::Random))
          .integer("k", "k", &Graph::k, "Neighbours on each side", "tokens", sideBounds)
          .visibleIf(isKind(Kind::Ring, Kind::SmallWorld))
          .integer("rows", "", &Graph::rows, "Rows of the grid; rows · cols = n", "", atLeast(1),
                   rowsOf)
          .visibleIf(isKind(Kind::Grid))
          .integer("cols", "", &Graph::cols, "Columns of the grid", "", atLeast(1), colsOf)
          .visibleIf(isKind(Kind::Grid))
          .integer("neighborhood", "", &Graph::neighborhood, "Neighbours of a cell", "",
                   [](const Graph&, Index) {
                     return Bounds{4, 8, "4 or 8", 4};
                   })
          .visibleIf(isKind(Kind::Grid))
          .boolean("wrap", &Graph::wrap, "Join the edges of the grid: a torus")
          .visibleIf(isKind(Kind::Grid))
          .real("p", "p", &Graph::p, "Probability of moving (small world) or of having an edge",
                between(0, 1))
          .visibleIf(isKind(Kind::SmallWorld, Kind::Random))
          .seed("seed", &Graph::seed, "Seed of the graph")
          .visibleIf(isKind(Kind::SmallWorld, Kind::Random))
          .boolean("self_loops", &Graph::selfLoops, "Every token sees itself")
          .boolean("causal", &Graph::causal, causalMeaning())
          .build();
  return kDescription;
}

void checkLengths(const Graph& graph, const Lengths& lengths) {
  if (graph.kind == Kind::Grid)
    gridOf(graph, lengths.keys);
}

std::shared_ptr<const Prepared> prepared(const Graph& graph, const Lengths& lengths,
                                         const Run& run) {
  const Index n = lengths.keys;
  std::vector<Part> parts{neighbours(graph, n, run)};
  if (graph.selfLoops)
    parts.push_back({"self", "the token itself", PrimitiveSet{{band(0, 0, 1, nodesOf(n))}}, {}});
  return fromParts(lengths, std::move(parts));
}

} // namespace attention
