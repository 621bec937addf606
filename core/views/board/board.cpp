#include "core/views/board/board.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace attention {

namespace {

Board withoutColumns(const Board& board, int rank) {
  Board less = board;
  const auto keep = [&](auto& of) {
    auto kept = of;
    kept.clear();
    for (std::size_t c = 0; c < of.size(); ++c)
      if (board.columns[c].rank < rank)
        kept.push_back(of[c]);
    of = std::move(kept);
  };
  keep(less.columns);
  for (BoardLine& line : less.lines)
    keep(line.cells);
  return less;
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
  if (count == 0)
    return {};
  return step <= 0 || step > count
             ? "All " + std::to_string(count) + " steps. "
             : "Step " + std::to_string(step) + " of " + std::to_string(count) + ". ";
}

std::vector<Board> narrowerBoards(const Board& board) {
  std::set<int, std::greater<>> ranks;
  for (const BoardColumn& column : board.columns)
    if (column.rank > 0)
      ranks.insert(column.rank);
  std::vector<Board> boards{board};
  for (const int rank : ranks)
    boards.push_back(withoutColumns(board, rank));
  return boards;
}

std::vector<std::string> headingsLeftOut(const Board& full, const Board& narrow) {
  std::vector<std::string> headings;
  std::size_t kept = 0;
  for (const BoardColumn& column : full.columns)
    if (kept < narrow.columns.size() && narrow.columns[kept].heading == column.heading)
      ++kept;
    else
      headings.push_back(column.heading);
  return headings;
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
