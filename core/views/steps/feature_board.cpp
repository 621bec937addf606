// Feature maps on a board: φ(k), φ(q)·φ(k), the sums and their quotient beside softmax.
#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

class FeatureBoard {
public:
  FeatureBoard(const StepsAnswer& answer, std::span<const std::string> tokens)
      : answer_(answer), steps_(*answer.features), tokens_(tokens) {}

  Board make() {
    const bool linear = answer_.by == StepsBy::Linear;
    board_.title = titleOf(answer_, linear ? "linear attention" : "random features", tokens_);
    board_.formula =
        std::string(linear ? "φ(x) = elu(x) + 1" : "φ: positive random features") +
        ", a = φ(q)·φ(k), numerator = Σ a v, denominator = Σ a = " +
        boardNumber(steps_.denominator) +
        (answer_.normalized ? ", output = numerator / denominator" : ", output = numerator");
    if (const std::string lines = linesText(answer_); !lines.empty())
      board_.formula += ". " + lines;
    addColumns();
    addLine({{"φ(q)"}, {"", steps_.phiQ, {}, "φ(q) = " + vectorText(steps_.phiQ)}, {}, {}, {}, {}},
            true, false);
    board_.lines.back().shades = 1;
    addKeys();
    addSums();
    addSteps();
    return std::move(board_);
  }

private:
  enum Step : Index { kMaps = 1, kKernel, kSums, kOutput };

  void addColumns() {
    board_.columns = {{"key j"},
                      {"φ(kⱼ)", 26, true, kMaps, 0, answer_.by == StepsBy::Features},
                      {"a", 0, false, kKernel},
                      {"a / Σ a", 0, false, kSums},
                      {"softmax p", 0, false, kSums, 1},
                      {"vⱼ", 25, true, kSums}};
  }

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
    return {boardNumber(part),
            {},
            part,
            "a / Σ a = " + boardNumber(kernel) + " / " + factorText(steps_.denominator) + " = " +
                boardNumber(part)};
  }

  void addKeys() {
    std::size_t next = 0; // of the visible keys
    for (std::size_t row = 0; row < answer_.shown.keys.size(); ++row) {
      const Index key = answer_.shown.keys[row];
      while (steps_.visible[next] != key)
        ++next;
      const double p = answer_.softmax.p[static_cast<std::size_t>(key)];
      const auto at = static_cast<Index>(row);
      const std::vector<double> phi = stripOf(answer_.phiK, at);
      const double a = steps_.kernel[next];
      BoardLine line = keyLine(answer_, key, tokens_, board_.columns.size());
      line.cells[1] = {"", phi, {}, "φ(k) = " + vectorText(phi)};
      line.cells[2] = {
          boardNumber(a), {}, {}, "a = φ(q)·φ(k) = " + productsText(steps_.phiQ, phi, a)};
      line.cells[3] = share(a);
      line.cells[4] = {boardNumber(p), {}, p, "softmax gives p = " + boardNumber(p)};
      line.cells[5] = {"", stripOf(answer_.v, at)};
      line.ruled = row == 0;
      board_.lines.push_back(std::move(line));
    }
    if (answer_.shown.others.empty())
      return;
    const double p = sumOver(answer_.shown.others, answer_.softmax.p);
    const double kernel = kernelOfOthers();
    addLine({{othersName(answer_.shown.others.size()), {}, {}, linesText(answer_)},
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

  // From the right: the sums over φ(k) that other queries share.
  void addSums() {
    addLine({{"sums"},
             {"", steps_.total, {}, "z = Σ φ(k) = " + vectorText(steps_.total)},
             {boardNumber(steps_.denominator),
              {},
              {},
              "denominator = Σ a = φ(q)·z = " + boardNumber(steps_.denominator)},
             {},
             {},
             {"", steps_.numerator, {}, "numerator = Σ a v = " + vectorText(steps_.numerator)}},
            true, true);
    board_.lines.back().shades = 3; // larger than φ(q)
    board_.lines.back().step = kSums;
    for (const auto& [name, strip] :
         {std::pair("output", &steps_.output), std::pair("softmax gives", &steps_.exact)}) {
      addLine({{name}, {}, {}, {}, {}, {"", *strip, {}, name + (" = " + vectorText(*strip))}},
              strip == &steps_.output, false);
      board_.lines.back().shades = 2; // to be compared
      board_.lines.back().step = kOutput;
    }
  }

  void addSteps() {
    const auto key = exampleKey(answer_);
    const auto line = std::find_if(board_.lines.begin(), board_.lines.end(),
                                   [&](const BoardLine& of) { return key && of.row == key; });
    const std::string kernel = line == board_.lines.end() ? "no key is visible"
                                                          : tokenName("key", *key, *key, tokens_) +
                                                                ": " + line->cells[2].why;
    board_.steps = {
        {"Feature maps",
         "φ makes " + counted(steps_.phiQ.size(), "feature") + " of q and of every k"},
        {"Kernel", kernel},
        {"Sums", "from the right they are φ(q)ᵀ Σ φ(k) vᵀ and φ(q)·Σ φ(k), which other queries "
                 "share; the two orders differ by " +
                     boardNumber(steps_.orderGap)},
        {"Output", std::string(answer_.normalized ? "numerator / denominator = "
                                                  : "the numerator, not normalised = ") +
                       vectorText(steps_.output)}};
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
