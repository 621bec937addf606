#include "core/attention/linear_attention.h"

#include "core/attention/carried_sums.h"
#include "core/attention/workspaces.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"
#include "core/support/products.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace attention {
namespace {

constexpr Index kOrderBlock = 64; // rows of a causal step
constexpr Index kRows = 96;       // rows of a step where all keys are seen
constexpr Index kLeastSpan = 512; // rows between two stored prefixes
constexpr Index kTriangle = 32;   // rows of a block whose keys end together

// Rows between two stored prefixes, a multiple of kOrderBlock: at least m, so that all prefixes
// together take no more room than V.
Index spanFor(Index m) {
  return kOrderBlock * ceilDiv(std::max(kLeastSpan, m), kOrderBlock);
}

template <class T>
void requireFitting(const FeatureSource<T>& q, const KeySource<T>& k, MatrixView<const T> v,
                    MatrixView<T> out, bool causal) {
  const auto refuse = [](const char* name, const std::string& sentence) {
    throw Error(ErrorCode::Shape, name, sentence);
  };
  if (q.features != k.features)
    refuse("features", "the queries have " + countText(q.features, "feature") + " and the keys " +
                           std::to_string(k.features) + "; both must be the same");
  if (v.rows != k.rows)
    refuse("V", "V has " + countText(v.rows, "row") + "; it must have " + std::to_string(k.rows) +
                    ", one per key");
  if (out.rows != q.rows || out.cols != v.cols)
    refuse("out", "out is " + std::to_string(out.rows) + " × " + std::to_string(out.cols) +
                      "; it must be " + std::to_string(q.rows) + " × " + std::to_string(v.cols));
  if (causal && q.rows != k.rows)
    refuse("Q", "Q has " + countText(q.rows, "row") + " and K " + std::to_string(k.rows) +
                    "; causal attention needs as many queries as keys");
}

// Feature rows of one block, a stride apart that spreads columns over the cache.
template <class T>
class FeatureRoom {
public:
  FeatureRoom(Index rows, Index features)
      : features_(features), room_(rows, (ceilDiv(features, kLine) | 1) * kLine) {}

  MatrixView<const T> fill(const FeatureSource<T>& source, Index begin, Index end) {
    const MatrixView<T> view = rows(begin, end);
    source.block(begin, end, view);
    return {view.data, view.rows, view.cols, view.stride};
  }

  // Raises the level of `sums` to that of the rows.
  MatrixView<const T> fill(const KeySource<T>& source, Index begin, Index end,
                           CarriedSums<T>& sums) {
    const MatrixView<T> view = rows(begin, end);
    T level = sums.level;
    source.block(begin, end, level, view);
    sums.raise(level);
    return {view.data, view.rows, view.cols, view.stride};
  }

private:
  static constexpr Index kLine = 64 / sizeof(T);

  MatrixView<T> rows(Index begin, Index end) {
    return {room_.data(), end - begin, features_, room_.cols()};
  }

  Index features_;
  Matrix<T> room_;
};

template <class T>
class LinearOrder {
public:
  LinearOrder(const FeatureSource<T>& q, const KeySource<T>& k, MatrixView<const T> v,
              MatrixView<T> out, const LinearOptions& options, const Run& run)
      : q_(q), k_(k), v_(v), out_(out), options_(options), run_(run), span_(spanFor(k.features)),
        spans_(ceilDiv(k.rows, span_)),
        sideBySide_(resolvedThreads(options.threads > 0 ? options.threads : run.threads) > 1 &&
                    spans_ > 1),
        finite_(static_cast<std::size_t>(q.rows)) {
    result_.denominators.resize(static_cast<std::size_t>(q.rows));
  }

  KernelAttention<T> compute() {
    if (options_.causal)
      unidirectional();
    else
      bidirectional();
    flagRows(result_, options_.normalized, finite_);
    return std::move(result_);
  }

private:
  using Carried = CarriedSums<T>;

  // Buffers of one thread.
  struct Room {
    FeatureRoom<T> q, k;
    Matrix<T> scores{kOrderBlock, kOrderBlock};
    Carried total;
    Carried within;
  };

  Carried nothing() const { return {k_.features, v_.cols, k_.added != 0}; }
  std::unique_ptr<Room> room() const {
    return std::make_unique<Room>(Room{FeatureRoom<T>(kOrderBlock, q_.features),
                                       FeatureRoom<T>(kOrderBlock, k_.features),
                                       {kOrderBlock, kOrderBlock},
                                       nothing(),
                                       nothing()});
  }
  MatrixView<const T> values(Index begin, Index end) const { return rowsOf(v_, begin, end); }
  Index spanEnd(Index s) const { return std::min((s + 1) * span_, k_.rows); }
  MatrixView<T> output(Index begin, Index end) { return rowsOf(out_, begin, end); }
  T& denominator(Index i) { return result_.denominators[static_cast<std::size_t>(i)]; }

  void finish(Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      finite_[static_cast<std::size_t>(i)] =
          finishRow(out_.row(i), denominator(i), options_.normalized) ? 1 : 0;
  }

  // `sum` becomes that of the keys of span s, block after block.
  void sumSpan(Index s, FeatureRoom<T>& room, Carried& sum) const {
    const Index step = options_.causal ? kOrderBlock : kRows;
    sum.clear();
    for (Index j = s * span_; j < spanEnd(s); j += step) {
      run_.check(); // a span grows with m
      const Index end = std::min(j + step, spanEnd(s));
      const MatrixView<const T> keys = room.fill(k_, j, end, sum);
      sum.add(keys, values(j, end));
    }
  }

  std::vector<Carried> spanSums(const Run& run) const {
    std::vector<Carried> sums(static_cast<std::size_t>(spans_));
    Workspaces<FeatureRoom<T>> rooms(
        [this] { return std::make_unique<FeatureRoom<T>>(kRows, k_.features); });
    parallelFor(spans_, options_.threads, run, [&](Index s) {
      Carried& sum = sums[static_cast<std::size_t>(s)] = nothing();
      sumSpan(s, *rooms.take(), sum);
    });
    return sums;
  }

  // The spans' sums added in their order; one thread keeps one of them at a time.
  Carried allKeys(const Run& run) const {
    Carried total = nothing();
    if (sideBySide_) {
      for (const Carried& sum : spanSums(run))
        total.add(sum);
    } else {
      Carried sum = nothing();
      FeatureRoom<T> room(kRows, k_.features);
      for (Index s = 0; s < spans_; ++s) {
        sumSpan(s, room, sum);
        total.add(sum);
        run.report(static_cast<double>(s + 1) / static_cast<double>(spans_));
      }
    }
    if (k_.added != 0)
      total.addToFeatures(k_.added, k_.rows);
    return total;
  }

  // Rows begin … of the output: q' times what is carried.
  void multiplyCarried(MatrixView<const T> q, const Carried& carried, Index begin) {
    multiply(q, carried.values.view(), output(begin, begin + q.rows));
    for (Index i = 0; i < q.rows; ++i)
      denominator(begin + i) = innerProduct<T>(q.row(i), carried.ones);
  }

  void bidirectional() {
    const Carried total = allKeys(partOf(run_, 0, 0.5));
    Workspaces<FeatureRoom<T>> rooms(
        [this] { return std::make_unique<FeatureRoom<T>>(kRows, q_.features); });
    parallelFor(ceilDiv(q_.rows, kRows), options_.threads, partOf(run_, 0.5, 1), [&](Index b) {
      const auto room = rooms.take();
      const Index end = std::min((b + 1) * kRows, q_.rows);
      multiplyCarried(room->fill(q_, b * kRows, end), total, b * kRows);
      finish(b * kRows, end);
    });
  }

  // With several threads the spans' sums are computed first, so that spans can proceed side by
  // side; one thread gets the same bits in one pass.
  void unidirectional() {
    if (k_.leveled) {
      levels_.resize(static_cast<std::size_t>(ceilDiv(k_.rows, kOrderBlock)));
      querySums_.resize(static_cast<std::size_t>(q_.rows));
      valuesBefore_ = Matrix<T>(spans_, v_.cols);
    }
    if (sideBySide_)
      spansSideBySide();
    else
      spansInTurn();
    if (k_.leveled)
      bringToTop();
  }

  void spansInTurn() {
    Carried before = nothing();
    const auto work = room();
    for (Index s = 0; s < spans_; ++s) {
      causalSpan(s, before, *work);
      before.add(work->within);
      run_.report(static_cast<double>(s + 1) / static_cast<double>(spans_));
    }
  }

  void spansSideBySide() {
    std::vector<Carried> prefix = spanSums(partOf(run_, 0, 0.5));
    Carried before = nothing();
    for (Carried& sum : prefix) {
      Carried next = before;
      next.add(sum);
      sum = std::move(before);
      before = std::move(next);
    }
    Workspaces<Room> rooms([this] { return room(); });
    parallelFor(spans_, options_.threads, partOf(run_, 0.5, 1), [&](Index s) {
      causalSpan(s, prefix[static_cast<std::size_t>(s)], *rooms.take());
    });
  }

  // Rows of span s, given the sum over all spans before; leaves the sum over this one in
  // room.within. Levelled rows are not finished.
  void causalSpan(Index s, const Carried& before, Room& room) {
    room.within.clear();
    if (!before.plain.empty())
      std::copy(before.plain.begin(), before.plain.end(), valuesBefore_.view().row(s).begin());
    for (Index i = s * span_; i < spanEnd(s); i += kOrderBlock) {
      run_.check();
      const Index end = std::min(i + kOrderBlock, spanEnd(s));
      const MatrixView<const T> q = room.q.fill(q_, i, end);
      const MatrixView<const T> k = room.k.fill(k_, i, end, room.within);
      room.total.assign(before, room.within);
      multiplyCarried(q, room.total, i);
      addTriangle(q, k, i, Carried::factor(room.within.level, room.total.level), room.scores);
      if (k_.leveled)
        levels_[static_cast<std::size_t>(i / kOrderBlock)] = room.total.level;
      else
        finish(i, end);
      for (Index r = i; k_.added != 0 && r < end; ++r)
        querySums_[static_cast<std::size_t>(r)] = sumOfRow<T>(q.row(r - i));
      room.within.add(k, values(i, end));
    }
  }

  // Adds the keys j ≤ i of a block by its scores q' k'ᵀ times `factor`, in squares and without
  // those above.
  void addTriangle(MatrixView<const T> q, MatrixView<const T> k, Index begin, T factor,
                   Matrix<T>& scores) {
    for (Index low = 0; low < q.rows; low += kTriangle) {
      const Index high = std::min(low + kTriangle, q.rows);
      multiplyTransposed(rowsOf(q, low, q.rows), rowsOf(k, low, high),
                         {&scores(low, low), q.rows - low, high - low, scores.cols()});
    }
    if (factor != 1)
      for (Index x = 0; x < q.rows * scores.cols(); ++x)
        scores.data()[x] *= factor;
    for (Index low = 0; low < q.rows; low += kTriangle) {
      const Index high = std::min(low + kTriangle, q.rows);
      for (Index a = low; a < high; ++a) {
        std::fill_n(&scores(a, 0) + a + 1, high - a - 1, T{0});
        denominator(begin + a) += sumOfRow<T>({&scores(a, 0), static_cast<std::size_t>(high)});
      }
      multiply(MatrixView<const T>{&scores(low, 0), high - low, high, scores.cols()},
               values(begin, begin + high), output(begin + low, begin + high), true);
    }
  }

  // Brings rows of every level to the highest, and adds what all features have added: q'·1 times
  // the values up to the row.
  void bringToTop() {
    const T top = *std::max_element(levels_.begin(), levels_.end());
    parallelFor(spans_, options_.threads, run_.quiet(), [&](Index s) {
      const std::span<T> before = valuesBefore_.view().row(s);
      for (Index i = s * span_; i < spanEnd(s); ++i) {
        const T factor = Carried::factor(levels_[static_cast<std::size_t>(i / kOrderBlock)], top);
        const T weight = k_.added * querySums_[static_cast<std::size_t>(i)];
        weightedSum<T>(before, 1, v_.row(i), 1, before);
        weightedSum<T>(out_.row(i), factor, before, weight, out_.row(i));
        denominator(i) = factor * denominator(i) + weight * static_cast<T>(i + 1);
      }
      finish(s * span_, spanEnd(s));
    });
  }

  const FeatureSource<T>& q_;
  const KeySource<T>& k_;
  MatrixView<const T> v_;
  MatrixView<T> out_;
  LinearOptions options_;
  const Run& run_;
  Index span_;
  Index spans_;
  bool sideBySide_;
  KernelAttention<T> result_;
  std::vector<char> finite_; // of every row

  // For levelled keys, unidirectional.
  std::vector<T> levels_;    // of the rows of each block
  std::vector<T> querySums_; // q'·1 of every row, where something is added
  Matrix<T> valuesBefore_;   // Vᵀ 1 of the spans before each
};

} // namespace

template <class T>
FeatureSource<T> sourceOf(MatrixView<const T> features) {
  return {features.rows, features.cols, [features](Index begin, Index end, MatrixView<T> out) {
            for (Index i = begin; i < end; ++i)
              std::copy_n(features.data + i * features.stride, features.cols,
                          out.data + (i - begin) * out.stride);
          }};
}

template <class T>
KeySource<T> keysOf(const FeatureSource<T>& source) {
  return {source.rows, source.features, false, 0,
          [&source](Index begin, Index end, T& level, MatrixView<T> out) {
            level = 0;
            source.block(begin, end, out);
          }};
}

template <class T>
KernelAttention<T> linearAttentionInto(const FeatureSource<T>& q, const KeySource<T>& k,
                                       MatrixView<const T> v, MatrixView<T> out,
                                       const LinearOptions& options, const Run& run) {
  requireFitting(q, k, v, out, options.causal);
  return LinearOrder<T>(q, k, v, out, options, run).compute();
}

template <class T>
KernelAttention<T> linearAttention(const FeatureSource<T>& q, const FeatureSource<T>& k,
                                   MatrixView<const T> v, const LinearOptions& options,
                                   const Run& run) {
  Matrix<T> out(q.rows, v.cols);
  KernelAttention<T> result = linearAttentionInto(q, keysOf(k), v, out.view(), options, run);
  result.out = std::move(out);
  return result;
}

template FeatureSource<float> sourceOf(MatrixView<const float>);
template FeatureSource<double> sourceOf(MatrixView<const double>);
template KernelAttention<float> linearAttention(const FeatureSource<float>&,
                                                const FeatureSource<float>&,
                                                MatrixView<const float>, const LinearOptions&,
                                                const Run&);
template KernelAttention<double> linearAttention(const FeatureSource<double>&,
                                                 const FeatureSource<double>&,
                                                 MatrixView<const double>, const LinearOptions&,
                                                 const Run&);
template KernelAttention<float> linearAttentionInto(const FeatureSource<float>&,
                                                    const KeySource<float>&,
                                                    MatrixView<const float>, MatrixView<float>,
                                                    const LinearOptions&, const Run&);
template KernelAttention<double> linearAttentionInto(const FeatureSource<double>&,
                                                     const KeySource<double>&,
                                                     MatrixView<const double>, MatrixView<double>,
                                                     const LinearOptions&, const Run&);

} // namespace attention
