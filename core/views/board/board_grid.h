// Where columns and lines of a board lie in its picture, in units of the diagram. Board figures are
// drawn on it.
#pragma once

#include "core/views/board/board_figure.h"

#include <cstddef>
#include <string>
#include <vector>

namespace attention {

constexpr double kBoardGap = 1.8; // at the right of a column, at most
// Of a strip, up to which they are written; with more than half of them, with two digits each.
constexpr std::size_t kMostStripNumbers = 8;
constexpr std::size_t kFewStripNumbers = 4;
constexpr std::size_t kMostStripRows = 4;    // of a matrix
constexpr double kBoardLetter = 1.8;         // width of words, per letter
constexpr std::size_t kMostStripCells = 64;  // with more, means are drawn
constexpr std::size_t kMostNarrowCells = 16; // of a strip that made room, likewise
constexpr double kStripShare = 0.8;          // of a line that a strip or a bar fills
constexpr double kOfStripCell = 0.9;         // of its width, for its number
constexpr double kNarrowType = 0.72; // times the type, of the heading of a column that made room

// Whether the numbers of a strip are written where its column is, and as which text.
bool writesNumbers(const BoardCell& cell);
std::string stripText(double value, std::size_t numbersInRow);

// Steps from 1 to the number of steps, which stands for all.
Index countedStep(const Board& board, Index step);

// Where a column lies. Between two pictures all is in between.
struct ColumnPlace {
  double left = 0;
  double width = 0; // without the gap at its right; 0: it is left out
  double gap = 0;
  double cell = 0;   // of a strip
  double bar = 0;    // the longest; 0: none
  double shaded = 0; // 0: its numbers are written, 1: they are shades
  double narrow = 0; // 1: it made room
};

struct BoardGrid {
  BoardGrid(const Board& board, const BoardLook& look);

  // On the way to another grid of the same board over the same place.
  void moveTo(const BoardGrid& other, double t);

  double topOf(std::size_t row) const { return line * before[row]; }
  double heightOf(std::size_t row) const { return line * shown[row]; }
  double height() const { return topOf(shown.size()); }

  std::vector<ColumnPlace> columns;
  std::vector<double> shown;  // of each line: 1, or 0 where all of its numbers are left out
  std::vector<double> before; // of each line, and of the end: those above it, with the headings
  double line = 0;
  double width = 0;

private:
  void countLines();
};

} // namespace attention
