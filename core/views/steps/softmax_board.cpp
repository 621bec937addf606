// Softmax on a board: q·k, scale, mask, − max, exp, sum, p, p·v, key by key.
#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attention {
namespace {

using namespace softmax_step;

constexpr std::size_t kColumns = 11;
constexpr std::size_t kProductParts = 8; // strips of q × k
constexpr double kStrip = 17;            // width of a strip, with its gap
constexpr double kParts = 14;
// Columns are left out in the order of these where there is little room, the largest first.
constexpr int kFirstProducts = 1;
constexpr int kFirstShift = 2;
constexpr int kFirstUnmasked = 3; // where nothing is masked it repeats the scores

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
  static double at(const std::vector<double>& values, Index key) {
    return values[static_cast<std::size_t>(key)];
  }
  // Nothing where several softmaxes are averaged, which have numbers of their own.
  std::string number(const std::vector<double>& values, Index key) const {
    return values.empty() ? "" : boardNumber(at(values, key));
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
    const std::string lines = linesText(answer_);
    return lines.empty() ? text : text + ". " + lines;
  }

  void addColumns() {
    const bool masks = steps_.visible.size() < steps_.dot.size();
    board_.columns = {{"key j"},
                      {"kⱼ", kStrip, true, kQueryAndKeys},
                      {"q × kⱼ", kParts, true, kDot, kFirstProducts},
                      {"q·kⱼ", 0, false, kDot},
                      {"s", 0, false, kScale},
                      {"masked", 0, false, kMask, masks ? 0 : kFirstUnmasked},
                      {"s − max", 0, false, kShift, kFirstShift},
                      {"exp", 0, false, kExp},
                      {"p", 0, false, kDivide},
                      {"vⱼ", kStrip, true, kWeight},
                      {"p vⱼ", kStrip, true, kWeight}};
  }

  BoardLine& addLine(const std::string& name) {
    BoardLine line;
    line.cells.resize(kColumns);
    line.cells[0] = {name};
    board_.lines.push_back(std::move(line));
    return board_.lines.back();
  }

  void addQuery() {
    BoardLine& line = addLine("q");
    line.cells[1] = {"", answer_.q, {}, "q = " + vectorText(answer_.q)};
    line.strong = true;
    line.shades = 1;
  }

  // `row`: of the answer's k; `shown`: of its v, nothing for a key that is hidden.
  void addKey(const ListedKey& listed, Index row, std::optional<Index> shown) {
    const Index j = listed.key;
    board_.lines.push_back(keyLine(answer_, j, tokens_, kColumns));
    BoardLine& line = board_.lines.back();
    line.dim = !shown;
    const double dot = at(steps_.dot, j);
    const std::vector<double> k = stripOf(answer_.k, row);
    line.cells[1] = {"", k, {}, "k = " + vectorText(k)};
    line.cells[2] = {"", partialProducts(answer_.q, k, kProductParts)};
    line.cells[3] = {number(steps_.dot, j), {}, {}, "q·k = " + productsText(answer_.q, k, dot)};
    line.cells[4] = {
        number(steps_.scaled, j),
        {},
        {},
        "s = " + scoringText(answer_.scoring, answer_.q.size(), scoredPair(answer_, j, dot)) +
            " = " + number(steps_.scaled, j)};
    if (shown)
      addVisible(line, listed, *shown);
    else
      addHidden(line, listed);
  }

  static void addHidden(BoardLine& line, const ListedKey& listed) {
    line.cells[5] = {"−∞", {}, {}, "−∞, since " + listed.rule};
    line.cells[6] = {"−∞"};
    line.cells[7] = {"0", {}, {}, "exp(−∞) = 0"};
    line.cells[8] = {"0"};
  }

  void addVisible(BoardLine& line, const ListedKey& listed, Index row) const {
    const Index j = listed.key;
    line.cells[5] = {number(steps_.scaled, j), {}, {}, "visible: " + listed.rule};
    const double p = at(steps_.p, j);
    line.cells[8] = {boardNumber(p), {}, p};
    if (steps_.max)
      addExponential(line, j);
    if (!hasValues())
      return;
    const std::vector<double> v = stripOf(answer_.v, row);
    const std::vector<double> weighted = scaledBy(p, v);
    line.cells[9] = {"", v, {}, "v = " + vectorText(v)};
    line.cells[10] = {"", weighted, {}, "p v = " + vectorText(weighted)};
  }

  void addExponential(BoardLine& line, Index j) const {
    const double s = at(steps_.scaled, j);
    const double shifted = s - *steps_.max;
    line.cells[6] = {boardNumber(shifted),
                     {},
                     {},
                     "s − max = " + boardNumber(s) + " − " + factorText(*steps_.max) + " = " +
                         boardNumber(shifted)};
    line.cells[7] = {number(steps_.exp, j),
                     {},
                     {},
                     "exp(" + boardNumber(shifted) + ") = " + number(steps_.exp, j)};
    line.cells[8].why = "p = " + number(steps_.exp, j) + " / " + boardNumber(*steps_.sum) + " = " +
                        number(steps_.p, j);
  }

  void addOthers() {
    const auto& others = answer_.shown.others;
    if (others.empty())
      return;
    BoardLine& line = addLine(othersName(others.size()));
    line.cells[0].why = linesText(answer_);
    const double p = sumOver(others, steps_.p);
    if (!steps_.exp.empty())
      line.cells[7] = {boardNumber(sumOver(others, steps_.exp))};
    line.cells[8] = {boardNumber(p),
                     {},
                     p,
                     "the weights of these " + groupedDigits(others.size()) + " keys together"};
    line.dim = true;
  }

  // Those that have no line of their own.
  void addForbidden() {
    const std::size_t lines = answer_.listed.size() - answer_.shown.keys.size();
    const std::size_t hidden = steps_.dot.size() - steps_.visible.size() - lines;
    if (hidden == 0)
      return;
    BoardLine& line = addLine("… " + groupedDigits(hidden) + " masked");
    line.cells[5] = {"−∞", {}, {}, "the pattern hides " + counted(hidden, "key")};
    line.cells[6] = {"−∞"};
    line.cells[7] = {"0", {}, {}, "exp(−∞) = 0"};
    line.cells[8] = {"0"};
    line.dim = true;
  }

  // What the sink takes of the softmax; it has no value.
  double addSink(double ofKeys) {
    const auto& sink = answer_.scoring.sink;
    if (!sink || steps_.visible.empty())
      return 0;
    const double p = std::max(1 - ofKeys, 0.0);
    BoardLine& line = addLine("sink");
    line.cells[4] = {boardNumber(*sink), {}, {}, "the score of the sink, which has no key"};
    if (steps_.sinkExp) {
      line.cells[6] = {boardNumber(*sink - *steps_.max)};
      line.cells[7] = {boardNumber(*steps_.sinkExp)};
    }
    line.cells[8] = {boardNumber(p), {}, p, "the sink's weight; it has no value"};
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
      sum.cells[7] = {boardNumber(*steps_.sum),
                      {},
                      {},
                      steps_.sinkExp ? "sum of exp over all keys and the sink"
                                     : "sum of exp over all keys"};
    sum.cells[8] = {boardNumber(p)};
    sum.strong = sum.ruled = true;
    sum.step = kDivide;
    if (!hasValues())
      return;
    BoardLine& output = addLine("output");
    output.cells[10] = {"", steps_.output, {}, "output = Σ p v = " + vectorText(steps_.output)};
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
    return groupedDigits(steps_.visible.size()) + " of " + counted(keys, "key") +
           (keys == 1 ? " is" : " are") + " visible; the " +
           (hidden == 1 ? "other gets" : "others get") + " −∞";
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
    add("Dot products", why(3));
    add(nameOfScaling(), why(4));
    add("Mask", maskText());
    add("Subtract the maximum", why(6));
    add("Exponential", why(7));
    add("Divide by the sum", why(8));
    if (!hasValues())
      return;
    add("Weight the values", why(10));
    const std::string sum = line ? weightedValuesText(answer_) + " = " : "";
    add("Add them up", "output = " + sum + vectorText(steps_.output));
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
