#include "core/figure/ramp_image.h"

#include <optional>

namespace attention {

Image rampImage(const Matrix<float>& values, const RampScale& scale, const Run& run) {
  Image image{static_cast<int>(values.cols()), static_cast<int>(values.rows()), {}};
  image.pixels.reserve(values.values().size());
  std::optional<float> last; // neighbours are often equal
  for (Index row = 0; row < values.rows(); ++row) {
    run.check();
    for (const float value : values.view().row(row)) {
      image.pixels.push_back(last == value
                                 ? image.pixels.back()
                                 : rampColor(scale.ramp, static_cast<double>(value),
                                             static_cast<double>(scale.top), scale.theme));
      last = value;
    }
  }
  return image;
}

} // namespace attention
