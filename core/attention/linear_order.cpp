#include "core/attention/linear_order.h"

#include "core/attention/vector_rows.h"
#include "core/attention/workspaces.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"
#include "core/support/products.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace attention {
namespace {

constexpr Index kBlock = 64;      // rows of a causal step
constexpr Index kRows = 128;      // rows of a step where all keys are seen
constexpr Index kLeastSpan = 512; // rows between two stored prefixes
constexpr Index kTriangle = 32;   // rows of a block whose keys end together

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

// What prefix sums carry on: K'ᵀ V, m × d_v, and K'ᵀ 1, whose product with q' is d_i.
template <class T>
struct Carried {
  Matrix<T> values;
  std::vector<T> ones;

  Carried() = default;
  Carried(Index m, Index dv) : values(m, dv), ones(static_cast<std::size_t>(m)) {}

  void add(MatrixView<const T> k, MatrixView<const T> v) {
    transposedMultiply(k, v, values.view(), true);
    for (Index j = 0; j < k.rows; ++j)
      addRows<T>(ones, k.row(j), ones);
  }

  // This = one + other.
  void assign(const Carried& one, const Carried& other) {
    addRows<T>(one.values.values(), other.values.values(), {values.data(), values.values().size()});
    addRows<T>(one.ones, other.ones, ones);
  }
  void add(const Carried& other) { assign(*this, other); }
};

// Feature rows of one block, a stride apart that spreads columns over the cache.
template <class T>
class FeatureRoom {
public:
  FeatureRoom(Index rows, Index features) : room_(rows, (features / kLine | 1) * kLine + kLine) {}

  MatrixView<const T> fill(const FeatureSource<T>& source, Index begin, Index end) {
    const MatrixView<T> view{room_.data(), end - begin, source.features, room_.cols()};
    source.block(begin, end, view);
    return {view.data, view.rows, view.cols, view.stride};
  }

private:
  static constexpr Index kLine = 64 / sizeof(T);
  Matrix<T> room_;
};

template <class T>
class LinearOrder {
public:
  LinearOrder(const FeatureSource<T>& q, const FeatureSource<T>& k, MatrixView<const T> v,
              const LinearOptions& options, const Run& run)
      : q_(q), k_(k), v_(v), options_(options), run_(run), span_(spanFor(k.features)),
        spans_(ceilDiv(k.rows, span_)), finite_(static_cast<std::size_t>(q.rows)) {
    result_.out = Matrix<T>(q.rows, v.cols);
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
  // Buffers of one thread.
  struct Room {
    FeatureRoom<T> q, k;
    Matrix<T> scores{kBlock, kBlock};
    Carried<T> total;
  };

  Carried<T> nothing() const { return {k_.features, v_.cols}; }
  MatrixView<const T> values(Index begin, Index end) const { return rowsOf(v_, begin, end); }
  Index spanEnd(Index s) const { return std::min((s + 1) * span_, k_.rows); }
  MatrixView<T> output(Index begin, Index end) { return rowsOf(result_.out.view(), begin, end); }
  T& denominator(Index i) { return result_.denominators[static_cast<std::size_t>(i)]; }

  void finish(Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      finite_[static_cast<std::size_t>(i)] =
          finishRow(result_.out.view().row(i), denominator(i), options_.normalized) ? 1 : 0;
  }

  // Of the keys of span s, block after block.
  Carried<T> spanSum(Index s) const {
    Carried<T> sum = nothing();
    FeatureRoom<T> room(kRows, k_.features);
    for (Index j = s * span_; j < spanEnd(s); j += kRows) {
      run_.check(); // a span grows with m
      const Index end = std::min(j + kRows, spanEnd(s));
      sum.add(room.fill(k_, j, end), values(j, end));
    }
    return sum;
  }

  std::vector<Carried<T>> spanSums(const Run& run) const {
    std::vector<Carried<T>> sums(static_cast<std::size_t>(spans_));
    parallelFor(spans_, options_.threads, run,
                [&](Index s) { sums[static_cast<std::size_t>(s)] = spanSum(s); });
    return sums;
  }

  // Rows begin … of the output: q' times what is carried.
  void multiplyCarried(MatrixView<const T> q, const Carried<T>& carried, Index begin) {
    multiply(q, carried.values.view(), output(begin, begin + q.rows));
    for (Index i = 0; i < q.rows; ++i)
      denominator(begin + i) = innerProduct<T>(q.row(i), carried.ones);
  }

  void bidirectional() {
    Carried<T> total = nothing();
    for (const Carried<T>& sum : spanSums(partOf(run_, 0, 0.5)))
      total.add(sum);
    Workspaces<FeatureRoom<T>> rooms(
        [this] { return std::make_unique<FeatureRoom<T>>(kRows, q_.features); });
    parallelFor(ceilDiv(q_.rows, kRows), options_.threads, partOf(run_, 0.5, 1), [&](Index b) {
      const auto room = rooms.take();
      const Index end = std::min((b + 1) * kRows, q_.rows);
      multiplyCarried(room->fill(q_, b * kRows, end), total, b * kRows);
      finish(b * kRows, end);
    });
  }

  // With several threads the spans' sums are computed first, so that spans can go on side by side;
  // one thread gets the same bits in one pass.
  void unidirectional() {
    const bool sideBySide = resolvedThreads(options_.threads) > 1 && spans_ > 1;
    if (!sideBySide) {
      Carried<T> before = nothing();
      for (Index s = 0; s < spans_; ++s) {
        before.add(causalSpan(s, before));
        run_.report(static_cast<double>(s + 1) / static_cast<double>(spans_));
      }
      return;
    }
    std::vector<Carried<T>> prefix = spanSums(partOf(run_, 0, 0.5));
    Carried<T> before = nothing();
    for (Carried<T>& sum : prefix) {
      Carried<T> next = before;
      next.add(sum);
      sum = std::move(before);
      before = std::move(next);
    }
    parallelFor(spans_, options_.threads, partOf(run_, 0.5, 1),
                [&](Index s) { causalSpan(s, prefix[static_cast<std::size_t>(s)]); });
  }

  // Rows of span s, given the sum over all spans before; returns the sum over this one.
  Carried<T> causalSpan(Index s, const Carried<T>& before) {
    Room room{FeatureRoom<T>(kBlock, q_.features),
              FeatureRoom<T>(kBlock, k_.features),
              {kBlock, kBlock},
              nothing()};
    Carried<T> within = nothing();
    for (Index i = s * span_; i < spanEnd(s); i += kBlock) {
      run_.check();
      const Index end = std::min(i + kBlock, spanEnd(s));
      const MatrixView<const T> q = room.q.fill(q_, i, end);
      const MatrixView<const T> k = room.k.fill(k_, i, end);
      room.total.assign(before, within);
      multiplyCarried(q, room.total, i);
      addTriangle(q, k, i, room.scores);
      finish(i, end);
      within.add(k, values(i, end));
    }
    return within;
  }

  // Adds the keys j ≤ i of a block by its scores q' k'ᵀ, in squares and without those above.
  void addTriangle(MatrixView<const T> q, MatrixView<const T> k, Index begin, Matrix<T>& scores) {
    for (Index low = 0; low < q.rows; low += kTriangle) {
      const Index high = std::min(low + kTriangle, q.rows);
      multiplyTransposed(rowsOf(q, low, q.rows), rowsOf(k, low, high),
                         {&scores(low, low), q.rows - low, high - low, scores.cols()});
    }
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

  const FeatureSource<T>& q_;
  const FeatureSource<T>& k_;
  MatrixView<const T> v_;
  LinearOptions options_;
  const Run& run_;
  Index span_;
  Index spans_;
  KernelAttention<T> result_;
  std::vector<char> finite_; // of every row
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
