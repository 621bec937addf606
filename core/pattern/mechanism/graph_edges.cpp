#include "core/pattern/mechanism/graph_edges.h"

#include "core/pattern/pair_bits.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"
#include "core/support/philox.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace attention {
namespace {

constexpr Index kMostEdges = Index{1} << 27;

using Neighbours = std::vector<std::uint32_t>; // sorted

void insert(Neighbours& list, Index node) {
  const auto x = static_cast<std::uint32_t>(node);
  list.insert(std::lower_bound(list.begin(), list.end(), x), x);
}

void erase(Neighbours& list, Index node) {
  const auto x = static_cast<std::uint32_t>(node);
  list.erase(std::lower_bound(list.begin(), list.end(), x));
}

bool adjacent(const Neighbours& list, Index node) {
  return std::binary_search(list.begin(), list.end(), static_cast<std::uint32_t>(node));
}

// Node number `rank` of those that are neither u nor adjacent to u.
Index candidate(const Neighbours& adjacentNodes, Index u, Index rank) {
  Index node = rank;
  bool passedSelf = false;
  for (const std::uint32_t a : adjacentNodes) {
    if (!passedSelf && u < Index{a} && u <= node) {
      ++node;
      passedSelf = true;
    }
    if (Index{a} > node)
      break;
    ++node;
  }
  return !passedSelf && u <= node ? node + 1 : node;
}

std::vector<Neighbours> ring(Index n, Index k) {
  std::vector<Neighbours> nodes(static_cast<std::size_t>(n));
  for (Index u = 0; u < n; ++u) {
    Neighbours& list = nodes[static_cast<std::size_t>(u)];
    list.reserve(static_cast<std::size_t>(2 * k));
    for (Index t = 1; t <= k; ++t) {
      list.push_back(static_cast<std::uint32_t>((u + t) % n));
      list.push_back(static_cast<std::uint32_t>(floorMod(u - t, n)));
    }
    std::sort(list.begin(), list.end());
  }
  return nodes;
}

class Rewiring {
public:
  Rewiring(const Graph& graph, Index n)
      : stream_{graph.seed, philox::Purpose::SmallWorld, 0}, p_(graph.p), n_(n),
        nodes_(ring(n, graph.k)) {}

  // Moves the edge from u to its t-th neighbour, if the draw says so.
  void visit(Index t, Index u) {
    const auto draw = philox::draw(stream_, static_cast<std::uint64_t>((t - 1) * n_ + u));
    if (philox::unit(draw.a) >= p_)
      return;
    const Index v = (u + t) % n_;
    const Index candidates = n_ - 1 - static_cast<Index>(at(u).size());
    if (candidates == 0 || !adjacent(at(u), v))
      return;
    const auto rank =
        static_cast<Index>(philox::below(draw.b, static_cast<std::uint64_t>(candidates)));
    const Index w = candidate(at(u), u, rank);
    erase(at(u), v);
    erase(at(v), u);
    insert(at(u), w);
    insert(at(w), u);
  }
  const std::vector<Neighbours>& nodes() const { return nodes_; }

private:
  Neighbours& at(Index node) { return nodes_[static_cast<std::size_t>(node)]; }

  philox::Stream stream_;
  double p_;
  Index n_;
  std::vector<Neighbours> nodes_;
};

// One draw per pair u < v: a random graph costs n² / 2 of them. Bit (u, v) of `seen` says that u
// sees v; of `seeing`, where edges have a direction, that v sees u.
void drawPairs(const Graph& graph, Index n, PairBits& seen, PairBits* seeing, const Run& run) {
  constexpr Index kRows = 16; // a chunk
  const philox::Stream stream{graph.seed, philox::Purpose::RandomGraph, 0};
  // unit(u) < p, as integers.
  const auto bound = static_cast<std::uint64_t>(std::ceil(std::ldexp(graph.p, 53)));
  const auto drawn = [bound](std::uint64_t u) { return (u >> 11) < bound; };
  parallelFor(ceilDiv(n, kRows), 0, run, [&](Index chunk) {
    for (Index u = chunk * kRows; u < std::min(n, (chunk + 1) * kRows); ++u)
      for (Index v = u + 1; v < n; ++v) {
        const auto draw = philox::draw(stream, static_cast<std::uint64_t>(u * n + v));
        if (drawn(draw.a))
          seen.set(u, v);
        if (seeing && drawn(draw.b))
          seeing->set(u, v);
      }
  });
}

} // namespace

std::shared_ptr<const RowTable> listedEdges(const Graph& graph) {
  std::vector<IndexPair> cells;
  const auto keep = [&](Index i, Index j) {
    const bool loop = i == j && graph.selfLoops; // held by the loops of all nodes
    if (!loop && !(graph.causal && j > i))
      cells.emplace_back(i, j);
  };
  for (const auto& [u, v] : graph.edges) {
    keep(u, v);
    if (!graph.directed)
      keep(v, u);
  }
  std::sort(cells.begin(), cells.end());
  RowTableBuilder table;
  for (const auto& [i, j] : cells)
    table.add(i, j);
  return table.build();
}

std::shared_ptr<const RowTable> smallWorldEdges(const Graph& graph, Index n, const Run& run) {
  if (graph.k > kMostEdges / n)
    throwRange("k", std::to_string(graph.k),
               "an integer with n·k ≤ 2^27 for a small world of n = " + std::to_string(n));
  Rewiring rewiring(graph, n);
  for (Index t = 1; t <= graph.k; ++t)
    for (Index u = 0; u < n; ++u) {
      if (u % 65536 == 0)
        run.report(static_cast<double>((t - 1) * n + u) / static_cast<double>(n * graph.k));
      rewiring.visit(t, u);
    }
  RowTableBuilder table;
  for (Index u = 0; u < n; ++u)
    for (const std::uint32_t v : rewiring.nodes()[static_cast<std::size_t>(u)])
      if (!graph.causal || Index{v} < u)
        table.add(u, v);
  return table.build();
}

bool randomEdge(const Graph& graph, Index n, Index i, Index j) {
  const auto [u, v] = std::minmax(i, j);
  const auto draw = philox::draw({graph.seed, philox::Purpose::RandomGraph, 0},
                                 static_cast<std::uint64_t>(u * n + v));
  const bool backward = graph.directed && j < i;
  return philox::unit(backward ? draw.b : draw.a) < graph.p;
}

std::shared_ptr<const RowTable> randomEdges(const Graph& graph, Index n, const Run& run) {
  PairBits cells(n);
  std::optional<PairBits> seeing;
  if (graph.directed)
    seeing.emplace(n);
  drawPairs(graph, n, cells, seeing ? &*seeing : nullptr, partOf(run, 0, 0.9));
  cells.addMirrored(seeing ? *seeing : cells, partOf(run, 0.9, 1));
  RowTable table;
  std::vector<KeyRun> runs;
  for (Index i = 0; i < n; ++i) {
    runs.clear();
    cells.appendRuns(i, graph.causal ? i : n, runs);
    table.appendGroup(i + 1, runs);
  }
  return std::make_shared<const RowTable>(std::move(table));
}

} // namespace attention
