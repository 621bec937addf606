// Online softmax on a board: running maximum, correction, sum and output, tile by tile.
#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"

namespace attention {
namespace {

constexpr std::size_t kMostTiles = 12;
constexpr std::size_t kFirstTiles = 6; // of more

BoardLine lineOf(const OnlineTile& tile) {
  BoardLine line;
  line.cells = {{groupedDigits(tile.begin) + " … " + groupedDigits(tile.end - 1)},
                {groupedDigits(tile.keys.size())},
                {boardNumber(tile.tileMax)},
                {boardNumber(tile.max)},
                {boardNumber(tile.correction)},
                {boardNumber(tile.sum)},
                {"", tile.output}};
  return line;
}

BoardLine leftOut(std::size_t tiles) {
  BoardLine line;
  line.cells = {{othersName(tiles)}, {}, {}, {}, {}, {}, {}};
  line.dim = true;
  return line;
}

} // namespace

StepsBoard onlineBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  const OnlineSteps& steps = *answer.online;
  StepsBoard board;
  board.title = titleOf(answer, "online softmax", tokens);
  board.formula = "s = " + scoringText(answer.scoring, answer.q.size()) +
                  ", correction = exp(max before − max), sum and output are multiplied by it "
                  "before a tile adds its own";
  board.columns = {{"keys of the tile", 17, false}, {"visible", 9, false},
                   {"largest s", 11, false},        {"max", 10, false},
                   {"correction", 12, false},       {"sum", 11, false},
                   {"output so far", 30, true}};
  const std::size_t count = steps.tiles.size();
  const std::size_t left = count > kMostTiles ? count - kMostTiles + 1 : 0;
  for (std::size_t t = 0; t < count; ++t) {
    if (left > 0 && t == kFirstTiles) {
      board.lines.push_back(leftOut(left));
      t += left;
    }
    board.lines.push_back(lineOf(steps.tiles[t]));
  }
  BoardLine line;
  line.cells = {{"output / sum"}, {}, {}, {}, {}, {}, {"", steps.output}};
  line.strong = line.ruled = true;
  line.shades = 1;
  board.lines.push_back(std::move(line));
  if (largestGap(steps.output, answer.softmax.output) > 0)
    board.formula += "; the output differs from that of all keys at once by " +
                     boardNumber(largestGap(steps.output, answer.softmax.output));
  return board;
}

} // namespace attention
