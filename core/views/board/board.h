// Numbers as they stand on a board: a line for each key, tile, head or sum, a column for each
// quantity, with numbers, strips of numbers and bars. Pictures and printed lists are made of it.
#pragma once

#include "core/support/integers.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct BoardCell {
  std::string text;
  std::vector<double> strip = {}; // numbers side by side, shaded by size
  std::optional<double> bar = {}; // a share, drawn beside the column's largest
  std::string why = {};           // how it came about, with the numbers put in
  bool operator==(const BoardCell&) const = default;
};

struct BoardColumn {
  std::string heading;
  double width = 1;   // units of the picture
  bool strip = false; // of strips
  Index step = 0;     // that writes it, from 1; 0: what is there before
  bool extra = false; // left out where there is little room
};

struct BoardLine {
  std::vector<BoardCell> cells;  // one for each column
  bool dim = false;              // a key that is forbidden, others together
  bool strong = false;           // a sum, a result
  bool ruled = false;            // a rule above it
  int shades = 0;                // strips of one column and number are shaded alike
  Index step = 0;                // that writes it, at the earliest
  std::optional<Index> row = {}; // what it is of: a key, a head
};

struct BoardStep {
  std::string name;    // "Dot products"
  std::string formula; // with the numbers of one key put in
};

struct Board {
  std::string title;
  std::string formula; // of all steps, with the numbers put in
  std::vector<BoardColumn> columns;
  std::vector<BoardLine> lines;
  std::vector<BoardStep> steps; // in their order
};

// The board as it stands after a step, with that step's formula: cells of later steps are empty.
// 0, and more steps than there are: all.
Board boardAt(const Board& board, Index step);
// Without what is left out where there is little room.
Board withoutExtras(const Board& board);

// How the cell came about, from the first quantity of its line on, a line of text for each.
std::string traceOf(const Board& board, std::size_t line, std::size_t column);

} // namespace attention
