#include "core/pattern/row_runs.h"

#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

constexpr Index kMostRuns = Index{1} << 28; // 8 bytes each
constexpr Index kChunk = 64;                // rows

using Rows = std::vector<std::vector<KeyRun>>;

Rows rowsOf(const Prepared& pattern, Index begin, Index end, const Run& run) {
  Rows rows;
  KeyRanges ranges;
  Runs runs;
  for (Index i = begin; i < end; ++i) {
    run.check();
    rowRuns(pattern, i, ranges, runs);
    rows.emplace_back();
    for (const auto& [first, last] : runs)
      rows.back().push_back({first, last, false});
  }
  return rows;
}

} // namespace

void requireFewRows(const Lengths& lengths) {
  const Index longer = std::max(lengths.queries, lengths.keys);
  if (longer > kMostWrittenRows)
    throwRange("n", std::to_string(longer),
               "at most " + std::to_string(kMostWrittenRows) + " here");
}

void rowRuns(const Prepared& pattern, Index i, KeyRanges& ranges, Runs& runs) {
  pattern.row(i, ranges);
  runs.clear();
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) { runs.emplace_back(begin, end); });
  join(runs); // combs interleave with windows
}

void join(Runs& runs) {
  std::sort(runs.begin(), runs.end());
  std::size_t kept = 0;
  for (const IndexPair& run : runs)
    if (kept > 0 && run.first <= runs[kept - 1].second)
      runs[kept - 1].second = std::max(runs[kept - 1].second, run.second);
    else
      runs[kept++] = run;
  runs.resize(kept);
}

bool contains(const Runs& runs, Index key) {
  const auto after = std::upper_bound(runs.begin(), runs.end(), IndexPair{key, kMaxLength});
  return after != runs.begin() && key < std::prev(after)->second;
}

Index keysOf(const Runs& runs) {
  return std::accumulate(runs.begin(), runs.end(), Index{0}, [](Index sum, const IndexPair& run) {
    return sum + run.second - run.first;
  });
}

Runs within(const Runs& runs, Index begin, Index end) {
  return begin < end ? bothOf(runs, {{begin, end}}) : Runs();
}

Runs bothOf(const Runs& a, const Runs& b) {
  Runs both;
  for (std::size_t x = 0, y = 0; x < a.size() && y < b.size();) {
    const Index begin = std::max(a[x].first, b[y].first);
    const Index end = std::min(a[x].second, b[y].second);
    if (begin < end)
      both.emplace_back(begin, end);
    ++(a[x].second < b[y].second ? x : y);
  }
  return both;
}

Runs eitherOf(const Runs& a, const Runs& b) {
  Runs either = a;
  either.insert(either.end(), b.begin(), b.end());
  join(either);
  return either;
}

std::shared_ptr<const Prepared> writtenOut(const Prepared& pattern, const Run& run) {
  const Lengths lengths{pattern.lengths().queries, pattern.lengths().keys, 0};
  const Index chunks = ceilDiv(lengths.queries, kChunk);
  std::vector<Rows> parts(static_cast<std::size_t>(chunks));
  parallelFor(chunks, run.threads, run, [&](Index chunk) {
    parts[static_cast<std::size_t>(chunk)] =
        rowsOf(pattern, chunk * kChunk, std::min(lengths.queries, (chunk + 1) * kChunk), run);
  });
  auto table = std::make_shared<RowTable>();
  Index total = 0;
  for (Rows& rows : parts) {
    for (const std::vector<KeyRun>& row : rows) {
      total += std::ssize(row);
      if (total > kMostRuns)
        throwRange("mask", "one of more than 2^28 runs of keys", "one of at most that many");
      table->appendGroup(table->rowEnd() + 1, row);
    }
    Rows().swap(rows);
  }
  std::vector<Part> cells{{"mask", "mask", std::shared_ptr<const RowTable>(std::move(table)), {}}};
  return std::make_shared<const Prepared>(lengths, std::move(cells));
}

} // namespace attention
