// Feature maps on a board: φ(k), the sums z and S key by key and what the query makes of them, the
// same from the left, key by key for this query alone, and the output divided and not, beside
// softmax.
#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

constexpr Index kMostTold = 4; // rows and columns of a matrix in words

// "((1, 2), (0, 3))", or how large it is.
std::string matrixText(const Matrix<double>& x) {
  if (x.rows() > kMostTold || x.cols() > kMostTold)
    return std::to_string(x.rows()) + " × " + std::to_string(x.cols()) + " numbers";
  std::string text;
  for (Index i = 0; i < x.rows(); ++i)
    text += (i == 0 ? "" : ", ") + vectorText(stripOf(x, i));
  return "(" + text + ")";
}

BoardCell matrixCell(const Matrix<double>& x, std::string why) {
  BoardCell cell{"", x.values(), {}, std::move(why)};
  if (!cell.strip.empty())
    cell.rows = static_cast<std::size_t>(x.rows());
  return cell;
}

class FeatureBoard {
public:
  FeatureBoard(const StepsAnswer& answer, std::span<const std::string> tokens)
      : answer_(answer), steps_(*answer.features), tokens_(tokens) {}

  Board make() {
    board_.title = titleOf(answer_, isLinear() ? "linear attention" : "random features", tokens_);
    board_.formula = formula();
    addColumns();
    BoardLine& query = addLine("φ(q)");
    query.cells[kPhi] = {"", steps_.phiQ, {}, "φ(q) = " + vectorText(steps_.phiQ)};
    query.strong = true;
    query.shades = kOfQuery;
    addKeys();
    addOthers();
    addSums();
    addOutputs();
    addSteps();
    return std::move(board_);
  }

private:
  // Columns.
  enum Column : std::size_t {
    kName,
    kPhi,
    kValue,
    kTotal,
    kState,
    kA,
    kWeighted,
    kSoftmax,
    kShare, // where the output is divided
  };

  enum Step : Index { kMaps = 1, kFromRight, kFromLeft, kSums, kOutput };

  static constexpr double kStrip = 17; // width of a strip, with its gap

  // Lines whose strips are compared.
  enum Shades : int { kOfQuery = 1, kOutputs, kOfSums };

  bool isLinear() const { return answer_.by == StepsBy::Linear; }
  bool hasVisible() const { return !steps_.visible.empty(); }
  std::string mapText() const {
    return isLinear() ? "φ(x) = elu(x) + 1" : "φ: positive random features";
  }

  std::string formula() const {
    const std::string sum = boardNumber(steps_.denominator);
    std::string text =
        mapText() + ", a = φ(q)·φ(k), z = Σ φ(k), S = Σ φ(k) vᵀ, Σ a = φ(q)·z = " + sum +
        ", output = " + (answer_.normalized ? "φ(q)ᵀS / φ(q)·z" : "φ(q)ᵀS, not divided by Σ a");
    if (!hasVisible())
      text += "; " + noKeyText();
    const std::string lines = linesText(answer_);
    return lines.empty() ? text : text + ". " + lines;
  }

  void addColumns() {
    board_.columns = {{"key"},
                      {"φ(k)", kStrip, true, kMaps, kFromLeft, "", !isLinear()},
                      {"v", kStrip, true, kFromRight, kSums},
                      {"z so far", kStrip, true, kFromRight, kFromRight, "z"},
                      {"S so far", kStrip, true, kFromRight, kFromRight, "S"},
                      {"a", 0, false, kFromLeft},
                      {"a v", kStrip, true, kSums},
                      {"softmax p", 0, false, kOutput}};
    if (answer_.normalized)
      board_.columns.push_back({"a / Σ a", 0, false, kOutput});
  }

  BoardLine& addLine(const std::string& name) {
    BoardLine line;
    line.cells.resize(board_.columns.size());
    line.cells[kName] = {name};
    board_.lines.push_back(std::move(line));
    return board_.lines.back();
  }

  void addShare(BoardLine& line, double kernel) const {
    if (!answer_.normalized || steps_.denominator == 0)
      return;
    const double part = kernel / steps_.denominator;
    line.cells[kShare] = {boardNumber(part),
                          {},
                          part,
                          "a / Σ a = " + boardNumber(kernel) + " / " +
                              factorText(steps_.denominator) + " = " + boardNumber(part)};
  }

  void addKeys() {
    std::size_t next = 0; // of the visible keys
    for (std::size_t row = 0; row < answer_.shown.keys.size(); ++row) {
      const Index key = answer_.shown.keys[row];
      while (steps_.visible[next] != key)
        ++next;
      board_.lines.push_back(keyLine(answer_, key, tokens_, board_.columns.size()));
      BoardLine& line = board_.lines.back();
      fillKey(line, static_cast<Index>(row), steps_.kernel[next]);
      const double p = answer_.softmax.p[static_cast<std::size_t>(key)];
      line.cells[kSoftmax] = {boardNumber(p), {}, p, "softmax gives p = " + boardNumber(p)};
      line.ruled = row == 0;
    }
  }

  // `row`: of the shown keys.
  void fillKey(BoardLine& line, Index row, double a) const {
    const std::vector<double> phi = stripOf(answer_.phiK, row);
    const std::vector<double> v = stripOf(answer_.v, row);
    const std::vector<double> weighted = scaledBy(a, v);
    const std::vector<double> z = stripOf(answer_.sums.total, row);
    const Matrix<double>& s = answer_.sums.state[static_cast<std::size_t>(row)];
    line.cells[kPhi] = {"", phi, {}, "φ(k) = " + vectorText(phi)};
    line.cells[kA] = numberCell(a, "a = φ(q)·φ(k) = " + productsText(steps_.phiQ, phi, a));
    line.cells[kValue] = {"", v, {}, "v = " + vectorText(v)};
    line.cells[kWeighted] = {"", weighted, {}, "a v = " + vectorText(weighted)};
    line.cells[kTotal] = {"", z, {}, "z = Σ φ(k) up to this key = " + vectorText(z)};
    line.cells[kState] = matrixCell(s, "S = Σ φ(k) vᵀ up to this key" + stateText(s));
    addShare(line, a);
  }

  // " = ((1, 2), (0, 3))"; of a large S only how its shades come about.
  std::string stateText(const Matrix<double>& drawn) const {
    const bool whole = drawn.rows() == steps_.state.rows() && drawn.cols() == steps_.state.cols();
    return whole ? " = " + matrixText(drawn) : ", drawn as the means of blocks";
  }

  void addOthers() {
    const std::vector<Index>& others = answer_.shown.others;
    if (others.empty())
      return;
    const double p = sumOver(others, answer_.softmax.p);
    const double kernel = kernelOfOthers();
    BoardLine& line = addLine(othersName(others.size()));
    line.cells[kName].why = linesText(answer_);
    line.cells[kA] = {boardNumber(kernel)};
    line.cells[kSoftmax] = {boardNumber(p), {}, p};
    addShare(line, kernel);
    line.dim = true;
  }

  double kernelOfOthers() const {
    double sum = 0;
    std::size_t other = 0;
    for (std::size_t t = 0; t < steps_.visible.size(); ++t)
      if (other < answer_.shown.others.size() && answer_.shown.others[other] == steps_.visible[t]) {
        sum += steps_.kernel[t];
        ++other;
      }
    return sum;
  }

  // Of all keys, and what the query makes of z and S, which other queries share.
  void addSums() {
    const Matrix<double> s = blockMeans(steps_.state, kMostStateCells);
    const std::string sum = boardNumber(steps_.denominator);
    BoardLine& sums = addLine("sums");
    sums.cells[kA] = {sum, {}, {}, "Σ a = " + sum};
    sums.cells[kWeighted] = {"", steps_.numerator, {}, "Σ a v = " + vectorText(steps_.numerator)};
    sums.cells[kTotal] = {"", steps_.total, {}, "z = Σ φ(k) = " + vectorText(steps_.total)};
    sums.cells[kState] = matrixCell(s, "S = Σ φ(k) vᵀ" + stateText(s));
    sums.strong = sums.ruled = true;
    sums.shades = kOfSums; // larger than φ(q)
    sums.step = kFromRight;
    BoardLine& right = addLine("φ(q) × sums");
    right.cells[kTotal] = {sum, {}, {}, "φ(q)·z = " + sum};
    right.cells[kState] = {"", steps_.numerator, {}, "φ(q)ᵀS = " + vectorText(steps_.numerator)};
    right.shades = kOutputs;
    right.step = kFromRight;
  }

  void addOutput(const std::string& name, const std::vector<double>& strip, const std::string& why,
                 bool chosen) {
    BoardLine& line = addLine(name);
    line.cells[kWeighted] = {"", strip, {}, why + " = " + vectorText(strip)};
    line.strong = chosen;
    line.shades = kOutputs;
    line.step = kOutput;
  }

  // Divided and not; with the same shades where they are compared.
  void addOutputs() {
    addOutput("AV, not divided", steps_.numerator, "Σ a v", !answer_.normalized);
    board_.lines.back().shades = kOfSums;
    board_.lines.back().ruled = true;
    addOutput("D⁻¹AV, divided", steps_.divided, "Σ a v / Σ a", answer_.normalized);
    addOutput("softmax gives", steps_.exact, "softmax gives Σ p v", false);
  }

  std::string outputText() const {
    if (!hasVisible())
      return noKeyText();
    const std::string sum = boardNumber(steps_.denominator);
    return answer_.normalized ? "Σ a v / Σ a = " + vectorText(steps_.divided) +
                                    "; not divided it would be " + vectorText(steps_.numerator)
                              : "Σ a v = " + vectorText(steps_.numerator) +
                                    ", not divided; divided by Σ a = " + sum + " it would be " +
                                    vectorText(steps_.divided);
  }

  void addSteps() {
    const auto key = exampleKey(answer_);
    const auto line = std::find_if(board_.lines.begin(), board_.lines.end(),
                                   [&](const BoardLine& of) { return key && of.row == key; });
    const std::string kernel = line == board_.lines.end() ? "no key is visible"
                                                          : tokenName("key", *key, *key, tokens_) +
                                                                ": " + line->cells[kA].why;
    const std::string sum = boardNumber(steps_.denominator);
    const std::string numerator = vectorText(steps_.numerator);
    board_.steps = {
        {"Feature maps", mapText() + (isLinear() ? " makes " : "; they make ") +
                             counted(steps_.phiQ.size(), "feature") + " of q and of every k"},
        {"From the right", "z = Σ φ(k) and S = Σ φ(k) vᵀ grow key by key and serve all queries; "
                           "φ(q)·z = " +
                               sum + ", φ(q)ᵀS = " + numerator},
        {"From the left", kernel},
        {"Sums", "Σ a = " + sum + " and Σ a v = " + numerator +
                     ", for this query alone; the two orders differ by " +
                     boardNumber(steps_.orderGap)},
        {"Output", outputText()}};
  }

  const StepsAnswer& answer_;
  const FeatureSteps& steps_;
  std::span<const std::string> tokens_;
  Board board_;
};

} // namespace

Board featureBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  return FeatureBoard(answer, tokens).make();
}

} // namespace attention
