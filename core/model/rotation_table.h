// Rotary positions (Su et al., arXiv 2104.09864): at position p the numbers i and i + width / 2 of
// a head are turned by p · frequencies[i], both times `factor`.
#pragma once

#include "core/model/model.h"
#include "core/support/matrix.h"

#include <span>

namespace attention {

// Cosines and sines of all positions, times the factor.
class RotationTable {
public:
  RotationTable() = default;
  RotationTable(const Rotation& rotation, Index positions);

  bool empty() const { return cosines_.rows() == 0; }
  // One head at a position, in place; numbers from the rotation's width on stay.
  void turn(std::span<float> head, Index position) const;

private:
  Matrix<float> cosines_; // positions × width / 2
  Matrix<float> sines_;
};

} // namespace attention
