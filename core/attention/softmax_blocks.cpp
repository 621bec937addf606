#include "core/attention/softmax_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace attention {
namespace {

constexpr float kNoScore = -std::numeric_limits<float>::infinity();
// Keys that a single row takes at once.
constexpr Index kLoneKeys = 256;
// Keys that single rows go through together: as many as fit a core's cache, and enough per row to
// be worth loading it.
constexpr Index kLoneWindow = 512;
constexpr Index kLoneTogether = 32;
// The same for rows that share next to nothing: half of a core's second-level cache in keys and
// values.
constexpr Index kScatteredWindow = 1024;

using RowPointers = std::array<const float*, static_cast<std::size_t>(kBlockRows)>;

Index lanes(const QueryStrip& strip) {
  return static_cast<Index>(std::bit_width(strip.live));
}

std::uint64_t rowsOf(const KeyList& list) {
  std::uint64_t rows = 0;
  for (const std::uint64_t seen : list.seen)
    rows |= seen;
  return rows;
}

void gather(MatrixView<const float> from, const Step& step, float* to) {
  for (Index t = 0; t < step.count; ++t)
    std::copy_n(from.data + step.key(t) * from.stride, from.cols, to + t * from.cols);
}

} // namespace

SoftmaxState::SoftmaxState(MatrixView<float> out_)
    : out(out_), maximum(static_cast<std::size_t>(out_.rows), kNoScore),
      sum(static_cast<std::size_t>(out_.rows), 0.0F) {}

void SoftmaxState::begin(Index i) {
  if (!(sum[static_cast<std::size_t>(i)] > 0))
    std::fill_n(out.data + i * out.stride, out.cols, 0.0F);
}

SoftmaxBlocks::SoftmaxBlocks(const SoftmaxInputs& inputs)
    : inputs_(inputs), width_(stripWidth()), q_(kBlockRows * inputs.q.cols),
      out_(kBlockRows * inputs.v.cols), maximum_(kBlockRows), sum_(kBlockRows),
      scores_(std::max(kStepKeys * width_, kLoneKeys + kLonePadding)),
      keys_(kStepKeys * inputs.k.cols), values_(kStepKeys * inputs.v.cols), row_(inputs.q.cols),
      tokens_(kBlockRows), at_(inputs.bias ? static_cast<std::size_t>(kStepKeys) : 0),
      loneKeys_(static_cast<std::size_t>(kLoneKeys)) {
  lone_ = {row_.data(),    inputs.k.data,    inputs.k.stride,
           inputs.v.data,  inputs.v.stride,  inputs.q.cols,
           inputs.v.cols,  loneKeys_.data(), 0,
           scores_.data(), inputs.cap,       inputs.bias};
}

void SoftmaxBlocks::add(const BlockRows& block, const BlockPlan& plan, SoftmaxState& state) {
  addSteps(block, plan.sharingRows(), StepCutter(plan), state);
  addLoneRows(block, plan, state);
}

void SoftmaxBlocks::add(const GroupBlock& block, SoftmaxState& state) {
  const BlockRows rows{0, 1, static_cast<Index>(block.queries.size()), block.queries};
  addSteps(rows, rowsOf(block.shared), KeyListCutter(block.shared), state);
  for (std::uint64_t left = rowsOf(block.lone); left != 0; left &= left - 1) {
    const int r = std::countr_zero(left);
    beginLone(rows.query(r));
    for (std::size_t k = 0; k < block.lone.keys.size(); ++k)
      if ((block.lone.seen[k] >> r & 1) != 0)
        takeLone(block.lone.keys[k], state);
    flushLone(state);
  }
}

void SoftmaxBlocks::add(Index query, std::span<const KeyRange> row, SoftmaxState& state) {
  beginLone(query);
  for (const KeyRange& range : row)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index key = begin; key < end; ++key)
        takeLone(key, state);
    });
  flushLone(state);
}

// All rows over one window of keys before the next, so that keys and values stay in the cache.
void SoftmaxBlocks::add(const BlockRows& block, const ScatteredKeys& rows, SoftmaxState& state) {
  const std::span<const std::int32_t> all(rows.keys);
  const Index keys = inputs_.k.rows;
  const Index pairs = std::max<Index>(static_cast<Index>(all.size()), 1);
  const Index window = std::max(kScatteredWindow, keys * kLoneTogether * block.count / pairs);
  std::array<std::size_t, static_cast<std::size_t>(kBlockRows)> cursors{};
  for (std::size_t r = 1; r < rows.ends.size(); ++r)
    cursors[r] = rows.ends[r - 1];
  for (Index end = window; end < keys + window; end += window)
    for (Index r = 0; r < block.count; ++r) {
      const auto k = static_cast<std::size_t>(r);
      const std::size_t begin = cursors[k];
      while (cursors[k] < rows.ends[k] && all[cursors[k]] < end)
        ++cursors[k];
      if (begin == cursors[k])
        continue;
      beginLone(block.query(r));
      addLoneKeys(all.subspan(begin, cursors[k] - begin), state);
    }
}

template <class Steps>
void SoftmaxBlocks::addSteps(const BlockRows& block, std::uint64_t sharing, Steps steps,
                             SoftmaxState& state) {
  if (sharing == 0)
    return;
  std::array<QueryStrip, static_cast<std::size_t>(kBlockRows)> strips;
  std::size_t count = 0;
  for (Index first = 0; first < block.count; first += width_) {
    const QueryStrip one = strip(first, std::min(width_, block.count - first));
    if ((sharing >> first & one.live) == 0)
      continue;
    load(block, one, state);
    strips[count++] = one;
  }
  while (steps.next(step_)) {
    const StepKeys keys = placed(step_);
    for (std::size_t s = 0; s < count; ++s)
      addStep(strips[s], keys);
  }
  for (std::size_t s = 0; s < count; ++s)
    store(block, strips[s], state);
}

// The strip of rows first … first + rows − 1 of the block.
QueryStrip SoftmaxBlocks::strip(Index first, Index rows) const {
  QueryStrip strip;
  strip.d = inputs_.q.cols;
  strip.dv = inputs_.v.cols;
  strip.shift = first;
  strip.live = rows == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
  strip.q = q_.data() + first * strip.d;
  strip.out = out_.data() + first * strip.dv;
  strip.maximum = maximum_.data() + first;
  strip.sum = sum_.data() + first;
  strip.scores = scores_.data();
  strip.cap = inputs_.cap;
  strip.bias = inputs_.bias;
  strip.tokens = tokens_.data() + first;
  return strip;
}

void SoftmaxBlocks::load(const BlockRows& block, const QueryStrip& strip, SoftmaxState& state) {
  const Index count = lanes(strip);
  RowPointers q{};
  RowPointers out{};
  bool begun = false;
  std::fill_n(strip.maximum, width_, kNoScore);
  std::fill_n(strip.sum, width_, 0.0F);
  for (Index r = 0; r < count; ++r) {
    const Index i = block.query(strip.shift + r);
    const auto k = static_cast<std::size_t>(r);
    q[k] = inputs_.q.data + i * inputs_.q.stride;
    out[k] = state.out.data + i * state.out.stride;
    strip.maximum[r] = state.maximum[static_cast<std::size_t>(i)];
    strip.sum[r] = state.sum[static_cast<std::size_t>(i)];
    begun = begun || strip.sum[r] > 0;
    if (inputs_.bias != nullptr)
      tokens_.data()[strip.shift + r] = static_cast<std::int32_t>(i + inputs_.offset);
  }
  if (inputs_.bias != nullptr)
    std::fill_n(tokens_.data() + strip.shift + count, width_ - count, 0);
  loadTransposed(q.data(), count, strip.d, inputs_.scale, strip.q);
  if (!begun) {
    std::fill_n(strip.out, width_ * strip.dv, 0.0F);
    return;
  }
  for (Index r = 0; r < count; ++r)
    state.begin(block.query(strip.shift + r));
  loadTransposed(out.data(), count, strip.dv, 1, strip.out);
}

void SoftmaxBlocks::store(const BlockRows& block, const QueryStrip& strip, SoftmaxState& state) {
  const Index count = lanes(strip);
  std::array<float*, static_cast<std::size_t>(kBlockRows)> out{};
  for (Index r = 0; r < count; ++r) {
    const Index i = block.query(strip.shift + r);
    out[static_cast<std::size_t>(r)] = state.out.data + i * state.out.stride;
    state.maximum[static_cast<std::size_t>(i)] = strip.maximum[r];
    state.sum[static_cast<std::size_t>(i)] = strip.sum[r];
  }
  storeTransposed(strip.out, out.data(), count, strip.dv);
}

StepKeys SoftmaxBlocks::placed(const Step& step) {
  const MatrixView<const float> k = inputs_.k;
  const MatrixView<const float> v = inputs_.v;
  for (std::size_t t = 0; t < at_.size() && static_cast<Index>(t) < step.count; ++t)
    at_[t] = static_cast<std::int32_t>(step.key(static_cast<Index>(t)));
  if (step.firstKey >= 0)
    return {k.data + step.firstKey * k.stride,
            step.keyStep * k.stride,
            v.data + step.firstKey * v.stride,
            step.keyStep * v.stride,
            step.count,
            step.seen.data(),
            at_.data()};
  gather(k, step, keys_.data());
  gather(v, step, values_.data());
  return {keys_.data(), k.cols, values_.data(), v.cols, step.count, step.seen.data(), at_.data()};
}

// All rows over one window of keys before the next, so that keys and values stay in the cache.
void SoftmaxBlocks::addLoneRows(const BlockRows& block, const BlockPlan& plan,
                                SoftmaxState& state) {
  Index pairs = 0;
  for (const std::vector<Interval>& row : plan.lone)
    for (const Interval& interval : row)
      pairs += interval.end - interval.begin;
  if (pairs == 0)
    return;
  const Index span = plan.line.size();
  const Index window = std::max(kLoneWindow, span * kLoneTogether * block.count / pairs);
  std::array<std::size_t, static_cast<std::size_t>(kBlockRows)> cursors{};
  for (Index end = window; end < span + window; end += window)
    for (Index r = 0; r < block.count; ++r) {
      const auto k = static_cast<std::size_t>(r);
      if (cursors[k] < plan.lone[k].size() && plan.lone[k][cursors[k]].begin < end)
        addLone(plan, r, block.query(r), {end - window, end}, cursors[k], state);
    }
}

// Row r over the keys of its lone intervals in the window; the cursor goes on to the first that
// does not end in it.
void SoftmaxBlocks::addLone(const BlockPlan& plan, Index r, Index query, const Interval& window,
                            std::size_t& cursor, SoftmaxState& state) {
  beginLone(query);
  const auto take = [&](Index key, Index, Index length) {
    for (Index t = 0; t < length; ++t)
      takeLone(key + t, state);
  };
  const std::vector<Interval>& intervals = plan.lone[static_cast<std::size_t>(r)];
  for (; cursor < intervals.size() && intervals[cursor].begin < window.end; ++cursor) {
    const Interval& interval = intervals[cursor];
    plan.line.forEachRun(std::max(interval.begin, window.begin), std::min(interval.end, window.end),
                         take);
    if (interval.end > window.end)
      break;
  }
  flushLone(state);
}

void SoftmaxBlocks::beginLone(Index query) {
  const std::span<const float> q = inputs_.q.row(query);
  std::transform(q.begin(), q.end(), row_.data(),
                 [scale = inputs_.scale](float x) { return scale * x; });
  loneQuery_ = query;
  lone_.token = static_cast<std::int32_t>(query + inputs_.offset);
  lone_.count = 0;
}

void SoftmaxBlocks::takeLone(Index key, SoftmaxState& state) {
  loneKeys_[static_cast<std::size_t>(lone_.count++)] = static_cast<std::int32_t>(key);
  if (lone_.count == kLoneKeys)
    flushLone(state);
}

void SoftmaxBlocks::flushLone(SoftmaxState& state) {
  addLoneKeys({loneKeys_.data(), static_cast<std::size_t>(lone_.count)}, state);
  lone_.count = 0;
}

void SoftmaxBlocks::addLoneKeys(std::span<const std::int32_t> keys, SoftmaxState& state) {
  const auto i = static_cast<std::size_t>(loneQuery_);
  if (!keys.empty())
    state.begin(loneQuery_);
  LoneRow some = lone_;
  for (; !keys.empty(); keys = keys.subspan(static_cast<std::size_t>(some.count))) {
    some.keys = keys.data();
    some.count = std::min(kLoneKeys, static_cast<Index>(keys.size()));
    addLoneRow(some, state.out.data + loneQuery_ * state.out.stride, state.maximum[i],
               state.sum[i]);
  }
}

} // namespace attention
