// Softmax on a board: q·k, scale, mask, − max, exp, sum, p, p·v, key by key.
#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace attention {
namespace {

class SoftmaxBoard {
public:
  SoftmaxBoard(const StepsAnswer& answer, std::span<const std::string> tokens)
      : answer_(answer), steps_(answer.softmax), tokens_(tokens) {}

  StepsBoard make() {
    board_.title = titleOf(answer_, "softmax attention", tokens_);
    board_.formula = formula();
    board_.columns = {{"key j", 15, false}, {"kⱼ", 19, true},      {"q·kⱼ", 8, false},
                      {"s", 8, false},      {"s − max", 9, false}, {"exp", 8, false},
                      {"p", 14, false},     {"vⱼ", 21, true}};
    addQuery();
    addKeys();
    addOthers();
    addSums();
    return std::move(board_);
  }

private:
  static double at(const std::vector<double>& values, Index key) {
    return values[static_cast<std::size_t>(key)];
  }
  std::string number(const std::vector<double>& values, Index key) const {
    return values.empty() ? "" : boardNumber(at(values, key));
  }

  std::string formula() const {
    std::string text = "s = " + scoringText(answer_.scoring, answer_.q.size());
    if (steps_.max)
      text += ", max = " + boardNumber(*steps_.max) + ", sum = " + boardNumber(*steps_.sum) +
              ", p = exp(s − max) / sum";
    else if (!steps_.parts.empty())
      text += ", p = the mean of " + counted(steps_.parts.size(), "softmax") + " of their own";
    return text + ", output = Σ p v";
  }

  void addQuery() {
    BoardLine line;
    line.cells = {{"q"}, {"", answer_.q}, {}, {}, {}, {}, {}, {}};
    line.strong = true;
    line.shades = 1;
    board_.lines.push_back(std::move(line));
  }

  void addKeys() {
    // Of few keys the forbidden ones stand among the others.
    const bool all = steps_.dot.size() <= kMostShownKeys && answer_.shown.others.empty();
    const auto keys = static_cast<Index>(steps_.dot.size());
    std::size_t shown = 0;
    bool first = true;
    for (Index j = 0; j < keys; ++j) {
      const bool own = shown < answer_.shown.keys.size() && answer_.shown.keys[shown] == j;
      if (own)
        addVisible(j, static_cast<Index>(shown++));
      else if (all)
        addForbidden(j);
      else
        continue;
      board_.lines.back().ruled = std::exchange(first, false);
    }
  }

  void addVisible(Index j, Index row) {
    BoardLine line;
    line.cells = {{keyName(j, tokens_)},
                  {"", stripOf(answer_.k, row)},
                  {number(steps_.dot, j)},
                  {number(steps_.scaled, j)},
                  {steps_.max ? boardNumber(at(steps_.masked, j) - *steps_.max) : ""},
                  {number(steps_.exp, j)},
                  {number(steps_.p, j), {}, at(steps_.p, j)},
                  {"", stripOf(answer_.v, row)}};
    board_.lines.push_back(std::move(line));
  }

  void addForbidden(Index j) {
    BoardLine line;
    line.cells = {{keyName(j, tokens_)},
                  {},
                  {number(steps_.dot, j)},
                  {number(steps_.scaled, j)},
                  {"−∞"},
                  {"0"},
                  {"0"},
                  {}};
    line.dim = true;
    board_.lines.push_back(std::move(line));
  }

  void addOthers() {
    const auto& others = answer_.shown.others;
    if (others.empty())
      return;
    BoardLine line;
    const double p = sumOver(others, steps_.p);
    line.cells = {{othersName(others.size())},
                  {},
                  {},
                  {},
                  {},
                  {steps_.exp.empty() ? "" : boardNumber(sumOver(others, steps_.exp))},
                  {boardNumber(p), {}, p},
                  {}};
    line.dim = true;
    board_.lines.push_back(std::move(line));
  }

  void addSums() {
    BoardLine sum;
    const double p = std::accumulate(steps_.p.begin(), steps_.p.end(), 0.0);
    sum.cells = {{"sum"},          {}, {}, {}, {}, {steps_.sum ? boardNumber(*steps_.sum) : ""},
                 {boardNumber(p)}, {}};
    sum.strong = sum.ruled = true;
    board_.lines.push_back(std::move(sum));
    BoardLine output;
    output.cells = {{"output"}, {}, {}, {}, {}, {}, {}, {"", steps_.output}};
    output.strong = true;
    output.shades = 1;
    board_.lines.push_back(std::move(output));
  }

  const StepsAnswer& answer_;
  const SoftmaxSteps& steps_;
  std::span<const std::string> tokens_;
  StepsBoard board_;
};

} // namespace

StepsBoard softmaxBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  return SoftmaxBoard(answer, tokens).make();
}

} // namespace attention
