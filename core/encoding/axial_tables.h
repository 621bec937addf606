// The contents of the tables of axial encodings (axial.h), which a model learns.
#pragma once

#include "core/encoding/axial.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace attention {

enum class AxialTables {
  Normal,    // N(0, 1) from the streams (seed, Data, 0) and (seed, Data, 1): as before training
  Sinusoidal // sines and cosines of the row's number (Vaswani et al. 2017, section 3.5)
};
// In their order.
constexpr std::array<std::string_view, 2> kAxialTablesNames{"normal", "sinusoidal"};

struct AxialTablePair {
  Matrix<double> e1; // l1 × d1
  Matrix<double> e2; // l2 × d2
};
// The seed is that of normal tables.
AxialTablePair axialTables(const AxialShape& shape, AxialTables kind, std::uint64_t seed);

} // namespace attention
