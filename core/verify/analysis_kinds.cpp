// Kinds about approximations and encodings: moments (S7.4), low_rank (S8), axial (S11).
#include "core/verify/kinds.h"

#include "core/analysis/feature_moments.h"
#include "core/analysis/low_rank.h"
#include "core/encoding/axial.h"
#include "core/support/error.h"

namespace attention {
namespace {

std::vector<double> vectorField(const CaseJson& json, const std::string& name) {
  std::vector<double> list;
  for (const CaseJson& item : listField(json, name))
    list.push_back(numberOf(name, item));
  return list;
}

AxialShape axialShapeOf(const CaseJson& json) {
  AxialShape shape;
  shape.l1 = integerField(json, "l1");
  shape.l2 = integerField(json, "l2");
  shape.d1 = integerField(json, "d1");
  shape.d2 = integerField(json, "d2");
  shape.n = integerField(json, "n");
  shape.reading = axialReadingNamed(textField(json, "reading"));
  const CaseJson& truncate = field(json, "truncate");
  if (!truncate.is_boolean())
    throw Error(ErrorCode::Type, "truncate",
                "truncate is " + truncate.dump() + "; it must be true or false");
  shape.truncate = truncate.get<bool>();
  return shape;
}

} // namespace

void verifyMoments(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json())) {
    const Estimator estimator{featureMapNamed(textField(item, "estimator")),
                              projectionNamed(textField(item, "projection")),
                              normsNamed(textField(item, "norms"))};
    const Moments moments = estimatorMoments(estimator, vectorField(item, "x"),
                                             vectorField(item, "y"), integerField(item, "m"));
    compare.number("softmax_kernel", moments.kernel, field(item, "softmax_kernel"));
    compare.number("mean", moments.mean, field(item, "mean"));
    compare.number("variance", moments.variance, field(item, "variance"));
    compare.number("mse", moments.mse, field(item, "mse"));
  }
}

void verifyLowRank(const CaseFile& file, Comparison& compare) {
  const std::vector<double> values = singularValues(file.input<double>("A"));
  const RankErrors errors = rankErrors(values);
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "singular_values")
      compare.numbers<double>(name, values, value);
    else if (name == "best_error_frobenius_by_rank")
      compare.numbers<double>(name, errors.frobenius, value);
    else if (name == "best_error_spectral_by_rank")
      compare.numbers<double>(name, errors.spectral, value);
    else
      return false;
    return true;
  });
}

template <class T>
void verifyAxial(const CaseFile& file, Comparison& compare) {
  const AxialShape shape = axialShapeOf(file.json());
  const Matrix<T> e1 = file.input<T>("E1");
  const Matrix<T> e2 = file.input<T>("E2");
  const Matrix<T> encoding = axialEncoding<T>(shape, e1.view(), e2.view());
  const AxialParameters parameters = axialParameters(shape);
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "E")
      compare.numbers<T>(name, encoding.values(), file.array(file.expected(), name));
    else if (name == "parameters") {
      compare.integer("axial", parameters.axial, field(value, "axial"));
      compare.integer("full", parameters.full, field(value, "full"));
    } else
      return false;
    return true;
  });
}

template void verifyAxial<float>(const CaseFile&, Comparison&);
template void verifyAxial<double>(const CaseFile&, Comparison&);

} // namespace attention
