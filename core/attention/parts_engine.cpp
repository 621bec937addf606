// The float path: blocks of neighbouring queries take windows, blocks, sinks and shared columns;
// then, for every period of combs that neighbours do not share, the residue classes. Blocks are
// fixed by the sizes, and every query is in one block of each round, so that the result does not
// depend on the number of threads. Parts that combine by Lse go into one running softmax, one after
// another; the mean finishes each part by itself.
#include "core/attention/parts_engine.h"

#include "core/attention/part_rows.h"
#include "core/attention/sink.h"
#include "core/attention/tile_plan.h"
#include "core/attention/workspaces.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <span>
#include <string>

namespace attention {
namespace {

constexpr auto kLn2 = std::numbers::ln2_v<float>;
constexpr Index kClassesTogether = 8; // residue classes: at least this many per chunk

// One set of keys per query: a layer of a part.
struct Layer {
  const PartRows& rows;
  std::size_t part = 0;
  std::size_t layer = 0;

  void row(Index i, KeyRanges& ranges) const { rows.row(part, layer, i, ranges); }
};

// What one thread needs for one block after another.
struct BlockWork {
  BlockKeys keys;
  KeyRanges row;
  ScatteredKeys scattered;
  GroupBlock group;
  BlockPlanner planner;
  SoftmaxBlocks kernel;

  explicit BlockWork(const SoftmaxInputs& inputs) : planner(kSharingRows), kernel(inputs) {}
};

using BlockWorks = Workspaces<BlockWork>;

// Divides the values of queries, kBlockRows of them at most, by their sums, with the sink's share
// in them, and converts their maxima to natural logarithms where that is needed.
void finishRows(SoftmaxState& state, std::span<const Index> queries, const RowEnd& end) {
  std::array<float, static_cast<std::size_t>(kBlockRows)> maxima;
  std::array<float, static_cast<std::size_t>(kBlockRows)> shares;
  const auto own = [&](Index i) {
    return static_cast<float>(end.perToken * static_cast<double>(i + end.offset));
  };
  for (std::size_t r = 0; r < queries.size(); ++r) {
    const auto k = static_cast<std::size_t>(queries[r]);
    maxima[r] = kLn2 * state.maximum[k] + own(queries[r]);
    shares[r] = state.sum[k];
  }
  sharesBeside(end.sink, std::span(maxima).first(queries.size()),
               std::span(shares).first(queries.size()));
  for (std::size_t r = 0; r < queries.size(); ++r) {
    const Index i = queries[r];
    const auto k = static_cast<std::size_t>(i);
    const bool empty = !(state.sum[k] > 0);
    state.begin(i);
    if (!empty)
      for (float& o : state.out.row(i))
        o *= shares[r];
    if (!end.lse.empty())
      end.lse[k] = empty ? -std::numeric_limits<float>::infinity()
                         : kLn2 * (state.maximum[k] + std::log2(state.sum[k])) + own(i);
  }
}

// Adds a layer to the state of all queries. The only layer of a pattern (addWhole) finishes the
// rows of a block while they are in the cache.
class Engine {
public:
  Engine(const Layer& layer, Index queries, int threads, const Run& run, BlockWorks& works,
         SoftmaxState& state)
      : layer_(layer), threads_(threads), run_(run), queries_(queries),
        blocks_(ceilDiv(queries_, kBlockRows)), order_(layer.rows.order(layer.part)),
        scattered_(static_cast<std::size_t>(blocks_)), works_(works), state_(state) {}

  void add() { addBlocks(); }

  // `input`: checked along the way; null where already checked.
  void addWhole(const RowEnd& end, const FiniteInput<float>* input) {
    whole_ = true;
    end_ = end;
    input_ = input;
    addBlocks();
  }

private:
  void addBlocks() {
    const bool rounds = combsLikely();
    if (order_.empty()) {
      grouped_ = similarOrder([this](Index i, KeyRanges& ranges) { layer_.row(i, ranges); },
                              queries_, works_.take()->planner, threads_, run_);
      order_ = grouped_;
    }
    neighbours(partOf(run_, 0, rounds ? 0.5 : 1)); // the other half is of the classes
    std::set<Index> periods;
    for (const std::vector<Index>& block : scattered_)
      periods.insert(block.begin(), block.end());
    double from = 0.5;
    const double step = periods.empty() ? 0 : 0.5 / static_cast<double>(periods.size());
    for (const Index period : periods) {
      residueClasses(period, partOf(run_, from, from + step));
      from += step;
    }
  }

  // Whether some row has a comb: checked in two rows, only for the progress.
  bool combsLikely() const {
    KeyRanges ranges;
    for (const Index i : {queries_ / 2, queries_ - 1}) {
      layer_.row(i, ranges);
      if (std::any_of(ranges.begin(), ranges.end(),
                      [](const KeyRange& range) { return !range.contiguous(); }))
        return true;
    }
    return false;
  }

  // Long rows first: causal patterns have them at the end.
  void neighbours(const Run& run) {
    parallelFor(blocks_, threads_, run, [&](Index chunk) {
      const Index block = blocks_ - 1 - chunk;
      const BlockRows rows = blockRows(block);
      std::vector<Index>& later = scattered_[static_cast<std::size_t>(block)];
      if (input_ != nullptr)
        input_->require(block, blocks_);
      addBlock(rows, *works_.take(), later);
      if (whole_ && later.empty())
        finishBlock(rows, [](Index) { return true; });
    });
  }

  BlockRows blockRows(Index block) const {
    const Index first = block * kBlockRows;
    return {first, 1, std::min(kBlockRows, queries_ - first), order_};
  }

  // The periods that the block of neighbours of query i has left for later.
  const std::vector<Index>& scatteredOf(Index i) const {
    return scattered_[static_cast<std::size_t>(i / kBlockRows)];
  }

  // Everything that the rows see except combs of the periods `later`.
  void addBlock(const BlockRows& rows, BlockWork& work, std::vector<Index>& later) {
    if (scatteredRows(rows, work)) {
      work.scattered.clear();
      for (Index r = 0; r < rows.count; ++r) {
        layer_.row(rows.query(r), work.row);
        work.scattered.appendRow(work.row);
      }
      work.kernel.add(rows, work.scattered, state_);
      return;
    }
    work.keys.clear();
    for (Index r = 0; r < rows.count; ++r) {
      layer_.row(rows.query(r), work.row);
      work.keys.appendRow(work.row);
    }
    if (isThin(work.keys)) {
      for (Index r = 0; r < rows.count; ++r)
        work.kernel.add(rows.query(r), work.keys.row(r), state_);
      return;
    }
    if (order_.empty())
      later = scatteredPeriods(work.keys);
    if (!later.empty())
      work.keys.removeCombs(later);
    addPlanned(rows, work);
  }

  // Whether the block's rows are better taken one by one: two of each strip are checked.
  bool scatteredRows(const BlockRows& rows, BlockWork& work) const {
    layer_.row(rows.query(0), work.row);
    if (!hasShortRuns(work.row))
      return false;
    work.keys.clear();
    for (Index r = 0; r + kLookedApart < rows.count; r += kSharingRows)
      for (const Index one : {r, r + kLookedApart}) {
        layer_.row(rows.query(one), work.row);
        work.keys.appendRow(work.row);
      }
    return isScattered(work.keys, 2, 1);
  }

  // Classes of rows i ≡ residue (mod period), in blocks; several classes per chunk; each next class
  // reuses the plan of the one before, shifted.
  void residueClasses(Index period, const Run& run) {
    const Index classes = std::min(period, queries_);
    const Index classBlocks = ceilDiv(ceilDiv(queries_, period), kBlockRows);
    const Index together = std::max(kClassesTogether, kBlockRows * period / queries_ / 2);
    parallelFor(ceilDiv(classes, together) * classBlocks, threads_, run, [&](Index chunk) {
      const Index firstRow = chunk % classBlocks * kBlockRows;
      const Index firstClass = chunk / classBlocks * together;
      for (Index c = firstClass; c < std::min(firstClass + together, classes); ++c)
        residueBlock(c + firstRow * period, period);
    });
  }

  void residueBlock(Index first, Index period) {
    if (first >= queries_)
      return;
    const BlockRows rows{first, period, std::min(kBlockRows, ceilDiv(queries_ - first, period))};
    const auto work = works_.take();
    work->keys.clear();
    for (Index r = 0; r < rows.count; ++r) {
      const Index i = rows.query(r);
      const std::vector<Index>& scattered = scatteredOf(i);
      work->row.clear();
      if (std::binary_search(scattered.begin(), scattered.end(), period)) {
        layer_.row(i, work->row);
        std::erase_if(work->row, [&](const KeyRange& range) {
          return range.contiguous() || range.period != period;
        });
      }
      work->keys.appendRow(work->row);
    }
    addPlanned(rows, *work);
    if (whole_)
      finishBlock(rows, [&](Index i) {
        return !scatteredOf(i).empty() && scatteredOf(i).back() == period; // the last of its block
      });
  }

  // Finishes the queries of the block for which `done` holds.
  template <class Done>
  void finishBlock(const BlockRows& rows, Done done) {
    std::array<Index, static_cast<std::size_t>(kBlockRows)> queries;
    std::size_t count = 0;
    for (Index r = 0; r < rows.count; ++r)
      if (done(rows.query(r)))
        queries[count++] = rows.query(r);
    finishRows(state_, std::span(queries).first(count), end_);
  }

  void addPlanned(const BlockRows& rows, BlockWork& work) {
    run_.check();
    work.kernel.add(rows, work.planner.plan(work.keys), state_);
  }

  Layer layer_;
  int threads_;
  const Run& run_;
  Index queries_;
  Index blocks_;
  std::span<const Index> order_;
  std::vector<Index> grouped_;                // the order, where the pattern names none
  std::vector<std::vector<Index>> scattered_; // a block of neighbours: periods left for later
  BlockWorks& works_;
  SoftmaxState& state_;
  bool whole_ = false;
  RowEnd end_;
  const FiniteInput<float>* input_ = nullptr;
};

// Adds one key to the running softmax of query i; its score is in base 2.
void addKey(SoftmaxState& state, Index i, float score, std::span<const float> v) {
  const auto k = static_cast<std::size_t>(i);
  state.begin(i);
  const float maximum = std::max(state.maximum[k], score);
  const float factor = std::exp2(state.maximum[k] - maximum);
  const float p = std::exp2(score - maximum);
  state.maximum[k] = maximum;
  state.sum[k] = state.sum[k] * factor + p;
  for (Index c = 0; c < state.out.cols; ++c)
    state.out(i, c) = state.out(i, c) * factor + p * v[static_cast<std::size_t>(c)];
}

void finish(SoftmaxState& state, const RowEnd& end, int threads, const Run& run) {
  const Index queries = state.out.rows;
  parallelFor(ceilDiv(queries, kBlockRows), threads, run.quiet(), [&](Index chunk) {
    std::array<Index, static_cast<std::size_t>(kBlockRows)> rows;
    std::iota(rows.begin(), rows.end(), chunk * kBlockRows);
    const Index count = std::min(kBlockRows, queries - chunk * kBlockRows);
    finishRows(state, std::span(rows).first(static_cast<std::size_t>(count)), end);
  });
}

// A query without a sum has no key, or its scores overflowed: then nothing written for it is valid.
void requireSums(const Prepared& pattern, const SoftmaxState& state, const Run& run) {
  const Index keys = pattern.lengths().keys;
  for (Index i = 0; i < state.out.rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (state.sum[k] > 0 && std::isfinite(state.maximum[k]))
      continue;
    run.check();
    if (pattern.rowCount(i, 0, keys) > 0)
      throw Error(ErrorCode::NonFinite, "scores",
                  "the scores of query " + std::to_string(i) +
                      " overflow float32; they must be at most 3.4·10³⁸ (or use float64)");
  }
}

// All parts of a pattern, one after another.
class PartsEngine {
public:
  PartsEngine(const Prepared& pattern, const SoftmaxInputs& inputs, int threads, const Run& run)
      : pattern_(pattern), rows_(pattern), inputs_(inputs), threads_(threads), run_(run),
        works_([this] { return std::make_unique<BlockWork>(inputs_); }) {}

  void compute(const FiniteInput<float>& input, MatrixView<float> out, const RowEnd& end) {
    SoftmaxState state(out);
    addAll(input, state, end);
    requireSums(pattern_, state, run_);
  }

private:
  // And finishes all rows.
  void addAll(const FiniteInput<float>& input, SoftmaxState& state, const RowEnd& end) {
    const auto groups = rows_.combine() == Combine::Mean ? std::nullopt : GroupBlocks::of(pattern_);
    const bool whole = !groups && rows_.combine() == Combine::Union;
    // Where there are few blocks compared to the keys, they are too few to share the checking.
    const bool alongside = whole && inputs_.k.rows <= inputs_.q.rows;
    if (!alongside)
      input.requireAll(threads_);
    if (whole) {
      engine({rows_, 0, 0}, run_, state).addWhole(end, alongside ? &input : nullptr);
      return;
    }
    if (rows_.combine() == Combine::Mean)
      addMeanOfParts(state);
    else if (groups)
      addGroups(*groups, state);
    else
      for (std::size_t part = 0; part < rows_.parts(); ++part)
        addPart(part, state);
    finish(state, end, threads_, run_);
  }

  Engine engine(const Layer& layer, const Run& run, SoftmaxState& state) {
    return {layer, inputs_.q.rows, threads_, run, works_, state};
  }

  void addGroups(const GroupBlocks& groups, SoftmaxState& state) {
    for (Index round = 0; round < groups.rounds(); ++round) {
      const Run share = stepOf(run_, round, groups.rounds());
      parallelFor(groups.blocks(round), threads_, share, [&](Index block) {
        const auto work = works_.take();
        groups.fill(round, block, work->group);
        work->kernel.add(work->group, state);
      });
    }
  }

  void addPart(std::size_t part, SoftmaxState& state) {
    const std::size_t layers = rows_.layers(part);
    const double parts = static_cast<double>(rows_.parts());
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const double from = static_cast<double>(layer) / static_cast<double>(layers);
      const double to = static_cast<double>(layer + 1) / static_cast<double>(layers);
      const Run share = partOf(run_, (static_cast<double>(part) + from) / parts,
                               (static_cast<double>(part) + to) / parts);
      engine({rows_, part, layer}, share, state).add();
    }
    if (!rows_.anyLone())
      return;
    const auto logit = static_cast<float>(kLog2E * rows_.loneLogit());
    for (Index i = 0; i < inputs_.q.rows; ++i)
      if (rows_.lone(part, i))
        addKey(state, i, logit, inputs_.v.row(i));
  }

  // A query's mean is over the parts that have a key for it; its lse is of all parts together.
  void addMeanOfParts(SoftmaxState& all) {
    const Index queries = inputs_.q.rows;
    for (Index i = 0; i < queries; ++i)
      all.begin(i);
    Matrix<float> out(queries, inputs_.v.cols);
    std::vector<float> visible(static_cast<std::size_t>(queries));
    for (std::size_t part = 0; part < rows_.parts(); ++part) {
      SoftmaxState state(out.view());
      addPart(part, state);
      for (Index i = 0; i < queries; ++i)
        addFinished(i, state, all, visible[static_cast<std::size_t>(i)]);
    }
    for (Index i = 0; i < queries; ++i) // finish() divides by the sum
      for (Index c = 0; c < all.out.cols; ++c)
        all.out(i, c) *= all.sum[static_cast<std::size_t>(i)] /
                         std::max(visible[static_cast<std::size_t>(i)], 1.0F);
  }

  static void addFinished(Index i, const SoftmaxState& part, SoftmaxState& all, float& visible) {
    const auto k = static_cast<std::size_t>(i);
    if (!(part.sum[k] > 0))
      return;
    visible += 1;
    for (Index c = 0; c < all.out.cols; ++c)
      all.out(i, c) += part.out(i, c) / part.sum[k];
    const float maximum = std::max(all.maximum[k], part.maximum[k]);
    all.sum[k] = all.sum[k] * std::exp2(all.maximum[k] - maximum) +
                 part.sum[k] * std::exp2(part.maximum[k] - maximum);
    all.maximum[k] = maximum;
  }

  const Prepared& pattern_;
  PartRows rows_;
  SoftmaxInputs inputs_;
  int threads_;
  const Run& run_;
  BlockWorks works_;
};

} // namespace

void attendParts(const Prepared& pattern, const SoftmaxInputs& inputs,
                 const FiniteInput<float>& input, MatrixView<float> out, const RowEnd& end,
                 int threads, const Run& run) {
  PartsEngine(pattern, inputs, threads, run).compute(input, out, end);
}

} // namespace attention
