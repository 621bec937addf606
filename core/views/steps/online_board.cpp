// Online softmax on a board: running maximum, correction, sum and output, tile by tile.
#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

constexpr std::size_t kFirstTiles = 6; // of more

class OnlineBoard {
public:
  OnlineBoard(const StepsAnswer& answer, std::span<const std::string> tokens)
      : answer_(answer), steps_(*answer.online), tokens_(tokens) {}

  Board make() {
    board_.title = titleOf(answer_, "online softmax", tokens_);
    board_.formula = formula();
    board_.columns = {
        {"keys of the tile"},       {"visible"}, {"largest s"}, {"max"}, {"correction"}, {"sum"},
        {"output so far", 30, true}};
    const std::size_t count = steps_.tiles.size();
    const std::size_t left = count > kMostTiles ? count - kMostTiles + 1 : 0;
    for (std::size_t t = 0; t < count; ++t) {
      if (left > 0 && t == kFirstTiles) {
        addLeftOut(t, t + left);
        t += left;
      }
      addTile(t);
    }
    addOutput();
    return std::move(board_);
  }

private:
  std::string formula() const {
    std::string text = "s = " + scoringText(answer_.scoring, answer_.q.size()) +
                       ", correction = exp(old max − max); it multiplies sum and output before a "
                       "tile adds its own";
    if (steps_.tiles.empty())
      return text + "; " + noKeyText();
    if (const double gap = largestGap(steps_.output, answer_.softmax.output); gap > 0)
      text += "; the output differs from that of all keys at once by " + boardNumber(gap);
    return text;
  }

  Index nextStep() const { return std::ssize(board_.steps) + 1; }

  static std::string namesOf(const OnlineTile& tile) {
    const std::string first = groupedDigits(tile.begin);
    return tile.end - tile.begin == 1 ? first : first + " … " + groupedDigits(tile.end - 1);
  }

  static BoardCell outputCell(const OnlineTile& tile) {
    return {"",
            tile.output,
            {},
            tile.output.empty() ? "" : "output so far = " + vectorText(tile.output)};
  }

  void addTile(std::size_t t) {
    const OnlineTile& tile = steps_.tiles[t];
    const OnlineTile* before = t == 0 ? nullptr : &steps_.tiles[t - 1];
    BoardLine line;
    line.step = nextStep();
    const std::string max = before ? "max = max(" + boardNumber(before->max) + ", " +
                                         boardNumber(tile.tileMax) + ") = " + boardNumber(tile.max)
                                   : "max = " + boardNumber(tile.max);
    const std::string correction = before ? "correction = exp(" + boardNumber(before->max) + " − " +
                                                factorText(tile.max) +
                                                ") = " + boardNumber(tile.correction)
                                          : "correction = 0, since nothing stands before it";
    const std::string sum = before ? "sum = " + boardNumber(tile.correction) + " · " +
                                         boardNumber(before->sum) + " + " +
                                         boardNumber(tile.sum - tile.correction * before->sum) +
                                         " = " + boardNumber(tile.sum)
                                   : "sum = " + boardNumber(tile.sum);
    line.cells = {{namesOf(tile)},
                  {groupedDigits(tile.keys.size())},
                  {boardNumber(tile.tileMax)},
                  {boardNumber(tile.max), {}, {}, max},
                  {boardNumber(tile.correction), {}, {}, correction},
                  {boardNumber(tile.sum), {}, {}, sum},
                  outputCell(tile)};
    board_.lines.push_back(std::move(line));
    const bool one = tile.end - tile.begin == 1;
    board_.steps.push_back(
        {(one ? "Key " : "Keys ") + namesOf(tile), max + ", " + correction + ", " + sum});
  }

  // What stands after the tiles from `first` to before `end`, which have no lines: the next one
  // goes on from it.
  void addLeftOut(std::size_t first, std::size_t end) {
    std::size_t keys = 0;
    double tileMax = steps_.tiles[first].tileMax;
    double correction = 1;
    for (std::size_t t = first; t < end; ++t) {
      const OnlineTile& tile = steps_.tiles[t];
      keys += tile.keys.size();
      tileMax = std::max(tileMax, tile.tileMax);
      correction *= tile.correction;
    }
    const OnlineTile& last = steps_.tiles[end - 1];
    const std::string after = " after these " + groupedDigits(end - first) + " tiles = ";
    BoardLine line;
    line.cells = {{othersName(end - first)},
                  {groupedDigits(keys)},
                  {boardNumber(tileMax)},
                  {boardNumber(last.max), {}, {}, "max" + after + boardNumber(last.max)},
                  {boardNumber(correction),
                   {},
                   {},
                   "their corrections multiplied = exp(" +
                       boardNumber(steps_.tiles[first - 1].max) + " − " + factorText(last.max) +
                       ") = " + boardNumber(correction)},
                  {boardNumber(last.sum), {}, {}, "sum" + after + boardNumber(last.sum)},
                  outputCell(last)};
    line.dim = true;
    line.step = nextStep();
    board_.lines.push_back(std::move(line));
  }

  void addOutput() {
    BoardLine line;
    line.step = nextStep();
    const auto& sink = steps_.sinkExp;
    line.cells = {{sink ? "output / (sum + sink)" : "output / sum"},
                  {},
                  {},
                  {},
                  {},
                  {sink ? "+ " + boardNumber(*sink) : ""},
                  {"", steps_.output}};
    line.strong = line.ruled = true;
    line.shades = 1;
    const std::string formula = outputText();
    line.cells[6].why = formula;
    board_.lines.push_back(std::move(line));
    if (steps_.tiles.empty())
      board_.steps.push_back({"No key", formula});
    else
      board_.steps.push_back({sink ? "Add the sink and divide" : "Divide by the sum", formula});
    if (!steps_.output.empty())
      addExact();
  }

  std::string outputText() const {
    if (steps_.output.empty())
      return "there are no values";
    return steps_.tiles.empty() ? noKeyText() : "output = " + vectorText(steps_.output);
  }

  void addExact() {
    BoardLine line;
    line.cells.resize(board_.columns.size());
    const std::vector<double>& exact = answer_.softmax.output;
    line.cells[0] = {"all keys at once"};
    line.cells[6] = {"", exact, {}, "softmax over all keys at once gives " + vectorText(exact)};
    line.shades = board_.lines.back().shades; // to be compared
    line.step = board_.lines.back().step;
    board_.lines.push_back(std::move(line));
  }

  const StepsAnswer& answer_;
  const OnlineSteps& steps_;
  std::span<const std::string> tokens_;
  Board board_;
};

} // namespace

Board onlineBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  return OnlineBoard(answer, tokens).make();
}

} // namespace attention
