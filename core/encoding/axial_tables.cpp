#include "core/encoding/axial_tables.h"

#include "core/support/philox.h"

#include <cmath>

namespace attention {
namespace {

constexpr double kPeriodBase = 10000; // Vaswani et al. 2017, section 3.5

Matrix<double> normalTable(Index rows, Index cols, std::uint64_t seed, std::uint32_t sub) {
  const philox::Stream stream{seed, philox::Purpose::Data, sub};
  Matrix<double> table(rows, cols);
  for (Index x = 0; x < rows * cols; ++x)
    table.data()[x] = philox::normal(stream, static_cast<std::uint64_t>(x));
  return table;
}

Matrix<double> sinusoidalTable(Index rows, Index cols) {
  Matrix<double> table(rows, cols);
  for (Index c = 0; c < cols; ++c) {
    const double share = static_cast<double>(c - c % 2) / static_cast<double>(cols);
    const double frequency = std::pow(kPeriodBase, -share);
    for (Index r = 0; r < rows; ++r) {
      const double angle = static_cast<double>(r) * frequency;
      table(r, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return table;
}

} // namespace

AxialTablePair axialTables(const AxialShape& shape, AxialTables kind, std::uint64_t seed) {
  if (kind == AxialTables::Sinusoidal)
    return {sinusoidalTable(shape.l1, shape.d1), sinusoidalTable(shape.l2, shape.d2)};
  return {normalTable(shape.l1, shape.d1, seed, 0), normalTable(shape.l2, shape.d2, seed, 1)};
}

} // namespace attention
