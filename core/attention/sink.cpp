#include "core/attention/sink.h"

#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {

template <class T>
T withSink(T lse, double sink) {
  const auto s = static_cast<T>(sink);
  return std::max(lse, s) + std::log1p(std::exp(-std::abs(lse - s)));
}

template <class T>
T sinkAs(double sink) {
  if (sink > static_cast<double>(std::numeric_limits<T>::max()))
    throw Error(ErrorCode::NonFinite, "sink",
                "sink is " + shortest(sink) +
                    ", beyond float32; it must be at most 3.4·10³⁸ (or use float64)");
  return static_cast<T>(std::max(sink, static_cast<double>(std::numeric_limits<T>::lowest())));
}

template <>
void addSink(std::span<float> lse, float sink) {
  addLog(lse, sink);
}
template <>
void addSink(std::span<double> lse, double sink) {
  for (double& keys : lse)
    keys = withSink(keys, sink);
}

template float withSink(float, double);
template double withSink(double, double);
template float sinkAs(double);
template double sinkAs(double);

} // namespace attention
