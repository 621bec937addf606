#include "core/views/board/board_figure.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace attention {
namespace {

// Units of the diagram; columns have their widths in them.
constexpr double kLine = kBoardLine; // height of a line, as of the headings
constexpr double kFittedLine = 5.4;  // where columns are as wide as their words need
constexpr double kLeastLine = 4;
constexpr double kHighLine = 9;  // of few such lines
constexpr double kMostLine = 16; // where there is room
constexpr double kMostCell = 14; // width of a cell with a number
constexpr std::size_t kFewLines = 9;
constexpr double kNumber = 13;       // beside a bar, for its number
constexpr double kBar = 7;           // at most, where the column is as wide as its words need
constexpr double kGap = 1.8;         // at the right of a column
constexpr double kBeforeStrip = 1.2; // more, between a number and the strip of another quantity
constexpr std::size_t kNumbered = 4; // numbers of a strip up to which they are written
constexpr double kNarrow = 2.6;      // width of a cell with none, at most
constexpr double kLetter = 1.8;      // width of words, per letter
constexpr double kBold = 1.1;        // times that, of headings
constexpr std::size_t kLeastLetters = 3;
constexpr double kShare = 0.8;         // of a line that a strip or a bar fills
constexpr double kRoom = 0.9;          // of a cell, for its number
constexpr double kWordLine = 3.8;      // line whose type has letters of that width
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

// As short as a cell is; what would need a power of ten is next to nothing.
std::string cellText(double value) {
  return value != 0 && std::abs(value) < 1e-3 ? "≈ 0" : readableNumber(value);
}

// Characters of UTF-8, of which bytes from 0x80 to 0xBF continue one.
std::size_t lettersOf(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

double lineOf(const Board& board, double room) {
  if (room > 0)
    return std::clamp(room / static_cast<double>(board.lines.size() + 1), kLeastLine, kMostLine);
  if (board.columns.empty() || board.columns.front().width > 0)
    return kLine;
  return board.lines.size() <= kFewLines ? kHighLine : kFittedLine;
}

// Steps from 1 to the number of steps, which stands for all.
Index countedStep(const Board& board, Index step) {
  const Index count = std::ssize(board.steps);
  return step <= 0 || step > count ? count : step;
}

// Where columns and lines lie.
struct BoardGrid {
  BoardGrid(const Board& board, const BoardLook& look) : line(lineOf(board, look.room.height)) {
    const Index step = countedStep(board, look.step);
    for (std::size_t c = 0; c < board.columns.size(); ++c)
      place(board, c, board.columns[c].step <= step);
    widen(board, look.room.width);
    for (std::size_t c = 0; c < board.columns.size(); ++c) {
      lefts.push_back(width);
      width += widths[c] + gaps[c];
    }
    width = std::max(width, look.room.width);
  }
  double line;
  std::vector<double> widths; // without the gaps at their right; 0: it is left out
  std::vector<double> gaps;
  std::vector<double> cells; // of strips
  std::vector<double> bars;  // the longest; 0: none
  std::vector<double> lefts;
  double width = 0;

  // On the way to another grid of the same board over the same place.
  void moveTo(const BoardGrid& other, double t) {
    const double scale = other.width / width;
    const auto move = [&](double& from, double to) { from = scale * from * (1 - t) + to * t; };
    const auto moveAll = [&](std::vector<double>& from, const std::vector<double>& to) {
      for (std::size_t c = 0; c < from.size(); ++c)
        move(from[c], to[c]);
    };
    move(line, other.line);
    moveAll(widths, other.widths);
    moveAll(gaps, other.gaps);
    moveAll(cells, other.cells);
    moveAll(bars, other.bars);
    moveAll(lefts, other.lefts);
    width = other.width;
  }

private:
  static double wordsOf(std::size_t letters) {
    return kLetter * static_cast<double>(std::max(letters, kLeastLetters));
  }

  // Strips and bars take what the room has more than words need.
  void widen(const Board& board, double room) {
    const auto stretches = [&](std::size_t c) {
      return board.columns[c].strip ? widths[c] : bars[c];
    };
    double all = 0;
    double stretching = 0;
    for (std::size_t c = 0; c < board.columns.size(); ++c) {
      all += widths[c] + gaps[c];
      stretching += stretches(c);
    }
    if (room <= all || stretching == 0)
      return;
    const double times = 1 + (room - all) / stretching;
    for (std::size_t c = 0; c < board.columns.size(); ++c) {
      widths[c] += (times - 1) * stretches(c);
      bars[c] *= times;
      cells[c] = std::min(cells[c] * times, std::max(kMostCell, cells[c]));
    }
  }

  // Strips of few numbers take less than their column's width, or more to write them.
  void place(const Board& board, std::size_t c, bool shown) {
    if (!shown) {
      for (auto* all : {&widths, &gaps, &cells, &bars})
        all->push_back(0);
      return;
    }
    const BoardColumn& of = board.columns[c];
    std::size_t numbers = 0; // of a strip
    std::size_t letters = 0;
    std::size_t inCells = 0; // letters of a strip's numbers
    bool bar = false;
    for (const BoardLine& line : board.lines) {
      const BoardCell& cell = line.cells[c];
      const std::string& note = c == 0 ? line.note : std::string();
      letters = std::max(letters, lettersOf(cell.text) + (note.empty() ? 0 : lettersOf(note) + 1));
      numbers = std::max(numbers, cell.strip.size());
      if (cell.strip.size() <= kNumbered)
        for (const double number : cell.strip)
          inCells = std::max(inCells, lettersOf(cellText(number)));
      bar = bar || cell.bar.has_value();
    }
    const bool written = numbers > 0 && numbers <= kNumbered;
    const bool fitted = of.width == 0;
    const double heading = kBold * wordsOf(lettersOf(of.heading));
    double most = fitted ? std::max(wordsOf(letters) + (bar ? kBar : 0), heading) : of.width - kGap;
    double cell = kNarrow;
    if (of.strip && numbers > 0) {
      cell = written ? wordsOf(inCells) / kRoom
                     : std::min(kNarrow, most / static_cast<double>(numbers));
      most = std::max(cell * static_cast<double>(numbers), heading);
    }
    const bool beforeStrip =
        !of.strip && c + 1 < board.columns.size() && board.columns[c + 1].strip;
    widths.push_back(most);
    gaps.push_back(kGap + (c > 0 && beforeStrip ? kBeforeStrip : 0));
    cells.push_back(cell);
    bars.push_back(!bar ? 0 : fitted ? kBar : most - kNumber);
  }
};

// Whatever the step, shades mean the same.
class BoardDiagram {
public:
  // `coming`: the share that is shown of what stands there only after step `last`.
  BoardDiagram(const Board& board, Index step, BoardGrid grid, Index last, double coming)
      : board_(boardAt(board, step)), grid_(std::move(grid)), last_(last), coming_(coming) {
    mark_.width = grid_.width;
    for (std::size_t c = 0; c < board.columns.size(); ++c)
      for (std::size_t k = 0; k < board.lines.size(); ++k) {
        const BoardCell& cell = board.lines[k].cells[c];
        double& top = tops_[{c, shadesOf(k, c)}];
        top = std::max(top, largestOf(shortened(cell.strip)));
        fullBar_ = std::max(fullBar_, cell.bar.value_or(0));
      }
  }

  DiagramMark make() {
    const double line = grid_.line;
    mark_.height = line * static_cast<double>(board_.lines.size() + 1);
    for (std::size_t c = 0; c < board_.columns.size(); ++c)
      if (widthOf(c) > 0)
        addText({xOf(c), line / 2}, board_.columns[c].heading, c,
                {true, true, true, board_.columns[c].step > last_ ? coming_ : 1});
    for (std::size_t row = 0; row < board_.lines.size(); ++row)
      addLine(row, line * static_cast<double>(row + 1));
    for (auto& [look, boxes] : boxes_) {
      const auto& [hue, tint] = look;
      mark_.fills.push_back(
          {std::move(boxes), hue, static_cast<double>(tint) / kTints, WordsOn::Text});
    }
    return std::move(mark_);
  }

private:
  double widthOf(std::size_t column) const { return grid_.widths[column]; }
  bool isNumber(std::size_t column) const { return column > 0 && !board_.columns[column].strip; }
  // Where words of a column stand: numbers to its right, others to its left.
  double xOf(std::size_t column) const {
    return grid_.lefts[column] + (isNumber(column) ? widthOf(column) : 0);
  }

  // Strips of a column that are shaded alike have the same number.
  int shadesOf(std::size_t line, std::size_t column) const {
    return board_.columns[column].byLine ? -1 - static_cast<int>(line) : board_.lines[line].shades;
  }

  struct Look {
    bool bold = false;
    bool dim = false;
    bool heading = false;
    double share = 1;
  };

  double shareOf(std::size_t line, std::size_t column) const {
    return stepOf(board_, line, column) > last_ ? coming_ : 1;
  }

  void addText(const Point& at, const std::string& text, std::size_t column, const Look& look) {
    if (text.empty())
      return;
    const TextAlign align = isNumber(column) ? TextAlign::Right : TextAlign::Left;
    DiagramText words{at, text, align, look.bold, look.dim};
    words.room = widthOf(column) - (isNumber(column) && !look.heading ? grid_.bars[column] : 0);
    shrink(words, column, look.share);
    mark_.texts.push_back(std::move(words));
  }

  // Columns that are as wide as their words need have words of one size; words that come or go are
  // dim and smaller.
  void shrink(DiagramText& words, std::size_t column, double share = 1) const {
    const BoardColumn& of = board_.columns[column];
    words.line = of.width == 0 || of.strip ? std::min(kWordLine, grid_.line) : grid_.line;
    words.line *= share;
    words.dim = words.dim || share < 1;
    words.shrinks = true;
  }

  void fill(const Box& box, std::size_t hue, double tint) {
    const int level = static_cast<int>(std::lround(std::clamp(tint, 0.0, 1.0) * kTints));
    if (level > 0)
      boxes_[{hue, level}].push_back(box);
  }

  void addLine(std::size_t row, double y) {
    const BoardLine& line = board_.lines[row];
    const double high = grid_.line;
    if (line.lit)
      mark_.fills.insert(mark_.fills.begin(), // below strips
                         {{{0, y, mark_.width, high}}, kBarHue, kLitTint, WordsOn::Text});
    if (line.ruled)
      mark_.lines.push_back({{{0, y}, {mark_.width, y}}});
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      const BoardCell& cell = line.cells[c];
      const double share = shareOf(row, c);
      if (cell.bar)
        addBar(c, y, *cell.bar * share);
      if (!cell.strip.empty())
        addStrip({grid_.lefts[c], y}, c, shortened(cell.strip),
                 {tops_.at({c, shadesOf(row, c)}), share});
      addText({xOf(c), y + high / 2}, cell.text, c, {line.strong, line.dim, false, share});
    }
    addNote(line.note, y + high / 2);
  }

  // At the right end of the column of names.
  void addNote(const std::string& note, double y) {
    if (note.empty())
      return;
    DiagramText words{{widthOf(0), y}, note, TextAlign::Right, false, true};
    words.room = kLetter * static_cast<double>(lettersOf(note));
    shrink(words, 0);
    mark_.texts.push_back(std::move(words));
  }

  void addBar(std::size_t column, double y, double share) {
    const double width = std::max(share, 0.0) / fullBar_ * grid_.bars[column];
    if (width > 0)
      fill({grid_.lefts[column], y + grid_.line * (1 - kShare) / 2, width, grid_.line * kShare},
           kBarHue, kBarTint);
  }

  struct StripLook {
    double top = 0;   // the number with the full shade
    double share = 1; // of the shades
  };

  void addStrip(const Point& at, std::size_t column, const std::vector<double>& strip,
                const StripLook& look) {
    const double top = look.top;
    const double line = grid_.line;
    const double cell =
        std::min(grid_.cells[column], widthOf(column) / static_cast<double>(strip.size()));
    for (std::size_t c = 0; c < strip.size(); ++c) {
      const double x = at.x + cell * static_cast<double>(c);
      const double share = !std::isfinite(strip[c]) ? 1 : top > 0 ? std::abs(strip[c]) / top : 0;
      fill({x, at.y + line * (1 - kShare) / 2, cell, line * kShare},
           strip[c] < 0 ? kNegativeHue : kPositiveHue, look.share * kMostTint * share);
      if (strip.size() <= kNumbered)
        addNumber({x + cell / 2, at.y + line / 2}, strip[c], column, kRoom * cell, look.share);
    }
  }

  void addNumber(const Point& at, double number, std::size_t column, double room, double share) {
    DiagramText words{at, cellText(number)};
    words.align = TextAlign::Center;
    words.room = room;
    shrink(words, column, share);
    mark_.texts.push_back(std::move(words));
  }

  Board board_;
  BoardGrid grid_;
  std::map<std::pair<std::size_t, int>, double> tops_; // of a column's strips shaded alike, by size
  double fullBar_ = 0;
  Index last_;
  double coming_;
  std::map<std::pair<std::size_t, int>, std::vector<Box>> boxes_; // by hue and tint
  DiagramMark mark_;
};

// How the number of a cell came about, else what stands there.
std::string wordsAt(const Board& board, std::size_t line, std::size_t column) {
  const std::vector<BoardCell>& cells = board.lines[line].cells;
  if (std::string trace = traceOf(board, line, column); !trace.empty())
    return trace;
  if (column == 0 || cells[column].text.empty())
    return cells.front().text;
  return cells.front().text + ", " + board.columns[column].heading + ": " + cells[column].text;
}

std::vector<PlaceWords> wordsOf(const Board& board, const BoardLook& look) {
  const BoardGrid grid(board, look);
  const Board now = boardAt(board, look.step);
  std::vector<PlaceWords> all;
  for (std::size_t line = 0; line < now.lines.size(); ++line)
    for (std::size_t c = 0; c < now.columns.size(); ++c)
      if (std::string words = wordsAt(now, line, c); !words.empty() && grid.widths[c] > 0)
        all.push_back({{grid.lefts[c], grid.line * static_cast<double>(line + 1),
                        grid.widths[c] + grid.gaps[c], grid.line},
                       std::move(words)});
  return all;
}

} // namespace

Size leastBoardSize(const Board& board, Index step) {
  const BoardGrid grid(board, {step, {}});
  return {grid.width, kLeastLine * static_cast<double>(board.lines.size() + 1)};
}

Plot boardPlot(const Board& board, const BoardLook& look) {
  const Index step = countedStep(board, look.step);
  Plot plot{BoardDiagram(board, step, BoardGrid(board, look), step, 1).make(), std::nullopt,
            std::nullopt};
  plot.told = [of = std::make_shared<const Board>(board), look] { return wordsOf(*of, look); };
  return plot;
}

Plot boardBetween(const Board& board, const BoardChange& change, double t) {
  const Index from = countedStep(board, change.from.step);
  const Index to = countedStep(board, change.to.step);
  if (t <= 0 || t >= 1)
    return boardPlot(board, t <= 0 ? change.from : change.to);
  BoardGrid grid(board, change.from);
  grid.moveTo(BoardGrid(board, change.to), t);
  return {BoardDiagram(board, std::max(from, to), std::move(grid), std::min(from, to),
                       to > from ? t : 1 - t)
              .make(),
          std::nullopt, std::nullopt};
}

std::optional<BoardPlace> boardPlaceAt(const Board& board, const Point& units,
                                       const BoardLook& look) {
  const BoardGrid grid(board, look);
  const double line = std::floor((units.y - grid.line) / grid.line);
  if (!(line >= 0 && line < static_cast<double>(board.lines.size())) || units.x < 0 ||
      units.x >= grid.width)
    return std::nullopt;
  const auto after = std::upper_bound(grid.lefts.begin(), grid.lefts.end(), units.x);
  return BoardPlace{static_cast<std::size_t>(line),
                    static_cast<std::size_t>(after - grid.lefts.begin()) - 1};
}

std::optional<std::size_t> boardHeadingAt(const Board& board, const Point& units) {
  const BoardGrid grid(board, {});
  if (units.y < 0 || units.y >= grid.line || units.x < 0 || units.x >= grid.width)
    return std::nullopt;
  const auto after = std::upper_bound(grid.lefts.begin(), grid.lefts.end(), units.x);
  return static_cast<std::size_t>(after - grid.lefts.begin()) - 1;
}

Figure boardFigure(const Board& board, FigureTheme theme, Index step) {
  Figure figure;
  figure.title = board.title;
  figure.caption = stepCounter(std::ssize(board.steps), step) + boardAt(board, step).formula;
  FigurePanel panel;
  const auto whole = std::get<DiagramMark>(boardPlot(board).mark);
  panel.plots.push_back(boardPlot(board, {step, {whole.width, whole.height}}));
  figure.panels.push_back(std::move(panel));
  figure.theme = theme;
  return figure;
}

} // namespace attention
