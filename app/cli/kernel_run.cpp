#include "app/cli/kernel_run.h"

#include "core/attention/dense_softmax.h"
#include "core/input/npy_writer.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace attention::cli {
namespace {

constexpr Index kRowsTogether = 64; // of Â in memory

template <class T>
HeadMatrices<T> plane(const Input& input, const HeadSelection& heads, Index p, const Run& run) {
  return matricesOf<T>(input, heads.head(p), heads.batch(p), run);
}

// Whether the method approximates exp(scale q·k); the others have no scores that a scale could
// multiply.
bool readsScale(const KernelRunMethod& method) {
  if (method.features)
    return method.features->scaled();
  return method.kernel == Kernel::Softmax || method.kernel == Kernel::Gaussian;
}

// A head in the form that the method reads.
template <class T>
HeadMatrices<T> planeFor(const KernelRunMethod& method, const Input& input,
                         const HeadSelection& heads, Index p, const Run& run) {
  HeadMatrices<T> in = plane<T>(input, heads, p, run);
  if (readsScale(method))
    takeScale(in, input);
  return in;
}

// Softmax attention with the input's own scale.
template <class T>
Matrix<T> exactOf(const KernelRunMethod& method, const Input& input, const HeadMatrices<T>& in,
                  const Run& run) {
  const Scoring scoring = scoringOf(attendOptions(input, 0), in.q.cols(), {}); // of all heads
  return denseSoftmax(in.qView(), in.kView(), in.vView(), {scoring, method.causal, method.threads},
                      run)
      .out;
}

template <class T>
KernelAttention<T> attendBy(const KernelRunMethod& method, Index p, const HeadMatrices<T>& in,
                            const Run& run) {
  if (!method.features)
    return kernelAttention(method.pattern(p), in.qView(), in.kView(), in.vView(),
                           {method.kernel, method.normalized, method.threads}, run);
  return featureAttention(in.qView(), in.kView(), in.vView(), method.w, *method.features,
                          {method.causal, method.normalized, method.threads}, run);
}

// Views of `in` and the method must outlive it.
template <class T>
ImpliedMatrix<T> impliedBy(const KernelRunMethod& method, Index p, const HeadMatrices<T>& in) {
  if (!method.features)
    return impliedByKernel(method.pattern(p), in.qView(), in.kView(),
                           {method.kernel, method.normalized, method.threads});
  const auto side = [&](MatrixView<const T> x, FeatureRole role) {
    return featuresOf(x, method.w, *method.features, role, method.threads);
  };
  return impliedByFeatures(side(in.qView(), FeatureRole::Query), side(in.kView(), FeatureRole::Key),
                           {method.causal, method.normalized, method.threads});
}

// The next rows of Â, several at a time, one plane after another.
template <class T>
class ImpliedRows {
public:
  ImpliedRows(const KernelRunMethod& method, const Input& input, const HeadSelection& heads,
              const Run& run)
      : method_(method), input_(input), heads_(heads), run_(run) {}

  void copy(Index row, std::span<T> values) {
    const Index p = row / input_.queries;
    const Index i = row % input_.queries;
    if (p != plane_) {
      in_ = planeFor<T>(method_, input_, heads_, p, run_);
      implied_ = impliedBy(method_, p, in_);
      plane_ = p;
      end_ = 0;
    }
    if (i >= end_ || i < begin_) {
      begin_ = i;
      end_ = std::min(i + kRowsTogether, input_.queries);
      rows_ = implied_.rowsAt(begin_, end_);
    }
    const std::span<const T> from = std::as_const(rows_).view().row(i - begin_);
    std::copy(from.begin(), from.end(), values.begin());
  }

private:
  const KernelRunMethod& method_;
  const Input& input_;
  const HeadSelection& heads_;
  const Run& run_;
  Index plane_ = -1;
  HeadMatrices<T> in_;
  ImpliedMatrix<T> implied_;
  Index begin_ = 0;
  Index end_ = 0;
  Matrix<T> rows_;
};

} // namespace

template <class T>
KernelRunResult<T> runKernel(const KernelRunMethod& method, const Input& input,
                             const HeadSelection& heads, bool error, const Run& run) {
  KernelRunResult<T> result;
  OutputErrorSums sums;
  for (Index p = 0; p < heads.planes(); ++p) {
    const HeadMatrices<T> in = planeFor<T>(method, input, heads, p, run);
    const auto start = std::chrono::steady_clock::now();
    const KernelAttention<T> one = attendBy(method, p, in, run);
    result.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.out.insert(result.out.end(), one.out.values().begin(), one.out.values().end());
    result.flagged.push_back(one.flagged());
    result.zeroRows += static_cast<Index>(one.zeroRows.size());
    result.negativeRows += static_cast<Index>(one.negativeRows.size());
    result.nonFiniteRows += static_cast<Index>(one.nonFiniteRows.size());
    result.notFinite.push_back(one.nonFiniteRows);
    if (error)
      sums.add(one.out, exactOf(method, input, plane<T>(input, heads, p, run), run));
  }
  if (error)
    result.error = sums.error();
  result.shape = heads.leading;
  result.shape.insert(result.shape.end(), {input.queries, input.dv});
  joinHeads(input, heads, result.out, result.shape, run);
  return result;
}

template <class T>
void writeImplied(const KernelRunMethod& method, const Input& input, const HeadSelection& heads,
                  const std::string& path, const Run& run) {
  std::vector<Index> shape = heads.leading;
  shape.insert(shape.end(), {input.queries, input.keys});
  ImpliedRows<T> rows(method, input, heads, run);
  writeNpyRows<T>(
      path, shape, [&](Index row, std::span<T> values) { rows.copy(row, values); }, run);
}

template KernelRunResult<float> runKernel(const KernelRunMethod&, const Input&,
                                          const HeadSelection&, bool, const Run&);
template KernelRunResult<double> runKernel(const KernelRunMethod&, const Input&,
                                           const HeadSelection&, bool, const Run&);
template void writeImplied<float>(const KernelRunMethod&, const Input&, const HeadSelection&,
                                  const std::string&, const Run&);
template void writeImplied<double>(const KernelRunMethod&, const Input&, const HeadSelection&,
                                   const std::string&, const Run&);

} // namespace attention::cli
