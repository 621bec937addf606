#include "core/views/steps/matrix_steps.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/steps/board_words.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Units of the diagrams.
constexpr double kCell = 4;
constexpr double kLabels = 7;   // at the left of a matrix
constexpr double kAbove = 4;    // above it
constexpr double kInset = 0.15; // of a cell, around its number
constexpr double kMostTint = 0.75;
constexpr double kLitWidth = 2;
// Of words, in digits.
constexpr double kNumber = 4.5; // “−1.24”
constexpr double kNarrow = 3.5; // “−1.2” and “1.24”, where there are many columns
constexpr Index kManyColumns = 9;
constexpr double kLineOfDigits = 6.5;  // times a digit's share of it: all words are of one size
constexpr std::size_t kRowLetters = 9; // of a label beside a row
constexpr std::size_t kColumnLetters = 6;
constexpr double kColumnRoom = 4.5; // for so many digits: longer words are smaller
constexpr double kRowRoom = 8;
constexpr std::size_t kPositiveHue = 0;
constexpr std::size_t kNegativeHue = 1;
constexpr std::size_t kWeightHue = 2;

void copyRow(Matrix<double>& to, Index row, const std::vector<double>& from) {
  std::copy(from.begin(), from.end(), to.view().row(row).data());
}

// One matrix with its numbers.
struct MatrixPart {
  std::string title;
  const Matrix<double>& values;
  Index keys = 0;       // of the others
  bool weights = false; // from 0 to 1
  bool output = false;  // its columns are numbers of values, not keys
};

double largestOf(const Matrix<double>& values) {
  double largest = 0;
  for (const double value : values.values())
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  return largest;
}

// What a cell shows, and where in its row.
struct MatrixCell {
  double value = 0;
  std::size_t hue = 0;
  double share = 0; // of the hue
  double x = 0;
  double width = kCell;
};

double between(double from, double to, double t) {
  return from + t * (to - from);
}

// Hues are not mixed: one goes before the other comes. Neither are numbers with −∞.
MatrixCell between(const MatrixCell& from, const MatrixCell& to, double t) {
  const MatrixCell& nearer = t < 0.5 ? from : to;
  MatrixCell cell = nearer;
  if (std::isfinite(from.value) && std::isfinite(to.value))
    cell.value = between(from.value, to.value, t);
  cell.share =
      from.hue == to.hue ? between(from.share, to.share, t) : nearer.share * std::abs(1 - 2 * t);
  cell.x = between(from.x, to.x, t);
  cell.width = between(from.width, to.width, t);
  return cell;
}

// About how many times the width of a digit, rather more: words as wide as their room are shown.
// What is not listed is as wide as a digit.
double widthInDigits(std::string_view text) {
  constexpr std::string_view kThin = ".,;:!'|()[]fijlrtI";
  constexpr std::string_view kBroad = "mwMW";
  double width = 0;
  for (const char c : text) {
    const bool within = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; // a letter of UTF-8
    width += within                                     ? 0
             : c == '1'                                 ? 0.8
             : kThin.find(c) != std::string_view::npos  ? 0.5
             : kBroad.find(c) != std::string_view::npos ? 1.4
                                                        : 1;
  }
  return width;
}

// In that width, and with two digits behind the point at most: “−1.24”, “−1.2” or “−12”.
std::string cellText(double value, double width) {
  if (std::isinf(value))
    return "−∞";
  for (const double parts : {100, 10}) {
    const std::string text = readableNumber(std::round(value * parts) / parts, 3);
    if (widthInDigits(text) <= width)
      return text;
  }
  return readableNumber(std::round(value), 3);
}

// Words in room for so many digits: fewer have less of it, so that either all are shown or none.
DiagramText wordsIn(double room, double digits, const Point& at, const std::string& text) {
  DiagramText words{at, text, TextAlign::Center};
  words.room = room * std::min(widthInDigits(text) / digits, 1.0);
  words.shrinks = true;
  return words;
}

class MatrixDiagram {
public:
  MatrixDiagram(const MatrixPart& part, const MatrixLook& look)
      : part_(part), look_(look), digits_(part.keys < kManyColumns ? kNumber : kNarrow),
        top_(largestOf(part.values)) {}

  // On its way out of the matrix before it.
  void comeFrom(const MatrixPart& before, double t) {
    before_ = &before;
    topBefore_ = largestOf(before.values);
    t_ = t;
  }

  Plot make() {
    const Index rows = part_.values.rows();
    const Index cols = part_.values.cols();
    // All have cells of one size.
    const Index most = std::max(cols, part_.keys);
    mark_.width = kLabels + kCell * static_cast<double>(most);
    mark_.height = kAbove + kCell * static_cast<double>(rows);
    if (t_ > 0 && t_ < 1) // it hides what it moves over
      mark_.fills.push_back({{{0, 0, mark_.width, mark_.height}}, 0, 0});
    for (Index j = 0; j < cols; ++j)
      addLabel(wordsIn(kCell, kColumnRoom, {xOf(j) + kCell / 2, kAbove / 2},
                       part_.output ? std::to_string(j) : labelOf(j, true, kColumnLetters)),
               false);
    for (Index i = 0; i < rows; ++i) {
      addLabel(wordsIn(kLabels, kRowRoom, {kLabels / 2, yOf(i) + kCell / 2},
                       labelOf(i, look_.square, kRowLetters)),
               look_.query == i);
      for (Index j = 0; j < cols; ++j)
        addCell(i, j);
    }
    if (look_.query && *look_.query < rows)
      frameRow(*look_.query, cols);
    for (DiagramText& words : mark_.texts)
      words.line = kLineOfDigits / digits_;
    Plot plot{std::move(mark_), std::nullopt, std::nullopt};
    plot.told = [words = words_] { return words; };
    return plot;
  }

private:
  static double xOf(Index column) { return kLabels + kCell * static_cast<double>(column); }
  static double yOf(Index row) { return kAbove + kCell * static_cast<double>(row); }

  std::string labelOf(Index token, bool named, std::size_t letters) const {
    const auto at = static_cast<std::size_t>(token);
    return named && at < look_.tokens.size() ? shortened(look_.tokens[at], letters)
                                             : std::to_string(token);
  }

  void addLabel(DiagramText words, bool bold) {
    words.bold = bold;
    words.dim = !bold;
    mark_.texts.push_back(std::move(words));
  }

  static MatrixCell cellOf(const MatrixPart& part, double top, Index i, Index j) {
    MatrixCell cell{part.values(i, j)};
    cell.hue = part.weights ? kWeightHue : cell.value < 0 ? kNegativeHue : kPositiveHue;
    cell.share = std::isfinite(cell.value) && top > 0 ? kMostTint * std::abs(cell.value) / top : 0;
    cell.x = xOf(j);
    return cell;
  }

  // An output comes from a whole row of weights, of which each number is given a part.
  MatrixCell cellBefore(Index i, Index j) const {
    if (!part_.output)
      return cellOf(*before_, topBefore_, i, j);
    const double width =
        kCell * static_cast<double>(part_.keys) / static_cast<double>(part_.values.cols());
    return {0, kWeightHue, 0, kLabels + width * static_cast<double>(j), width};
  }

  void addCell(Index i, Index j) {
    const double value = part_.values(i, j);
    MatrixCell cell = cellOf(part_, top_, i, j);
    if (before_)
      cell = between(cellBefore(i, j), cell, t_);
    if (cell.share > 0)
      mark_.fills.push_back(
          {{{cell.x, yOf(i), cell.width, kCell}}, cell.hue, cell.share, WordsOn::Text});
    DiagramText words =
        wordsIn(cell.width * (1 - kInset), digits_, {cell.x + cell.width / 2, yOf(i) + kCell / 2},
                cellText(cell.value, digits_));
    words.dim = std::isinf(cell.value) || cell.value == 0;
    words.bold = look_.query == i;
    mark_.texts.push_back(std::move(words));
    words_.push_back(
        {{xOf(j), yOf(i), kCell, kCell},
         "query " + nameOf(i, look_.square) + ", " +
             (part_.output ? "number " + std::to_string(j) : "key " + nameOf(j, true)) + ": " +
             (std::isinf(value) ? "−∞" : readableNumber(value))});
  }

  // "1 “cat”".
  std::string nameOf(Index token, bool named) const {
    const auto at = static_cast<std::size_t>(token);
    return std::to_string(token) +
           (named && at < look_.tokens.size() ? " “" + look_.tokens[at] + "”" : "");
  }

  void frameRow(Index row, Index cols) {
    const double left = xOf(0);
    const double right = xOf(cols);
    const double top = yOf(row);
    const double bottom = yOf(row + 1);
    DiagramLine frame{{{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}},
                      kWeightHue};
    frame.width = kLitWidth;
    mark_.lines.push_back(std::move(frame));
  }

  const MatrixPart& part_;
  const MatrixLook& look_;
  double digits_; // of the widest number
  double top_;
  const MatrixPart* before_ = nullptr;
  double topBefore_ = 0;
  double t_ = 1;
  DiagramMark mark_;
  std::vector<PlaceWords> words_; // of the cells
};

std::string scaleTitle(const MatrixSteps& steps) {
  return "s = " + scoringText(steps.scoring, static_cast<std::size_t>(steps.d));
}

// Of steps 1 … 5.
MatrixPart partOf(const MatrixSteps& steps, Index step) {
  const Index keys = steps.dot.cols();
  switch (step) {
  case 1:
    return {"1. Q Kᵀ", steps.dot, keys};
  case 2:
    return {"2. " + scaleTitle(steps), steps.scaled, keys};
  case 3:
    return {"3. masked", steps.masked, keys};
  case 4:
    return {steps.gated ? "4. weights, all branches" : "4. softmax of rows", steps.p, keys, true};
  default:
    return {"5. × V = output", steps.output, keys, false, true};
  }
}

} // namespace

MatrixSteps matrixSteps(StepsInput input) {
  const Index queries = input.q.rows;
  const Index keys = input.k.rows;
  MatrixSteps steps{scoringOf(input.options, input.q.cols, input.pattern.lengths()),
                    input.q.cols,
                    Matrix<double>(queries, keys),
                    Matrix<double>(queries, keys),
                    Matrix<double>(queries, keys),
                    Matrix<double>(queries, keys),
                    Matrix<double>(queries, input.v.cols),
                    input.pattern.branches() != nullptr};
  for (input.query = 0; input.query < queries; ++input.query) {
    const SoftmaxSteps row = softmaxSteps(input);
    if (row.p.empty())
      throw Error(
          ErrorCode::Unsupported, "compressed_v",
          "compressed keys or values are given; the whole matrix is defined only for means");
    copyRow(steps.dot, input.query, row.dot);
    copyRow(steps.scaled, input.query, row.scaled);
    copyRow(steps.masked, input.query, row.masked);
    copyRow(steps.p, input.query, row.p);
    copyRow(steps.output, input.query, row.output);
  }
  return steps;
}

std::vector<FigurePanel> matrixPanels(const MatrixSteps& steps, const MatrixLook& look) {
  std::vector<FigurePanel> panels;
  for (Index step = 1; step <= matricesAt(steps, look.step); ++step) {
    const MatrixPart part = partOf(steps, step);
    panels.push_back({part.title, {MatrixDiagram(part, look).make()}, {}});
  }
  return panels;
}

Index matricesAt(const MatrixSteps& steps, Index step) {
  const Index all = steps.output.cols() > 0 ? kMatrixSteps : kMatrixSteps - 1;
  return step <= 0 ? all : std::min(step, all);
}

Plot matrixComing(const MatrixSteps& steps, const MatrixLook& look, double t) {
  const MatrixPart part = partOf(steps, look.step);
  const MatrixPart before = partOf(steps, look.step - 1);
  MatrixDiagram diagram(part, look);
  diagram.comeFrom(before, t);
  return diagram.make();
}

std::optional<Index> matrixRowAt(const Point& units, Index queries) {
  const double row = std::floor((units.y - kAbove) / kCell);
  if (!(row >= 0 && row < static_cast<double>(queries)))
    return std::nullopt;
  return static_cast<Index>(row);
}

std::string matrixTitle() {
  return "Attention as matrices: Q Kᵀ, scaled, masked, softmax, × V";
}

std::string matrixCaption(const MatrixSteps& steps, Index step) {
  switch (std::min(step, kMatrixSteps)) {
  case 1:
    return "Every query times every key: q·k, " + counted(steps.d, "product") + " each.";
  case 2:
    return "Every product becomes a score: " + scaleTitle(steps) + ".";
  case 3:
    return "A key that the pattern hides gets −∞.";
  case 4:
    if (steps.gated)
      return "Every branch has a softmax of its own; the weights are added with the gates. A "
             "compressed key shares its weight among the keys that it stands for.";
    return "Every row: exp(s − max), divided by the row's sum; hidden keys get 0.";
  case 5:
    return "Every row of weights times V is the query's output.";
  default:
    return "Rows are queries, columns keys; the output has a column for each number of a value.";
  }
}

Figure matrixFigure(const MatrixSteps& steps, const MatrixLook& look, FigureTheme theme) {
  Figure figure;
  figure.theme = theme;
  figure.title = matrixTitle();
  figure.caption = stepCounter(kMatrixSteps, look.step) + matrixCaption(steps, look.step);
  figure.panels = matrixPanels(steps, look);
  return figure;
}

} // namespace attention
