#include "core/attention/tile_plan.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace attention {
namespace {

// Positions of a line that are cut into segments in one go.
constexpr Index kWindow = 16384;
// A strip computes a stretch if its rows see this much of it, in hundredths: what a lone row's pair
// costs in time of a strip's.
constexpr Index kSharedPercent = 40;
// A strip takes part with so many keys a row at least: what loading and storing it is worth.
constexpr Index kLeastKeys = 4;
// Combs are copied either way, so that a residue class without waste is soon worth it.
constexpr Index kScatteredBeyond = 2;

using CombKey = std::tuple<Index, Index, Index>; // period, width, residue

CombKey combKey(const KeyRange& range) {
  return {range.period, range.width, range.begin % range.period};
}

// The least comb of the same kind that holds both.
void widen(KeyRange& comb, const KeyRange& more) {
  comb.begin = std::min(comb.begin, more.begin);
  comb.end = std::max(comb.end, more.end);
}

using Combs = std::map<CombKey, KeyRange>;

void addComb(Combs& combs, const KeyRange& range) {
  const auto [at, isNew] = combs.try_emplace(combKey(range), range);
  if (!isNew)
    widen(at->second, range);
}

std::uint64_t lowBits(Index count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

} // namespace

void BlockKeys::clear() {
  ranges.clear();
  ends.clear();
}

void BlockKeys::appendRow(std::span<const KeyRange> row) {
  ranges.insert(ranges.end(), row.begin(), row.end());
  ends.push_back(ranges.size());
}

void BlockKeys::removeCombs(std::span<const Index> periods) {
  std::size_t kept = 0;
  std::size_t at = 0;
  for (std::size_t& end : ends) {
    for (; at < end; ++at)
      if (ranges[at].contiguous() ||
          !std::binary_search(periods.begin(), periods.end(), ranges[at].period))
        ranges[kept++] = ranges[at];
    end = kept;
  }
  ranges.resize(kept);
}

std::span<const KeyRange> BlockKeys::row(Index r) const {
  const auto k = static_cast<std::size_t>(r);
  const std::size_t begin = k == 0 ? 0 : ends[k - 1];
  return {ranges.data() + begin, ends[k] - begin};
}

std::vector<Index> scatteredPeriods(const BlockKeys& keys) {
  Combs combs;
  std::map<Index, Index> useful; // by period
  for (const KeyRange& range : keys.ranges)
    if (!range.contiguous()) {
      addComb(combs, range);
      useful[range.period] += count(range);
    }
  std::map<Index, Index> dense;
  for (const auto& [key, comb] : combs)
    dense[std::get<0>(key)] += keys.rows() * count(comb);
  std::vector<Index> periods;
  for (const auto& [period, scores] : useful)
    if (dense[period] > kScatteredBeyond * scores)
      periods.push_back(period);
  return periods;
}

std::uint64_t BlockPlan::sharingRows() const {
  std::uint64_t rows = 0;
  for (const Segment& segment : shared)
    rows |= segment.rows;
  return rows;
}

BlockPlanner::BlockPlanner(Index stripRows)
    : stripRows_(stripRows), toggles_(static_cast<std::size_t>(kWindow + 1)),
      touched_(static_cast<std::size_t>(kWindow / 64 + 1)) {}

const BlockPlan& BlockPlanner::plan(const BlockKeys& keys) {
  layLine(keys);
  intervals_.clear();
  ends_.clear();
  cursors_.clear();
  Index begin = plan_.line.size();
  Index end = 0;
  for (Index r = 0; r < keys.rows(); ++r) {
    cursors_.push_back(intervals_.size());
    placeRow(keys.row(r));
    ends_.push_back(intervals_.size());
    if (cursors_.back() < ends_.back()) {
      begin = std::min(begin, intervals_[cursors_.back()].begin);
      end = std::max(end, intervals_.back().end);
    }
  }
  segments_.clear();
  for (; begin < end; begin += kWindow)
    cutWindow(begin, std::min(begin + kWindow, end));
  shared_.assign(segments_.size(), 0);
  for (Index r = 0; r < keys.rows(); r += stripRows_)
    chooseShared(lowBits(stripRows_) << r);
  divide();
  return plan_;
}

// All keys as they are, then the combs, which become dense.
void BlockPlanner::layLine(const BlockKeys& keys) {
  Combs combs;
  Index end = 0;
  for (const KeyRange& range : keys.ranges) {
    if (range.contiguous())
      end = std::max(end, range.end);
    else
      addComb(combs, range);
  }
  plan_.line.clear();
  plan_.line.append({0, end, 1, 1});
  for (const auto& [key, comb] : combs)
    plan_.line.append(comb);
}

Interval BlockPlanner::placed(const KeyRange& range) const {
  if (range.contiguous())
    return {range.begin, range.end};
  const CombKey wanted = combKey(range); // the line's combs are sorted by this
  std::size_t low = 1;
  for (std::size_t high = plan_.line.ranges(); high - low > 1;) {
    const std::size_t middle = (low + high) / 2;
    (combKey(plan_.line.range(middle)) <= wanted ? low : high) = middle;
  }
  return plan_.line.positions(low, range);
}

void BlockPlanner::placeRow(std::span<const KeyRange> row) {
  const auto earlier = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  const auto first = static_cast<std::ptrdiff_t>(intervals_.size());
  for (const KeyRange& range : row)
    intervals_.push_back(placed(range));
  if (!std::is_sorted(intervals_.begin() + first, intervals_.end(), earlier))
    std::sort(intervals_.begin() + first, intervals_.end(), earlier);
}

void BlockPlanner::toggle(Index position, std::uint64_t row) {
  const auto t = static_cast<std::size_t>(position);
  toggles_[t] ^= row;
  touched_[t / 64] |= std::uint64_t{1} << t % 64;
}

// Marks where rows begin and end, then walks the marks in order.
void BlockPlanner::cutWindow(Index begin, Index end) {
  for (std::size_t r = 0; r < cursors_.size(); ++r)
    for (std::size_t& at = cursors_[r]; at < ends_[r] && intervals_[at].begin < end; ++at) {
      const Interval& interval = intervals_[at];
      toggle(std::max(interval.begin, begin) - begin, std::uint64_t{1} << r);
      toggle(std::min(interval.end, end) - begin, std::uint64_t{1} << r);
      if (interval.end > end)
        break; // goes on in the next window
    }
  std::uint64_t rows = 0;
  Index from = begin;
  for (std::size_t word = 0; word < touched_.size(); ++word)
    for (; touched_[word] != 0; touched_[word] &= touched_[word] - 1) {
      const std::size_t t = 64 * word + static_cast<std::size_t>(std::countr_zero(touched_[word]));
      const Index position = begin + static_cast<Index>(t);
      appendSegment(from, position, rows);
      from = position;
      rows ^= toggles_[t];
      toggles_[t] = 0;
    }
}

void BlockPlanner::appendSegment(Index begin, Index end, std::uint64_t rows) {
  if (rows == 0 || begin == end)
    return;
  if (!segments_.empty() && segments_.back().end == begin && segments_.back().rows == rows)
    segments_.back().end = end;
  else
    segments_.push_back({begin, end, rows});
}

// Which stretches of touching segments the rows of one strip share.
void BlockPlanner::chooseShared(std::uint64_t strip) {
  Index kept = 0;
  for (std::size_t first = 0, last = 0; first < segments_.size(); first = last) {
    last = first + 1;
    if ((segments_[first].rows & strip) == 0)
      continue;
    const auto pairs = [&](const Segment& segment) {
      return std::popcount(segment.rows & strip) * (segment.end - segment.begin);
    };
    Index useful = pairs(segments_[first]);
    for (; last < segments_.size() && segments_[last].begin == segments_[last - 1].end &&
           (segments_[last].rows & strip) != 0;
         ++last)
      useful += pairs(segments_[last]);
    const Index length = segments_[last - 1].end - segments_[first].begin;
    if (100 * useful < kSharedPercent * stripRows_ * length)
      continue;
    kept += useful;
    for (std::size_t k = first; k < last; ++k)
      shared_[k] |= segments_[k].rows & strip;
  }
  if (kept < kLeastKeys * stripRows_)
    for (std::uint64_t& rows : shared_)
      rows &= ~strip;
}

void BlockPlanner::divide() {
  plan_.shared.clear();
  for (std::vector<Interval>& row : plan_.lone)
    row.clear();
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Segment& segment = segments_[k];
    if (shared_[k] != 0)
      plan_.shared.push_back({segment.begin, segment.end, shared_[k]});
    for (std::uint64_t rest = segment.rows & ~shared_[k]; rest != 0; rest &= rest - 1) {
      std::vector<Interval>& row = plan_.lone[static_cast<std::size_t>(std::countr_zero(rest))];
      if (!row.empty() && row.back().end == segment.begin)
        row.back().end = segment.end;
      else
        row.push_back({segment.begin, segment.end});
    }
  }
}

} // namespace attention
