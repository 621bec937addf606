// Twins of the mechanisms that have lists, draws (S9) or operands.
#include "core/pattern/mechanism/all.h"
#include "core/support/philox.h"
#include "tests/core/pattern/twins/twins.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace attention::twins {
namespace {

using Edges = std::set<IndexPair>;

// A token's documents by index: which one, and where it begins.
struct Home {
  Index document = 0;
  Index start = 0;
};

std::vector<Home> homesOf(const Document& p, Index n) {
  std::vector<Home> homes;
  if (p.lengths) {
    Index document = 0;
    for (const Index length : *p.lengths) {
      homes.insert(homes.end(), static_cast<std::size_t>(length),
                   {document++, static_cast<Index>(homes.size())});
    }
    return homes;
  }
  std::map<Index, Index> starts;
  for (Index t = 0; t < n; ++t) {
    const Index id = (*p.ids)[static_cast<std::size_t>(t)];
    starts.emplace(id, t);
    homes.push_back({id, starts[id]});
  }
  return homes;
}

Edges listedEdges(const Graph& p) {
  Edges edges(p.edges.begin(), p.edges.end());
  if (!p.directed)
    for (const auto& [u, v] : p.edges)
      edges.emplace(v, u);
  return edges;
}

Edges gridEdges(const Graph& p, Index n) {
  Index rows = 1;
  for (Index r = 1; r * r <= n; ++r)
    rows = n % r == 0 ? r : rows;
  rows = p.rows ? *p.rows : p.cols ? n / *p.cols : rows;
  const Index cols = n / rows;
  Edges edges;
  for (Index i = 0; i < n; ++i)
    for (Index down = -1; down <= 1; ++down)
      for (Index right = -1; right <= 1; ++right) {
        const bool straight = (down == 0) != (right == 0);
        const bool diagonal = down != 0 && right != 0;
        if (!straight && !(diagonal && p.neighborhood == 8))
          continue;
        Index row = i / cols + down;
        Index col = i % cols + right;
        if (p.wrap) {
          row = modulo(row, rows);
          col = modulo(col, cols);
        }
        if (row >= 0 && row < rows && col >= 0 && col < cols && row * cols + col != i)
          edges.emplace(i, row * cols + col);
      }
  return edges;
}

Edges ringEdges(Index k, Index n) {
  Edges edges;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i != j && std::min(std::abs(i - j), n - std::abs(i - j)) <= k)
        edges.emplace(i, j);
  return edges;
}

Edges smallWorld(const Graph& p, Index n) {
  Edges edges = ringEdges(p.k, n);
  for (Index t = 1; t <= p.k; ++t)
    for (Index u = 0; u < n; ++u) {
      const auto index = static_cast<std::uint64_t>((t - 1) * n + u);
      const auto [a, b] = philox::draw({p.seed, philox::Purpose::SmallWorld, 0}, index);
      const Index v = (u + t) % n;
      if (!(philox::unit(a) < p.p) || !edges.contains({u, v}))
        continue;
      std::vector<Index> candidates;
      for (Index w = 0; w < n; ++w)
        if (w != u && !edges.contains({u, w}))
          candidates.push_back(w);
      if (candidates.empty())
        continue;
      const Index w = candidates[philox::below(b, candidates.size())];
      edges.erase({u, v});
      edges.erase({v, u});
      edges.emplace(u, w);
      edges.emplace(w, u);
    }
  return edges;
}

Edges randomEdges(const Graph& p, Index n) {
  Edges edges;
  for (Index u = 0; u < n; ++u)
    for (Index v = u + 1; v < n; ++v) {
      const auto [a, b] = philox::draw({p.seed, philox::Purpose::RandomGraph, 0},
                                       static_cast<std::uint64_t>(u * n + v));
      if (philox::unit(a) < p.p)
        edges.emplace(u, v);
      if (philox::unit(p.directed ? b : a) < p.p)
        edges.emplace(v, u);
    }
  return edges;
}

Edges edgesOf(const Graph& p, Index n) {
  switch (p.kind) {
  case Graph::Kind::Edges:
    return listedEdges(p);
  case Graph::Kind::Ring:
    return ringEdges(p.k, n);
  case Graph::Kind::Grid:
    return gridEdges(p, n);
  case Graph::Kind::SmallWorld:
    return smallWorld(p, n);
  case Graph::Kind::Random:
    return randomEdges(p, n);
  }
  return {};
}

// The blocks that block row R draws of its legal ones (S4.10).
std::set<Index> drawnBlocks(const BigBird& p, Index R, Index blocks,
                            const std::function<bool(Index)>& global) {
  std::vector<Index> legal;
  for (Index C = 0; C < blocks; ++C)
    if (std::abs(R - C) > p.windowBlocks / 2 && !global(C) && (!p.causal || C < R))
      legal.push_back(C);
  std::set<Index> drawn;
  const Index most = std::min(p.randomBlocks, static_cast<Index>(legal.size()));
  for (Index t = 0; t < most; ++t) {
    const philox::Stream stream{p.seed, philox::Purpose::BigBird,
                                static_cast<std::uint32_t>(p.head)};
    const std::uint64_t u = philox::draw(stream, static_cast<std::uint64_t>(R * blocks + t)).a;
    const auto at = static_cast<std::size_t>(t);
    const std::size_t k = at + philox::below(u, legal.size() - at);
    std::swap(legal[at], legal[k]);
    drawn.insert(legal[at]);
  }
  return drawn;
}

Cells composed(const Compose& p, Index n, Index offset, const PatternData& data) {
  std::vector<Cells> operands;
  for (const Pattern& operand : p.of)
    operands.push_back(cellsOf(operand, n, offset, data));
  return [operation = p.operation, operands](Index i, Index j) {
    const bool first = operands.front()(i, j);
    Index holding = 0;
    for (const Cells& operand : operands)
      holding += operand(i, j) ? 1 : 0;
    switch (operation) {
    case Operation::Union:
      return holding > 0;
    case Operation::Intersection:
      return holding == static_cast<Index>(operands.size());
    case Operation::Difference:
      return first && holding == 1;
    case Operation::Complement:
      return !first;
    case Operation::SymmetricDifference:
      return holding % 2 == 1;
    }
    return false;
  };
}

// Whether a place of a stroke holds the cell.
bool inPlace(Stroke::Shape shape, const IndexPlace& at, Index i, Index j) {
  const auto within = [&](Index x) { return at.size() == 1 || (at[1] <= x && x < at[2]); };
  switch (shape) {
  case Stroke::Shape::Cells:
    return i == at[0] && j == at[1];
  case Stroke::Shape::Rectangle:
    return at[0] <= i && i < at[1] && at[2] <= j && j < at[3];
  case Stroke::Shape::Row:
    return i == at[0] && within(j);
  case Stroke::Shape::Column:
    return j == at[0] && within(i);
  case Stroke::Shape::Diagonal:
    break;
  }
  return at[0] <= i - j && i - j < at[0] + (at.size() == 2 ? at[1] : 1);
}

// A place again and again, as far as a mask of `size` tokens shows it.
bool inStroke(const Stroke& stroke, Index i, Index j, Index size) {
  const bool diagonal = stroke.shape == Stroke::Shape::Diagonal;
  const Index copies = stroke.period == 0 ? 0 : 2 * size / stroke.period + 2;
  for (const IndexPlace& at : stroke.at)
    for (Index k = -copies; k <= copies; ++k) {
      const Index by = k * stroke.period;
      if (inPlace(stroke.shape, at, i - by, diagonal ? j : j - by))
        return true;
    }
  return false;
}

// The strokes one after the other on a matrix of more tokens than tests have queries.
Cells drawnCells(const Drawn& p, Index n, Index offset, const PatternData& data) {
  const Index tokens = n + 64;
  const Cells below = p.on ? cellsOf(*p.on, n, offset, data) : [](Index, Index) { return false; };
  std::vector<std::vector<int>> hand(static_cast<std::size_t>(tokens),
                                     std::vector<int>(static_cast<std::size_t>(n), -1));
  for (const Stroke& stroke : p.strokes)
    for (Index i = 0; i < tokens; ++i)
      for (Index j = 0; j < n; ++j)
        if (inStroke(stroke, i, j, tokens) || (stroke.mirror && inStroke(stroke, j, i, tokens)))
          hand[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = stroke.add ? 1 : 0;
  return [=](Index i, Index j) {
    const int state = hand[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    return state == -1 ? below(i, j) : state == 1;
  };
}

// Rows of a given mask are queries (S4.19).
Cells givenCells(const GivenMask& p, Index offset) {
  const Edges cells(p.mask->pairs.begin(), p.mask->pairs.end());
  return [=](Index i, Index j) { return cells.contains({i - offset, j}); };
}

} // namespace

Cells cellsOf(const Longformer& p, Index n) {
  std::set<Index> globals;
  if (const Index* first = std::get_if<Index>(&p.globals))
    for (Index g = 0; g < std::min(*first, n); ++g)
      globals.insert(g);
  else
    for (const Index g : std::get<IndexList>(p.globals))
      globals.insert(g);
  const Index side = p.reading == Longformer::Reading::Total ? p.window / 2 : p.window;
  return [=](Index i, Index j) {
    const bool window = std::abs(i - j) <= side * p.dilation && (i - j) % p.dilation == 0;
    return (window || globals.contains(i) || globals.contains(j)) && (!p.causal || j <= i);
  };
}

Cells cellsOf(const BigBird& p, Index n) {
  const Index blocks = (n + p.blockSize - 1) / p.blockSize;
  const std::function<bool(Index)> global = [=](Index block) {
    return block < blocks && (block < p.globalFirst || block >= blocks - p.globalLast);
  };
  return [=](Index i, Index j) {
    const Index R = i / p.blockSize;
    const Index C = j / p.blockSize;
    const bool near = std::abs(R - C) <= p.windowBlocks / 2 || global(R) || global(C);
    if (p.reading == BigBird::Reading::HfEval) // draws block 0, which is global
      return near && (!p.causal || j <= i);
    return (near || drawnBlocks(p, R, blocks, global).contains(C)) && (!p.causal || j <= i);
  };
}

Cells cellsOf(const Graph& p, Index n) {
  const Edges edges = edgesOf(p, n);
  return [=](Index i, Index j) {
    const bool self = p.selfLoops && i == j;
    return (self || edges.contains({i, j})) && (!p.causal || j <= i);
  };
}

Cells cellsOf(const Document& p, Index n) {
  const std::vector<Home> homes = homesOf(p, n);
  return [=](Index i, Index j) {
    if (i >= n)
      return false;
    const Home& own = homes[static_cast<std::size_t>(i)];
    const bool same = own.document == homes[static_cast<std::size_t>(j)].document;
    return same && (j <= i || !p.causal || (p.prefix && j - own.start < *p.prefix));
  };
}

Cells cellsOf(const Pattern& pattern, Index n, Index offset, const PatternData& data) {
  return std::visit(
      [&]<class M>(const M& m) -> Cells {
        if constexpr (std::same_as<M, Compose>)
          return composed(m, n, offset, data);
        else if constexpr (std::same_as<M, Drawn>)
          return drawnCells(m, n, offset, data);
        else if constexpr (std::same_as<M, GivenMask>)
          return givenCells(m, offset);
        else if constexpr (std::same_as<M, Cluster>)
          return cellsOf(m, n, data);
        else if constexpr (requires { cellsOf(m, data); })
          return cellsOf(m, data);
        else
          return cellsOf(m, n);
      },
      pattern.mechanism());
}

} // namespace attention::twins
