// Matrices made of tables' rows, such as axial encodings, as pixels: each is the mean of its
// numbers, as pixels of masks are the share of their cells, so that no row stands for others.
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

#include <memory>
#include <span>

namespace attention {

constexpr Index kMostPixelRows = 1024;
constexpr Index kMostPixelColumns = 512;

// A table in a matrix that is not held: from column `from` on, row j of the matrix has row
// ⌊j / each⌋ mod l of the table.
struct TablePart {
  const Matrix<float>& table;
  Index each = 1;
  Index from = 0;
};

// At most so many rows and columns of pixels. The matrix is not held: a row of pixels takes
// O(least(l, its rows) · pixels) of each part. Parts cover all columns. Stopped.
std::shared_ptr<const Matrix<float>> pixelMeans(Index rows, Index cols,
                                                std::span<const TablePart> parts, const Run& run);

} // namespace attention
