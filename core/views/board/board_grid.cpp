#include "core/views/board/board_grid.h"

#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kLine = kBoardLine; // height of a line, as of the headings
constexpr double kFittedLine = 5.4;  // where columns are as wide as their words need
constexpr double kLeastLine = 4;
constexpr double kHighLine = 9;  // of few such lines
constexpr double kMostLine = 16; // where there is room
constexpr double kMostCell = 14; // width of a cell with a number
constexpr std::size_t kFewLines = 9;
constexpr double kNumber = 13;       // beside a bar, for its number
constexpr double kBar = 7;           // at most, where the column is as wide as its words need
constexpr double kBeforeStrip = 1.2; // more, between a number and the strip of another quantity
constexpr double kCell = 2.6;        // width of a strip's cell without a number, at most
constexpr double kBold = 1.1;        // times the width of words, of headings
constexpr std::size_t kLeastLetters = 3;
// Of a sentence in a passing column, which is cut where there is no room: letters that it asks for,
// and that it keeps where it makes room.
constexpr std::size_t kMostSentence = 32;
constexpr std::size_t kShortSentence = 16;
// Of a column that made room.
constexpr double kNarrow = 3.3;     // at least
constexpr double kNarrowCell = 1.6; // of its strips, at most
constexpr double kNarrowStrip = 8;  // all cells of one, at most
constexpr double kNarrowGap = 1;

double widthOfLetters(std::size_t letters) {
  return kBoardLetter * static_cast<double>(letters);
}

double widthOfWords(std::size_t letters) {
  return widthOfLetters(std::max(letters, kLeastLetters));
}

// What stands in a column.
struct Content {
  std::size_t letters = 0; // of the longest words
  std::size_t numbers = 0; // of a row of the longest strip
  std::size_t inCells = 0; // letters of its longest number, where they are written
  bool bar = false;
};

Content contentOf(const Board& board, std::size_t c) {
  Content content;
  for (const BoardLine& line : board.lines) {
    const BoardCell& cell = line.cells[c];
    const std::string& note = c == 0 ? line.note : std::string();
    content.letters =
        std::max(content.letters, lettersOf(cell.text) + (note.empty() ? 0 : lettersOf(note) + 1));
    const std::size_t numbers = cell.strip.size() / cell.rows;
    content.numbers = std::max(content.numbers, numbers);
    if (writesNumbers(cell))
      for (const double number : cell.strip)
        content.inCells = std::max(content.inCells, lettersOf(stripText(number, numbers)));
    content.bar = content.bar || cell.bar.has_value();
  }
  return content;
}

bool isWritten(const Content& content) {
  return content.inCells > 0 && content.numbers <= kMostStripNumbers;
}

ColumnPlace narrowPlace(const BoardColumn& of, const Content& content) {
  ColumnPlace place;
  const std::string& heading = of.brief.empty() ? of.heading : of.brief;
  place.width = std::max(kNarrow, kNarrowType * kBold * widthOfLetters(lettersOf(heading)));
  place.gap = kNarrowGap;
  place.shaded = place.narrow = 1;
  if (!of.strip || content.numbers == 0)
    return place;
  const auto cells = static_cast<double>(std::min(content.numbers, kMostNarrowCells));
  place.cell = std::min(kNarrowCell, kNarrowStrip / cells);
  place.width = std::max(place.width, place.cell * cells);
  return place;
}

// Strips of few numbers take less than their column's width, or more to write them.
ColumnPlace widePlace(const BoardColumn& of, const Content& content, ColumnForm form) {
  ColumnPlace place;
  const bool fitted = of.width == 0;
  const double heading = kBold * widthOfWords(lettersOf(of.heading));
  place.bar = !content.bar ? 0 : fitted ? kBar : of.width - kBoardGap - kNumber;
  place.width =
      fitted ? std::max(widthOfWords(content.letters), heading) + place.bar : of.width - kBoardGap;
  place.gap = kBoardGap;
  place.cell = kCell;
  if (!of.strip || content.numbers == 0)
    return place;
  const auto numbers = static_cast<double>(content.numbers);
  const bool written = isWritten(content) && form == ColumnForm::Written;
  place.shaded = written ? 0 : 1;
  place.cell = written ? widthOfWords(content.inCells) / kOfStripCell
                       : std::min(kCell, place.width / numbers);
  place.width = std::max({place.cell * numbers, heading, widthOfLetters(content.letters)});
  return place;
}

// Of a passing column, whose sentences are cut.
ColumnPlace sentencePlace(const BoardColumn& of, Content content, ColumnForm form) {
  content.letters =
      std::min(content.letters, form == ColumnForm::Narrow ? kShortSentence : kMostSentence);
  return widePlace(of, content, ColumnForm::Written);
}

ColumnPlace placeOf(const BoardColumn& of, const Content& content, ColumnForm form) {
  if (of.passing && form != ColumnForm::Gone)
    return sentencePlace(of, content, form);
  switch (form) {
  case ColumnForm::Gone:
    return {};
  case ColumnForm::Narrow:
    return narrowPlace(of, content);
  case ColumnForm::Shaded:
  case ColumnForm::Written:
    break;
  }
  return widePlace(of, content, form);
}

// More room after a number that stands before the strip of another quantity.
void keepApart(const Board& board, std::vector<ColumnPlace>& places) {
  std::size_t before = 0; // the column to the left, which is not left out
  for (std::size_t c = 1; c < places.size(); ++c) {
    if (places[c].width == 0)
      continue;
    if (before > 0 && !board.columns[before].strip && board.columns[c].strip &&
        places[before].narrow == 0)
      places[before].gap += kBeforeStrip;
    before = c;
  }
}

double widthOf(const std::vector<ColumnPlace>& places) {
  double width = 0;
  for (const ColumnPlace& place : places)
    width += place.width + place.gap;
  return width;
}

// Whether a column stands in the picture of a step.
bool standsAt(const Board& board, std::size_t c, Index step) {
  const BoardColumn& of = board.columns[c];
  return of.passing ? of.step == step : of.step <= countedStep(board, step);
}

std::vector<ColumnPlace> placesOf(const Board& board, const std::vector<Content>& contents,
                                  Index step, std::span<const ColumnForm> forms) {
  std::vector<ColumnPlace> places;
  for (std::size_t c = 0; c < board.columns.size(); ++c) {
    const ColumnForm form = forms.empty() ? ColumnForm::Written : forms[c];
    places.push_back(
        placeOf(board.columns[c], contents[c], standsAt(board, c, step) ? form : ColumnForm::Gone));
  }
  keepApart(board, places);
  return places;
}

std::vector<Content> contentsOf(const Board& board) {
  std::vector<Content> contents;
  for (std::size_t c = 0; c < board.columns.size(); ++c)
    contents.push_back(contentOf(board, c));
  return contents;
}

bool isEmpty(const BoardCell& cell) {
  return cell.text.empty() && cell.strip.empty();
}

// Whether a line has numbers, and none in a column that stands or is still to come: that of the
// query once its column is left out.
bool hasLeft(const Board& board, std::size_t row, Index step,
             const std::vector<ColumnPlace>& places) {
  bool numbers = false;
  for (std::size_t c = 1; c < places.size(); ++c) {
    if (isEmpty(board.lines[row].cells[c]))
      continue;
    if (places[c].width > 0 || stepOf(board, row, c) > step)
      return false;
    numbers = true;
  }
  return numbers;
}

std::vector<double> shownLines(const Board& board, Index step,
                               const std::vector<ColumnPlace>& places) {
  std::vector<double> shown;
  for (std::size_t row = 0; row < board.lines.size(); ++row)
    shown.push_back(hasLeft(board, row, step, places) ? 0 : 1);
  return shown;
}

double lineOf(const Board& board, double lines, double room) {
  if (room > 0)
    return std::clamp(room / (lines + 1), kLeastLine, kMostLine);
  if (board.columns.empty() || board.columns.front().width > 0)
    return kLine;
  return board.lines.size() <= kFewLines ? kHighLine : kFittedLine;
}

// Sentences that are cut take what the room has more than words need.
void lengthen(const Board& board, const std::vector<Content>& contents,
              std::vector<ColumnPlace>& places, double room) {
  for (std::size_t c = 0; c < places.size(); ++c) {
    ColumnPlace& place = places[c];
    if (!board.columns[c].passing || place.width == 0)
      continue;
    const double wanted = widthOfWords(contents[c].letters) - place.width;
    place.width += std::clamp(room - widthOf(places), 0.0, std::max(wanted, 0.0));
  }
}

// Strips and bars take what is left then.
void widen(const Board& board, std::vector<ColumnPlace>& places, double room) {
  const auto stretches = [&](std::size_t c) {
    return places[c].narrow > 0 ? 0 : board.columns[c].strip ? places[c].width : places[c].bar;
  };
  double stretching = 0;
  for (std::size_t c = 0; c < places.size(); ++c)
    stretching += stretches(c);
  const double all = widthOf(places);
  if (room <= all || stretching == 0)
    return;
  const double times = 1 + (room - all) / stretching;
  for (std::size_t c = 0; c < places.size(); ++c) {
    if (places[c].narrow > 0)
      continue;
    places[c].width += (times - 1) * stretches(c);
    places[c].bar *= times;
    places[c].cell = std::min(places[c].cell * times, std::max(kMostCell, places[c].cell));
  }
}

// How the columns of a step make room, one after the other.
class RoomMaker {
public:
  RoomMaker(const Board& board, Index step)
      : board_(board), contents_(contentsOf(board)), step_(step), now_(countedStep(board, step)),
        forms_(board.columns.size(), ColumnForm::Written) {
    add(false);
  }

  std::vector<BoardRung> make() {
    const bool all = step_ != now_;
    const auto isStrip = [&](std::size_t c) { return board_.columns[c].strip; };
    const auto finished = [&](std::size_t c) { return isFinished(c); };
    turn(ColumnForm::Shaded, false,
         [&](std::size_t c) { return isLongStrip(c) && (all || isFinished(c)); });
    turn(ColumnForm::Narrow, false,
         [&](std::size_t c) { return isFinished(c) && (!all || isStrip(c)); });
    if (all) { // strips take the most; the last one has the result
      const std::size_t last = lastStrip();
      turn(ColumnForm::Shaded, false, [&](std::size_t c) { return isPlain(c) && c < last; });
      turn(ColumnForm::Narrow, false, finished);
    } else {
      turn(ColumnForm::Gone, false, finished);
    }
    const auto isPassing = [&](std::size_t c) { return board_.columns[c].passing; };
    turn(ColumnForm::Narrow, true,
         [&](std::size_t c) { return isPassing(c) && contents_[c].letters > kShortSentence; });
    turn(ColumnForm::Gone, true, isPassing);
    turn(ColumnForm::Shaded, true, [&](std::size_t c) { return isPlain(c); });
    for (int rank = highestRank(); rank > 0; --rank)
      turn(ColumnForm::Gone, false, [&](std::size_t c) { return board_.columns[c].rank == rank; });
    return std::move(rungs_);
  }

private:
  bool isFinished(std::size_t c) const {
    const Index last = board_.columns[c].last;
    return last > 0 && last < now_;
  }
  bool isLongStrip(std::size_t c) const {
    return isWritten(contents_[c]) && contents_[c].numbers > kFewStripNumbers;
  }

  // Has numbers that could be left out.
  bool isPlain(std::size_t c) const {
    return isWritten(contents_[c]) && forms_[c] == ColumnForm::Written;
  }
  std::size_t lastStrip() const {
    std::size_t last = 0;
    for (std::size_t c = 0; c < forms_.size(); ++c)
      if (board_.columns[c].strip)
        last = c;
    return last;
  }

  int highestRank() const {
    int highest = 0;
    for (const BoardColumn& column : board_.columns)
      highest = std::max(highest, column.rank);
    return highest;
  }

  // From the oldest on.
  template <class Which>
  void turn(ColumnForm to, bool needed, const Which& which) {
    for (std::size_t c = 1; c < forms_.size(); ++c)
      if (standsAt(board_, c, step_) && forms_[c] != to && which(c)) {
        forms_[c] = to;
        add(needed);
      }
  }

  void add(bool needed) {
    rungs_.push_back({forms_, widthOf(placesOf(board_, contents_, step_, forms_)), needed});
  }

  const Board& board_;
  std::vector<Content> contents_;
  Index step_;
  Index now_;
  std::vector<ColumnForm> forms_;
  std::vector<BoardRung> rungs_;
};

} // namespace

bool writesNumbers(const BoardCell& cell) {
  return cell.rows <= kMostStripRows && cell.strip.size() / cell.rows <= kMostStripNumbers;
}

// As short as a cell is; what would need a power of ten is next to nothing.
std::string stripText(double value, std::size_t numbersInRow) {
  if (value != 0 && std::abs(value) < 1e-3)
    return "≈ 0";
  return readableNumber(value, numbersInRow <= kFewStripNumbers ? 3 : 2);
}

Index countedStep(const Board& board, Index step) {
  const Index count = std::ssize(board.steps);
  return step <= 0 || step > count ? count : step;
}

BoardGrid::BoardGrid(const Board& board, const BoardLook& look) {
  const std::vector<Content> contents = contentsOf(board);
  columns = placesOf(board, contents, look.step, look.forms);
  shown = shownLines(board, countedStep(board, look.step), columns);
  countLines();
  line = lineOf(board, before.back() - 1, look.room.height);
  lengthen(board, contents, columns, look.room.width);
  widen(board, columns, look.room.width);
  for (ColumnPlace& place : columns) {
    place.left = width;
    width += place.width + place.gap;
  }
  width = std::max(width, look.room.width);
}

void BoardGrid::countLines() {
  before.assign(1, 1); // the headings
  for (const double share : shown)
    before.push_back(before.back() + share);
}

void BoardGrid::moveTo(const BoardGrid& other, double t) {
  const double scale = other.width / width;
  const auto move = [t](double& from, double to) { from = from * (1 - t) + to * t; };
  const auto moveLength = [&](double& from, double to) { move(from *= scale, to); };
  moveLength(line, other.line);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    ColumnPlace& from = columns[c];
    const ColumnPlace& to = other.columns[c];
    moveLength(from.left, to.left);
    moveLength(from.width, to.width);
    moveLength(from.gap, to.gap);
    moveLength(from.cell, to.cell);
    moveLength(from.bar, to.bar);
    move(from.shaded, to.shaded);
    move(from.narrow, to.narrow);
  }
  for (std::size_t row = 0; row < shown.size(); ++row)
    move(shown[row], other.shown[row]);
  countLines();
  width = other.width;
}

std::vector<BoardRung> boardRungs(const Board& board, Index step) {
  return RoomMaker(board, step).make();
}

const BoardRung& rungFor(std::span<const BoardRung> rungs, double wanted, double most) {
  for (std::size_t k = 0; k + 1 < rungs.size(); ++k) {
    const bool lastFree = rungs[k + 1].needed;
    if (rungs[k].width <= (rungs[k].needed || lastFree ? most : wanted))
      return rungs[k];
  }
  return rungs.back();
}

double leastBoardHeight(const Board& board) {
  return kLeastLine * static_cast<double>(board.lines.size() + 1);
}

Size leastBoardSize(const Board& board, Index step) {
  return {BoardGrid(board, {step, {}, {}}).width, leastBoardHeight(board)};
}

} // namespace attention
