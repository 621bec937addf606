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
constexpr double kLabels = 7;      // at the left of a matrix
constexpr double kAbove = 4;       // above it
constexpr double kFilled = 0.9;    // of a cell and of the room of a label, by words
constexpr double kOfWeights = 0.8; // of a cell, by a weight: few shades keep them apart
// Of the type, below which a number is given with fewer digits and a label as its number.
constexpr double kLeastNumber = 0.7;
constexpr double kLeastColumn = 0.65;
constexpr double kLeastRow = 0.65;
constexpr double kLitWidth = 2;
constexpr std::size_t kRowLetters = 9; // of a label beside a row
constexpr std::size_t kColumnLetters = 6;
// Indices of the sizes of words.
constexpr std::size_t kNumberSize = 0;
constexpr std::size_t kColumnSize = 1;
constexpr std::size_t kRowSize = 2;
constexpr std::size_t kGoingSize = 3; // of numbers that go, and of those that come
constexpr std::size_t kComingSize = 4;
constexpr std::size_t kPositiveHue = 0;
constexpr std::size_t kNegativeHue = 1;
constexpr std::size_t kWeightHue = 2;

void copyRow(Matrix<double>& to, Index row, const std::vector<double>& from) {
  std::copy(from.begin(), from.end(), to.view().row(row).data());
}

// But for what sums of products leave behind.
bool isWhole(double value) {
  return std::abs(value - std::round(value)) <= 1e-9 * std::max(1.0, std::abs(value));
}

// What numbers there are to be written.
struct NumberRange {
  double low = 0;
  double high = 0;
  bool fractions = false; // not all of them are whole
  bool infinite = false;  // some of them are −∞

  void take(const Matrix<double>& values) {
    for (const double value : values.values()) {
      infinite = infinite || std::isinf(value);
      if (!std::isfinite(value))
        continue;
      low = std::min(low, value);
      high = std::max(high, value);
      fractions = fractions || !isWhole(value);
    }
  }
  double largest() const { return std::max(-low, high); }
};

// One matrix with its numbers.
struct MatrixPart {
  std::string title;
  const Matrix<double>& values;
  NumberRange alike;    // of all matrices whose numbers have as many digits after the point
  bool weights = false; // from 0 to 1
  bool output = false;  // its columns are numbers of values, not keys
};

double largestOf(const Matrix<double>& values) {
  NumberRange range;
  range.take(values);
  return range.largest();
}

// How the numbers of a matrix are written, all with as many digits after the point.
struct NumberForm {
  int digits = 0;
  bool zero = true; // before the point
};

// From long to short: no more digits than say something.
std::vector<NumberForm> formsOf(const NumberRange& range) {
  if (range.largest() <= 1)
    return {{2}, {2, false}, {1, false}};
  if (range.largest() < 100)
    return {{2}, {1}, {0}};
  return range.largest() < 1000 ? std::vector<NumberForm>{{1}, {0}} : std::vector<NumberForm>{{0}};
}

// "−1.24", "−1.2" or "−1"; without the zero before its point ".7", and "1" for what rounds to it.
std::string withDigits(double value, const NumberForm& form) {
  std::string text = fixed(std::abs(value), form.digits);
  const bool negative = value < 0 && text.find_first_not_of("0.") != std::string::npos;
  if (!form.zero && text.starts_with("0."))
    text.erase(0, 1);
  else if (!form.zero && text.starts_with("1."))
    text.resize(1);
  return (negative ? kMinusSign : "") + text;
}

// Whole numbers stand without a point.
std::string numberText(double value, const NumberForm& form) {
  if (std::isinf(value))
    return "−∞";
  return withDigits(value, isWhole(value) ? NumberForm{} : form);
}

// Those that may be the widest, whatever their digits.
std::vector<std::string> widestOf(const NumberRange& range, const NumberForm& form) {
  std::vector<std::string> words;
  for (const double end : {range.low, range.high}) {
    std::string text = withDigits(end, range.fractions ? form : NumberForm{});
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c >= '1' && c <= '9'; }, '0');
    words.push_back(std::move(text));
  }
  if (range.infinite)
    words.push_back("−∞");
  return words;
}

// What a cell shows, and where in its row.
struct MatrixCell {
  double value = 0;
  std::size_t hue = 0;
  double share = 0; // of the hue
  double x = 0;
  double width = kCell;
  std::size_t size = kNumberSize; // index of the size of its number
};

double between(double from, double to, double t) {
  return from + t * (to - from);
}

// Hues are not mixed: one goes before the other comes. Neither are numbers with −∞, nor those of
// two matrices that are not written alike.
MatrixCell between(const MatrixCell& from, const MatrixCell& to, double t, bool alike) {
  const MatrixCell& nearer = t < 0.5 ? from : to;
  MatrixCell cell = nearer;
  if (alike && std::isfinite(from.value) && std::isfinite(to.value))
    cell.value = between(from.value, to.value, t);
  else if (!alike || from.value != to.value)
    cell.size = t < 0.5 ? kGoingSize : kComingSize;
  cell.share =
      from.hue == to.hue ? between(from.share, to.share, t) : nearer.share * std::abs(1 - 2 * t);
  cell.x = between(from.x, to.x, t);
  cell.width = between(from.width, to.width, t);
  return cell;
}

class MatrixDiagram {
public:
  MatrixDiagram(const MatrixPart& part, const MatrixLook& look)
      : part_(part), look_(look), forms_(formsOf(part.alike)), top_(largestOf(part.values)) {}

  // On its way out of the matrix before it.
  void comeFrom(const MatrixPart& before, double t) {
    before_ = &before;
    formsBefore_ = formsOf(before.alike);
    topBefore_ = largestOf(before.values);
    t_ = t;
  }

  // `widest`: the units of the widest of all matrices, whose cells have one size.
  Plot make(double widest) {
    const Index rows = part_.values.rows();
    const Index cols = part_.values.cols();
    const Size size = sizeOf(part_.values);
    mark_.width = size.width;
    mark_.height = size.height;
    if (t_ > 0 && t_ < 1) // it hides what it moves over
      mark_.fills.push_back({{{0, 0, mark_.width, mark_.height}}, 0, 0});
    addSizes();
    for (Index j = 0; j < cols; ++j)
      addLabel({xOf(j) + kCell / 2, kAbove / 2}, j, kColumnSize);
    for (Index i = 0; i < rows; ++i) {
      addLabel({kLabels / 2, yOf(i) + kCell / 2}, i, kRowSize);
      for (Index j = 0; j < cols; ++j)
        addCell(i, j);
    }
    if (look_.query && *look_.query < rows)
      frameRow(*look_.query, cols);
    Plot plot{std::move(mark_), std::nullopt, std::nullopt, size.width / widest};
    plot.told = [words = words_] { return words; };
    return plot;
  }

  static Size sizeOf(const Matrix<double>& values) {
    return {xOf(values.cols()), yOf(values.rows())};
  }

private:
  static double xOf(Index column) { return kLabels + kCell * static_cast<double>(column); }
  static double yOf(Index row) { return kAbove + kCell * static_cast<double>(row); }

  // Of numbers, and of the labels of columns and rows, which are left to their numbers where words
  // have no room.
  void addSizes() {
    mark_.sizes.push_back(sizeOfNumbers(part_, forms_, 1));
    for (const std::size_t side : {kColumnSize, kRowSize}) {
      DiagramSize labels{kFilled * (side == kRowSize ? kLabels : kCell),
                         kCell,
                         side == kRowSize ? kLeastRow : kLeastColumn,
                         {{}, {}},
                         side == kRowSize};
      const Index count = side == kRowSize ? part_.values.rows() : part_.values.cols();
      for (Index token = 0; token < count; ++token) {
        labels.forms[0].push_back(labelOf(token, side));
        labels.forms[1].push_back(std::to_string(token));
      }
      mark_.sizes.push_back(std::move(labels));
    }
    if (!before_)
      return;
    mark_.sizes.push_back(sizeOfNumbers(*before_, formsBefore_, std::max(0.0, 1 - 2 * t_)));
    mark_.sizes.push_back(sizeOfNumbers(part_, forms_, std::max(0.0, 2 * t_ - 1)));
  }

  // Times `share`, in the form that they have in full size.
  static DiagramSize sizeOfNumbers(const MatrixPart& part, const std::vector<NumberForm>& forms,
                                   double share) {
    DiagramSize numbers;
    numbers.room = share * (part.weights ? kOfWeights : kFilled) * kCell;
    numbers.line = share * kCell;
    numbers.least = share * kLeastNumber;
    for (const NumberForm& form : forms)
      numbers.forms.push_back(widestOf(part.alike, form));
    return numbers;
  }

  std::string labelOf(Index token, std::size_t side) const {
    const auto at = static_cast<std::size_t>(token);
    const bool named = side == kRowSize ? look_.square : !part_.output;
    return named && at < look_.tokens.size()
               ? shortened(look_.tokens[at], side == kRowSize ? kRowLetters : kColumnLetters)
               : std::to_string(token);
  }

  void addLabel(const Point& at, Index token, std::size_t side) {
    const bool lit = side == kRowSize && look_.query == token;
    DiagramText words{at, labelOf(token, side), TextAlign::Center, lit, !lit};
    words.size = side;
    words.shorter = {std::to_string(token)};
    mark_.texts.push_back(std::move(words));
  }

  static MatrixCell cellOf(const MatrixPart& part, double top, Index i, Index j) {
    MatrixCell cell{part.values(i, j)};
    cell.hue = part.weights ? kWeightHue : cell.value < 0 ? kNegativeHue : kPositiveHue;
    cell.share = std::isfinite(cell.value) && top > 0 ? std::abs(cell.value) / top : 0;
    cell.x = xOf(j);
    return cell;
  }

  // An output comes from a whole row of weights, of which each number is given a part. Its number
  // is its own, which comes once the weights are gone.
  MatrixCell cellBefore(Index i, Index j) const {
    if (!part_.output)
      return cellOf(*before_, topBefore_, i, j);
    const double width = kCell * static_cast<double>(before_->values.cols()) /
                         static_cast<double>(part_.values.cols());
    return {part_.values(i, j), kWeightHue, 0, kLabels + width * static_cast<double>(j), width};
  }

  void addCell(Index i, Index j) {
    const double value = part_.values(i, j);
    MatrixCell cell = cellOf(part_, top_, i, j);
    if (before_)
      cell = between(cellBefore(i, j), cell, t_, !part_.weights && !part_.output);
    if (before_ && part_.output)
      cell.size = kComingSize;
    if (cell.share > 0)
      mark_.fills.push_back(
          {{{cell.x, yOf(i), cell.width, kCell}}, cell.hue, cell.share, WordsOn::Shade});
    addNumber(cell, i);
    words_.push_back(
        {{xOf(j), yOf(i), kCell, kCell},
         "query " + nameOf(i, look_.square) + ", " +
             (part_.output ? "number " + std::to_string(j) : "key " + nameOf(j, true)) + ": " +
             (std::isinf(value) ? "−∞" : readableNumber(value))});
  }

  void addNumber(const MatrixCell& cell, Index row) {
    const std::vector<NumberForm>& forms = cell.size == kGoingSize ? formsBefore_ : forms_;
    DiagramText words{{cell.x + cell.width / 2, yOf(row) + kCell / 2},
                      numberText(cell.value, forms.front()),
                      TextAlign::Center,
                      false,
                      std::isinf(cell.value) || cell.value == 0};
    words.size = cell.size;
    for (std::size_t f = 1; f < forms.size(); ++f)
      words.shorter.push_back(numberText(cell.value, forms[f]));
    mark_.texts.push_back(std::move(words));
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
  std::vector<NumberForm> forms_;
  double top_;
  const MatrixPart* before_ = nullptr;
  std::vector<NumberForm> formsBefore_;
  double topBefore_ = 0;
  double t_ = 1;
  DiagramMark mark_;
  std::vector<PlaceWords> words_; // of the cells
};

std::string scaleTitle(const MatrixSteps& steps) {
  return "s = " + scoringText(steps.scoring, static_cast<std::size_t>(steps.d));
}

const Matrix<double>& valuesOf(const MatrixSteps& steps, Index step) {
  switch (step) {
  case 1:
    return steps.dot;
  case 2:
    return steps.scaled;
  case 3:
    return steps.masked;
  case 4:
    return steps.p;
  default:
    return steps.output;
  }
}

// Of steps 1 … 5: the first three are scores.
MatrixPart partOf(const MatrixSteps& steps, Index step) {
  MatrixPart part{"", valuesOf(steps, step), {}};
  for (const Index other : {1, 2, 3, 4, 5})
    if (other == step || (other <= 3 && step <= 3))
      part.alike.take(valuesOf(steps, other));
  part.weights = step == 4;
  part.output = step == kMatrixSteps;
  part.title = matrixTitle(steps, step);
  return part;
}

double widestOf(const MatrixSteps& steps) {
  return std::max(matrixSize(steps, 1).width, matrixSize(steps, kMatrixSteps).width);
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
    panels.push_back({part.title, {MatrixDiagram(part, look).make(widestOf(steps))}, {}});
  }
  return panels;
}

Index matricesAt(const MatrixSteps& steps, Index step) {
  const Index all = steps.output.cols() > 0 ? kMatrixSteps : kMatrixSteps - 1;
  return step <= 0 ? all : std::min(step, all);
}

Size matrixSize(const MatrixSteps& steps, Index step) {
  return MatrixDiagram::sizeOf(valuesOf(steps, step));
}

std::string matrixTitle(const MatrixSteps& steps, Index step) {
  switch (step) {
  case 1:
    return "1. Q Kᵀ";
  case 2:
    return "2. " + scaleTitle(steps);
  case 3:
    return "3. masked";
  case 4:
    return steps.gated ? "4. weights, all branches" : "4. softmax of rows";
  default:
    return "5. × V = output";
  }
}

Plot matrixComing(const MatrixSteps& steps, const MatrixLook& look, double t) {
  const MatrixPart part = partOf(steps, look.step);
  const MatrixPart before = partOf(steps, look.step - 1);
  if (t <= 0 && !part.output)
    return MatrixDiagram(before, look).make(widestOf(steps));
  MatrixDiagram diagram(part, look);
  if (t < 1)
    diagram.comeFrom(before, t);
  return diagram.make(widestOf(steps));
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
