// Matrices made of tables' rows, such as axial encodings, as pixels: each pixel is the mean of its
// numbers (as a mask's pixel is the share of its cells), so that no row stands for others.
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

#include <memory>
#include <span>

namespace attention {

constexpr Index kMostPixelRows = 1024;
constexpr Index kMostPixelColumns = 512;

// A table in a virtual matrix: from column `from` on, row j of the matrix has row ⌊j / each⌋ mod l
// of the table.
struct TablePart {
  const Matrix<float>& table;
  Index each = 1;
  Index from = 0;
};

// At most the given rows and columns of pixels. The matrix is never held: a row of pixels takes
// O(min(l, its rows) · pixels) per part. Parts cover all columns. Stopped.
std::shared_ptr<const Matrix<float>> pixelMeans(Index rows, Index cols,
                                                std::span<const TablePart> parts, const Run& run);

} // namespace attention
