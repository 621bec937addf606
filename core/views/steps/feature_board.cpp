// Feature maps on a board: φ(k), φ(q)·φ(k), the sums and their quotient beside softmax.
#include "core/views/steps/board_words.h"

#include <utility>

namespace attention {
namespace {

class FeatureBoard {
public:
  FeatureBoard(const StepsAnswer& answer, std::span<const std::string> tokens)
      : answer_(answer), steps_(*answer.features), tokens_(tokens) {}

  StepsBoard make() {
    const bool linear = answer_.by == StepsBy::Linear;
    board_.title = titleOf(answer_, linear ? "linear attention" : "random features", tokens_);
    board_.formula =
        std::string(linear ? "φ(x) = elu(x) + 1" : "φ: positive random features") +
        ", a = φ(q)·φ(k), numerator = Σ a v, denominator = Σ a = " +
        boardNumber(steps_.denominator) +
        (answer_.normalized ? ", output = numerator / denominator" : ", output = numerator");
    board_.columns = {{"key j", 15, false},   {"φ(kⱼ)", 26, true},      {"a", 10, false},
                      {"a / Σ a", 13, false}, {"softmax p", 13, false}, {"vⱼ", 25, true}};
    addLine({{"φ(q)"}, {"", steps_.phiQ}, {}, {}, {}, {}}, true, false);
    board_.lines.back().shades = 1;
    addKeys();
    addSums();
    return std::move(board_);
  }

private:
  void addLine(std::vector<BoardCell> cells, bool strong, bool ruled) {
    BoardLine line;
    line.cells = std::move(cells);
    line.strong = strong;
    line.ruled = ruled;
    board_.lines.push_back(std::move(line));
  }

  BoardCell share(double kernel) const {
    if (steps_.denominator == 0)
      return {};
    const double part = kernel / steps_.denominator;
    return {boardNumber(part), {}, part};
  }

  void addKeys() {
    std::size_t next = 0; // of the visible keys
    for (std::size_t row = 0; row < answer_.shown.keys.size(); ++row) {
      const Index key = answer_.shown.keys[row];
      while (steps_.visible[next] != key)
        ++next;
      const double p = answer_.softmax.p[static_cast<std::size_t>(key)];
      const auto at = static_cast<Index>(row);
      addLine({{keyName(key, tokens_)},
               {"", stripOf(answer_.phiK, at)},
               {boardNumber(steps_.kernel[next])},
               share(steps_.kernel[next]),
               {boardNumber(p), {}, p},
               {"", stripOf(answer_.v, at)}},
              false, row == 0);
    }
    if (answer_.shown.others.empty())
      return;
    const double p = sumOver(answer_.shown.others, answer_.softmax.p);
    const double kernel = kernelOfOthers();
    addLine({{othersName(answer_.shown.others.size())},
             {},
             {boardNumber(kernel)},
             share(kernel),
             {boardNumber(p), {}, p},
             {}},
            false, false);
    board_.lines.back().dim = true;
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

  void addSums() {
    addLine({{"sums"}, {}, {boardNumber(steps_.denominator)}, {}, {}, {"", steps_.numerator}}, true,
            true);
    board_.lines.back().shades = 1;
    for (const auto& [name, strip] :
         {std::pair("output", &steps_.output), std::pair("softmax gives", &steps_.exact)}) {
      addLine({{name}, {}, {}, {}, {}, {"", *strip}}, strip == &steps_.output, false);
      board_.lines.back().shades = 2; // to be compared
    }
  }

  const StepsAnswer& answer_;
  const FeatureSteps& steps_;
  std::span<const std::string> tokens_;
  StepsBoard board_;
};

} // namespace

StepsBoard featureBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  return FeatureBoard(answer, tokens).make();
}

} // namespace attention
