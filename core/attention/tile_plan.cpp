#include "core/attention/tile_plan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

namespace attention {
namespace {

// Positions of a line that are cut into segments at once.
constexpr Index kWindow = 16384;
// A strip computes a stretch if its rows see this much of it, in hundredths: what a lone row's pair
// costs in time of a strip's.
constexpr Index kSharedPercent = 40;
// The least keys per row for a strip to take part: what loading and storing it is worth.
constexpr Index kLeastKeys = 4;
// Combs are not contiguous either way, so a residue class without waste soon pays off.
constexpr Index kScatteredBeyond = 2;

// The most ranges of a block with a plan that the next one may reuse, shifted: a few per row.
constexpr std::size_t kMostRemembered = 4 * static_cast<std::size_t>(kBlockRows);

// Keys of a thin row; twice as many where most are isolated.
constexpr Index kThinKeys = 16;

// Mean length of runs that are worth a look at who shares them, and how many of a row's keys, in
// hundredths, another of its strip has where a plan is worth making.
constexpr Index kShortRun = 4;
constexpr Index kScatteredPercent = 30;

using CombKey = std::tuple<Index, Index, Index>; // period, width, residue

CombKey combKey(const KeyRange& range) {
  return {range.period, range.width, range.begin % range.period};
}

// The least comb of the same kind that holds both.
void widen(KeyRange& comb, const KeyRange& more) {
  comb.begin = std::min(comb.begin, more.begin);
  comb.end = std::max(comb.end, more.end);
}

// Combs of each kind once, sorted by it.
class Combs {
public:
  void add(const KeyRange& range) { combs_.push_back({combKey(range), range}); }

  const std::vector<std::pair<CombKey, KeyRange>>& merged() {
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(combs_.begin(), combs_.end(), before)) // neighbours' often are
      std::sort(combs_.begin(), combs_.end(), before);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < combs_.size(); ++k) {
      if (kept > 0 && combs_[kept - 1].first == combs_[k].first)
        widen(combs_[kept - 1].second, combs_[k].second);
      else
        combs_[kept++] = combs_[k];
    }
    combs_.resize(kept);
    return combs_;
  }

private:
  std::vector<std::pair<CombKey, KeyRange>> combs_;
};

std::uint64_t lowBits(Index count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Counts set bits, without the library call that compilers make to support old processors.
Index bitsOf(std::uint64_t x) {
  x -= x >> 1 & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<Index>(x * 0x0101010101010101U >> 56);
}

// How many ranges two rows begin with alike; looked for in chunks, since rows of a cluster are
// equal or one is the beginning of the other.
std::size_t commonBeginning(std::span<const KeyRange> a, std::span<const KeyRange> b) {
  constexpr std::size_t kChunk = 64;
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t same = 0;
  while (same + kChunk <= most && std::memcmp(&a[same], &b[same], kChunk * sizeof(KeyRange)) == 0)
    same += kChunk;
  while (same < most && a[same] == b[same])
    ++same;
  return same;
}

// Keys of two rows of contiguous ranges.
Index commonKeys(std::span<const KeyRange> a, std::span<const KeyRange> b) {
  Index common = 0;
  for (std::size_t k = 0, l = 0; k < a.size() && l < b.size();) {
    common += std::max<Index>(std::min(a[k].end, b[l].end) - std::max(a[k].begin, b[l].begin), 0);
    const bool first = a[k].end <= b[l].end;
    (first ? k : l) += 1;
  }
  return common;
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

void ScatteredKeys::clear() {
  keys.clear();
  ends.clear();
}

void ScatteredKeys::appendRow(std::span<const KeyRange> row) {
  for (const KeyRange& range : row)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index key = begin; key < end; ++key)
        keys.push_back(static_cast<std::int32_t>(key));
    });
  ends.push_back(keys.size());
}

std::vector<Index> scatteredPeriods(const BlockKeys& keys) {
  Combs combs;
  std::map<Index, Index> useful; // by period
  for (const KeyRange& range : keys.ranges)
    if (!range.contiguous()) {
      combs.add(range);
      useful[range.period] += count(range);
    }
  std::map<Index, Index> dense;
  for (const auto& [key, comb] : combs.merged())
    dense[std::get<0>(key)] += keys.rows() * count(comb);
  std::vector<Index> periods;
  for (const auto& [period, scores] : useful)
    if (dense[period] > kScatteredBeyond * scores)
      periods.push_back(period);
  return periods;
}

bool isThin(const BlockKeys& keys) {
  Index pairs = 0;
  Index runs = 0;
  for (const KeyRange& range : keys.ranges) {
    const Index held = range.contiguous() ? range.end - range.begin : count(range);
    pairs += held;
    runs += range.contiguous() ? 1 : ceilDiv(held, range.width);
  }
  return pairs <= (2 * runs >= pairs ? 2 * kThinKeys : kThinKeys) * keys.rows();
}

bool hasShortRuns(std::span<const KeyRange> row) {
  Index pairs = 0;
  for (const KeyRange& range : row) {
    if (!range.contiguous())
      return false;
    pairs += range.end - range.begin;
  }
  return pairs > 2 * kThinKeys && pairs <= kShortRun * static_cast<Index>(row.size());
}

bool isScattered(const BlockKeys& keys, Index step, Index apart) {
  Index held = 0;
  Index common = 0;
  for (Index r = 0; r + apart < keys.rows(); r += step) {
    for (const KeyRange& range : keys.row(r))
      held += range.end - range.begin;
    common += commonKeys(keys.row(r), keys.row(r + apart));
  }
  return 100 * common < kScatteredPercent * held;
}

std::uint64_t BlockPlan::sharingRows() const {
  std::uint64_t rows = 0;
  for (const KeySegment& segment : shared)
    rows |= segment.rows;
  return rows;
}

BlockPlanner::BlockPlanner(Index stripRows)
    : stripRows_(stripRows), toggles_(static_cast<std::size_t>(kWindow + 1)),
      touched_(static_cast<std::size_t>(kWindow / 64 + 1)) {}

const BlockPlan& BlockPlanner::plan(const BlockKeys& keys) {
  if (moves(keys))
    return plan_;
  collectBars(keys);
  layLine();
  remember(keys);
  for (Bar& bar : bars_)
    bar.at = placed(bar.range);
  segments_.clear();
  cutLine();
  shared_.assign(segments_.size(), 0);
  for (Index r = 0; r < keys.rows(); r += stripRows_)
    chooseShared(lowBits(stripRows_) << r);
  divide();
  return plan_;
}

// Shifts the plan where the keys are those of the last one made, all moved by the same distance.
bool BlockPlanner::moves(const BlockKeys& keys) {
  if (made_.ranges.empty() || keys.ends != made_.ends)
    return false;
  const Index away = keys.ranges.front().begin - made_.ranges.front().begin;
  for (std::size_t k = 0; k < keys.ranges.size(); ++k) {
    const KeyRange& range = keys.ranges[k];
    const KeyRange& made = made_.ranges[k];
    if (range.begin - made.begin != away || range.end - made.end != away ||
        range.period != made.period || range.width != made.width)
      return false;
  }
  moveBy(away - moved_);
  moved_ = away;
  return true;
}

// Positions of contiguous keys are these keys, those of a comb count its own.
void BlockPlanner::moveBy(Index further) {
  if (plan_.line.ranges() > 1) {
    const KeyRange comb = plan_.line.range(1);
    plan_.line.clear();
    plan_.line.append({0, 0, 1, 1});
    plan_.line.append({comb.begin + further, comb.end + further, comb.period, comb.width});
    return;
  }
  const Index end = plan_.line.size() + further;
  plan_.line.clear();
  plan_.line.append({0, end, 1, 1});
  for (KeySegment& segment : plan_.shared) {
    segment.begin += further;
    segment.end += further;
  }
  for (std::vector<Interval>& row : plan_.lone)
    for (Interval& interval : row)
      interval = {interval.begin + further, interval.end + further};
}

// Several combs change order where one of them is shifted beyond its period.
void BlockPlanner::remember(const BlockKeys& keys) {
  moved_ = 0;
  made_.clear();
  const bool contiguous = plan_.line.ranges() == 1;
  const bool comb = plan_.line.ranges() == 2 && plan_.line.range(0).end == 0;
  if (keys.ranges.size() <= kMostRemembered && (contiguous || comb))
    made_ = keys;
}

void BlockPlanner::collectBars(const BlockKeys& keys) {
  bars_.clear();
  open_.clear();
  std::span<const KeyRange> before;
  for (Index r = 0; r < keys.rows(); ++r) {
    const std::span<const KeyRange> row = keys.row(r);
    const std::size_t same = commonBeginning(before, row);
    closeBars(same, r);
    for (std::size_t k = same; k < row.size(); ++k) {
      open_.push_back(bars_.size());
      bars_.push_back({row[k], r});
    }
    before = row;
  }
  closeBars(0, keys.rows());
}

// Ends the bars of all ranges but the first `kept` before `row`.
void BlockPlanner::closeBars(std::size_t kept, Index row) {
  for (std::size_t k = kept; k < open_.size(); ++k) {
    Bar& bar = bars_[open_[k]];
    bar.rows = lowBits(row) & ~lowBits(bar.firstRow);
  }
  open_.resize(kept);
}

// All keys as they are, then the combs, which become dense.
void BlockPlanner::layLine() {
  Combs combs;
  Index end = 0;
  for (const Bar& bar : bars_) {
    if (bar.range.contiguous())
      end = std::max(end, bar.range.end);
    else
      combs.add(bar.range);
  }
  plan_.line.clear();
  plan_.line.append({0, end, 1, 1});
  for (const auto& [key, comb] : combs.merged())
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

// Cuts the line into segments, a window of positions after another.
void BlockPlanner::cutLine() {
  if (bars_.empty())
    return;
  Index begin = plan_.line.size();
  Index end = 0;
  for (const Bar& bar : bars_) {
    begin = std::min(begin, bar.at.begin);
    end = std::max(end, bar.at.end);
  }
  if (end - begin > kWindow)
    std::sort(bars_.begin(), bars_.end(),
              [](const Bar& a, const Bar& b) { return a.at.begin < b.at.begin; });
  carried_.clear();
  std::size_t next = 0;
  for (; begin < end; begin += kWindow) {
    const Index windowEnd = std::min(begin + kWindow, end);
    for (const Bar& bar : carried_)
      mark(bar, begin, windowEnd);
    std::erase_if(carried_, [&](const Bar& bar) { return bar.at.end <= windowEnd; });
    for (; next < bars_.size() && bars_[next].at.begin < windowEnd; ++next) {
      mark(bars_[next], begin, windowEnd);
      if (bars_[next].at.end > windowEnd)
        carried_.push_back(bars_[next]);
    }
    walkMarks(begin);
  }
}

// Marks where the rows of a bar begin and end within the window [begin, end).
void BlockPlanner::mark(const Bar& bar, Index begin, Index end) {
  toggle(std::max(bar.at.begin, begin) - begin, bar.rows);
  toggle(std::min(bar.at.end, end) - begin, bar.rows);
}

void BlockPlanner::toggle(Index position, std::uint64_t rows) {
  const auto t = static_cast<std::size_t>(position);
  toggles_[t] ^= rows;
  touched_[t / 64] |= std::uint64_t{1} << t % 64;
}

void BlockPlanner::walkMarks(Index begin) {
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
    const auto pairs = [&](const KeySegment& segment) {
      return bitsOf(segment.rows & strip) * (segment.end - segment.begin);
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
    const KeySegment& segment = segments_[k];
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
