#include "core/attention/kernel.h"

#include "core/attention/attend.h"
#include "core/attention/exp.h"
#include "core/attention/explicit_kernel.h"
#include "core/attention/large_values.h"
#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace attention {
namespace {

constexpr std::array<std::string_view, 4> kNames{"softmax", "gaussian", "elu1", "relu"};

// φ of the vectors themselves: the features of elu1 and relu.
template <class T>
FeatureSource<T> mapped(Kernel kernel, MatrixView<const T> x) {
  return {x.rows, x.cols, [kernel, x](Index begin, Index end, MatrixView<T> out) {
            for (Index i = begin; i < end; ++i) {
              const std::span<T> row = out.row(i - begin);
              std::copy_n(x.row(i).data(), x.cols, row.data());
              if (kernel == Kernel::Elu1)
                eluPlusOne(row);
              else
                for (T& y : row)
                  y = std::max(y, T{0});
            }
          }};
}

// The linear order works for all keys, and for all j ≤ i.
enum class Order { Explicit, Bidirectional, Unidirectional };

Order orderFor(Kernel kernel, const Prepared& pattern) {
  const Lengths& lengths = pattern.lengths();
  if ((kernel != Kernel::Elu1 && kernel != Kernel::Relu) || !pattern.closedForm())
    return Order::Explicit;
  const Index pairs = pattern.pairs();
  if (pairs == lengths.queries * lengths.keys)
    return Order::Bidirectional;
  bool triangular = lengths.square() && pairs == triangle(lengths.keys);
  for (Index i = 0; triangular && i < lengths.queries; ++i)
    triangular = pattern.rowCount(i, 0, i + 1) == i + 1;
  return triangular ? Order::Unidirectional : Order::Explicit;
}

template <class T>
KernelAttention<T> bySoftmax(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                             MatrixView<const T> v, int threads, const Run& run) {
  AttendOptions options;
  options.threads = threads;
  Attention<T> exact = attend(pattern, q, k, v, options, run);
  KernelAttention<T> result;
  result.out = std::move(exact.out);
  result.zeroRows = std::move(exact.emptyRows);
  for (const T lse : exact.lse)
    result.denominators.push_back(std::exp(lse));
  return result;
}

template <class T>
KernelAttention<T> byRows(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                          MatrixView<const T> v, const KernelOptions& options, const Run& run) {
  const Matrix<T> v1 = withOnes(v);
  Matrix<T> sums(q.rows, v1.cols());
  parallelFor(ceilDiv(q.rows, kBlockRows), options.threads, run, [&](Index chunk) {
    const Index first = chunk * kBlockRows;
    const BlockRows rows{first, 1, std::min(kBlockRows, q.rows - first)};
    BlockKeys keys;
    KeyRanges row;
    for (Index r = 0; r < rows.count; ++r) {
      pattern.row(rows.query(r), row);
      keys.appendRow(row);
    }
    BlockPlanner planner(kBlockRows);
    ExplicitKernel<T>(options.kernel, q, k, v1.view()).add(rows, planner.plan(keys), sums.view());
  });
  return finishRows(sums, options.normalized);
}

} // namespace

std::span<const std::string_view> kernelNames() {
  return kNames;
}

std::string_view name(Kernel kernel) {
  return kNames[static_cast<std::size_t>(kernel)];
}

Kernel kernelNamed(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end())
    throw Error(ErrorCode::Unknown, "kernel",
                "kernel \"" + std::string(name) + "\" is unknown" +
                    nearestHint(name, std::vector<std::string>(kNames.begin(), kNames.end())) +
                    "; it must be one of softmax, gaussian, elu1, relu");
  return static_cast<Kernel>(at - kNames.begin());
}

double kernelValue(Kernel kernel, std::span<const double> x, std::span<const double> y) {
  const double root = std::sqrt(static_cast<double>(x.size()));
  double sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c)
    switch (kernel) {
    case Kernel::Softmax:
      sum += x[c] * y[c];
      break;
    case Kernel::Gaussian:
      sum += (x[c] - y[c]) * (x[c] - y[c]);
      break;
    case Kernel::Elu1:
      sum += elu1(x[c]) * elu1(y[c]);
      break;
    case Kernel::Relu:
      sum += std::max(x[c], 0.0) * std::max(y[c], 0.0);
      break;
    }
  if (kernel == Kernel::Softmax)
    return std::exp(sum / root);
  return kernel == Kernel::Gaussian ? std::exp(-sum / (2 * root)) : sum;
}

namespace {

template <class T>
KernelAttention<T> attendBy(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                            MatrixView<const T> v, const KernelOptions& options, const Run& run) {
  // Over a mask: elsewhere parts are softmaxes of their own, or count a key several times.
  const bool mask = pattern.outputs().combine == Combine::Union;
  if (options.kernel == Kernel::Softmax && options.normalized && mask)
    return bySoftmax(pattern, q, k, v, options.threads, run);
  const Order order = orderFor(options.kernel, pattern);
  if (order == Order::Explicit)
    return byRows(pattern, q, k, v, options, run);
  const LinearOptions linear{order == Order::Unidirectional, options.normalized, options.threads};
  return linearAttention<T>(mapped(options.kernel, q), mapped(options.kernel, k), v, linear, run);
}

} // namespace

template <class T>
KernelAttention<T> kernelAttention(const Prepared& pattern, MatrixView<const T> q,
                                   MatrixView<const T> k, MatrixView<const T> v,
                                   const KernelOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  const auto attendTo = [&](MatrixView<const T> values) {
    return attendBy(pattern, q, k, values, options, run);
  };
  return options.normalized ? attendToLarge<T>(v, {}, attendTo) : attendTo(v);
}

KernelAttention<double> kernelReference(const Prepared& pattern, MatrixView<const double> q,
                                        MatrixView<const double> k, MatrixView<const double> v,
                                        const KernelOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  Matrix<double> sums(q.rows, v.cols + 1);
  parallelFor(q.rows, options.threads, run, [&](Index i) {
    KeyRanges ranges;
    pattern.row(i, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j) {
          const double a = kernelValue(options.kernel, q.row(i), k.row(j));
          for (Index c = 0; c < v.cols; ++c)
            sums(i, c) += a * v(j, c);
          sums(i, v.cols) += a;
        }
      });
  });
  return finishRows(sums, options.normalized);
}

template KernelAttention<float> kernelAttention(const Prepared&, MatrixView<const float>,
                                                MatrixView<const float>, MatrixView<const float>,
                                                const KernelOptions&, const Run&);
template KernelAttention<double> kernelAttention(const Prepared&, MatrixView<const double>,
                                                 MatrixView<const double>, MatrixView<const double>,
                                                 const KernelOptions&, const Run&);

} // namespace attention
