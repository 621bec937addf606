#include "core/views/board/board_figure.h"

#include "core/support/text.h"
#include "core/views/board/board_grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace attention {
namespace {

constexpr double kWordLine = 3.8; // line whose type has letters of kBoardLetter
// Lower rows of a matrix have no numbers.
constexpr double kLeastRow = 2.4;
constexpr int kTints = 16; // of a hue, that are told apart
constexpr std::size_t kPositiveHue = 0;
constexpr std::size_t kNegativeHue = 1;
constexpr std::size_t kBarHue = 2;
constexpr std::size_t kPinnedHue = 5;
constexpr double kBarTint = 0.75; // of the strongest
constexpr double kBarGap = 0.8;   // between a bar and its number
constexpr double kLitTint = 0.25; // likewise, of a line
constexpr double kLitColumnTint = 0.13;
constexpr double kLowLines = 1.3; // times the least height, where a file is small
// Units of the width of a figure in a file: in a wider one columns make room.
constexpr double kMostFigureWidth = 280;

double largestOf(const std::vector<double>& strip) {
  double most = 0;
  for (const double x : strip)
    most = std::max(most, std::isfinite(x) ? std::abs(x) : 0.0);
  return most;
}

// A matrix of a strip's numbers, in rows.
struct StripCells {
  std::vector<double> numbers;
  std::size_t rows = 1;
  std::size_t columns() const { return numbers.size() / rows; }
};

// Means of stretches of equal length but for one, where there are more than `most` in a row.
StripCells shortened(const BoardCell& cell, std::size_t most) {
  const std::size_t columns = cell.strip.size() / cell.rows;
  if (columns <= most)
    return {cell.strip, cell.rows};
  StripCells means{{}, cell.rows};
  for (std::size_t row = 0; row < cell.rows; ++row)
    for (std::size_t at = 0; at < most; ++at) {
      const std::size_t begin = columns * at / most;
      const std::size_t end = columns * (at + 1) / most;
      double sum = 0;
      for (std::size_t c = begin; c < end; ++c)
        sum += cell.strip[row * columns + c];
      means.numbers.push_back(sum / static_cast<double>(end - begin));
    }
  return means;
}

// Whatever the step, shades mean the same.
class BoardDiagram {
public:
  // `coming`: the share that is shown of what stands there only after step `last`.
  BoardDiagram(const Board& board, Index step, BoardGrid grid, Index last, double coming)
      : board_(boardAt(board, step)), grid_(std::move(grid)), step_(step), last_(last),
        coming_(coming) {
    mark_.width = grid_.width;
    for (std::size_t c = 0; c < board.columns.size(); ++c)
      for (std::size_t k = 0; k < board.lines.size(); ++k) {
        const BoardCell& cell = board.lines[k].cells[c];
        double& top = tops_[{c, shadesOf(k, c)}];
        top = std::max(top, largestOf(shortened(cell, kMostStripCells).numbers));
        largest_[c] = std::max(largest_[c], std::abs(cell.value.value_or(0)));
        fullBar_ = std::max(fullBar_, cell.bar.value_or(0));
      }
  }

  DiagramMark make() {
    mark_.height = grid_.height();
    for (std::size_t c = 0; c < board_.columns.size(); ++c)
      addHeading(c, grid_.line / 2);
    for (std::size_t c = 0; c < board_.columns.size(); ++c)
      if (board_.columns[c].lit && placeOf(c).width > 0)
        mark_.fills.push_back({{{placeOf(c).left, 0, placeOf(c).width, mark_.height}},
                               kBarHue,
                               kLitColumnTint,
                               WordsOn::Shade});
    for (std::size_t row = 0; row < board_.lines.size(); ++row)
      if (grid_.shown[row] > 0)
        addLine(row);
    for (auto& [look, boxes] : boxes_) {
      const auto& [hue, tint] = look;
      mark_.fills.push_back(
          {std::move(boxes), hue, static_cast<double>(tint) / kTints, WordsOn::Shade});
    }
    return std::move(mark_);
  }

private:
  const ColumnPlace& placeOf(std::size_t column) const { return grid_.columns[column]; }
  bool isNumber(std::size_t column) const { return column > 0 && !board_.columns[column].strip; }
  bool isNarrow(std::size_t column) const { return placeOf(column).narrow >= 1; }
  // Bars stand behind their numbers.
  double widthOfNumber(std::size_t column) const {
    return placeOf(column).width - placeOf(column).bar;
  }

  // Strips of a column that are shaded alike have the same number.
  int shadesOf(std::size_t line, std::size_t column) const {
    return board_.columns[column].byLine ? -1 - static_cast<int>(line) : board_.lines[line].shades;
  }

  struct Look {
    bool bold = false;
    bool dim = false;
    double share = 1;
  };

  double shareOf(std::size_t line, std::size_t column) const {
    return stepOf(board_, line, column) > last_ ? coming_ : 1;
  }

  // Over its numbers; over the middle of a column that made room.
  void addHeading(std::size_t c, double y) {
    const ColumnPlace& place = placeOf(c);
    const BoardColumn& of = board_.columns[c];
    if (place.width <= 0)
      return;
    const std::string& heading = isNarrow(c) && !of.brief.empty() ? of.brief : of.heading;
    DiagramText words{{place.left, y}, heading, TextAlign::Left, true, true};
    words.room = of.width == 0 ? widthOfNumber(c) : place.width;
    if (isNarrow(c)) {
      words.at.x += place.width / 2;
      words.align = TextAlign::Center;
      words.room = place.width + place.gap / 2;
    } else if (isNumber(c)) {
      words.at.x += words.room;
      words.align = TextAlign::Right;
    }
    shrink(words, c, of.step > last_ ? coming_ : 1);
    if (isNarrow(c)) // in one size
      words.line *= kNarrowType;
    mark_.texts.push_back(std::move(words));
  }

  void addText(double y, const std::string& text, std::size_t column, const Look& look) {
    const ColumnPlace& place = placeOf(column);
    if (text.empty() || place.width <= 0 || look.share <= 0)
      return;
    DiagramText words{{place.left, y}, text, TextAlign::Left, look.bold, look.dim};
    words.room = place.width;
    if (isNumber(column)) {
      words.room = widthOfNumber(column);
      words.at.x += words.room;
      words.align = TextAlign::Right;
    }
    if (board_.columns[column].passing) {
      constexpr double kSlack = 1e-6; // of a width that is a whole number of letters
      words.text = cutToLetters(text, static_cast<std::size_t>(words.room / kBoardLetter + kSlack));
    }
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

  void addGround(std::size_t row) {
    const BoardLine& line = board_.lines[row];
    const double y = grid_.topOf(row);
    if (line.lit || line.pinned)
      mark_.fills.insert(mark_.fills.begin(), // below strips
                         {{{0, y, mark_.width, grid_.heightOf(row)}},
                          line.pinned ? kPinnedHue : kBarHue,
                          kLitTint,
                          WordsOn::Shade});
    if (line.ruled && line.step <= step_)
      mark_.lines.push_back({{{0, y}, {mark_.width, y}}});
  }

  void addLine(std::size_t row) {
    const BoardLine& line = board_.lines[row];
    const double middle = grid_.topOf(row) + grid_.heightOf(row) / 2;
    addGround(row);
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      const BoardCell& cell = line.cells[c];
      const double share = shareOf(row, c) * grid_.shown[row];
      if (placeOf(c).width <= 0)
        continue;
      if (cell.bar && placeOf(c).bar > 0)
        addBar(c, bandOf(row, c), *cell.bar * share);
      if (!cell.strip.empty())
        addStrip(bandOf(row, c), c, cell, {tops_.at({c, shadesOf(row, c)}), share});
      else if (cell.value)
        addShade(c, bandOf(row, c), *cell.value, placeOf(c).shaded * share);
      const double written = isNumber(c) ? 1 - placeOf(c).shaded : 1;
      addText(middle, cell.text, c, {line.strong, line.dim, written * share});
    }
    addNote(line.note, middle);
  }

  // At the right end of the column of names.
  void addNote(const std::string& note, double y) {
    if (note.empty())
      return;
    DiagramText words{{placeOf(0).width, y}, note, TextAlign::Right, false, true};
    words.room = kBoardLetter * static_cast<double>(lettersOf(note));
    shrink(words, 0);
    mark_.texts.push_back(std::move(words));
  }

  // Where strips and bars lie in a cell.
  Box bandOf(std::size_t row, std::size_t column) const {
    const double high = grid_.heightOf(row);
    return {placeOf(column).left, grid_.topOf(row) + high * (1 - kStripShare) / 2,
            placeOf(column).width, high * kStripShare};
  }

  void addBar(std::size_t column, Box band, double share) {
    const double most = placeOf(column).bar - kBarGap;
    band.x = band.right() - most;
    band.width = std::max(share, 0.0) / fullBar_ * most;
    if (band.width > 0 && most > 0)
      fill(band, kBarHue, kBarTint);
  }

  // In place of a number that has no room.
  void addShade(std::size_t column, const Box& band, double value, double share) {
    const double top = largest_.at(column);
    if (top > 0)
      fill(band, value < 0 ? kNegativeHue : kPositiveHue, share * std::abs(value) / top);
  }

  struct StripLook {
    double top = 0;   // the number with the full shade
    double share = 1; // of the shades
  };

  void addStrip(const Box& band, std::size_t column, const BoardCell& of, const StripLook& look) {
    const ColumnPlace& place = placeOf(column);
    const StripCells strip = shortened(of, place.narrow > 0 ? kMostNarrowCells : kMostStripCells);
    const std::size_t columns = strip.columns();
    const double cell = std::min(place.cell, place.width / static_cast<double>(columns));
    const double high = band.height / static_cast<double>(strip.rows);
    const bool written =
        writesNumbers(of) && place.shaded < 1 && (of.rows == 1 || high >= kLeastRow);
    for (std::size_t k = 0; k < strip.numbers.size(); ++k) {
      const double number = strip.numbers[k];
      const std::size_t row = k / columns;
      const Box box{band.x + cell * static_cast<double>(k % columns),
                    band.y + high * static_cast<double>(row), cell, high};
      const double share = !std::isfinite(number) ? 1
                           : look.top > 0         ? std::abs(number) / look.top
                                                  : 0;
      fill(box, number < 0 ? kNegativeHue : kPositiveHue, look.share * share);
      if (written)
        addNumber(box, stripText(number, columns), column, look.share * (1 - place.shaded));
    }
  }

  void addNumber(const Box& box, const std::string& number, std::size_t column, double share) {
    DiagramText words{{box.x + box.width / 2, box.y + box.height / 2}, number};
    words.align = TextAlign::Center;
    words.room = kOfStripCell * box.width;
    shrink(words, column, share);
    words.line = std::min(words.line, box.height / kStripShare);
    mark_.texts.push_back(std::move(words));
  }

  Board board_;
  BoardGrid grid_;
  std::map<std::pair<std::size_t, int>, double> tops_; // of a column's strips shaded alike, by size
  std::map<std::size_t, double> largest_;              // number of a column, by size
  double fullBar_ = 0;
  Index step_;
  Index last_;
  double coming_;
  std::map<std::pair<std::size_t, int>, std::vector<Box>> boxes_; // by hue and tint
  DiagramMark mark_;
};

// What a column holds, without the arrow of the one that the lines are ordered by.
std::string quantityOf(const BoardColumn& column) {
  for (const std::string_view arrow : {"\u2009↑", "\u2009↓"})
    if (column.heading.ends_with(arrow))
      return column.heading.substr(0, column.heading.size() - arrow.size());
  return column.heading;
}

// How the number of a cell came about, else what stands there.
std::string wordsAt(const Board& board, std::size_t line, std::size_t column) {
  const std::vector<BoardCell>& cells = board.lines[line].cells;
  if (std::string trace = traceOf(board, line, column); !trace.empty())
    return trace;
  if (column == 0 || cells[column].text.empty())
    return cells.front().text;
  return cells.front().text + ", " + quantityOf(board.columns[column]) + ": " + cells[column].text;
}

std::vector<PlaceWords> wordsOf(const Board& board, const BoardLook& look) {
  const BoardGrid grid(board, look);
  const Board now = boardAt(board, look.step);
  std::vector<PlaceWords> all;
  for (std::size_t line = 0; line < now.lines.size(); ++line)
    for (std::size_t c = 0; c < now.columns.size(); ++c) {
      const ColumnPlace& place = grid.columns[c];
      const Box box{place.left, grid.topOf(line), place.width + place.gap, grid.heightOf(line)};
      if (std::string words = wordsAt(now, line, c);
          !words.empty() && place.width > 0 && box.height > 0)
        all.push_back({box, std::move(words)});
    }
  return all;
}

// The column at a place; `board` has some.
std::size_t columnAt(const BoardGrid& grid, double x) {
  const auto after =
      std::upper_bound(grid.columns.begin(), grid.columns.end(), x,
                       [](double at, const ColumnPlace& place) { return at < place.left; });
  return static_cast<std::size_t>(after - grid.columns.begin()) - 1;
}

} // namespace

std::string leftOutText(const Board& board, std::span<const ColumnForm> forms) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < forms.size(); ++c)
    if (board.columns[c].rank > 0 && forms[c] == ColumnForm::Gone)
      names.push_back("“" + quantityOf(board.columns[c]) + "”");
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "A wider picture adds " : k + 1 < names.size() ? ", " : " and ") + names[k];
  return text.empty() ? text : text + ".";
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
  if (units.x < 0 || units.x >= grid.width || units.y < grid.line)
    return std::nullopt;
  for (std::size_t row = 0; row < grid.shown.size(); ++row)
    if (units.y < grid.topOf(row) + grid.heightOf(row))
      return BoardPlace{row, columnAt(grid, units.x)};
  return std::nullopt;
}

std::optional<std::size_t> boardHeadingAt(const Board& board, const Point& units,
                                          const BoardLook& look) {
  const BoardGrid grid(board, look);
  if (units.y < 0 || units.y >= grid.line || units.x < 0 || units.x >= grid.width)
    return std::nullopt;
  return columnAt(grid, units.x);
}

namespace {

Figure figureOf(const Board& board, FigureTheme theme, const BoardLook& look) {
  Figure figure;
  figure.title = board.title;
  figure.caption = sentenceAt(board, look.step);
  if (const std::string leftOut = leftOutText(board, look.forms); !leftOut.empty())
    figure.caption += " " + leftOut;
  figure.theme = theme;
  FigurePanel panel;
  panel.plots.push_back(boardPlot(board, look));
  figure.panels.push_back(std::move(panel));
  return figure;
}

} // namespace

// The columns that make room do so in every step alike, or earlier. Where a file is small, columns
// that the step does not need make room by and by.
Figure boardFigure(const Board& board, FigureTheme theme, Index step) {
  const auto look = [&](Index at, double width) {
    return BoardLook{at, {}, rungFor(boardRungs(board, at), width, width).forms};
  };
  const auto whole = std::get<DiagramMark>(boardPlot(board, look(0, kMostFigureWidth)).mark);
  BoardLook shown = look(step, whole.width);
  shown.room = {whole.width, whole.height};
  Figure figure = figureOf(board, theme, shown);
  std::shared_ptr<const Figure> narrower;
  const std::vector<BoardRung> rungs = boardRungs(board, step);
  for (auto rung = rungs.rbegin(); rung != rungs.rend(); ++rung)
    if (!rung->needed && rung->width < whole.width) {
      Figure next = figureOf(
          board, theme, {step, {rung->width, kLowLines * leastBoardHeight(board)}, rung->forms});
      next.fallback = std::move(narrower);
      narrower = std::make_shared<const Figure>(std::move(next));
    }
  figure.fallback = std::move(narrower);
  return figure;
}

} // namespace attention
