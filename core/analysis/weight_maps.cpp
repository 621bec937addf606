#include "core/analysis/weight_maps.h"

#include "core/analysis/entropy_sum.h"
#include "core/analysis/ready_weights.h"
#include "core/attention/row_scores.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {
namespace {

constexpr Index kMapRowsAtOnce = 32;

void checkReady(const Lengths& lengths, const Matrix<float>& ready) {
  if (ready.rows() != lengths.queries || ready.cols() != lengths.keys)
    throw Error(ErrorCode::Shape, "attention",
                "attention is " + std::to_string(ready.rows()) + " × " +
                    std::to_string(ready.cols()) + " and the mask " +
                    std::to_string(lengths.queries) + " × " + std::to_string(lengths.keys) +
                    "; they must agree");
  for (const float w : ready.values())
    if (!(w >= 0))
      throwRange("attention", shortest(w), "weights that are not negative");
}

double entropyOf(std::span<const float> row) {
  EntropySum sum;
  for (const float p : row)
    sum.add(static_cast<double>(p));
  return sum.entropy();
}

std::vector<double> errorsOf(const Matrix<float>& out, const Matrix<float>& reference) {
  std::vector<double> errors;
  for (Index i = 0; i < out.rows(); ++i) {
    double difference = 0;
    double norm = 0;
    for (Index c = 0; c < out.cols(); ++c) {
      const auto exact = static_cast<double>(reference(i, c));
      difference += std::pow(static_cast<double>(out(i, c)) - exact, 2);
      norm += exact * exact;
    }
    errors.push_back(difference == 0 ? 0 : std::sqrt(difference / norm));
  }
  return errors;
}

QueryMeasures readyMeasures(const HeadWeights& of, const Run& run) {
  const Matrix<float>& ready = *of.head()->ready;
  QueryMeasures made;
  const auto n = static_cast<std::size_t>(ready.rows());
  made.captured = readyMass(ready, of.pattern(), of.dense(), partOf(run, 0, 0.4)).rows;
  if (const auto v = of.head()->v.view(); v.cols > 0) {
    const Run quiet = run.quiet();
    const Matrix<float> kept = readyOutputs(ready, *of.pattern(), v, quiet);
    const Matrix<float> whole = readyOutputs(ready, *of.dense(), v, quiet);
    made.error = errorsOf(kept, whole);
    made.outputError = outputError(kept, whole);
  }
  made.denseEntropy.resize(n);
  made.patternEntropy.resize(n);
  parallelFor(ready.rows(), run.threads, partOf(run, 0.4, 1), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    const Rect row{i, i + 1, 0, ready.cols()};
    made.denseEntropy[at] = entropyOf(of.denseRows(row).values());
    made.patternEntropy[at] = entropyOf(of.patternRows(row).values());
  });
  return made;
}

// The pixels of one row of a lattice, from rows of weights that belong to it.
class PixelRow {
public:
  PixelRow(WeightMaps& maps, Index row) : maps_(maps), row_(row) {}

  void add(std::span<const float> dense, std::span<const float> kept) {
    const Lattice& lattice = maps_.lattice;
    const Index first = lattice.keyEdges.front();
    for (Index column = 0; column < lattice.cols(); ++column) {
      const auto at = static_cast<std::size_t>(column);
      for (Index j = lattice.keyEdges[at]; j < lattice.keyEdges[at + 1]; ++j)
        addCell(column, dense[static_cast<std::size_t>(j - first)],
                kept[static_cast<std::size_t>(j - first)]);
    }
  }

private:
  void addCell(Index column, float dense, float kept) {
    float& most = maps_.dense(row_, column);
    most = std::max(most, dense);
    float& mostKept = maps_.pattern(row_, column);
    mostKept = std::max(mostKept, kept);
    float& gap = maps_.difference(row_, column);
    if (std::abs(kept - dense) > std::abs(gap))
      gap = kept - dense;
  }

  WeightMaps& maps_;
  Index row_;
};

// In size.
float largest(const Matrix<float>& of) {
  float most = 0;
  for (const float value : of.values())
    most = std::max(most, std::abs(value));
  return most;
}

// Onto one sum for each column.
void addColumns(const Matrix<float>& rows, std::vector<double>& sums) {
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.cols(); ++j)
      sums[static_cast<std::size_t>(j)] += static_cast<double>(rows(i, j));
}

// Means of the rows between edges: (edges − 1) × d.
Matrix<double> blockMeans(const Matrix<float>& x, std::span<const Index> edges) {
  Matrix<double> means(static_cast<Index>(edges.size()) - 1, x.cols());
  for (Index b = 0; b < means.rows(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    const double share = 1 / static_cast<double>(edges[at + 1] - edges[at]);
    for (Index r = edges[at]; r < edges[at + 1]; ++r)
      for (Index c = 0; c < x.cols(); ++c)
        means(b, c) += share * static_cast<double>(x(r, c));
  }
  return means;
}

constexpr float kNoLogit = std::numeric_limits<float>::quiet_NaN();

// Whether the base has a cell of the pixel.
bool seesPixel(const HeadWeights& of, const Lattice& lattice, Index row, Index column) {
  const auto a = static_cast<std::size_t>(row);
  const auto b = static_cast<std::size_t>(column);
  if (of.base() == Base::Full)
    return true;
  if (of.base() == Base::Causal) // j ≤ i + offset
    return lattice.keyEdges[b] < lattice.rowEdges[a + 1] + of.dense()->lengths().offset;
  for (Index i = lattice.rowEdges[a]; i < lattice.rowEdges[a + 1]; ++i)
    if (of.dense()->rowCount(i, lattice.keyEdges[b], lattice.keyEdges[b + 1]) > 0)
      return true;
  return false;
}

// A cap or a bias changes every score separately, so means of blocks will not do.
Matrix<float> modifiedLogits(const HeadWeights& of, const Scoring& scoring, const Lattice& lattice,
                             const Run& run) {
  const HeadData& head = *of.head();
  Matrix<float> map(lattice.rows(), lattice.cols());
  const Index first = lattice.keyEdges.front();
  const KeyRanges all{{first, lattice.keyEdges.back(), 1, 1}};
  parallelFor(map.rows(), run.threads, run, [&](Index row) {
    const auto a = static_cast<std::size_t>(row);
    RowScores<float> scores(head.q.view(), head.k.view(), scoring);
    std::vector<double> sums(static_cast<std::size_t>(map.cols()));
    for (Index i = lattice.rowEdges[a]; i < lattice.rowEdges[a + 1]; ++i)
      scores.visit(i, all, first, lattice.keyEdges.back(), [&](Index, std::span<const float> s) {
        for (std::size_t b = 0; b < sums.size(); ++b)
          for (Index j = lattice.keyEdges[b]; j < lattice.keyEdges[b + 1]; ++j)
            sums[b] += static_cast<double>(s[static_cast<std::size_t>(j - first)]);
      });
    for (std::size_t b = 0; b < sums.size(); ++b) {
      const auto column = static_cast<Index>(b);
      const Index cells = (lattice.rowEdges[a + 1] - lattice.rowEdges[a]) *
                          (lattice.keyEdges[b + 1] - lattice.keyEdges[b]);
      map(row, column) = seesPixel(of, lattice, row, column)
                             ? static_cast<float>(sums[b] / static_cast<double>(cells))
                             : kNoLogit;
    }
  });
  return map;
}

} // namespace

HeadWeights::HeadWeights(std::shared_ptr<const Prepared> pattern,
                         std::shared_ptr<const HeadData> head, const std::optional<Base>& base,
                         const Run& run)
    : pattern_(std::move(pattern)), head_(std::move(head)),
      base_(base ? *base : meaningfulBase(pattern_, run.quiet())),
      dense_(baseOf(base_, *pattern_)) {
  if (head_->ready) {
    checkReady(pattern_->lengths(), *head_->ready);
    return;
  }
  const auto over = [&](const Prepared& keys, const Run& part) {
    AttendOptions how = options();
    how.threads = run.threads;
    return attend(keys, head_->q.view(), head_->k.view(), head_->v.view(), how, part);
  };
  patternKeys_.emplace(*pattern_, head_->q.view(), head_->k.view());
  kept_ = over(*pattern_, partOf(run, 0, 0.5));
  whole_ = over(*dense_, partOf(run, 0.5, 1));
}

AttendOptions HeadWeights::options() const {
  return head_->scores;
}

Matrix<float> HeadWeights::denseRows(const Rect& cells, const Run& run) const {
  return rowsOf(*dense_, whole_, nullptr, cells, run);
}

Matrix<float> HeadWeights::patternRows(const Rect& cells, const Run& run) const {
  return rowsOf(*pattern_, kept_, patternKeys_ ? &*patternKeys_ : nullptr, cells, run);
}

Matrix<float> HeadWeights::rowsOf(const Prepared& of, const Attention<float>& result,
                                  const WeightKeys<float>* keys, const Rect& cells,
                                  const Run& run) const {
  if (!head_->ready) {
    const WeightSource<float> source{of,
                                     head_->q.view(),
                                     head_->k.view(),
                                     result.lse,
                                     scoringOf(options(), head_->q.cols(), of.lengths()),
                                     keys};
    return weightsOf(source, cells, 1, run.quiet());
  }
  Matrix<float> rows(cells.rowEnd - cells.rowBegin, cells.keyEnd - cells.keyBegin);
  for (Index i = cells.rowBegin; i < cells.rowEnd; ++i)
    cutRow(of, *head_->ready, i, {cells.keyBegin, cells.keyEnd},
           rows.view().row(i - cells.rowBegin));
  return rows;
}

QueryMeasures queryMeasures(const HeadWeights& of, const Run& run) {
  if (of.head()->ready)
    return readyMeasures(of, run);
  const auto q = of.head()->q.view();
  const auto k = of.head()->k.view();
  AttendOptions how = of.options();
  how.threads = run.threads;
  const auto entropies = [&](const Prepared& keys, const Attention<float>& result,
                             const Run& part) {
    return rowEntropies<float>(keys, q, k, result.lse, how, part);
  };
  QueryMeasures made;
  made.captured = capturedMass<float>(of.pattern(), q, k, of.base(), how, partOf(run, 0, 0.4)).rows;
  made.denseEntropy = entropies(*of.dense(), of.whole(), partOf(run, 0.4, 0.7));
  made.patternEntropy = entropies(*of.pattern(), of.kept(), partOf(run, 0.7, 1));
  if (of.head()->v.cols() > 0) {
    made.error = errorsOf(of.kept().out, of.whole().out);
    made.outputError = outputError(of.kept().out, of.whole().out);
  }
  return made;
}

KeyMass keyMass(const HeadWeights& of, const Run& run) {
  constexpr Index kParts = 16; // of the rows: their sums are added in order
  const Lengths& lengths = of.pattern()->lengths();
  const auto keys = static_cast<std::size_t>(lengths.keys);
  std::vector<KeyMass> parts(kParts);
  parallelFor(kParts, run.threads, run, [&](Index part) {
    KeyMass& sums = parts[static_cast<std::size_t>(part)];
    sums.dense.resize(keys);
    sums.pattern.resize(keys);
    const Index end = lengths.queries * (part + 1) / kParts;
    for (Index begin = lengths.queries * part / kParts; begin < end; begin += kMapRowsAtOnce) {
      run.check();
      const Rect cells{begin, std::min(begin + kMapRowsAtOnce, end), 0, lengths.keys};
      addColumns(of.denseRows(cells, run), sums.dense);
      addColumns(of.patternRows(cells, run), sums.pattern);
    }
  });
  KeyMass all{std::vector<double>(keys), std::vector<double>(keys)};
  for (const KeyMass& sums : parts)
    for (std::size_t key = 0; key < keys; ++key) {
      all.dense[key] += sums.dense[key] / static_cast<double>(lengths.queries);
      all.pattern[key] += sums.pattern[key] / static_cast<double>(lengths.queries);
    }
  return all;
}

float rampEnd(std::vector<float> values) {
  std::erase(values, 0.0F);
  if (values.empty())
    return 0;
  const auto bySize = [](float a, float b) { return std::abs(a) > std::abs(b); };
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(values.size() / kRampBeyond);
  std::nth_element(values.begin(), end, values.end(), bySize);
  return std::abs(*end);
}

MeasureSummary measureSummary(const std::vector<double>& measure) {
  assert(!measure.empty());
  const auto [least, most] = std::minmax_element(measure.begin(), measure.end());
  const auto greatest = std::find(measure.begin(), measure.end(), *most); // the first of them
  return {std::accumulate(measure.begin(), measure.end(), 0.0) /
              static_cast<double>(measure.size()),
          *least, *most, least - measure.begin(), greatest - measure.begin()};
}

WeightMaps weightMaps(const HeadWeights& of, const Lattice& lattice, const Run& run) {
  WeightMaps maps;
  maps.lattice = lattice;
  for (Matrix<float>* map : {&maps.dense, &maps.pattern, &maps.difference})
    *map = Matrix<float>(lattice.rows(), lattice.cols());
  parallelFor(lattice.rows(), run.threads, run, [&](Index pixel) {
    const auto at = static_cast<std::size_t>(pixel);
    PixelRow row(maps, pixel);
    const Index end = lattice.rowEdges[at + 1];
    for (Index begin = lattice.rowEdges[at]; begin < end; begin += kMapRowsAtOnce) {
      run.check();
      const Rect cells{begin, std::min(begin + kMapRowsAtOnce, end), lattice.keyEdges.front(),
                       lattice.keyEdges.back()};
      const Matrix<float> dense = of.denseRows(cells, run);
      const Matrix<float> kept = of.patternRows(cells, run);
      for (Index i = 0; i < dense.rows(); ++i)
        row.add(dense.view().row(i), kept.view().row(i));
    }
  });
  maps.top = std::max(largest(maps.dense), largest(maps.pattern));
  maps.gap = largest(maps.difference);
  std::vector<float> both = maps.dense.values();
  both.insert(both.end(), maps.pattern.values().begin(), maps.pattern.values().end());
  maps.rampTop = rampEnd(std::move(both));
  maps.rampGap = rampEnd(maps.difference.values());
  return maps;
}

Matrix<float> logitMap(const HeadWeights& of, const Lattice& lattice, const Run& run) {
  const HeadData& head = *of.head();
  if (head.ready)
    throw Error(ErrorCode::Unsupported, "input",
                "the input has only attention weights; open one with queries and keys, since the "
                "logits are their products");
  const Scoring scoring = scoringOf(of.options(), head.q.cols(), of.pattern()->lengths());
  if (scoring.softcap || !scoring.bias.none())
    return modifiedLogits(of, scoring, lattice, run);
  // The mean of a block of products is the product of the blocks' means.
  const Matrix<double> q = blockMeans(head.q, lattice.rowEdges);
  const Matrix<double> k = blockMeans(head.k, lattice.keyEdges);
  Matrix<float> map(lattice.rows(), lattice.cols());
  for (Index row = 0; row < map.rows(); ++row) {
    run.check();
    for (Index column = 0; column < map.cols(); ++column) {
      double dot = 0;
      for (Index c = 0; c < q.cols(); ++c)
        dot += q(row, c) * k(column, c);
      map(row, column) = seesPixel(of, lattice, row, column)
                             ? static_cast<float>(scoring.scale * dot / scoring.temperature)
                             : kNoLogit;
    }
  }
  return map;
}

std::vector<TopKey> topKeys(std::span<const float> dense, std::span<const float> pattern,
                            std::size_t most) {
  assert(dense.size() == pattern.size());
  std::vector<TopKey> keys;
  for (std::size_t j = 0; j < dense.size(); ++j)
    if (dense[j] > 0)
      // A rounded lse may lift a row's only weight slightly above 1.
      keys.push_back({static_cast<Index>(j), std::min(dense[j], 1.0F), std::min(pattern[j], 1.0F)});
  const std::size_t count = std::min(most, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end(),
                    [](const TopKey& a, const TopKey& b) {
                      return a.dense != b.dense ? a.dense > b.dense : a.key < b.key;
                    });
  keys.resize(count);
  return keys;
}

} // namespace attention
