#include "core/analysis/row_statistics.h"

#include "core/analysis/row_breaks.h"
#include "core/pattern/coverage.h"
#include "core/pattern/sampled_rows.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace attention {
namespace {

constexpr Index kRowsAtOnce = 1024;

// Rows first … first + rows − 1. With a period, each stands for the rows that follow it at that
// distance below `end`, whose numbers of keys lie on a line, determined by the last one.
struct Piece {
  Index first = 0;
  Index rows = 0;
  Index period = 0;
  Index end = 0;
};

struct Extremes {
  Index minimum = kMaxLength;
  Index maximum = 0;
  Index emptyRows = 0;
  Index pairs = 0; // of the rows looked at

  void take(Index keys) {
    minimum = std::min(minimum, keys);
    maximum = std::max(maximum, keys);
    pairs += keys;
  }
  void take(const Extremes& other) {
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
    emptyRows += other.emptyRows;
    pairs += other.pairs;
  }
};

Extremes lookAt(const Prepared& pattern, const Piece& piece, const Run& run) {
  const Index keys = pattern.lengths().keys;
  Extremes found;
  for (Index i = piece.first; i < piece.first + piece.rows; ++i) {
    run.check();
    const Index count = pattern.rowCount(i, 0, keys);
    found.take(count);
    if (piece.period == 0) {
      found.emptyRows += count == 0 ? 1 : 0;
      continue;
    }
    const Index repeats = (piece.end - 1 - i) / piece.period;
    const Index last = pattern.rowCount(i + repeats * piece.period, 0, keys);
    found.take(last);
    // A line that is zero at both ends is zero everywhere, else it is zero at one end at most.
    if (count == 0 && last == 0)
      found.emptyRows += repeats + 1;
    else if (repeats > 0)
      found.emptyRows += count == 0 || last == 0 ? 1 : 0;
  }
  return found;
}

// Rows [begin, end), each examined; short neighbours share a piece.
void appendRows(Index begin, Index end, std::vector<Piece>& pieces) {
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.period == 0 && last.first + last.rows == begin && last.rows < kRowsAtOnce) {
      const Index more = std::min(end - begin, kRowsAtOnce - last.rows);
      last.rows += more;
      begin += more;
    }
  }
  for (; begin < end; begin += kRowsAtOnce)
    pieces.push_back({begin, std::min(kRowsAtOnce, end - begin), 0, 0});
}

// One period at the beginning of the stretch [begin, end).
void appendPeriod(Index begin, Index period, Index end, std::vector<Piece>& pieces) {
  for (Index first = begin; first < begin + period; first += kRowsAtOnce)
    pieces.push_back({first, std::min(kRowsAtOnce, begin + period - first), period, end});
}

// The least common multiple of two periods, or `most` ≤ 2^30 where it is not less.
Index commonPeriod(Index a, Index b, Index most) {
  return a >= most || b >= most ? most : std::min(std::lcm(a, b), most);
}

// Token rows at which stretches begin, and the period of the cells that count themselves.
struct Breaks {
  std::vector<Index> rows;
  Index period = 1;
};

// Rows up to the last query's, as tokens.
Index tokenRows(const Lengths& lengths) {
  return lengths.queries + lengths.offset;
}

// Nothing if every row must be examined.
std::optional<Breaks> breaksOf(const Prepared& pattern) {
  if (!pattern.closedForm())
    return std::nullopt;
  const Lengths& lengths = pattern.lengths();
  Breaks breaks;
  for (const Term& term : pattern.terms())
    appendRowBreaks(term.primitive, tokenRows(lengths), lengths.keys, breaks.rows);
  for (const Part& part : pattern.parts()) {
    if (!isListed(part.cells))
      continue;
    const auto period = rowBreaks(part.cells, breaks.rows);
    if (!period)
      return std::nullopt;
    breaks.period = commonPeriod(breaks.period, *period, kMaxLength);
  }
  breaks.rows.insert(breaks.rows.end(), {0, lengths.offset, tokenRows(lengths)});
  return breaks;
}

// A common period of everything counted in the token rows [begin, end), at most their number.
Index periodOf(const Prepared& pattern, Index tablePeriod, Index begin, Index end) {
  const Index rows = tokenRows(pattern.lengths());
  const Index most = end - begin;
  Index period = std::min(tablePeriod, most);
  for (const Term& term : pattern.terms()) {
    const Rect& clip = term.primitive.clip;
    if (clip.rowBegin < end && clip.rowEnd > begin)
      period = commonPeriod(period, rowPeriod(term.primitive, rows, begin, end), most);
    if (period >= most)
      return most;
  }
  return period;
}

std::vector<Piece> piecesOf(const Prepared& pattern) {
  const Lengths& lengths = pattern.lengths();
  std::vector<Piece> pieces;
  std::optional<Breaks> breaks = breaksOf(pattern);
  if (!breaks) {
    appendRows(0, lengths.queries, pieces);
    return pieces;
  }
  std::vector<Index>& rows = breaks->rows;
  for (Index& row : rows)
    row = std::clamp<Index>(row - lengths.offset, 0, lengths.queries);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
    const Index begin = rows[k];
    const Index end = rows[k + 1];
    const Index period =
        periodOf(pattern, breaks->period, begin + lengths.offset, end + lengths.offset);
    if (2 * period >= end - begin)
      appendRows(begin, end, pieces);
    else
      appendPeriod(begin, period, end, pieces);
  }
  return pieces;
}

Index rowsIn(const std::vector<Piece>& pieces) {
  Index rows = 0;
  for (const Piece& piece : pieces)
    rows += piece.rows;
  return rows;
}

std::vector<Piece> sampledPieces(Index queries, Index rows, std::uint64_t seed) {
  std::vector<Piece> pieces;
  for (Index s = 0; s < rows; ++s)
    pieces.push_back({sampledRow(0, queries, rows, s, seed), 1, 0, queries});
  return pieces;
}

} // namespace

Index affordableRows(const Prepared& pattern) {
  const Lengths& lengths = pattern.lengths();
  if (pattern.closedForm() || lengths.queries <= kMostExactRows)
    return kMaxLength;
  return std::clamp<Index>(kMostExactRows * kMostExactRows / lengths.keys, 16, kMostExactRows);
}

RowStatistics rowStatistics(const Prepared& pattern, const RowStatisticsOptions& options,
                            const Run& run) {
  const Index queries = pattern.lengths().queries;
  std::vector<Piece> pieces = piecesOf(pattern);
  RowStatistics statistics;
  statistics.exact = rowsIn(pieces) <= options.rowBudget;
  if (!statistics.exact) {
    pieces = sampledPieces(queries, std::max<Index>(options.rowBudget, 1), options.seed);
    statistics.sampledRows = static_cast<Index>(pieces.size());
  }
  const auto count = static_cast<Index>(pieces.size());
  const Index together = std::clamp<Index>(count / 256, 1, 64); // many pieces are short ones
  std::vector<Extremes> found(static_cast<std::size_t>(ceilDiv(count, together)));
  parallelFor(ceilDiv(count, together), options.threads, run, [&](Index chunk) {
    for (Index k = chunk * together; k < std::min(count, (chunk + 1) * together); ++k)
      found[static_cast<std::size_t>(chunk)].take(
          lookAt(pattern, pieces[static_cast<std::size_t>(k)], run));
  });
  Extremes all;
  for (const Extremes& extremes : found)
    all.take(extremes);
  statistics.minimum = all.minimum;
  statistics.maximum = all.maximum;
  const double scale =
      statistics.exact ? 1.0 : static_cast<double>(queries) / static_cast<double>(pieces.size());
  const auto scaled = [&](Index x) {
    return statistics.exact ? x : static_cast<Index>(std::llround(scale * static_cast<double>(x)));
  };
  statistics.emptyRows = scaled(all.emptyRows);
  statistics.pairs = pattern.closedForm() ? pattern.pairs(run) : scaled(all.pairs);
  statistics.mean = static_cast<double>(statistics.pairs) / static_cast<double>(queries);
  return statistics;
}

} // namespace attention
