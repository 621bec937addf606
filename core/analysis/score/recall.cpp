#include "core/analysis/score/recall.h"

#include "core/attention/logit_keys.h"
#include "core/attention/row_scores.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/topk.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

constexpr Index kRows = 64; // a chunk

Matrix<double> negated(const Matrix<double>& x) {
  Matrix<double> y(x.rows(), x.cols());
  std::transform(x.values().begin(), x.values().end(), y.data(), [](double a) { return -a; });
  return y;
}

// Sums value(i) over the rows, merged in the order of fixed chunks.
template <class Value>
double sumOverRows(Index n, int threads, const Run& run, Value value) {
  std::vector<double> sums(static_cast<std::size_t>(ceilDiv(n, kRows)));
  parallelFor(ceilDiv(n, kRows), threads, run, [&](Index chunk) {
    for (Index i = chunk * kRows; i < std::min(n, (chunk + 1) * kRows); ++i)
      sums[static_cast<std::size_t>(chunk)] += value(i);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// −Σ p ln p of a row that sums to 1; NaN where it is not a distribution.
template <class T>
double entropyOf(std::span<const T> row) {
  double entropy = 0;
  for (const T weight : row) {
    const auto p = static_cast<double>(weight);
    if (!(p >= 0) || std::isinf(p))
      return std::numeric_limits<double>::quiet_NaN();
    entropy -= p > 0 ? p * std::log(p) : 0.0;
  }
  return std::max(entropy, 0.0);
}

// Whether some weight is finite and nonzero; otherwise the weights have no order.
template <class T>
bool hasOrder(std::span<const T> row) {
  return std::any_of(row.begin(), row.end(), [](T a) { return a != 0 && std::isfinite(a); });
}

// Of the keys in `largest` (row i), the share among as many largest weights of `row`; none in a row
// with weights in no order, where only ties would decide.
template <class T>
double rowRecall(std::span<const T> row, const Prepared& largest, Index i,
                 std::vector<Index>& order) {
  if (!hasOrder(row))
    return 0;
  order.resize(row.size());
  std::iota(order.begin(), order.end(), Index{0});
  const Index k = largest.rowCount(i, 0, largest.lengths().keys);
  const auto weight = [&](Index j) {
    const T a = row[static_cast<std::size_t>(j)];
    return std::isnan(a) ? -std::numeric_limits<T>::infinity() : a; // NaN is behind all numbers
  };
  const auto last = order.begin() + std::min<Index>(k, static_cast<Index>(order.size()));
  std::partial_sort(order.begin(), last, order.end(), [&](Index a, Index b) {
    return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
  });
  const auto found =
      std::count_if(order.begin(), last, [&](Index j) { return largest.contains(i, j); });
  return static_cast<double>(found) / static_cast<double>(k);
}

// The k keys of the mask with the largest scores, ties to the smaller index.
std::shared_ptr<const Prepared> largestWithin(const Prepared& mask, const PatternData& data,
                                              const TopK& topk, const Scoring& scoring,
                                              const Run& run) {
  RowScores<double> scores(data.q->view(), data.k->view(), scoring);
  const Index n = mask.lengths().keys;
  MaskSource source;
  source.rows = mask.lengths().queries;
  source.cols = n;
  source.read = true;
  std::vector<QueryRun> cells;
  KeyRanges ranges;
  std::vector<std::pair<double, Index>> found; // the score below 0, so that the largest is first
  for (Index i = 0; i < source.rows; ++i) {
    run.check();
    mask.row(i, ranges);
    found.clear();
    scores.visit(i, ranges, 0, n, [&](Index begin, std::span<const double> s) {
      for (std::size_t t = 0; t < s.size(); ++t)
        if (const Index j = begin + static_cast<Index>(t); !(topk.excludeSelf && j == i))
          found.emplace_back(-s[t], j);
    });
    const auto last = found.begin() + std::min<std::ptrdiff_t>(topk.k, std::ssize(found));
    std::partial_sort(found.begin(), last, found.end());
    std::sort(found.begin(), last,
              [](const auto& a, const auto& b) { return a.second < b.second; });
    for (auto at = found.begin(); at != last; ++at) {
      const auto key = static_cast<std::int32_t>(at->second);
      if (!cells.empty() && cells.back().query == i && cells.back().end == key)
        ++cells.back().end;
      else
        cells.push_back({static_cast<std::int32_t>(i), key, key + 1});
    }
  }
  source.runs = std::move(cells);
  return prepare(GivenMask{std::move(source)}, mask.lengths(), run);
}

struct ChunkSums {
  double recall = 0;
  double entropy = 0;
};

} // namespace

bool leavesOwnKeyOut(const Pattern& pattern) {
  const auto* lsh = pattern.as<Lsh>();
  return lsh && lsh->self != Lsh::Self::Allow;
}

std::shared_ptr<const Prepared> largestKeys(const PatternData& data, const KeyRule& keys,
                                            const Base& base, Index k,
                                            const LargestOptions& options, const Run& run) {
  TopK topk;
  topk.k = k;
  topk.excludeSelf = options.excludeSelf;
  topk.causal = base == Base::Causal;
  const LogitKeys<double> logitKeys(keys, data.q->view(), data.k->view());
  if (!options.scoring.bias.none())
    return largestWithin(*baseOf(base, squareLengths(data.q->rows())),
                         patternData<double>(data.q->view(), logitKeys.view()), topk,
                         options.scoring, run);
  // Equal scores, as from scale 0, are ties; a negative scale reverses the order; a cap keeps it.
  const Matrix<double> q = options.scoring.scale > 0 ? *data.q
                           : options.scoring.scale < 0
                               ? negated(*data.q)
                               : Matrix<double>(data.q->rows(), data.q->cols());
  const PatternData scored = patternData<double>(q.view(), logitKeys.view());
  if (base.kind == Base::Kind::Own)
    return largestWithin(*baseOf(base, squareLengths(q.rows())), scored, topk, {}, run);
  return prepare(topk, squareLengths(q.rows()), scored, run);
}

double recallOf(const Prepared& pattern, const Prepared& largest, int threads, const Run& run) {
  const Index n = largest.lengths().queries;
  const double sum = sumOverRows(n, threads, run, [&](Index i) {
    KeyRanges ranges;
    largest.row(i, ranges);
    Index found = 0;
    Index all = 0;
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        found += pattern.rowCount(i, begin, end);
        all += end - begin;
      });
    return all > 0 ? static_cast<double>(found) / static_cast<double>(all) : 0.0;
  });
  Index queries = 0;
  for (Index i = 0; i < n; ++i)
    queries += largest.rowCount(i, 0, largest.lengths().keys) > 0 ? 1 : 0;
  return queries > 0 ? sum / static_cast<double>(queries) : 1.0;
}

template <class T>
ImpliedSums sumsOf(const ImpliedMatrix<T>& matrix, const Prepared& largest, bool causal,
                   int threads, const Run& run) {
  std::vector<ChunkSums> chunks(static_cast<std::size_t>(ceilDiv(matrix.rows, kRows)));
  parallelFor(ceilDiv(matrix.rows, kRows), threads, run, [&](Index chunk) {
    const Index begin = chunk * kRows;
    const Index end = std::min(matrix.rows, begin + kRows);
    const Matrix<T> rows = matrix.rowsAt(begin, end);
    std::vector<Index> order;
    ChunkSums& sums = chunks[static_cast<std::size_t>(chunk)];
    for (Index i = begin; i < end; ++i) {
      std::span<const T> row = rows.view().row(i - begin);
      if (causal)
        row = row.first(static_cast<std::size_t>(i + 1));
      sums.recall += rowRecall(row, largest, i, order);
      sums.entropy += entropyOf(row);
    }
  });
  ImpliedSums all;
  double entropy = 0;
  for (const ChunkSums& sums : chunks) {
    all.recall += sums.recall;
    entropy += sums.entropy;
  }
  all.entropy = std::isnan(entropy) ? std::nullopt : std::optional(entropy);
  return all;
}

template ImpliedSums sumsOf(const ImpliedMatrix<float>&, const Prepared&, bool, int, const Run&);
template ImpliedSums sumsOf(const ImpliedMatrix<double>&, const Prepared&, bool, int, const Run&);

} // namespace attention
