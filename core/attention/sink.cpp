#include "core/attention/sink.h"

#include <algorithm>
#include <cmath>

namespace attention {

template <class T>
T withSink(T lse, double sink) {
  const auto s = static_cast<T>(sink);
  return std::max(lse, s) + std::log1p(std::exp(-std::abs(lse - s)));
}

template <class T>
void addSink(MatrixView<T> out, std::span<T> lse, double sink) {
  for (std::size_t i = 0; i < lse.size(); ++i) {
    const T keys = lse[i];
    lse[i] = withSink(keys, sink);
    const T kept = std::exp(keys - lse[i]);
    for (T& o : out.row(static_cast<Index>(i)))
      o *= kept;
  }
}

template float withSink(float, double);
template double withSink(double, double);
template void addSink(MatrixView<float>, std::span<float>, double);
template void addSink(MatrixView<double>, std::span<double>, double);

} // namespace attention
