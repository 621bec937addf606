#include "core/code/arrays/array_makers.h"

#include "core/pattern/row_runs.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

struct Interval {
  Index begin = 0;
  Index end = 0;
};

// The runs of rows that do not see a key, at most two.
struct MaskedRows {
  std::array<Interval, 2> runs;
  int count = 0;
  bool open = false; // the last run goes on
};

using MaskedColumns = std::vector<MaskedRows>;

[[noreturn]] void throwTooMany(Index key) {
  throwRange("mask",
             "one whose rows that do not see key " + std::to_string(key) +
                 " form more than two runs",
             "one with at most two per key for flashmask");
}

// The row `i` sees key `j` other than the row before it did.
void turn(MaskedColumns& columns, Index j, Index i) {
  MaskedRows& column = columns[static_cast<std::size_t>(j)];
  if (column.open)
    column.runs[static_cast<std::size_t>(column.count - 1)].end = i;
  else if (column.count == 2)
    throwTooMany(j);
  else
    column.runs[static_cast<std::size_t>(column.count++)].begin = i;
  column.open = !column.open;
}

MaskedColumns maskedColumns(const Prepared& pattern, const Run& run) {
  const Index n = pattern.lengths().keys;
  MaskedColumns columns(static_cast<std::size_t>(n));
  Runs before{{0, n}}; // as if a row above all others saw every key
  Runs now;
  KeyRanges ranges;
  for (Index i = 0; i < n; ++i) {
    run.check();
    rowRuns(pattern, i, ranges, now);
    forEachDifference(before, now, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        turn(columns, j, i);
    });
    std::swap(before, now);
  }
  for (MaskedRows& column : columns)
    if (column.open)
      column.runs[static_cast<std::size_t>(column.count - 1)].end = n;
  return columns;
}

// The masked runs from row j on; nothing where the key has several there, or is seen before.
std::optional<MaskedRows> belowDiagonal(const MaskedRows& column, Index j) {
  MaskedRows below;
  const bool hidden =
      j == 0 || (column.count > 0 && column.runs[0].begin == 0 && column.runs[0].end >= j);
  if (!hidden)
    return std::nullopt;
  for (int k = 0; k < column.count; ++k) {
    const Interval run = column.runs[static_cast<std::size_t>(k)];
    if (run.end > j)
      below.runs[static_cast<std::size_t>(below.count++)] = {std::max(run.begin, j), run.end};
  }
  return below.count <= 1 ? std::optional(below) : std::nullopt;
}

MaskArrays written(bool causal, Index n, Index bounds, std::vector<Index> indices) {
  return {truthArray("causal", {}, {static_cast<std::uint8_t>(causal)}),
          integerArray("bounds", {}, {bounds}),
          integerArray("indices", {n, bounds}, std::move(indices))};
}

// Both causal forms; nothing where neither fits.
std::optional<MaskArrays> causalForm(const MaskedColumns& columns) {
  const Index n = std::ssize(columns);
  std::vector<Interval> below;
  bool toTheEnd = true;
  for (Index j = 0; j < n; ++j) {
    const auto rows = belowDiagonal(columns[static_cast<std::size_t>(j)], j);
    if (!rows)
      return std::nullopt;
    below.push_back(rows->count == 0 ? Interval{n, n} : rows->runs[0]);
    toTheEnd = toTheEnd && below.back().end == n;
  }
  std::vector<Index> indices;
  for (const Interval& run : below) {
    indices.push_back(run.begin);
    if (!toTheEnd)
      indices.push_back(run.end);
  }
  return written(true, n, toTheEnd ? 1 : 2, std::move(indices));
}

bool isUpper(const Interval& run, Index n) {
  return run.begin == 0 && run.end < n;
}

// The interval from the top is the last of the four, whatever else there is.
void appendFour(const MaskedRows& column, Index n, std::vector<Index>& indices) {
  std::array<Interval, 2> lowerUpper{Interval{n, n}, Interval{0, 0}};
  if (column.count == 2)
    lowerUpper = {column.runs[1], column.runs[0]};
  else if (column.count == 1)
    lowerUpper[isUpper(column.runs[0], n) ? 1 : 0] = column.runs[0];
  for (const Interval& run : lowerUpper)
    indices.insert(indices.end(), {run.begin, run.end});
}

// Where one run reaches the top and the other the bottom of every column, two bounds suffice.
bool fitsTwo(const MaskedRows& column, Index n) {
  int lower = 0;
  int upper = 0;
  for (int k = 0; k < column.count; ++k) {
    const Interval run = column.runs[static_cast<std::size_t>(k)];
    if (isUpper(run, n))
      ++upper;
    else if (run.end == n)
      ++lower;
    else
      return false;
  }
  return lower <= 1 && upper <= 1;
}

MaskArrays fullForm(const MaskedColumns& columns) {
  const Index n = std::ssize(columns);
  const bool two = std::all_of(columns.begin(), columns.end(),
                               [n](const MaskedRows& column) { return fitsTwo(column, n); });
  std::vector<Index> indices;
  for (const MaskedRows& column : columns) {
    std::vector<Index> four;
    appendFour(column, n, four);
    if (two)
      indices.insert(indices.end(), {four[0], four[3]});
    else
      indices.insert(indices.end(), four.begin(), four.end());
  }
  return written(false, n, two ? 2 : 4, std::move(indices));
}

} // namespace

MaskArrays flashMask(const Prepared& pattern, const Run& run) {
  requireSquare(pattern, "flashmask");
  const MaskedColumns columns = maskedColumns(pattern, run);
  if (auto causal = causalForm(columns))
    return *std::move(causal);
  return fullForm(columns);
}

} // namespace attention
