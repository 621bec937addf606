// The float path: blocks of neighbouring queries take windows, blocks, sinks and shared columns;
// then, for every period of combs that neighbours do not share, the residue classes. Blocks are
// fixed by the sizes, and every query is in one block of each round, so that the result does not
// depend on the number of threads.
#include "core/attention/attend.h"

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

class Engine {
public:
  Engine(const Prepared& pattern, const TileInputs& inputs, int threads, const Run& run)
      : pattern_(pattern), inputs_(inputs), threads_(threads), run_(run),
        queries_(pattern.lengths().queries), blocks_(ceilDiv(queries_, kBlockRows)),
        scattered_(static_cast<std::size_t>(blocks_)), state_(queries_, inputs.v.cols) {}

  Attention<float> compute() {
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
    return finish();
  }

private:
  // Whether some row has a comb: looked up in two rows, for the progress alone.
  bool combsLikely() const {
    KeyRanges ranges;
    for (const Index i : {queries_ / 2, queries_ - 1}) {
      pattern_.row(i, ranges);
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
      const BlockRows rows{first, 1, std::min(kBlockRows, queries_ - first)};
      BlockKeys keys;
      KeyRanges row;
      for (Index r = 0; r < rows.count; ++r) {
        pattern_.row(rows.query(r), row);
        keys.appendRow(row);
      }
      std::vector<Index>& scattered = scattered_[static_cast<std::size_t>(block)];
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
        pattern_.row(i, row);
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

  Attention<float> finish() {
    Attention<float> result;
    result.lse.resize(static_cast<std::size_t>(queries_));
    for (Index i = 0; i < queries_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const float sum = state_.sum[k];
      if (sum > 0) {
        for (Index c = 0; c < state_.out.cols(); ++c)
          state_.out(i, c) /= sum;
        result.lse[k] = state_.maximum[k] + std::log(sum);
      } else {
        result.lse[k] = -std::numeric_limits<float>::infinity();
        result.emptyRows.push_back(i);
      }
    }
    result.out = std::move(state_.out);
    return result;
  }

  const Prepared& pattern_;
  TileInputs inputs_;
  int threads_;
  const Run& run_;
  Index queries_;
  Index blocks_;
  std::vector<std::vector<Index>> scattered_; // a block of neighbours: periods left for later
  SoftmaxState state_;
};

} // namespace

Attention<float> attend(const Prepared& pattern, MatrixView<const float> q,
                        MatrixView<const float> k, MatrixView<const float> v,
                        const AttendOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  const auto scale = static_cast<float>(scaleOf(options, q.cols));
  return Engine(pattern, {q, k, v, scale}, options.threads, run).compute();
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
