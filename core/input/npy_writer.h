// Writes .npy files (format 1.0, little-endian, C order, header padded to 64 bytes), which NumPy
// reads back without options. Large arrays are produced row by row and never held whole. Small ones
// go together into .npz archives.
#pragma once

#include "core/support/integers.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace attention {

// The most cells of a mask written as .npy (command line contract, 'Limits').
constexpr Index kMaxMaskCells = Index{1} << 32;

// Element types by C++ type; bool masks are passed as bytes 0 and 1.
//   std::uint8_t → '|b1', float → '<f4', double → '<f8', std::int32_t → '<i4',
//   std::int64_t → '<i8'.
// `fill(row, values)` sets row `row` out of the product of all axes except the last; `values` has
// the length of the last axis and is zero on entry. Replaces `path` only by a complete file (E_IO);
// Stopped leaves the old one. E_RANGE: a mask of more than 2^32 cells.
template <class T>
void writeNpyRows(const std::filesystem::path& path, std::span<const Index> shape,
                  const std::function<void(Index row, std::span<T> values)>& fill,
                  const Run& run = {});

// Writes the array `values` of `shape` in C order, as many numbers as the shape has.
template <class T>
void writeNpy(const std::filesystem::path& path, std::span<const Index> shape,
              std::span<const T> values);

template <class T>
void writeNpy(const std::filesystem::path& path, const Matrix<T>& matrix) {
  const Index shape[] = {matrix.rows(), matrix.cols()};
  writeNpy<T>(path, shape, std::span<const T>(matrix.values()));
}

// Writes .npz archives, which NumPy reads back with numpy.load: a .npy member per array, stored
// without compression.

struct NpzMember {
  std::string name; // without .npy
  std::string bytes;
};

// Replaces `path` only by a complete archive. E_IO.
void writeNpz(const std::filesystem::path& path, std::span<const NpzMember> members);

// A .npy file in memory: T as above; without a shape the single value.
template <class T>
std::string npyBytes(std::span<const Index> shape, std::span<const T> values);

} // namespace attention
