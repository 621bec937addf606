// Softmax on a board: q·k, scale, mask, − max, exp, sum, p, p·v, key by key.
#include "core/support/number_text.h"
#include "core/views/steps/board_words.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attention {
namespace {

using namespace softmax_step;

class SoftmaxBoard {
public:
  SoftmaxBoard(const StepsAnswer& answer, std::span<const std::string> tokens)
      : answer_(answer), steps_(answer.softmax), tokens_(tokens) {}

  Board make() {
    board_.title = titleOf(answer_, "softmax attention", tokens_);
    board_.formula = formula();
    addColumns();
    addQuery();
    Index row = 0;   // of k
    Index shown = 0; // of v
    for (const ListedKey& listed : answer_.listed) {
      addKey(listed, row++, listed.visible ? std::optional(shown++) : std::nullopt);
      board_.lines.back().ruled = board_.lines.size() == 2;
    }
    addOthers();
    addForbidden();
    addSums();
    addSteps();
    return std::move(board_);
  }

private:
  // Columns.
  enum Column : std::size_t {
    kName,
    kKey,
    kProducts,
    kDotColumn,
    kScore,
    kMasked,
    kShifted,
    kExpColumn,
    kWeightColumn,
    kValue,
    kWeighted,
    kRule, // where there is a hidden key with a line
  };

  static constexpr double kStrip = 17; // width of a strip, with its gap
  static constexpr double kParts = 14;

  static double at(const std::vector<double>& values, Index key) {
    return values[static_cast<std::size_t>(key)];
  }
  bool hasValues() const { return !steps_.output.empty(); }

  std::string formula() const {
    std::string text = "s = " + scoringText(answer_.scoring, answer_.q.size());
    if (steps_.max)
      text += ", max = " + boardNumber(*steps_.max) + ", sum = " + boardNumber(*steps_.sum) +
              ", p = exp(s − max) / sum";
    else if (!steps_.parts.empty())
      text += ", p = the mean of " + softmaxesText(steps_.parts.size());
    text += ", output = Σ p v";
    if (!hasVisible())
      text += "; " + noKeyText();
    if (answer_.hidden && isListed(answer_, answer_.hidden->key))
      text += "; " + hiddenText(answer_, tokens_);
    const std::string lines = linesText(answer_);
    return lines.empty() ? text : text + ". " + lines;
  }

  bool hasVisible() const { return !steps_.visible.empty(); }

  bool hasRules() const {
    return std::any_of(answer_.listed.begin(), answer_.listed.end(),
                       [](const ListedKey& of) { return !of.visible; });
  }

  void addColumns() {
    const bool parts = answer_.q.size() > kProductParts;
    board_.columns = {
        {"key"},
        {"k", kStrip, true, kQueryAndKeys, kDot},
        {parts ? "parts of q·k" : "q × k", kParts, true, kDot, kDot, parts ? "parts" : "q×k"},
        {"q·k", 0, false, kDot, kScale},
        {"s", 0, false, kScale, kMask},
        {"masked", 0, false, kMask, kShift, "mask"},
        {"s − max", 0, false, kShift, kExp, "−max"},
        {"exp", 0, false, kExp, kDivide},
        {"p", 0, false, kDivide},
        {"v", kStrip, true, kWeight},
        {"p v", kStrip, true, kWeight}};
    if (!hasRules())
      return;
    board_.columns.push_back({"rule", 0, false, kMask});
    board_.columns.back().passing = true;
  }

  BoardLine& addLine(const std::string& name) {
    BoardLine line;
    line.cells.resize(board_.columns.size());
    line.cells[0] = {name};
    board_.lines.push_back(std::move(line));
    return board_.lines.back();
  }

  void addQuery() {
    BoardLine& line = addLine("q");
    line.cells[kKey] = {"", answer_.q, {}, "q = " + vectorText(answer_.q)};
    line.strong = true;
    line.shades = 1;
  }

  // `row`: of the answer's k; `shown`: of its v, nothing for a key that is hidden.
  void addKey(const ListedKey& listed, Index row, std::optional<Index> shown) {
    const Index j = listed.key;
    board_.lines.push_back(keyLine(answer_, j, tokens_, board_.columns.size()));
    BoardLine& line = board_.lines.back();
    line.dim = !shown;
    const double dot = at(steps_.dot, j);
    const std::vector<double> k = stripOf(answer_.k, row);
    line.cells[kKey] = {"", k, {}, "k = " + vectorText(k)};
    line.cells[kProducts] = {"", partialProducts(answer_.q, k, kProductParts)};
    line.cells[kDotColumn] = numberCell(dot, "q·k = " + productsText(answer_.q, k, dot));
    line.cells[kScore] = scoreCell(j);
    if (shown)
      addVisible(line, listed, *shown);
    else
      addHidden(line, listed);
  }

  BoardCell scoreCell(Index j) const {
    const double s = at(steps_.scaled, j);
    return numberCell(s, "s = " +
                             scoringText(answer_.scoring, answer_.q.size(),
                                         scoredPair(answer_, j, at(steps_.dot, j))) +
                             " = " + boardNumber(s));
  }

  static void addHidden(BoardLine& line, const ListedKey& listed) {
    line.cells[kMasked] = {"−∞", {}, {}, "−∞, since " + listed.rule};
    line.cells[kShifted] = {"−∞"};
    line.cells[kExpColumn] = {"0", {}, {}, "exp(−∞) = 0"};
    line.cells[kWeightColumn] = {"0"};
    if (line.cells.size() > kRule)
      line.cells[kRule] = {listed.rule};
  }

  void addVisible(BoardLine& line, const ListedKey& listed, Index row) const {
    const Index j = listed.key;
    line.cells[kMasked] = numberCell(at(steps_.scaled, j), "visible: " + listed.rule);
    const double p = at(steps_.p, j);
    line.cells[kWeightColumn] = {boardNumber(p), {}, p};
    if (steps_.max)
      addExponential(line, j);
    if (!hasValues())
      return;
    const std::vector<double> v = stripOf(answer_.v, row);
    const std::vector<double> weighted = scaledBy(p, v);
    line.cells[kValue] = {"", v, {}, "v = " + vectorText(v)};
    line.cells[kWeighted] = {"", weighted, {}, "p v = " + vectorText(weighted)};
  }

  // Of one softmax: averaged ones have numbers of their own.
  void addExponential(BoardLine& line, Index j) const {
    const double s = at(steps_.scaled, j);
    const double shifted = s - *steps_.max;
    const double e = at(steps_.exp, j);
    line.cells[kShifted] =
        numberCell(shifted, "s − max = " + boardNumber(s) + " − " + factorText(*steps_.max) +
                                " = " + boardNumber(shifted));
    line.cells[kExpColumn] = numberCell(e, "exp(" + boardNumber(shifted) + ") = " + boardNumber(e));
    line.cells[kWeightColumn].why = "p = " + boardNumber(e) + " / " + boardNumber(*steps_.sum) +
                                    " = " + boardNumber(at(steps_.p, j));
  }

  void addOthers() {
    const auto& others = answer_.shown.others;
    if (others.empty())
      return;
    BoardLine& line = addLine(othersName(others.size()));
    line.cells[0].why = linesText(answer_);
    const double p = sumOver(others, steps_.p);
    if (!steps_.exp.empty())
      line.cells[kExpColumn] = {boardNumber(sumOver(others, steps_.exp))};
    line.cells[kWeightColumn] = {boardNumber(p),
                                 {},
                                 p,
                                 "the weights of these " + groupedDigits(others.size()) +
                                     " keys together"};
    line.dim = true;
  }

  // Those that have no line of their own.
  void addForbidden() {
    const std::size_t lines = answer_.listed.size() - answer_.shown.keys.size();
    const std::size_t hidden = steps_.dot.size() - steps_.visible.size() - lines;
    if (hidden == 0)
      return;
    BoardLine& line = addLine("… " + groupedDigits(hidden) + " masked");
    line.cells[kMasked] = {"−∞", {}, {}, "the pattern hides " + counted(hidden, "key")};
    line.cells[kShifted] = {"−∞"};
    line.cells[kExpColumn] = {"0", {}, {}, "exp(−∞) = 0"};
    line.cells[kWeightColumn] = {"0"};
    line.dim = true;
  }

  // What the sink takes of the softmax; it has no value.
  double addSink(double ofKeys) {
    const auto& sink = answer_.scoring.sink;
    if (!sink || steps_.visible.empty())
      return 0;
    const double p = std::max(1 - ofKeys, 0.0);
    BoardLine& line = addLine("sink");
    line.cells[kScore] = {boardNumber(*sink), {}, {}, "the score of the sink, which has no key"};
    if (steps_.sinkExp) {
      line.cells[kShifted] = {boardNumber(*sink - *steps_.max)};
      line.cells[kExpColumn] = {boardNumber(*steps_.sinkExp)};
    }
    line.cells[kWeightColumn] = {boardNumber(p), {}, p, "the sink's weight; it has no value"};
    return p;
  }

  std::string nameOfScaling() const {
    const Scoring& scoring = answer_.scoring;
    if (scoring.softcap && !scoring.bias.none())
      return scoring.biasFirst ? "Scale, bias and cap" : "Scale, cap and bias";
    if (!scoring.bias.none())
      return "Scale and bias";
    return scoring.softcap ? "Scale and cap" : "Scale";
  }

  void addSums() {
    const double ofKeys = std::accumulate(steps_.p.begin(), steps_.p.end(), 0.0);
    const double p = ofKeys + addSink(ofKeys);
    BoardLine& sum = addLine("sum");
    if (steps_.sum)
      sum.cells[kExpColumn] = {boardNumber(*steps_.sum),
                               {},
                               {},
                               steps_.sinkExp ? "sum of exp over all keys and the sink"
                                              : "sum of exp over all keys"};
    sum.cells[kWeightColumn] = {boardNumber(p)};
    sum.strong = sum.ruled = true;
    sum.step = kDivide;
    if (!hasValues())
      return;
    BoardLine& output = addLine("output");
    output.cells[kWeighted] = {
        "", steps_.output, {}, "output = Σ p v = " + vectorText(steps_.output)};
    output.strong = true;
    output.shades = 1;
    output.step = kOutput;
  }

  std::string maskText() const {
    const std::size_t keys = steps_.dot.size();
    const std::size_t hidden = keys - steps_.visible.size();
    if (hidden == 0)
      return (keys == 1 ? "the only key is" : "all " + groupedDigits(keys) + " keys are") +
             std::string(" visible; nothing is masked");
    std::string text = groupedDigits(steps_.visible.size()) + " of " + counted(keys, "key") +
                       (keys == 1 ? " is" : " are") + " visible; ";
    if (hidden == 1)
      return text + hiddenText(answer_, tokens_);
    const ListedKey& one = answer_.hidden.value();
    return text + "the others get −∞, " + tokenName(answer_.keyNoun, one.key, one.key, tokens_) +
           " since " + one.rule;
  }

  std::string keysText() const {
    const std::string lines = linesText(answer_);
    return "q and every k are rows of " + counted(answer_.q.size(), "number") +
           (lines.empty() ? "" : ". " + lines);
  }

  // One key stands for all in what is written of a step.
  void addSteps() {
    const auto add = [&](std::string name, std::string text) {
      board_.steps.push_back({std::move(name), std::move(text)});
    };
    const BoardLine* line = example();
    const std::string of =
        line ? tokenName(answer_.keyNoun, *line->row, *line->row, tokens_) + ": " : "";
    const auto why = [&](std::size_t column) {
      return line ? of + line->cells[column].why : std::string("no key is visible");
    };
    add("Query and keys", keysText());
    add("Dot products", why(kDotColumn));
    add(nameOfScaling(), why(kScore));
    add("Mask", maskText());
    add("Subtract the maximum", why(kShifted));
    add("Exponential", why(kExpColumn));
    add("Divide by the sum", why(kWeightColumn));
    if (!hasValues())
      return;
    add("Weight the values", why(kWeighted));
    add("Add them up",
        line ? "output = " + weightedValuesText(answer_) + " = " + vectorText(steps_.output)
             : noKeyText());
  }

  const BoardLine* example() const {
    const auto key = exampleKey(answer_);
    const auto found = std::find_if(board_.lines.begin(), board_.lines.end(),
                                    [&](const BoardLine& of) { return of.row && of.row == key; });
    return found == board_.lines.end() ? nullptr : &*found;
  }

  const StepsAnswer& answer_;
  const SoftmaxSteps& steps_;
  std::span<const std::string> tokens_;
  Board board_;
};

} // namespace

Board softmaxBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  return SoftmaxBoard(answer, tokens).make();
}

} // namespace attention
