#include "core/views/steps/matrix_steps.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/steps/board_words.h"

#include <algorithm>
#include <array>
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
constexpr std::size_t kMostLetters = 9; // of a label beside a row
constexpr std::size_t kPositiveHue = 0;
constexpr std::size_t kNegativeHue = 1;
constexpr std::size_t kWeightHue = 2;

void copyRow(Matrix<double>& to, Index row, const std::vector<double>& from) {
  std::copy(from.begin(), from.end(), to.view().row(row).data());
}

// One matrix with its numbers.
struct MatrixPart {
  const Matrix<double>& values;
  Index keys = 0;       // of the others
  bool weights = false; // from 0 to 1
  bool output = false;  // its columns are numbers of values, not keys
};

// Two digits behind the point at most: "−1.24", ".06" would be no number that anybody reads aloud.
std::string cellText(double value) {
  if (std::isinf(value))
    return "−∞";
  if (std::abs(value) >= 100)
    return readableNumber(value, 3);
  return readableNumber(std::round(value * 100) / 100, 3);
}

class MatrixDiagram {
public:
  MatrixDiagram(const MatrixPart& part, const MatrixLook& look) : part_(part), look_(look) {
    for (const double value : part.values.values())
      if (std::isfinite(value))
        top_ = std::max(top_, std::abs(value));
  }

  Plot make() {
    const Index rows = part_.values.rows();
    const Index cols = part_.values.cols();
    // All have cells of one size.
    const Index most = std::max(cols, part_.keys);
    mark_.width = kLabels + kCell * static_cast<double>(most);
    mark_.height = kAbove + kCell * static_cast<double>(rows);
    for (Index j = 0; j < cols; ++j)
      addText({xOf(j) + kCell / 2, kAbove / 2}, part_.output ? std::to_string(j) : labelOf(j, true),
              kCell, false);
    for (Index i = 0; i < rows; ++i) {
      addText({kLabels / 2, yOf(i) + kCell / 2}, labelOf(i, look_.square), kLabels,
              look_.query == i);
      for (Index j = 0; j < cols; ++j)
        addCell(i, j);
    }
    if (look_.query && *look_.query < rows)
      frameRow(*look_.query, cols);
    Plot plot{std::move(mark_), std::nullopt, std::nullopt};
    plot.told = [words = words_] { return words; };
    return plot;
  }

private:
  static double xOf(Index column) { return kLabels + kCell * static_cast<double>(column); }
  static double yOf(Index row) { return kAbove + kCell * static_cast<double>(row); }

  std::string labelOf(Index token, bool named) const {
    const auto at = static_cast<std::size_t>(token);
    return named && at < look_.tokens.size() ? shortened(look_.tokens[at], kMostLetters)
                                             : std::to_string(token);
  }

  void addText(const Point& at, const std::string& text, double room, bool bold) {
    DiagramText words{at, text, TextAlign::Center, bold, !bold};
    words.room = room;
    words.shrinks = true;
    mark_.texts.push_back(std::move(words));
  }

  void addCell(Index i, Index j) {
    const double value = part_.values(i, j);
    if (std::isfinite(value) && top_ > 0) {
      const std::size_t hue = part_.weights ? kWeightHue : value < 0 ? kNegativeHue : kPositiveHue;
      mark_.fills.push_back({{{xOf(j), yOf(i), kCell, kCell}},
                             hue,
                             kMostTint * std::abs(value) / top_,
                             WordsOn::Text});
    }
    DiagramText words{{xOf(j) + kCell / 2, yOf(i) + kCell / 2}, cellText(value)};
    words.align = TextAlign::Center;
    words.dim = std::isinf(value) || value == 0;
    words.bold = look_.query == i;
    words.room = kCell * (1 - kInset);
    words.shrinks = true;
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
  double top_ = 0;
  DiagramMark mark_;
  std::vector<PlaceWords> words_; // of the cells
};

std::string scaleTitle(const MatrixSteps& steps) {
  return "s = " + scoringText(steps.scoring, static_cast<std::size_t>(steps.d));
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
  const Index keys = steps.dot.cols();
  const std::array<std::pair<std::string, MatrixPart>, kMatrixSteps> all{{
      {"1. Q Kᵀ", {steps.dot, keys}},
      {"2. " + scaleTitle(steps), {steps.scaled, keys}},
      {"3. masked", {steps.masked, keys}},
      {steps.gated ? "4. weights, all branches" : "4. softmax of rows", {steps.p, keys, true}},
      {"5. × V = output", {steps.output, keys, false, true}},
  }};
  const Index last = look.step <= 0 ? kMatrixSteps : std::min(look.step, kMatrixSteps);
  std::vector<FigurePanel> panels;
  for (Index s = 0; s < last; ++s) {
    const auto& [title, part] = all[static_cast<std::size_t>(s)];
    if (part.values.cols() > 0)
      panels.push_back({title, {MatrixDiagram(part, look).make()}, {}});
  }
  return panels;
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
