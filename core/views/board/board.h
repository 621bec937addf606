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
  std::vector<double> strip = {};   // numbers side by side, shaded by size
  std::optional<double> bar = {};   // a share, drawn beside the column's largest
  std::string why = {};             // how it came about, with the numbers put in
  std::size_t rows = 1;             // of a strip: a matrix has several, one below the other
  std::optional<double> value = {}; // shaded by size where its column has no room for the text
  bool operator==(const BoardCell&) const = default;
};

struct BoardColumn {
  std::string heading;
  double width = 0;       // units of the picture; 0: as its words need
  bool strip = false;     // of strips
  Index step = 0;         // that writes it, from 1; 0: what is there before
  Index last = 0;         // the last step that computes with it; 0: all do
  std::string brief = {}; // its heading where it is narrow; none: the same
  bool byLine = false;    // every strip has shades of its own: their sizes differ too much for one
  bool lit = false;       // its ground is coloured
  bool passing = false;   // it stands only in the picture of the step that writes it
  int rank = 0;           // the highest is left out first where room is scarce; 0: none of it
};

struct BoardLine {
  std::vector<BoardCell> cells;  // one for each column
  bool dim = false;              // a key that is forbidden, others together
  bool strong = false;           // a sum, a result
  bool ruled = false;            // a rule above it
  int shades = 0;                // strips of one column and number are shaded alike
  Index step = 0;                // that writes it, at the earliest
  std::optional<Index> row = {}; // what it is of: a key, a head
  std::string note = {};         // beside its name: "pinned"
  bool lit = false;              // its ground is coloured: the sentences follow it
  bool pinned = false;           // likewise, in another colour
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
// The step that writes a cell, at the earliest; 0: it is there before.
Index stepOf(const Board& board, std::size_t line, std::size_t column);
// "Step 2 of 9. ", or "All 9 steps. " for 0 and more than there are; nothing where there is but
// one.
std::string stepCounter(Index count, Index step);
// What stands below its picture after a step: the counter unless something else counts, the formula
// of boardAt, and what the colours of strips mean where some number is negative.
std::string sentenceAt(const Board& board, Index step, bool counted = true);

// How the cell came about, from the first quantity of its line on, a line of text for each.
std::string traceOf(const Board& board, std::size_t line, std::size_t column);

} // namespace attention
