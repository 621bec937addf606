#include "core/model/rows.h"

#include "core/attention/activation_rows.h"
#include "core/attention/vector_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attention {
namespace {

// x ← factor · x · w, then + b where there is one.
void scaleRow(const Norm& norm, float factor, std::span<float> x) {
  const float* weight = norm.weight.data();
  for (std::size_t c = 0; c < x.size(); ++c)
    x[c] = factor * x[c] * weight[c];
  if (norm.bias.empty())
    return;
  const float* bias = norm.bias.data();
  for (std::size_t c = 0; c < x.size(); ++c)
    x[c] += bias[c];
}

} // namespace

void normalizeRow(const Norm& norm, const NormRule& rule, std::span<float> x) {
  assert(norm.weight.size() == x.size());
  const auto count = static_cast<double>(x.size());
  if (rule.kind == NormKind::Layer) {
    const auto mean = static_cast<float>(sumOfRow<float>(x) / count);
    for (float& value : x)
      value -= mean;
  }
  const double square = squaredLength<float>(x, 1.0F) / count;
  scaleRow(norm, static_cast<float>(1 / std::sqrt(square + rule.epsilon)), x);
}

void normalizeRows(const Norm& norm, const NormRule& rule, MatrixView<const float> x,
                   MatrixView<float> y, const Run& run) {
  forRows(x.rows, run, [&](Index i) {
    if (x.data != y.data)
      std::copy_n(x.row(i).data(), x.cols, y.row(i).data());
    if (!norm.empty())
      normalizeRow(norm, rule, y.row(i));
  });
}

void activate(Activation activation, std::span<float> x, std::span<const float> y) {
  switch (activation) {
  case Activation::Silu:
    return siluRow(x, y);
  case Activation::Gelu:
    return geluRow(x, y);
  case Activation::GeluTanh:
    return geluTanhRow(x, y);
  case Activation::Relu:
    return reluRow(x, y);
  }
}

} // namespace attention
