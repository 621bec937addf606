#include "core/attention/tile_plan.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace attention {
namespace {

// A tile computes rows × keys scores, whoever sees them: up to this many times the useful ones,
// before it is halved.
constexpr Index kHalveBeyond = 3;
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

void mergeContiguous(KeyRanges& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const KeyRange& a, const KeyRange& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const KeyRange& range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    else
      ranges[kept++] = range;
  }
  ranges.resize(kept);
}

class Planner {
public:
  explicit Planner(const BlockKeys& keys) : keys_(keys) {}

  void plan(Index begin, Index end) {
    const Index useful = usefulScores(begin, end);
    if (useful == 0)
      return;
    layLine(begin, end);
    const Index rows = end - begin;
    if (rows > 1 && rows * tile_.line.size() > kHalveBeyond * useful) {
      plan(begin, begin + rows / 2);
      plan(begin + rows / 2, end);
    } else {
      placeRows(begin, end);
      finish(begin, end);
    }
  }

  std::vector<Tile> take() { return std::move(tiles_); }

private:
  Index usefulScores(Index begin, Index end) const {
    Index scores = 0;
    for (Index r = begin; r < end; ++r)
      for (const KeyRange& range : keys_.row(r))
        scores += count(range);
    return scores;
  }

  // The line of all keys of the rows: contiguous stretches in order, then the combs.
  void layLine(Index begin, Index end) {
    contiguous_.clear();
    combs_.clear();
    for (Index r = begin; r < end; ++r)
      for (const KeyRange& range : keys_.row(r)) {
        if (range.contiguous())
          contiguous_.push_back(range);
        else
          addComb(combs_, range);
      }
    mergeContiguous(contiguous_);
    tile_ = {};
    for (const KeyRange& range : contiguous_)
      tile_.line.append(range);
    for (const auto& [key, comb] : combs_)
      tile_.line.append(comb);
  }

  std::size_t rangeOf(const KeyRange& range) const {
    if (range.contiguous()) {
      const auto after =
          std::upper_bound(contiguous_.begin(), contiguous_.end(), range.begin,
                           [](Index key, const KeyRange& stretch) { return key < stretch.begin; });
      return static_cast<std::size_t>(after - contiguous_.begin()) - 1;
    }
    const auto at = combs_.find(combKey(range));
    return contiguous_.size() + static_cast<std::size_t>(std::distance(combs_.begin(), at));
  }

  void placeRows(Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const auto first = static_cast<std::ptrdiff_t>(tile_.intervals.size());
      for (const KeyRange& range : keys_.row(r))
        tile_.intervals.push_back(tile_.line.positions(rangeOf(range), range));
      std::sort(tile_.intervals.begin() + first, tile_.intervals.end(),
                [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
      tile_.ends.push_back(tile_.intervals.size());
    }
  }

  void finish(Index begin, Index end) {
    tile_.rowBegin = begin;
    tile_.rowEnd = end;
    tiles_.push_back(std::move(tile_));
  }

  const BlockKeys& keys_;
  std::vector<Tile> tiles_;
  Tile tile_;
  KeyRanges contiguous_;
  Combs combs_;
};

} // namespace

void BlockKeys::clear() {
  ranges.clear();
  ends.clear();
}

void BlockKeys::appendRow(const KeyRanges& row) {
  ranges.insert(ranges.end(), row.begin(), row.end());
  ends.push_back(ranges.size());
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

std::vector<Tile> planTiles(const BlockKeys& keys) {
  Planner planner(keys);
  planner.plan(0, keys.rows());
  return planner.take();
}

} // namespace attention
