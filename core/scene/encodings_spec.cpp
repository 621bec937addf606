#include "core/scene/encodings_spec.h"

#include "core/support/error.h"

#include <algorithm>

namespace attention {
namespace {

void requireSide(const char* name, Index value) {
  if (value < 1 || value > kMostEncodingSide)
    throwRange(name, std::to_string(value),
               "an integer from 1 to " + std::to_string(kMostEncodingSide));
}

} // namespace

AxialShape axialShape(const EncodingsSpec& spec) {
  requireSide("encodings.l1", spec.l1);
  requireSide("encodings.l2", spec.l2);
  requireSide("encodings.d1", spec.d1);
  requireSide("encodings.d2", spec.d2);
  AxialShape shape;
  shape.l1 = spec.l1;
  shape.l2 = spec.l2;
  shape.d1 = spec.d1;
  shape.d2 = spec.d2;
  shape.n = spec.n;
  shape.reading = spec.reading;
  shape.truncate = spec.n.has_value();
  check(shape);
  if (spec.position < 0)
    throwRange("encodings.position", std::to_string(spec.position), "an integer of at least 0");
  return shape;
}

Index gridOf(const EncodingsSpec& spec) {
  const auto side = [](Index of) { return std::clamp<Index>(of, 1, kMostEncodingSide); };
  return side(spec.l1) * side(spec.l2);
}

Index positionsOf(const EncodingsSpec& spec) {
  const Index grid = gridOf(spec);
  return std::clamp<Index>(spec.n.value_or(grid), 1, grid);
}

Index positionOf(const EncodingsSpec& spec) {
  return std::clamp<Index>(spec.position, 0, positionsOf(spec) - 1);
}

} // namespace attention
