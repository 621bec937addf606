#include "core/analysis/reach/reach.h"

#include "core/analysis/reach/layer_rows.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

constexpr Index kRowsOfSums = 64;

void checkLength(const LayerStack& stack) {
  checkStack(stack);
  if (stack.n() > kMostReachTokens)
    throwRange("n", std::to_string(stack.n()),
               "at most " + std::to_string(kMostReachTokens) +
                   " for all pairs; one token is followed at any n");
}

// Progress of step `step` of `steps` as a share of all.
Run shareOf(const Run& run, Index step, Index steps) {
  if (!run.progress)
    return run.quiet();
  const double all = static_cast<double>(steps);
  const double before = static_cast<double>(step) / all;
  return {run.stop, [&run, before, all](double share) { run.progress(before + share / all); },
          run.threads};
}

// Sums the integers that body(row) returns for every row, in any order.
Index sumRows(Index n, int threads, const std::function<Index(Index)>& body) {
  std::vector<Index> sums(static_cast<std::size_t>(ceilDiv(n, kRowsOfSums)));
  parallelFor(static_cast<Index>(sums.size()), threads, {}, [&](Index chunk) {
    Index sum = 0;
    for (Index i = chunk * kRowsOfSums; i < std::min(n, (chunk + 1) * kRowsOfSums); ++i)
      sum += body(i);
    sums[static_cast<std::size_t>(chunk)] = sum;
  });
  Index sum = 0;
  for (const Index part : sums)
    sum += part;
  return sum;
}

Index pairsOf(const BitMatrix& matrix, int threads) {
  return sumRows(matrix.rows(), threads,
                 [&](Index i) { return countBits(matrix.row(i), 0, matrix.cols()); });
}

LayerReach reachOf(Index layer, const BitMatrix& matrix, int threads) {
  const Index n = matrix.rows();
  const Index causal =
      sumRows(n, threads, [&](Index i) { return countBits(matrix.row(i), 0, i + 1); });
  const Index later =
      sumRows(n, threads, [&](Index i) { return countBits(matrix.row(i), i + 1, n); });
  return layerReach(layer, n, causal + later, causal);
}

BitMatrix identity(Index n) {
  return bitMatrix(n, [](Index, KeyRanges& ranges) { ranges.clear(); }, true, 1, {});
}

// into |= more; how many bits were new.
Index addNew(BitMatrix& into, const BitMatrix& more, int threads) {
  return sumRows(into.rows(), threads, [&](Index i) {
    const auto to = into.row(i);
    const auto from = more.row(i);
    Index fresh = 0;
    for (std::size_t w = 0; w < to.size(); ++w) {
      fresh += std::popcount(from[w] & ~to[w]);
      to[w] |= from[w];
    }
    return fresh;
  });
}

// from &= ~known, then known |= from; how many bits are left in from.
Index keepNew(BitMatrix& from, BitMatrix& known, int threads) {
  return sumRows(from.rows(), threads, [&](Index i) {
    const auto fresh = from.row(i);
    const auto old = known.row(i);
    Index ones = 0;
    for (std::size_t w = 0; w < fresh.size(); ++w) {
      fresh[w] &= ~old[w];
      old[w] |= fresh[w];
      ones += std::popcount(fresh[w]);
    }
    return ones;
  });
}

// Goes layer by layer until nothing new comes; calls onNew(t, pairs) for the pairs that t layers
// reach and fewer do not. The reach is kept for every turn of the patterns, since the next layer
// depends on it.
template <class OnNew>
void followLayers(const LayerStack& stack, int threads, const Run& run, OnNew onNew) {
  const Index n = stack.n();
  const auto turns = static_cast<Index>(stack.patterns.size());
  const LayerRows rows(stack, threads, run);
  std::vector<BitMatrix> reached(static_cast<std::size_t>(turns));
  for (BitMatrix& matrix : reached)
    matrix = BitMatrix(n, n);
  reached[0] = identity(n);
  BitMatrix known = stack.residual ? identity(n) : BitMatrix(n, n);
  BitMatrix next;
  Index quiet = 0; // layers that extend nothing
  for (Index t = 1; quiet < turns; ++t) {
    if (t > kMostHops)
      throwRange("layers", "more than " + std::to_string(kMostHops),
                 "at most " + std::to_string(kMostHops) + " in a path");
    const BitMatrix& below = reached[static_cast<std::size_t>((t - 1) % turns)];
    multiply({rows[t], below, stack.residual, false}, next, threads, run.quiet());
    quiet =
        addNew(reached[static_cast<std::size_t>(t % turns)], next, threads) == 0 ? quiet + 1 : 0;
    if (keepNew(next, known, threads) > 0)
      onNew(t, next);
    run.check();
  }
}

void recordHops(HopMatrix& hops, const BitMatrix& pairs, Index t, int threads) {
  sumRows(hops.n(), threads, [&](Index i) {
    attention::forEachRun(pairs.row(i), [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        hops.set(i, j, t);
    });
    return Index{0};
  });
}

// Whether further layers reach nothing more. With the residual connection the reach only grows, so
// equal counts mean equal sets: once a whole turn of the patterns added nothing, none will; nor can
// there be more than all pairs, or, with causal patterns, all up to the diagonal. Without it
// nothing is known.
class Saturation {
public:
  explicit Saturation(const LayerStack& stack)
      : residual_(stack.residual), turn_(stack.patterns.size()), n_(stack.n()) {}

  bool settled(const std::vector<LayerReach>& layers) const {
    if (!residual_)
      return false;
    const Index pairs = layers.back().pairs;
    if (pairs == n_ * n_)
      return true;
    const bool allSeen = layers.size() >= turn_;
    if (allSeen && pairs == triangle(n_) && layers.back().causalPairs == pairs)
      return true;
    return layers.size() > turn_ && layers[layers.size() - 1 - turn_].pairs == pairs;
  }

private:
  bool residual_;
  std::size_t turn_;
  Index n_;
};

struct ReachCells {
  BitMatrix bits;

  bool contains(Index i, Index j) const { return bits(i, j); }
  void appendRow(Index i, KeyRanges& ranges) const {
    attention::forEachRun(bits.row(i), [&](Index begin, Index end) {
      ranges.push_back({begin, end, 1, 1});
    });
  }
  Index count(const Rect& rect) const {
    Index cells = 0;
    for (Index i = rect.rowBegin; i < rect.rowEnd; ++i)
      cells += countBits(bits.row(i), rect.keyBegin, rect.keyEnd);
    return cells;
  }
};

// Pairs that a path of 1 … t layers of one pattern joins, t known from how it was made.
class Closure {
public:
  Closure(const LayerStack& stack, int threads, const Run& run)
      : threads_(threads), run_(run.quiet()),
        shortest_(stack.residual ? stack.n() : 0) { // pairs that take no layer
    const LayerRows rows(stack, threads, run);
    upTo_.push_back(bitMatrix(stack.n(), rows[1], stack.residual, threads, run_));
  }

  // The least t whose pairs are those of all larger t.
  Index longest() {
    if (pairsOf(upTo_.front(), threads_) == shortest_)
      return 0;
    while (doubled())
      ;
    // The last one is complete, and the one before it is not.
    if (upTo_.size() == 1)
      return 1;
    BitMatrix current = copyOf(upTo_[upTo_.size() - 2]);
    const Index all = pairsOf(upTo_.back(), threads_);
    Index layers = Index{1} << (upTo_.size() - 2);
    for (std::size_t k = upTo_.size() - 2; k-- > 0;) {
      BitMatrix longer = joined(upTo_[k], current);
      if (pairsOf(longer, threads_) < all) {
        current = std::move(longer);
        layers += Index{1} << k;
      }
    }
    return layers + 1;
  }

private:
  // Paths of up to s + t layers.
  BitMatrix joined(const BitMatrix& s, const BitMatrix& t) const {
    BitMatrix result;
    const RowSource rows = [&](Index i, KeyRanges& ranges) { s.ranges(i, ranges); };
    multiply({rows, t, true, false}, result, threads_, run_);
    addNew(result, s, threads_);
    return result;
  }

  bool doubled() {
    BitMatrix next = joined(upTo_.back(), upTo_.back());
    if (next == upTo_.back())
      return false;
    upTo_.push_back(std::move(next));
    return true;
  }

  int threads_;
  Run run_;
  Index shortest_;
  std::vector<BitMatrix> upTo_; // [k]: paths of up to 2^k layers
};

} // namespace

void checkStack(const LayerStack& stack) {
  if (stack.patterns.empty())
    throw Error(ErrorCode::Type, "layers", "layers is empty; it must hold at least one pattern");
  for (const auto& pattern : stack.patterns) {
    const Lengths& lengths = pattern->lengths();
    if (!lengths.square())
      throw Error(ErrorCode::Shape, "n-q",
                  "a mask of " + std::to_string(lengths.queries) + " × " +
                      std::to_string(lengths.keys) +
                      " cannot be stacked in layers; the mask must be square");
    if (lengths != stack.patterns.front()->lengths())
      throw Error(ErrorCode::Shape, "n",
                  "the layers have " + std::to_string(stack.n()) + " and " +
                      countText(lengths.keys, "token") + "; all layers must have the same length");
  }
}

LayerReach layerReach(Index layer, Index n, Index pairs, Index causalPairs) {
  const auto full = static_cast<double>(n) * static_cast<double>(n);
  return {layer, pairs, causalPairs, static_cast<double>(pairs) / full,
          static_cast<double>(causalPairs) / static_cast<double>(triangle(n))};
}

std::shared_ptr<const Prepared> reachPattern(BitMatrix reach) {
  const Lengths lengths = squareLengths(reach.rows());
  const auto cells = std::make_shared<const ReachCells>(ReachCells{std::move(reach)});
  const auto explain = [cells](Index i, Index j) {
    return "input " + std::to_string(j) + (cells->contains(i, j) ? " can" : " cannot") +
           " influence output " + std::to_string(i);
  };
  return std::make_shared<const Prepared>(
      lengths, std::vector<Part>{{"reach", "receptive field", counted(cells), explain}});
}

ReceptiveField receptiveField(const LayerStack& stack, Index layers, int threads, const Run& run) {
  checkLength(stack);
  if (layers < 0)
    throwRange("layers", std::to_string(layers), "an integer of at least 0");
  const Index n = stack.n();
  ReceptiveField field;
  if (layers == 0) {
    field.reach = identity(n);
    return field;
  }
  const LayerRows rows(stack, threads, run);
  const Saturation saturation(stack);
  field.reach = bitMatrix(n, rows[1], stack.residual, threads, shareOf(run, 0, layers));
  field.layers.push_back(reachOf(1, field.reach, threads));
  BitMatrix next;
  for (Index t = 2; t <= layers; ++t) {
    if (saturation.settled(field.layers)) {
      field.layers.push_back(field.layers.back());
      field.layers.back().layer = t;
      shareOf(run, t - 1, layers).report(1);
      continue;
    }
    const bool lower = field.layers.back().pairs == field.layers.back().causalPairs;
    multiply({rows[t], field.reach, stack.residual, lower}, next, threads,
             shareOf(run, t - 1, layers));
    std::swap(field.reach, next);
    field.layers.push_back(reachOf(t, field.reach, threads));
  }
  return field;
}

HopMatrix hopMatrix(const LayerStack& stack, int threads, const Run& run) {
  checkLength(stack);
  HopMatrix hops(stack.n());
  if (stack.residual)
    for (Index i = 0; i < stack.n(); ++i)
      hops.set(i, i, 0);
  followLayers(stack, threads, run,
               [&](Index t, const BitMatrix& pairs) { recordHops(hops, pairs, t, threads); });
  return hops;
}

Index longestOf(const HopMatrix& hops, const Run& run) {
  Index longest = 0;
  for (Index i = 0; i < hops.n(); ++i) {
    run.check();
    for (Index j = 0; j < hops.n(); ++j)
      longest = std::max(longest, hops(i, j));
  }
  return longest;
}

Index maximumPath(const LayerStack& stack, int threads, const Run& run) {
  checkLength(stack);
  if (stack.patterns.size() == 1)
    return Closure(stack, threads, run).longest();
  Index longest = 0;
  followLayers(stack, threads, run, [&](Index t, const BitMatrix&) { longest = t; });
  return longest;
}

} // namespace attention
