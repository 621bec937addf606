#include "core/model/rotation_table.h"

#include <cassert>
#include <cmath>

namespace attention {

// Angles in double: at float precision, position 10⁵ would be off by 10⁻² of a turn.
RotationTable::RotationTable(const Rotation& rotation, Index positions)
    : cosines_(positions, rotation.width / 2), sines_(positions, rotation.width / 2) {
  assert(static_cast<Index>(rotation.frequencies.size()) == rotation.width / 2);
  for (Index p = 0; p < positions; ++p)
    for (Index i = 0; i < cosines_.cols(); ++i) {
      const double angle =
          static_cast<double>(p) * rotation.frequencies[static_cast<std::size_t>(i)];
      cosines_(p, i) = static_cast<float>(std::cos(angle) * rotation.factor);
      sines_(p, i) = static_cast<float>(std::sin(angle) * rotation.factor);
    }
}

void RotationTable::turn(std::span<float> head, Index position) const {
  const Index half = cosines_.cols();
  assert(2 * half <= std::ssize(head) && position < cosines_.rows());
  const float* c = cosines_.view().row(position).data();
  const float* s = sines_.view().row(position).data();
  float* low = head.data();
  float* high = low + half;
  for (Index i = 0; i < half; ++i) {
    const float x = low[i];
    const float y = high[i];
    low[i] = x * c[i] - y * s[i];
    high[i] = y * c[i] + x * s[i];
  }
}

} // namespace attention
