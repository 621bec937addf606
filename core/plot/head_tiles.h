// The heads of a model side by side as small matrices: a row per layer, a column per head, or rows
// of heads where there is one layer.
#pragma once

#include "core/plot/mask_color.h"
#include "core/support/matrix.h"

#include <memory>
#include <string>
#include <vector>

namespace attention {

struct HeadTile {
  std::shared_ptr<const Matrix<float>> values; // by pixel, query rows; null: not yet there
  float top = 1;                               // the end of its ramp
  std::string note;                            // below it, where there is room
  bool chosen = false;
};

struct TilesMark {
  Index columns = 1;
  std::vector<HeadTile> tiles;       // row by row; the last row may be short
  std::vector<std::string> rowNames; // "layer 3"; or empty
  std::string columnName;            // "head": of each with its number; empty: without names
  double cellAspect = 1;             // of a matrix: rows per column
  bool dense = false;                // no words between rows, which are as near as columns
  Ramp ramp = Ramp::Weights;

  Index rows() const { return ceilDiv(static_cast<Index>(tiles.size()), columns); }
  // Rows that are many times the columns stand side by side in so many groups, which use the room
  // of a page better.
  Index groups() const;
  Index rowsOfGroup() const { return ceilDiv(rows(), groups()); }
};

} // namespace attention
