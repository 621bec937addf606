// Kinds of kernels and dense approximations: kernel_attention, features, linformer. T is the
// precision under test.
#include "core/verify/kinds.h"

#include "core/analysis/metrics.h"
#include "core/attention/dense_softmax.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/features/projection.h"
#include "core/attention/kernel.h"
#include "core/attention/linformer.h"
#include "core/support/error.h"

#include <cmath>

namespace attention {
namespace {

template <class T>
struct Qkv {
  explicit Qkv(const CaseFile& file)
      : q(file.input<T>("Q")), k(file.input<T>("K")), v(file.input<T>("V")) {}
  MatrixView<const T> qView() const { return q.view(); }
  MatrixView<const T> kView() const { return k.view(); }
  MatrixView<const T> vView() const { return v.view(); }

  Matrix<T> q, k, v;
};

bool booleanField(const CaseJson& json, const std::string& name, bool fallback) {
  const auto at = json.find(name);
  if (at == json.end() || at->is_null())
    return fallback;
  if (!at->is_boolean())
    throw Error(ErrorCode::Type, name, name + " is " + at->dump() + "; it must be true or false");
  return at->get<bool>();
}

Stabilize stabilizeOf(const CaseJson& json) {
  if (!isGiven(json, "stabilize"))
    return Stabilize::Off;
  if (json["stabilize"].is_boolean())
    return json["stabilize"].get<bool>() ? Stabilize::Reference : Stabilize::Off;
  return stabilizeNamed(textField(json, "stabilize"));
}

FeatureOptions featureOptionsOf(const CaseJson& json) {
  FeatureOptions options;
  options.map = featureMapNamed(textField(json, "features"));
  options.stabilize = stabilizeOf(json);
  if (isGiven(json, "eps"))
    options.eps = numberOf("eps", json["eps"]);
  if (isGiven(json, "scale_inputs"))
    options.scaleInputs = booleanField(json, "scale_inputs", true);
  return options;
}

Matrix<double> drawnProjection(const CaseJson& json, Index d) {
  const CaseJson& of = field(json, "projection");
  Projection projection{projectionNamed(textField(of, "kind")), normsNamed(textField(of, "norms")),
                        integerField(json, "m"), d, field(of, "seed").get<std::uint64_t>()};
  return drawProjection(projection);
}

// W as the case gives it, compared with the draw of its seed to 1e-12 (S15); empty without one.
Matrix<double> projectionOf(const CaseFile& file, Index d, Comparison& compare) {
  const CaseJson& json = file.json();
  const bool hasW = field(json, "inputs").contains("W");
  const bool hasSeed = isGiven(json, "projection");
  if (!hasW)
    return hasSeed ? drawnProjection(json, d) : Matrix<double>();
  Matrix<double> w = file.input<double>("W");
  if (hasSeed) {
    Comparison exact({1e-12, 1e-12});
    exact.numbers<double>("W", drawnProjection(json, d).values(),
                          file.array(field(json, "inputs"), "W"));
    if (!exact.passed())
      compare.fail(exact.message());
  }
  return w;
}

} // namespace

template <class T>
void verifyKernelAttention(const CaseFile& file, Comparison& compare) {
  const auto pattern = prepare(file.pattern(file.json()), lengthsOf(file.json()), file.run());
  const Qkv<T> in(file);
  KernelOptions options;
  options.kernel = kernelNamed(textField(file.json(), "kernel"));
  options.normalized = booleanField(file.json(), "normalized", true);
  const KernelAttention<T> result =
      kernelAttention(*pattern, in.qView(), in.kView(), in.vView(), options, file.run());
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "out")
      compare.numbers<T>(name, result.out.values(), file.array(file.expected(), name));
    else if (name == "flagged")
      compare.integers(name, result.flagged(), value);
    else if (name == "denominators")
      compare.numbers<T>(name, result.denominators, value);
    else
      return false;
    return true;
  });
}

template <class T>
void verifyFeatures(const CaseFile& file, Comparison& compare) {
  const CaseJson& json = file.json();
  const Qkv<T> in(file);
  const FeatureOptions options = featureOptionsOf(json);
  const Matrix<double> w = projectionOf(file, in.q.cols(), compare);
  const LinearOptions linear{booleanField(json, "causal", false),
                             booleanField(json, "normalized", true), 0};
  const KernelAttention<T> result =
      featureAttention(in.qView(), in.kView(), in.vView(), w, options, linear, file.run());
  const auto features = [&](MatrixView<const T> x, FeatureRole role) {
    return featureMatrix(featuresOf(x, w, options, role)).values();
  };
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "Qf")
      compare.numbers<T>(name, features(in.qView(), FeatureRole::Query),
                         file.array(file.expected(), name));
    else if (name == "Kf")
      compare.numbers<T>(name, features(in.kView(), FeatureRole::Key),
                         file.array(file.expected(), name));
    else if (name == "out")
      compare.numbers<T>(name, result.out.values(), file.array(file.expected(), name));
    else if (name == "denominators")
      compare.numbers<T>(name, result.denominators, value);
    else if (name == "flagged")
      compare.integers(name, result.flagged(), value);
    else
      return false;
    return true;
  });
}

template <class T>
void verifyLinformer(const CaseFile& file, Comparison& compare) {
  const Qkv<T> in(file);
  const Matrix<T> e = file.input<T>("E");
  const Matrix<T> f = file.input<T>("F");
  LinformerOptions options;
  options.causal = booleanField(file.json(), "causal", false);
  const Matrix<T> out =
      linformer<T>(in.qView(), in.kView(), in.vView(), e.view(), f.view(), options, file.run()).out;
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "out")
      compare.numbers<T>(name, out.values(), file.array(file.expected(), name));
    else if (name == "error_vs_full") {
      const double scale = 1 / std::sqrt(static_cast<double>(in.q.cols()));
      const OutputError error = outputError(
          out, denseSoftmaxAttention(in.qView(), in.kView(), in.vView(), {scale}, 0, file.run()));
      compare.number("relative_frobenius", error.relativeFrobenius,
                     field(value, "relative_frobenius"));
      compare.number("max_abs", error.maxAbs, field(value, "max_abs"));
    } else
      return false;
    return true;
  });
}

template void verifyKernelAttention<float>(const CaseFile&, Comparison&);
template void verifyKernelAttention<double>(const CaseFile&, Comparison&);
template void verifyFeatures<float>(const CaseFile&, Comparison&);
template void verifyFeatures<double>(const CaseFile&, Comparison&);
template void verifyLinformer<float>(const CaseFile&, Comparison&);
template void verifyLinformer<double>(const CaseFile&, Comparison&);

} // namespace attention
