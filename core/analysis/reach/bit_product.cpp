#include "core/analysis/reach/bit_product.h"

#include "core/analysis/reach/range_unions.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <map>

namespace attention {
namespace {

constexpr Index kShortRun = 4;      // rows that are joined one by one
constexpr Index kMostUnions = 3;    // kinds of ranges with ready unions: memory
constexpr Index kRowsLookedAt = 64; // to learn which kinds of ranges there are
constexpr Index kRowsAChunk = 128;
constexpr std::size_t kSourcesBetweenLooks = 32; // at whether a row is full

// The rows that every row of a chunk is the union of, and how far its bits can reach.
struct PlannedRow {
  std::size_t begin = 0; // in Plan::sources
  std::size_t end = 0;
  Index limit = 0;       // bits at and behind are zero
  bool asBefore = false; // equals the row before it
};

struct Plan {
  std::vector<const BitWord*> sources;
  std::vector<PlannedRow> rows;
};

using Kind = std::pair<Index, Index>; // period, width

Index work(const KeyRange& range) {
  return std::max<Index>(count(range) - kShortRun, 0);
}

// The kinds of ranges on which one by one most rows would be joined.
std::vector<Kind> frequentKinds(const RowSource& mask, Index n) {
  std::map<Kind, Index> saved;
  KeyRanges ranges;
  const Index step = std::max<Index>(n / kRowsLookedAt, 1);
  for (Index i = n - 1; i >= 0; i -= step) {
    mask(i, ranges);
    for (const KeyRange& range : ranges)
      saved[{range.period, range.width}] += work(range) * step;
  }
  std::vector<std::pair<Index, Kind>> order;
  for (const auto& [kind, rows] : saved)
    if (rows > 4 * n) // making the unions costs about as much as four rows a row
      order.emplace_back(rows, kind);
  std::sort(order.rbegin(), order.rend());
  std::vector<Kind> kinds;
  for (std::size_t k = 0; k < order.size() && k < kMostUnions; ++k)
    kinds.push_back(order[k].second);
  return kinds;
}

class Planner {
public:
  Planner(const BitProduct& product, const std::vector<RangeUnions>& unions)
      : product_(product), unions_(unions) {}

  void plan(Index begin, Index end, Plan& plan) {
    plan.sources.clear();
    plan.rows.clear();
    before_.clear();
    for (Index i = begin; i < end; ++i)
      planRow(i, plan);
  }

private:
  void planRow(Index i, Plan& plan) {
    product_.mask(i, ranges_);
    const bool itself = product_.identity && !holds(i);
    PlannedRow row{plan.sources.size(), 0, limitOf(i), false};
    if (!plan.rows.empty() && !itself && !beforeItself_ && ranges_ == before_) {
      row = plan.rows.back();
      row.asBefore = true;
    } else {
      for (const KeyRange& range : ranges_)
        append(range, plan.sources);
      if (itself)
        plan.sources.push_back(product_.below.row(i).data());
      row.end = plan.sources.size();
    }
    plan.rows.push_back(row);
    std::swap(before_, ranges_);
    beforeItself_ = itself;
  }

  bool holds(Index i) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const KeyRange& range) { return contains(range, i); });
  }

  Index limitOf(Index i) const {
    if (!product_.lower)
      return product_.below.cols();
    Index end = product_.identity ? i + 1 : 0;
    for (const KeyRange& range : ranges_)
      end = std::max(end, range.end);
    return end;
  }

  void append(const KeyRange& range, std::vector<const BitWord*>& sources) const {
    if (count(range) > kShortRun)
      for (const RangeUnions& unions : unions_)
        if (unions.fits(range)) {
          unions.append(range, sources);
          return appendCutRun(range, sources);
        }
    attention::forEachRun(range, [&](Index begin, Index end) { appendRun(begin, end, sources); });
  }

  void appendRun(Index begin, Index end, std::vector<const BitWord*>& sources) const {
    if (end - begin > kShortRun)
      for (const RangeUnions& unions : unions_)
        if (unions.fits({begin, end, 1, 1}))
          return unions.append({begin, end, 1, 1}, sources);
    for (Index a = begin; a < end; ++a)
      sources.push_back(product_.below.row(a).data());
  }

  // The last run of a comb, where its end cuts it.
  void appendCutRun(const KeyRange& range, std::vector<const BitWord*>& sources) const {
    const Index last = (range.end - 1 - range.begin) / range.period * range.period + range.begin;
    if (!range.contiguous() && last + range.width > range.end)
      appendRun(last, range.end, sources);
  }

  const BitProduct& product_;
  const std::vector<RangeUnions>& unions_;
  KeyRanges ranges_;
  KeyRanges before_;
  bool beforeItself_ = false;
};

using Line = std::array<BitWord, static_cast<std::size_t>(kLineWords)>;

// The ones that a line of words can have below `limit`.
Line fullLine(Index firstBit, Index limit) {
  Line line{};
  setBits(line, 0, std::clamp<Index>(limit - firstBit, 0, kLineWords * kWordBits));
  return line;
}

// One line of words of a row: the union of the sources' lines, until it is full.
void joinLine(std::span<const BitWord* const> sources, Index word, const Line& full,
              BitWord* result) {
  Line line{};
  for (std::size_t s = 0; s < sources.size();) {
    const std::size_t end = std::min(sources.size(), s + kSourcesBetweenLooks);
    for (; s < end; ++s)
      for (std::size_t w = 0; w < line.size(); ++w)
        line[w] |= sources[s][static_cast<std::size_t>(word) + w];
    if (s < sources.size() && line == full)
      break;
  }
  std::copy(line.begin(), line.end(), result + word);
}

// Line by line over all rows of the chunk: one line of the matrix below is as wide as the cache.
void joinChunk(const Plan& plan, Index firstRow, BitMatrix& result) {
  for (Index word = 0; word < result.wordsPerRow(); word += kLineWords)
    for (std::size_t r = 0; r < plan.rows.size(); ++r) {
      const PlannedRow& row = plan.rows[r];
      const Index i = firstRow + static_cast<Index>(r);
      BitWord* words = result.row(i).data();
      if (row.asBefore) {
        const BitWord* before = result.row(i - 1).data() + word;
        std::copy(before, before + kLineWords, words + word);
      } else if (word * kWordBits >= row.limit) {
        std::fill(words + word, words + word + kLineWords, BitWord{0});
      } else {
        joinLine(std::span(plan.sources).subspan(row.begin, row.end - row.begin), word,
                 fullLine(word * kWordBits, row.limit), words);
      }
    }
}

} // namespace

void multiply(const BitProduct& product, BitMatrix& result, int threads, const Run& run) {
  const Index n = product.below.rows();
  if (result.rows() != n || result.cols() != product.below.cols())
    result = BitMatrix(n, product.below.cols());
  const Run quiet = run.quiet();
  std::vector<RangeUnions> unions;
  for (const auto& [period, width] : frequentKinds(product.mask, n))
    unions.emplace_back(product.below, period, width, threads, quiet);
  // Few rows a chunk where there are few rows, so that threads share them.
  const Index rows = std::clamp<Index>(n / 64, 1, kRowsAChunk);
  parallelFor(ceilDiv(n, rows), threads, run, [&](Index chunk) {
    Plan plan;
    const Index begin = chunk * rows;
    Planner(product, unions).plan(begin, std::min(n, begin + rows), plan);
    joinChunk(plan, begin, result);
  });
}

} // namespace attention
