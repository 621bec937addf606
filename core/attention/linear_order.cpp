#include "core/attention/linear_order.h"

#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/products.h"

#include <algorithm>
#include <string>
#include <utility>

namespace attention {
namespace {

constexpr Index kBlock = 64;      // rows whose features are in memory at a time
constexpr Index kLeastSpan = 512; // rows between two stored prefixes

// Rows between two stored prefixes, a multiple of kBlock: at least m, so that all prefixes together
// take no more room than V.
Index spanFor(Index m) {
  return kBlock * ceilDiv(std::max(kLeastSpan, m), kBlock);
}

template <class T>
void requireFitting(const FeatureSource<T>& q, const FeatureSource<T>& k, MatrixView<const T> v,
                    bool causal) {
  const auto refuse = [](const char* name, const std::string& sentence) {
    throw Error(ErrorCode::Shape, name, sentence);
  };
  if (q.features != k.features)
    refuse("features", "the queries have " + std::to_string(q.features) +
                           " features and the keys " + std::to_string(k.features) +
                           "; allowed is the same number");
  if (v.rows != k.rows)
    refuse("V", "V has " + std::to_string(v.rows) + " rows; allowed are " + std::to_string(k.rows) +
                    ", one a key");
  if (causal && q.rows != k.rows)
    refuse("Q", "Q has " + std::to_string(q.rows) + " rows and K " + std::to_string(k.rows) +
                    "; unidirectional attention takes as many queries as keys");
}

template <class T>
void addTo(MatrixView<T> sum, const Matrix<T>& term) {
  for (Index a = 0; a < term.rows(); ++a)
    for (Index c = 0; c < term.cols(); ++c)
      sum(a, c) += term(a, c);
}

template <class T>
class LinearOrder {
public:
  LinearOrder(const FeatureSource<T>& q, const FeatureSource<T>& k, MatrixView<const T> v,
              const LinearOptions& options, const Run& run)
      : q_(q), k_(k), v1_(withOnes(v)), options_(options), run_(run), span_(spanFor(k.features)),
        spans_(ceilDiv(k.rows, span_)), sums_(q.rows, v1_.cols()) {}

  KernelAttention<T> compute() {
    if (options_.causal)
      unidirectional();
    else
      bidirectional();
    return finishRows(sums_, options_.normalized);
  }

private:
  // Buffers of one thread.
  struct Room {
    Matrix<T> q, k, scores;
  };

  MatrixView<const T> values(Index begin, Index end) const {
    return rowsOf(v1_.view(), begin, end);
  }
  Index spanEnd(Index s) const { return std::min((s + 1) * span_, k_.rows); }

  static MatrixView<const T> filled(const FeatureSource<T>& source, Index begin, Index end,
                                    Matrix<T>& room) {
    if (room.rows() == 0)
      room = Matrix<T>(kBlock, source.features);
    const MatrixView<T> view = rowsOf(room.view(), 0, end - begin);
    source.block(begin, end, view);
    return {view.data, view.rows, view.cols, view.stride};
  }

  // K'ᵀ [V 1] of the keys of span s, block after block: m × (d_v + 1).
  Matrix<T> spanSum(Index s) const {
    Matrix<T> sum(k_.features, v1_.cols());
    Matrix<T> room;
    for (Index j = s * span_; j < spanEnd(s); j += kBlock) {
      const Index end = std::min(j + kBlock, spanEnd(s));
      transposedMultiply(filled(k_, j, end, room), values(j, end), sum.view(), true);
    }
    return sum;
  }

  Run part(double from, double to) const {
    Run half = run_;
    if (run_.progress)
      half.progress = [this, from, to](double x) { run_.progress(from + (to - from) * x); };
    return half;
  }

  std::vector<Matrix<T>> spanSums(const Run& run) const {
    std::vector<Matrix<T>> sums(static_cast<std::size_t>(spans_));
    parallelFor(spans_, options_.threads, run,
                [&](Index s) { sums[static_cast<std::size_t>(s)] = spanSum(s); });
    return sums;
  }

  void bidirectional() {
    Matrix<T> total(k_.features, v1_.cols());
    for (const Matrix<T>& sum : spanSums(part(0, 0.5)))
      addTo(total.view(), sum);
    parallelFor(ceilDiv(q_.rows, kBlock), options_.threads, part(0.5, 1), [&](Index b) {
      Matrix<T> room;
      const Index end = std::min((b + 1) * kBlock, q_.rows);
      multiply(filled(q_, b * kBlock, end, room), std::as_const(total).view(),
               rowsOf(sums_.view(), b * kBlock, end));
    });
  }

  // With several threads the spans' sums are computed first, so that spans can go on side by side;
  // one thread gets the same bits in one pass.
  void unidirectional() {
    const bool sideBySide = resolvedThreads(options_.threads) > 1 && spans_ > 1;
    if (!sideBySide) {
      Matrix<T> before(k_.features, v1_.cols());
      for (Index s = 0; s < spans_; ++s) {
        addTo(before.view(), causalSpan(s, before));
        run_.report(static_cast<double>(s + 1) / static_cast<double>(spans_));
      }
      return;
    }
    std::vector<Matrix<T>> prefix = spanSums(part(0, 0.5));
    Matrix<T> before(k_.features, v1_.cols());
    for (Matrix<T>& sum : prefix) {
      Matrix<T> next = before;
      addTo(next.view(), sum);
      sum = std::move(before);
      before = std::move(next);
    }
    parallelFor(spans_, options_.threads, part(0.5, 1),
                [&](Index s) { causalSpan(s, prefix[static_cast<std::size_t>(s)]); });
  }

  // Rows of span s, given the sum over all spans before; returns the sum over this one.
  Matrix<T> causalSpan(Index s, const Matrix<T>& before) {
    Room room;
    Matrix<T> within(k_.features, v1_.cols());
    for (Index i = s * span_; i < spanEnd(s); i += kBlock) {
      run_.check();
      const Index end = std::min(i + kBlock, spanEnd(s));
      const MatrixView<const T> q = filled(q_, i, end, room.q);
      const MatrixView<const T> k = filled(k_, i, end, room.k);
      const MatrixView<T> out = rowsOf(sums_.view(), i, end);
      multiply(q, before.view(), out);
      multiply(q, std::as_const(within).view(), out, true);
      multiply(lowerTriangle(q, k, room.scores), values(i, end), out, true);
      transposedMultiply(k, values(i, end), within.view(), true);
    }
    return within;
  }

  // q kᵀ with the part above the diagonal zeroed.
  static MatrixView<const T> lowerTriangle(MatrixView<const T> q, MatrixView<const T> k,
                                           Matrix<T>& room) {
    if (room.rows() != q.rows)
      room = Matrix<T>(q.rows, q.rows);
    multiplyTransposed(q, k, room.view());
    for (Index a = 0; a < q.rows; ++a)
      for (Index b = a + 1; b < q.rows; ++b)
        room(a, b) = T{0};
    return std::as_const(room).view();
  }

  const FeatureSource<T>& q_;
  const FeatureSource<T>& k_;
  Matrix<T> v1_; // [V 1]
  LinearOptions options_;
  const Run& run_;
  Index span_;
  Index spans_;
  Matrix<T> sums_; // n_q × (d_v + 1)
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
KernelAttention<T> linearAttention(const FeatureSource<T>& q, const FeatureSource<T>& k,
                                   MatrixView<const T> v, const LinearOptions& options,
                                   const Run& run) {
  requireFitting(q, k, v, options.causal);
  return LinearOrder<T>(q, k, v, options, run).compute();
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

} // namespace attention
