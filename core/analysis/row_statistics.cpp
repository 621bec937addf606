#include "core/analysis/row_statistics.h"

#include "core/analysis/row_breaks.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

constexpr Index kRowsAtOnce = 1024;

// Rows first … first + rows − 1. With a period, each stands for the rows that follow it at that
// distance below `end`, whose numbers of keys lie on a line: the last one tells the rest.
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

Extremes lookAt(const Prepared& pattern, const Piece& piece) {
  const Index keys = pattern.lengths().keys;
  Extremes found;
  for (Index i = piece.first; i < piece.first + piece.rows; ++i) {
    const Index count = pattern.rowCount(i, 0, keys);
    found.take(count);
    if (piece.period == 0) {
      found.emptyRows += count == 0 ? 1 : 0;
      continue;
    }
    const Index repeats = (piece.end - 1 - i) / piece.period;
    const Index last = pattern.rowCount(i + repeats * piece.period, 0, keys);
    found.take(last);
    // A line that is zero at both ends is zero all along, else at one end at most.
    if (count == 0 && last == 0)
      found.emptyRows += repeats + 1;
    else if (repeats > 0)
      found.emptyRows += count == 0 || last == 0 ? 1 : 0;
  }
  return found;
}

void appendPieces(Index begin, Index end, Index period, Index stretchEnd,
                  std::vector<Piece>& pieces) {
  for (Index first = begin; first < end; first += kRowsAtOnce)
    pieces.push_back({first, std::min(kRowsAtOnce, end - first), period, stretchEnd});
}

// A common period of the terms that have rows in [begin, end), or `most` where it is not less.
Index commonPeriod(std::span<const Term> terms, Index begin, Index end, Index most) {
  Index period = 1;
  for (const Term& term : terms) {
    if (term.primitive.clip.rowBegin >= end || term.primitive.clip.rowEnd <= begin)
      continue;
    const Index own = rowPeriod(term.primitive);
    if (own >= most)
      return most;
    period = std::lcm(period, own); // both below most ≤ 2^30: no overflow
    if (period >= most)
      return most;
  }
  return period;
}

// The stretches between the breaks of all terms, each as one period at its beginning.
std::vector<Piece> closedPieces(const Prepared& pattern) {
  const Lengths& lengths = pattern.lengths();
  std::vector<Index> breaks{0, lengths.queries, -lengths.offset};
  for (const Term& term : pattern.terms()) {
    const auto first = static_cast<std::ptrdiff_t>(breaks.size());
    appendRowBreaks(term.primitive, lengths.keys, breaks);
    std::for_each(breaks.begin() + first, breaks.end(), [&](Index& row) { row -= lengths.offset; });
  }
  for (Index& row : breaks)
    row = std::clamp<Index>(row, 0, lengths.queries);
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    const Index begin = breaks[k];
    const Index end = breaks[k + 1];
    const Index period =
        commonPeriod(pattern.terms(), begin + lengths.offset, end + lengths.offset, end - begin);
    if (2 * period >= end - begin)
      appendPieces(begin, end, 0, end, pieces);
    else
      appendPieces(begin, begin + period, period, end, pieces);
  }
  return pieces;
}

std::vector<Piece> piecesOf(const Prepared& pattern) {
  if (pattern.closedForm() && !pattern.hasTables())
    return closedPieces(pattern);
  std::vector<Piece> pieces;
  const Index queries = pattern.lengths().queries;
  // Formulas are asked key by key: few rows between two looks at the stop token.
  const Index rows = std::clamp<Index>((Index{1} << 20) / pattern.lengths().keys, 1, kRowsAtOnce);
  for (Index first = 0; first < queries; first += rows)
    pieces.push_back({first, std::min(rows, queries - first), 0, queries});
  return pieces;
}

Index rowsIn(const std::vector<Piece>& pieces) {
  Index rows = 0;
  for (const Piece& piece : pieces)
    rows += piece.rows;
  return rows;
}

std::vector<Piece> evenRows(Index queries, Index rows) {
  std::vector<Piece> pieces;
  for (Index s = 0; s < rows; ++s)
    pieces.push_back({s * queries / rows, 1, 0, queries});
  return pieces;
}

} // namespace

RowStatistics rowStatistics(const Prepared& pattern, const RowStatisticsOptions& options,
                            const Run& run) {
  const Index queries = pattern.lengths().queries;
  std::vector<Piece> pieces = piecesOf(pattern);
  RowStatistics statistics;
  statistics.exact = rowsIn(pieces) <= options.rowBudget;
  if (!statistics.exact)
    pieces = evenRows(queries, std::max<Index>(options.rowBudget, 1));
  std::vector<Extremes> found(pieces.size());
  parallelFor(static_cast<Index>(pieces.size()), options.threads, run, [&](Index chunk) {
    const auto k = static_cast<std::size_t>(chunk);
    found[k] = lookAt(pattern, pieces[k]);
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
