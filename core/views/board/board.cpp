#include "core/views/board/board.h"

#include <algorithm>

namespace attention {
namespace {

// Among the numbers of strips.
bool hasNegative(const Board& board) {
  return std::any_of(board.lines.begin(), board.lines.end(), [](const BoardLine& line) {
    return std::any_of(line.cells.begin(), line.cells.end(), [](const BoardCell& cell) {
      return std::any_of(cell.strip.begin(), cell.strip.end(), [](double x) { return x < 0; });
    });
  });
}

} // namespace

Board boardAt(const Board& board, Index step) {
  Board shown = board;
  if (step <= 0 || step > std::ssize(board.steps))
    return shown;
  const BoardStep& last = board.steps[static_cast<std::size_t>(step - 1)];
  shown.formula = last.name + ": " + last.formula;
  for (std::size_t k = 0; k < shown.lines.size(); ++k)
    for (std::size_t c = 0; c < board.columns.size(); ++c)
      if (stepOf(board, k, c) > step)
        shown.lines[k].cells[c] = {};
  return shown;
}

Index stepOf(const Board& board, std::size_t line, std::size_t column) {
  return std::max(board.lines[line].step, column == 0 ? 0 : board.columns[column].step);
}

std::string stepCounter(Index count, Index step) {
  if (count < 2)
    return {};
  return step <= 0 || step > count
             ? "All " + std::to_string(count) + " steps. "
             : "Step " + std::to_string(step) + " of " + std::to_string(count) + ". ";
}

std::string sentenceAt(const Board& board, Index step, bool counted) {
  const Board shown = boardAt(board, step);
  std::string said =
      (counted ? stepCounter(std::ssize(board.steps), step) : std::string()) + shown.formula;
  if (hasNegative(shown))
    said += (said.empty() ? "" : ". ") + std::string("Blue is positive, orange negative");
  return said;
}

std::string traceOf(const Board& board, std::size_t line, std::size_t column) {
  const std::vector<BoardCell>& cells = board.lines[line].cells;
  std::string trace;
  for (std::size_t c = 0; c <= column && c < cells.size(); ++c)
    if (!cells[c].why.empty())
      trace += (trace.empty() ? "" : "\n") + cells[c].why;
  return trace;
}

} // namespace attention
