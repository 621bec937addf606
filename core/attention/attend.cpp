// The float path: blocks of neighbouring queries take windows, blocks, sinks and shared columns;
// then, for every period of combs that neighbours do not share, the residue classes. Blocks are
// fixed by the sizes, and every query is in one block of each round, so that the result does not
// depend on the number of threads. Parts that combine by Lse go into one running softmax, one after
// another; the mean finishes each part by itself.
#include "core/attention/attend.h"

#include "core/attention/keys_in_force.h"
#include "core/attention/part_rows.h"
#include "core/attention/reference.h"
#include "core/attention/tile_kernel.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace attention {
namespace {

constexpr Index kBlockRows = 64;

// Rounds after the first report their share of progress: the first takes half if there are any.
Run within(const Run& run, double from, double to) {
  Run part = run;
  if (run.progress)
    part.progress = [&run, from, to](double share) { run.progress(from + (to - from) * share); };
  return part;
}

// One set of keys a query: a layer of a part.
struct Layer {
  const PartRows& rows;
  std::size_t part = 0;
  std::size_t layer = 0;

  void row(Index i, KeyRanges& ranges) const { rows.row(part, layer, i, ranges); }
};

// Adds a layer to the state of all queries.
class Engine {
public:
  Engine(const Layer& layer, const TileInputs& inputs, int threads, const Run& run,
         SoftmaxState& state)
      : layer_(layer), inputs_(inputs), threads_(threads), run_(run), queries_(inputs.q.rows),
        blocks_(ceilDiv(queries_, kBlockRows)), order_(layer.rows.order(layer.part)),
        scattered_(static_cast<std::size_t>(blocks_)), state_(state) {}

  void compute() {
    const bool rounds = combsLikely();
    neighbours(within(run_, 0, rounds ? 0.5 : 1));
    std::set<Index> periods;
    for (const std::vector<Index>& block : scattered_)
      periods.insert(block.begin(), block.end());
    double from = 0.5;
    const double step = periods.empty() ? 0 : 0.5 / static_cast<double>(periods.size());
    for (const Index period : periods) {
      residueClasses(period, within(run_, from, from + step));
      from += step;
    }
  }

private:
  // Whether some row has a comb: looked up in two rows, for the progress alone.
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
      const Index first = block * kBlockRows;
      const BlockRows rows{first, 1, std::min(kBlockRows, queries_ - first), order_};
      BlockKeys keys;
      KeyRanges row;
      for (Index r = 0; r < rows.count; ++r) {
        layer_.row(rows.query(r), row);
        keys.appendRow(row);
      }
      std::vector<Index>& scattered = scattered_[static_cast<std::size_t>(block)];
      if (order_.empty())
        scattered = scatteredPeriods(keys);
      if (!scattered.empty())
        keys = without(keys, scattered);
      addTiles(rows, keys);
    });
  }

  static BlockKeys without(const BlockKeys& keys, const std::vector<Index>& periods) {
    BlockKeys rest;
    KeyRanges row;
    for (Index r = 0; r < keys.rows(); ++r) {
      row.clear();
      for (const KeyRange& range : keys.row(r))
        if (range.contiguous() || !std::binary_search(periods.begin(), periods.end(), range.period))
          row.push_back(range);
      rest.appendRow(row);
    }
    return rest;
  }

  // Classes of rows i ≡ residue (mod period), in blocks; short classes several to a chunk.
  void residueClasses(Index period, const Run& run) {
    const Index classes = std::min(period, queries_);
    const Index classBlocks = ceilDiv(ceilDiv(queries_, period), kBlockRows);
    const Index together = std::max<Index>(1, kBlockRows * period / queries_ / 2);
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
    BlockKeys keys;
    KeyRanges row;
    KeyRanges combs;
    for (Index r = 0; r < rows.count; ++r) {
      const Index i = rows.query(r);
      combs.clear();
      const std::vector<Index>& scattered = scattered_[static_cast<std::size_t>(i / kBlockRows)];
      if (std::binary_search(scattered.begin(), scattered.end(), period)) {
        layer_.row(i, row);
        std::copy_if(row.begin(), row.end(), std::back_inserter(combs), [&](const KeyRange& range) {
          return !range.contiguous() && range.period == period;
        });
      }
      keys.appendRow(combs);
    }
    addTiles(rows, keys);
  }

  void addTiles(const BlockRows& rows, const BlockKeys& keys) {
    TileKernel kernel(inputs_, rows.count);
    for (const Tile& tile : planTiles(keys)) {
      run_.check();
      kernel.add(rows, tile, state_);
    }
  }

  Layer layer_;
  TileInputs inputs_;
  int threads_;
  const Run& run_;
  Index queries_;
  Index blocks_;
  std::span<const Index> order_;
  std::vector<std::vector<Index>> scattered_; // a block of neighbours: periods left for later
  SoftmaxState& state_;
};

// Adds one key to the running softmax of query i.
void addKey(SoftmaxState& state, Index i, float score, std::span<const float> v) {
  const auto k = static_cast<std::size_t>(i);
  const float maximum = std::max(state.maximum[k], score);
  const float factor = std::exp(state.maximum[k] - maximum);
  const float p = std::exp(score - maximum);
  state.maximum[k] = maximum;
  state.sum[k] = state.sum[k] * factor + p;
  for (Index c = 0; c < state.out.cols(); ++c)
    state.out(i, c) = state.out(i, c) * factor + p * v[static_cast<std::size_t>(c)];
}

Attention<float> finished(SoftmaxState& state) {
  Attention<float> result;
  result.lse.resize(state.sum.size());
  for (Index i = 0; i < state.out.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const float sum = state.sum[k];
    if (sum > 0) {
      for (Index c = 0; c < state.out.cols(); ++c)
        state.out(i, c) /= sum;
      result.lse[k] = state.maximum[k] + std::log(sum);
    } else {
      result.lse[k] = -std::numeric_limits<float>::infinity();
      result.emptyRows.push_back(i);
    }
  }
  result.out = std::move(state.out);
  return result;
}

// All parts of a pattern, one after another.
class PartsEngine {
public:
  PartsEngine(const Prepared& pattern, const TileInputs& inputs, int threads, const Run& run)
      : rows_(pattern), inputs_(inputs), threads_(threads), run_(run) {}

  Attention<float> compute() {
    if (rows_.combine() == Combine::Mean)
      return meanOfParts();
    SoftmaxState state(inputs_.q.rows, inputs_.v.cols);
    for (std::size_t part = 0; part < rows_.parts(); ++part)
      addPart(part, state);
    return finished(state);
  }

private:
  void addPart(std::size_t part, SoftmaxState& state) {
    const std::size_t layers = rows_.layers(part);
    const double parts = static_cast<double>(rows_.parts());
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const double from = static_cast<double>(layer) / static_cast<double>(layers);
      const double to = static_cast<double>(layer + 1) / static_cast<double>(layers);
      const Run share = within(run_, (static_cast<double>(part) + from) / parts,
                               (static_cast<double>(part) + to) / parts);
      Engine({rows_, part, layer}, inputs_, threads_, share, state).compute();
    }
    if (!rows_.anyLone())
      return;
    const auto logit = static_cast<float>(rows_.loneLogit());
    for (Index i = 0; i < inputs_.q.rows; ++i)
      if (rows_.lone(part, i))
        addKey(state, i, logit, inputs_.v.row(i));
  }

  // A query's mean is over the parts that have a key for it; its lse is of all parts together.
  Attention<float> meanOfParts() {
    const Index queries = inputs_.q.rows;
    SoftmaxState all(queries, inputs_.v.cols);
    std::vector<float> visible(static_cast<std::size_t>(queries));
    for (std::size_t part = 0; part < rows_.parts(); ++part) {
      SoftmaxState state(queries, inputs_.v.cols);
      addPart(part, state);
      for (Index i = 0; i < queries; ++i)
        addFinished(i, state, all, visible[static_cast<std::size_t>(i)]);
    }
    for (Index i = 0; i < queries; ++i) // finished() divides by the sum
      for (Index c = 0; c < all.out.cols(); ++c)
        all.out(i, c) *= all.sum[static_cast<std::size_t>(i)] /
                         std::max(visible[static_cast<std::size_t>(i)], 1.0F);
    return finished(all);
  }

  static void addFinished(Index i, const SoftmaxState& part, SoftmaxState& all, float& visible) {
    const auto k = static_cast<std::size_t>(i);
    if (!(part.sum[k] > 0))
      return;
    visible += 1;
    for (Index c = 0; c < all.out.cols(); ++c)
      all.out(i, c) += part.out(i, c) / part.sum[k];
    const float maximum = std::max(all.maximum[k], part.maximum[k]);
    all.sum[k] = all.sum[k] * std::exp(all.maximum[k] - maximum) +
                 part.sum[k] * std::exp(part.maximum[k] - maximum);
    all.maximum[k] = maximum;
  }

  PartRows rows_;
  TileInputs inputs_;
  int threads_;
  const Run& run_;
};

} // namespace

Attention<float> attend(const Prepared& pattern, MatrixView<const float> q,
                        MatrixView<const float> k, MatrixView<const float> v,
                        const AttendOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  const auto scale = static_cast<float>(scaleOf(options, q.cols));
  const KeysInForce<float> keys(pattern.outputs().keys, q, k);
  return PartsEngine(pattern, {q, keys.view(), v, scale}, options.threads, run).compute();
}

Attention<double> attend(const Prepared& pattern, MatrixView<const double> q,
                         MatrixView<const double> k, MatrixView<const double> v,
                         const AttendOptions& options, const Run& run) {
  return attendReference(pattern, q, k, v, options, run);
}

template <class T>
std::vector<T> logSumExp(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                         const AttendOptions& options, const Run& run) {
  const MatrixView<const T> noValues{nullptr, k.rows, 0, 0};
  return attend(pattern, q, k, noValues, options, run).lse;
}

template std::vector<float> logSumExp(const Prepared&, MatrixView<const float>,
                                      MatrixView<const float>, const AttendOptions&, const Run&);
template std::vector<double> logSumExp(const Prepared&, MatrixView<const double>,
                                       MatrixView<const double>, const AttendOptions&, const Run&);

} // namespace attention
