#include "core/views/board/board.h"

#include <algorithm>

namespace attention {

Board boardAt(const Board& board, Index step) {
  Board shown = board;
  if (step <= 0 || step > std::ssize(board.steps))
    return shown;
  const BoardStep& last = board.steps[static_cast<std::size_t>(step - 1)];
  shown.formula = "Step " + std::to_string(step) + " of " + std::to_string(board.steps.size()) +
                  ". " + last.name + ": " + last.formula;
  for (BoardLine& line : shown.lines)
    for (std::size_t c = 0; c < line.cells.size(); ++c)
      if (std::max(line.step, c == 0 ? 0 : board.columns[c].step) > step)
        line.cells[c] = {};
  return shown;
}

Board withoutExtras(const Board& board) {
  Board less = board;
  const auto keep = [&](auto& of) {
    auto kept = of;
    kept.clear();
    for (std::size_t c = 0; c < of.size(); ++c)
      if (!board.columns[c].extra)
        kept.push_back(of[c]);
    of = std::move(kept);
  };
  keep(less.columns);
  for (BoardLine& line : less.lines)
    keep(line.cells);
  return less;
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
