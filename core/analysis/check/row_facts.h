// What the derivation of candidates reads of a mask, gathered in one pass over its rows. Used only
// by identify().
#pragma once

#include "core/pattern/row_runs.h"

#include <optional>
#include <vector>

namespace attention {

// First and last key of a row; −1 where it has none.
struct RowEnds {
  Index first = -1;
  Index last = -1;
};

struct RowFacts {
  Index n = 0;
  bool any = false;      // a cell attends
  bool future = false;   // one with j > i does
  bool everySelf = true; // i attends to i
  bool hasEmptyRow = false;
  Index back = 0;  // the largest i − j; may be negative
  Index ahead = 0; // the largest j − i
  Index step = 0;  // the greatest common divisor of all i − j
  std::vector<RowEnds> ends;
  std::vector<Index> starts;        // of documents: rows that do not attend to the one before
  std::vector<Index> fullRows;      // all keys, or where nothing is in the future all up to i
  std::vector<Index> fullColumns;   // likewise all rows, or those from j on
  std::vector<Index> fullDiagonals; // offsets i − j ≥ 0 of which all cells attend
  Runs firstRow;
  Runs lastRow;
};

RowFacts rowFacts(const Prepared& mask, const Run& run);

} // namespace attention
