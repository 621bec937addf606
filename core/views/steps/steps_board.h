// A query's steps as they stand on a board: a line for each key, tile or sum, a column for each
// step, with numbers, strips of numbers and bars. Pictures and printed lists are made of it.
#pragma once

#include "core/views/steps/steps_answer.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

struct BoardCell {
  std::string text;
  std::vector<double> strip = {}; // numbers side by side, shaded by size
  std::optional<double> bar = {}; // a share, drawn beside the column's largest
  bool operator==(const BoardCell&) const = default;
};

struct BoardColumn {
  std::string heading;
  double width = 1;   // units of the picture
  bool strip = false; // of strips
};

struct BoardLine {
  std::vector<BoardCell> cells; // one for each column
  bool dim = false;             // a key that is forbidden, others together
  bool strong = false;          // a sum, a result
  bool ruled = false;           // a rule above it
  int shades = 0;               // strips of one column and number are shaded alike
};

struct StepsBoard {
  std::string title;
  std::string formula; // with the numbers put in
  std::vector<BoardColumn> columns;
  std::vector<BoardLine> lines;
};

// `tokens` are the keys' labels, or empty.
StepsBoard stepsBoard(const StepsAnswer& answer, std::span<const std::string> tokens);

// "output": the numbers of a strip, as many as are read at a glance.
std::string numbersText(std::span<const double> numbers, std::size_t most);

} // namespace attention
