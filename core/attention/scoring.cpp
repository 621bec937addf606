#include "core/attention/scoring.h"

#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attention {
namespace {

void requireFinite(const char* name, double value) {
  if (!std::isfinite(value))
    throw Error(ErrorCode::NonFinite, name,
                std::string(name) + " is " + (std::isnan(value) ? "NaN" : "infinite") +
                    "; it must be a finite number");
}

} // namespace

double Scoring::operator()(double product) const {
  const double u = scale * product;
  return softcap ? *softcap * std::tanh(u / *softcap) : u;
}

template <class T>
void scoreProducts(std::span<T> products, const Scoring& scoring) {
  const auto scale = static_cast<T>(scoring.scale);
  for (T& x : products)
    x *= scale;
  if (scoring.softcap)
    capRow<T>(products, static_cast<T>(std::clamp(
                            *scoring.softcap, static_cast<double>(std::numeric_limits<T>::min()),
                            static_cast<double>(std::numeric_limits<T>::max()))));
}

template void scoreProducts(std::span<float>, const Scoring&);
template void scoreProducts(std::span<double>, const Scoring&);

Scoring scoringOf(const std::optional<double>& scale, const std::optional<double>& softcap,
                  Index d) {
  const Scoring scoring{scale.value_or(1.0 / std::sqrt(static_cast<double>(d))), softcap};
  requireFinite("scale", scoring.scale);
  if (!softcap)
    return scoring;
  requireFinite("softcap", *softcap);
  if (!(*softcap > 0))
    throwRange("softcap", shortest(*softcap), "a number above 0");
  return scoring;
}

ScaleFactors scaleFactors(const std::optional<double>& scale, Index d) {
  if (!scale)
    return {};
  const double ofBoth = *scale * std::sqrt(static_cast<double>(d));
  const double each = std::sqrt(std::abs(ofBoth));
  return {std::copysign(each, ofBoth), each};
}

} // namespace attention
