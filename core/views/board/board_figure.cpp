#include "core/views/board/board_figure.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace attention {
namespace {

// Units of the diagram; columns have their widths in them.
constexpr double kLine = 5;            // height of a line, as of the headings
constexpr double kNumber = 11.5;       // beside a bar, for its number
constexpr double kGap = 1.8;           // at the right of a column
constexpr std::size_t kNumbered = 4;   // numbers of a strip up to which they are written
constexpr double kCell = 7.6;          // of such a strip
constexpr double kNarrow = 2.6;        // of others, at most
constexpr double kLetter = 1.2;        // of a heading
constexpr double kShare = 0.8;         // of a line that a strip or a bar fills
constexpr double kRoom = 0.9;          // of a cell, for its number
constexpr std::size_t kMostCells = 64; // of a strip: with more, means are drawn
constexpr double kMostTint = 0.8;      // of a hue
constexpr int kTints = 16;             // that are told apart
constexpr std::size_t kPositiveHue = 0;
constexpr std::size_t kNegativeHue = 1;
constexpr std::size_t kBarHue = 2;
constexpr double kBarTint = 0.45;
constexpr double kLitTint = 0.15;

// At most kMostCells numbers: the means of stretches of equal length but for one.
std::vector<double> shortened(const std::vector<double>& strip) {
  if (strip.size() <= kMostCells)
    return strip;
  std::vector<double> means;
  for (std::size_t cell = 0; cell < kMostCells; ++cell) {
    const std::size_t begin = strip.size() * cell / kMostCells;
    const std::size_t end = strip.size() * (cell + 1) / kMostCells;
    double sum = 0;
    for (std::size_t c = begin; c < end; ++c)
      sum += strip[c];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  return means;
}

double largestOf(const std::vector<double>& strip) {
  double most = 0;
  for (const double x : strip)
    most = std::max(most, std::isfinite(x) ? std::abs(x) : 0.0);
  return most;
}

double cellOf(std::size_t numbers) {
  return numbers <= kNumbered ? kCell : kNarrow;
}

// Strips of few numbers take less than their column's width, or more to write them.
double takenBy(const Board& board, std::size_t column) {
  std::size_t most = 0; // numbers
  for (const BoardLine& line : board.lines)
    most = std::max(most, line.cells[column].strip.size());
  const BoardColumn& of = board.columns[column];
  if (!of.strip)
    return of.width;
  const double cells = cellOf(most) * static_cast<double>(most);
  const double least = kLetter * static_cast<double>(of.heading.size());
  return std::max(most <= kNumbered ? cells : std::min(cells, of.width - kGap), least) + kGap;
}

// Where columns and lines lie.
struct BoardGrid {
  explicit BoardGrid(const Board& board) {
    for (std::size_t c = 0; c < board.columns.size(); ++c) {
      widths.push_back(takenBy(board, c));
      lefts.push_back(width);
      width += widths.back();
    }
  }
  std::vector<double> widths;
  std::vector<double> lefts;
  double width = 0;
};

// Whatever the step, columns lie where all of the board needs them, and shades mean the same.
class BoardDiagram {
public:
  BoardDiagram(const Board& board, Index step, std::optional<Index> row)
      : board_(boardAt(board, step)), grid_(board), row_(row) {
    mark_.width = grid_.width;
    for (std::size_t c = 0; c < board.columns.size(); ++c)
      for (const BoardLine& line : board.lines) {
        double& top = tops_[{c, line.shades}];
        top = std::max(top, largestOf(shortened(line.cells[c].strip)));
        fullBar_ = std::max(fullBar_, line.cells[c].bar.value_or(0));
      }
  }

  DiagramMark make() {
    mark_.height = kLine * static_cast<double>(board_.lines.size() + 1);
    for (std::size_t c = 0; c < board_.columns.size(); ++c)
      addText({xOf(c), kLine / 2}, board_.columns[c].heading, c, true, true);
    for (std::size_t row = 0; row < board_.lines.size(); ++row)
      addLine(board_.lines[row], kLine * static_cast<double>(row + 1));
    for (auto& [look, boxes] : boxes_) {
      const auto& [hue, tint] = look;
      mark_.fills.push_back(
          {std::move(boxes), hue, static_cast<double>(tint) / kTints, WordsOn::Text});
    }
    return std::move(mark_);
  }

private:
  double widthOf(std::size_t column) const { return grid_.widths[column] - kGap; }
  bool isNumber(std::size_t column) const { return column > 0 && !board_.columns[column].strip; }
  // Where words of a column stand: numbers to its right, others to its left.
  double xOf(std::size_t column) const {
    return grid_.lefts[column] + (isNumber(column) ? widthOf(column) : 0);
  }

  void addText(const Point& at, const std::string& text, std::size_t column, bool bold, bool dim) {
    if (text.empty())
      return;
    DiagramText words{at, text, isNumber(column) ? TextAlign::Right : TextAlign::Left, bold, dim};
    words.room = widthOf(column);
    words.line = kLine;
    words.shrinks = true;
    mark_.texts.push_back(std::move(words));
  }

  void fill(const Box& box, std::size_t hue, double tint) {
    const int level = static_cast<int>(std::lround(std::clamp(tint, 0.0, 1.0) * kTints));
    boxes_[{hue, level}].push_back(box);
  }

  void addLine(const BoardLine& line, double y) {
    if (line.row && line.row == row_)
      mark_.fills.insert(mark_.fills.begin(), // below strips
                         {{{0, y, mark_.width, kLine}}, kBarHue, kLitTint, WordsOn::Text});
    if (line.ruled)
      mark_.lines.push_back({{{0, y}, {mark_.width, y}}});
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      const BoardCell& cell = line.cells[c];
      if (cell.bar)
        addBar(c, y, *cell.bar);
      if (!cell.strip.empty())
        addStrip({grid_.lefts[c], y}, widthOf(c), shortened(cell.strip),
                 tops_.at({c, line.shades}));
      addText({xOf(c), y + kLine / 2}, cell.text, c, line.strong, line.dim);
    }
  }

  void addBar(std::size_t column, double y, double share) {
    const double width = std::max(share, 0.0) / fullBar_ * (widthOf(column) - kNumber);
    if (width > 0)
      fill({grid_.lefts[column], y + kLine * (1 - kShare) / 2, width, kLine * kShare}, kBarHue,
           kBarTint);
  }

  void addStrip(const Point& at, double width, const std::vector<double>& strip, double top) {
    const double cell = std::min(cellOf(strip.size()), width / static_cast<double>(strip.size()));
    for (std::size_t c = 0; c < strip.size(); ++c) {
      const double x = at.x + cell * static_cast<double>(c);
      const double share = !std::isfinite(strip[c]) ? 1 : top > 0 ? std::abs(strip[c]) / top : 0;
      fill({x, at.y + kLine * (1 - kShare) / 2, cell, kLine * kShare},
           strip[c] < 0 ? kNegativeHue : kPositiveHue, kMostTint * share);
      if (strip.size() <= kNumbered)
        addNumber({x + cell / 2, at.y + kLine / 2}, strip[c], kRoom * cell);
    }
  }

  void addNumber(const Point& at, double number, double room) {
    DiagramText words{at, cellText(number)};
    words.align = TextAlign::Center;
    words.room = room;
    words.line = kLine;
    words.shrinks = true;
    mark_.texts.push_back(std::move(words));
  }

  // As short as a cell is; what would need a power of ten is next to nothing.
  static std::string cellText(double value) {
    return value != 0 && std::abs(value) < 1e-3 ? "≈ 0" : readableNumber(value);
  }

  Board board_;
  BoardGrid grid_;
  std::optional<Index> row_;                           // its line is lit
  std::map<std::pair<std::size_t, int>, double> tops_; // of a column's strips shaded alike, by size
  double fullBar_ = 0;
  std::map<std::pair<std::size_t, int>, std::vector<Box>> boxes_; // by hue and tint
  DiagramMark mark_;
};

} // namespace

Plot boardPlot(const Board& board, Index step, std::optional<Index> row) {
  return {BoardDiagram(board, step, row).make(), std::nullopt, std::nullopt};
}

std::optional<BoardPlace> boardPlaceAt(const Board& board, const Point& units) {
  const BoardGrid grid(board);
  const double line = std::floor((units.y - kLine) / kLine);
  if (!(line >= 0 && line < static_cast<double>(board.lines.size())) || units.x < 0 ||
      units.x >= grid.width)
    return std::nullopt;
  const auto after = std::upper_bound(grid.lefts.begin(), grid.lefts.end(), units.x);
  return BoardPlace{static_cast<std::size_t>(line),
                    static_cast<std::size_t>(after - grid.lefts.begin()) - 1};
}

std::optional<std::size_t> boardHeadingAt(const Board& board, const Point& units) {
  const BoardGrid grid(board);
  if (units.y < 0 || units.y >= kLine || units.x < 0 || units.x >= grid.width)
    return std::nullopt;
  const auto after = std::upper_bound(grid.lefts.begin(), grid.lefts.end(), units.x);
  return static_cast<std::size_t>(after - grid.lefts.begin()) - 1;
}

Figure boardFigure(const Board& board, FigureTheme theme, Index step, std::optional<Index> row) {
  Figure figure;
  figure.title = board.title;
  figure.caption = boardAt(board, step).formula;
  FigurePanel panel;
  panel.plots.push_back(boardPlot(board, step, row));
  figure.panels.push_back(std::move(panel));
  figure.theme = theme;
  return figure;
}

} // namespace attention
