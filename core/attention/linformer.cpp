#include "core/attention/linformer.h"

#include "core/attention/attend.h"
#include "core/attention/dense_softmax.h"
#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/philox.h"
#include "core/support/products.h"

#include <cmath>
#include <string>
#include <utility>

namespace attention {
namespace {

template <class T>
void checkSide(const char* name, MatrixView<const T> side, Index rows, Index keys) {
  if (side.rows < 1 || side.rows != rows || side.cols != keys)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " is " + std::to_string(side.rows) + " × " +
                    std::to_string(side.cols) + "; it must be k × n = " + std::to_string(rows) +
                    " × " + std::to_string(keys) + " with k ≥ 1");
  for (Index r = 0; r < side.rows; ++r)
    if (!allFinite<T>(side.row(r)))
      throw Error(ErrorCode::NonFinite, name,
                  std::string(name) + " has a number that is not finite in row " +
                      std::to_string(r));
}

template <class T>
Matrix<T> product(MatrixView<const T> a, MatrixView<const T> b) {
  Matrix<T> result(a.rows, b.cols);
  multiply(a, b, result.view());
  return result;
}

Scoring scoringOf(const LinformerOptions& options, Index d) {
  AttendOptions scores{options.scale, options.threads, options.softcap};
  scores.temperature = options.temperature;
  scores.sink = options.sink;
  return attention::scoringOf(scores, d, {});
}

constexpr Index kMostOfSide = Index{1} << 28; // of E, and of F: 2 GiB

void checkDrawn(Index k, Index n) {
  if (k < 1)
    throwRange("k", std::to_string(k), "an integer of at least 1");
  if (n < 1)
    throwRange("n", std::to_string(n), "an integer of at least 1");
  if (k > kMostOfSide / n)
    throwRange("k", std::to_string(k),
               "at most " + std::to_string(kMostOfSide / n) + " where n is " + std::to_string(n) +
                   " (projections may have at most 2^28 entries)");
}

} // namespace

template <class T>
Linformer<T> linformer(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                       MatrixView<const T> e, MatrixView<const T> f,
                       const LinformerOptions& options, const Run& run) {
  if (options.causal)
    throw Error(ErrorCode::Unsupported, "causal",
                "causal is true; Linformer is not defined for causal masks, since E mixes all "
                "positions");
  checkInput(Lengths{q.rows, k.rows, 0}, q, k, v);
  checkSide("E", e, e.rows, k.rows);
  checkSide("F", f, e.rows, k.rows);
  Linformer<T> result;
  result.projectedKeys = product(e, k);
  result.projectedValues = product(f, v);
  result.out = denseSoftmaxAttention(q, std::as_const(result.projectedKeys).view(),
                                     std::as_const(result.projectedValues).view(),
                                     scoringOf(options, q.cols), options.threads, run);
  return result;
}

Matrix<double> drawLinformer(Index k, Index n, std::uint64_t seed, LinformerSide side) {
  checkDrawn(k, n);
  const philox::Stream stream{seed, philox::Purpose::Linformer, static_cast<std::uint32_t>(side)};
  const double root = std::sqrt(static_cast<double>(k));
  Matrix<double> m(k, n);
  for (Index i = 0; i < k * n; ++i)
    m.data()[i] = philox::normal(stream, static_cast<std::uint64_t>(i)) / root;
  return m;
}

template Linformer<float> linformer(MatrixView<const float>, MatrixView<const float>,
                                    MatrixView<const float>, MatrixView<const float>,
                                    MatrixView<const float>, const LinformerOptions&, const Run&);
template Linformer<double> linformer(MatrixView<const double>, MatrixView<const double>,
                                     MatrixView<const double>, MatrixView<const double>,
                                     MatrixView<const double>, const LinformerOptions&, const Run&);

} // namespace attention
