#include "core/attention/sink.h"

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
void addSink(MatrixView<T> out, std::span<T> lse, double sink) {
  if (sink > static_cast<double>(std::numeric_limits<T>::max()))
    throw Error(ErrorCode::NonFinite, "sink",
                "sink is " + shortest(sink) +
                    ", beyond float32; it must be at most 3.4·10³⁸ (or use float64)");
  const auto s =
      static_cast<T>(std::max(sink, static_cast<double>(std::numeric_limits<T>::lowest())));
  for (std::size_t i = 0; i < lse.size(); ++i) {
    const T keys = lse[i];
    const T smaller = std::exp(-std::abs(keys - s)); // the smaller term relative to the larger one
    lse[i] = std::max(keys, s) + std::log1p(smaller);
    const T kept = (keys >= s ? T{1} : smaller) / (1 + smaller);
    for (T& o : out.row(static_cast<Index>(i)))
      o *= kept;
  }
}

template float withSink(float, double);
template double withSink(double, double);
template void addSink(MatrixView<float>, std::span<float>, double);
template void addSink(MatrixView<double>, std::span<double>, double);

} // namespace attention
