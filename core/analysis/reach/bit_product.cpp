#include "core/analysis/reach/bit_product.h"

#include "core/analysis/reach/join_lines.h"
#include "core/analysis/reach/range_unions.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <map>

namespace attention {
namespace {

constexpr Index kShortRun = 4;         // rows that are joined one by one
constexpr std::size_t kMostUnions = 3; // kinds of ranges with ready unions: memory
constexpr Index kUnionCost = 50;       // rows joined in the time of making one row of unions
constexpr Index kRowsLookedAt = 64;    // to learn which kinds of ranges there are
constexpr Index kMostRowsAtOnce = 128;

using Kind = std::pair<Index, Index>; // period, width

struct Frequent {
  Kind kind;
  Index saved = 0;   // rows that need not be joined one by one
  Index longest = 0; // rows of a range, runs of a comb
};

Index work(const KeyRange& range) {
  return std::max<Index>(count(range) - kShortRun, 0);
}

// The kinds of ranges for which joining rows one by one costs most, where making unions is cheaper.
std::vector<Frequent> frequentKinds(const RowSource& mask, Index n) {
  std::map<Kind, Frequent> met;
  KeyRanges ranges;
  const Index step = std::max<Index>(n / kRowsLookedAt, 1);
  for (Index i = n - 1; i >= 0; i -= step) {
    mask(i, ranges);
    for (const KeyRange& range : ranges) {
      Frequent& of = met[{range.period, range.width}];
      of.saved += work(range) * step;
      of.longest = std::max(of.longest, ceilDiv(range.end - range.begin, range.period));
    }
  }
  std::vector<Frequent> kinds;
  for (auto& [kind, of] : met) {
    of.kind = kind;
    if (of.saved > kUnionCost * RangeUnions::rowsMade(n, kind.first, kind.second, of.longest))
      kinds.push_back(of);
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const Frequent& a, const Frequent& b) { return a.saved > b.saved; });
  kinds.resize(std::min(kinds.size(), kMostUnions));
  return kinds;
}

class Planner {
public:
  Planner(const BitProduct& product, const std::vector<RangeUnions>& unions)
      : product_(product), unions_(unions) {}

  void plan(Index begin, Index end, UnionPlan& plan) {
    plan.sources.clear();
    plan.rows.clear();
    before_.clear();
    for (Index i = begin; i < end; ++i)
      planRow(i, plan);
  }

private:
  void planRow(Index i, UnionPlan& plan) {
    product_.mask(i, ranges_);
    const bool itself = product_.identity && !holds(i);
    UnionRow row{plan.sources.size(), 0, limitOf(i), false};
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

} // namespace

void multiply(const BitProduct& product, BitMatrix& result, int threads, const Run& run) {
  const Index n = product.below.rows();
  if (result.rows() != n || result.cols() != product.below.cols())
    result = BitMatrix(n, product.below.cols());
  const Run quiet = run.quiet();
  std::vector<RangeUnions> unions;
  for (const Frequent& of : frequentKinds(product.mask, n))
    unions.emplace_back(product.below, of.kind.first, of.kind.second, of.longest, threads, quiet);
  // Few rows per chunk where there are few rows, so that threads share them.
  const Index rows = std::clamp<Index>(n / 64, 1, kMostRowsAtOnce);
  parallelFor(ceilDiv(n, rows), threads, run, [&](Index chunk) {
    UnionPlan plan;
    const Index begin = chunk * rows;
    Planner(product, unions).plan(begin, std::min(n, begin + rows), plan);
    joinRows(plan, begin, result);
  });
}

} // namespace attention
