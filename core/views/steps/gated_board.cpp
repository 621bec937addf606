// Several softmaxes with gates on a board (S22): the lines of each branch under its name, and last
// the sum of their outputs. Softmax goes through all branches at once, step by step; online softmax
// through one after the other.
#include "core/views/steps/board_words.h"

#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

class GatedBoard {
public:
  GatedBoard(const StepsAnswer& answer, std::span<const std::string> tokens)
      : answer_(answer), tokens_(tokens), online_(answer.by == StepsBy::Online) {}

  Board make() {
    std::vector<Board> boards;
    for (const BranchAnswer& branch : answer_.branches) {
      boards.push_back(boardOf(branch));
      takeColumns(branch, boards.back());
    }
    for (std::size_t b = 0; b < boards.size(); ++b)
      addBranch(answer_.branches[b], std::move(boards[b]));
    addSum();
    board_.title = tokenName("Query", answer_.query, answer_.token, tokens_) + ": " +
                   softmaxesText(answer_.branches.size()) + " added with gates" +
                   (online_ ? ", each by tiles; " : ", ") +
                   groupedDigits(answer_.softmax.visible.size()) + " of " +
                   counted(answer_.softmax.dot.size(), "key") + " read one by one";
    board_.formula = "s = " + scoringText(answer_.scoring, answer_.q.size()) +
                     (online_ ? "" : ", p = exp(s − max) / sum in each branch") +
                     ", output = " + gatesText();
    return std::move(board_);
  }

private:
  Index steps() const { return std::ssize(board_.steps); }

  // "0.333 · compressed + 0.333 · selected + 0.333 · window".
  std::string gatesText() const {
    std::string text;
    for (const BranchAnswer& branch : answer_.branches)
      text += (text.empty() ? "" : " + ") + factorText(branch.gate) + " · " + branch.name;
    return text;
  }

  // Tokens name the pattern's keys only.
  Board boardOf(const BranchAnswer& branch) const {
    const auto tokens = branch.block > 0 ? std::span<const std::string>() : tokens_;
    if (online_ && branch.steps.online)
      return onlineBoard(branch.steps, tokens);
    return softmaxBoard(branch.steps, tokens);
  }

  static bool hasKeys(const BranchAnswer& branch) { return !branch.steps.softmax.dot.empty(); }

  // Some branches have a column of rules more.
  void takeColumns(const BranchAnswer& branch, const Board& of) {
    if (hasKeys(branch) && of.columns.size() > board_.columns.size())
      board_.columns = of.columns;
  }

  void addBranch(const BranchAnswer& branch, Board of) {
    const Index before = online_ ? steps() : 0;
    for (BoardLine& line : of.lines)
      line.cells.resize(board_.columns.size());
    if (!online_ && board_.lines.empty())
      board_.lines.push_back(of.lines.front()); // the query, once
    addHeading(branch, before);
    if (!hasKeys(branch))
      return;
    for (std::size_t k = online_ ? 0 : 1; k < of.lines.size(); ++k)
      addLine(branch, std::move(of.lines[k]), before);
    addStepsOf(branch, of.steps);
  }

  void addHeading(const BranchAnswer& branch, Index before) {
    BoardLine line;
    line.cells.resize(board_.columns.size());
    const std::size_t seen = branch.steps.softmax.visible.size();
    line.cells[0] = {branch.name + ", gate " + boardNumber(branch.gate) +
                         (seen == 0 ? ": no key" : ""),
                     {},
                     {},
                     branch.label + ": " + groupedDigits(seen) + " of " +
                         counted(branch.steps.softmax.dot.size(), "key")};
    line.strong = line.ruled = true;
    line.step = online_ ? before + 1 : 0;
    board_.lines.push_back(std::move(line));
  }

  void addLine(const BranchAnswer& branch, BoardLine line, Index before) {
    line.ruled = false;
    if (online_)
      line.step += before;
    if (line.row && branch.block > 0) { // which stands for several keys
      const Index first = *line.row * branch.stride;
      line.cells[0].text = groupedDigits(first) + "–" + groupedDigits(first + branch.block - 1);
      line.cells[0].why =
          "compressed key " + groupedDigits(*line.row) + ": the mean of keys " + line.cells[0].text;
      line.row.reset();
    }
    board_.lines.push_back(std::move(line));
  }

  // Softmax: the step of each branch in one, but for the many words of single keys, where the first
  // branch with a key stands for all. Online: one branch after the other.
  void addStepsOf(const BranchAnswer& branch, const std::vector<BoardStep>& of) {
    for (std::size_t k = 0; k < of.size(); ++k) {
      if (online_) {
        board_.steps.push_back({branch.name + ": " + of[k].name, of[k].formula});
        continue;
      }
      if (k >= board_.steps.size())
        board_.steps.push_back({of[k].name, branch.name + ": " + of[k].formula});
      else if (saysBranch(static_cast<Index>(k) + 1))
        board_.steps[k].formula += "; " + branch.name + ": " + of[k].formula;
    }
  }

  static bool saysBranch(Index step) {
    return step == softmax_step::kMask || step == softmax_step::kOutput;
  }

  // The last column of strips.
  std::size_t outputColumn() const {
    const auto last = std::find_if(board_.columns.rbegin(), board_.columns.rend(),
                                   [](const BoardColumn& of) { return of.strip; });
    return static_cast<std::size_t>(board_.columns.rend() - last) - 1;
  }

  void addSum() {
    if (answer_.gated.empty())
      return;
    std::string sum;
    for (const BranchAnswer& branch : answer_.branches)
      sum += (sum.empty() ? "" : " + ") + factorText(branch.gate) + " · " +
             vectorText(branch.steps.output());
    BoardLine line;
    line.cells.resize(board_.columns.size());
    line.cells[0] = {"sum with gates", {}, {}, "output = " + gatesText()};
    BoardCell& output = line.cells[outputColumn()];
    output = {"", answer_.gated, {}, "output = " + sum + " = " + vectorText(answer_.gated)};
    line.strong = line.ruled = true;
    line.shades = 1;
    line.step = steps() + 1;
    board_.steps.push_back({"Add with gates", output.why});
    board_.lines.push_back(std::move(line));
  }

  const StepsAnswer& answer_;
  std::span<const std::string> tokens_;
  bool online_;
  Board board_;
};

} // namespace

Board gatedBoard(const StepsAnswer& answer, std::span<const std::string> tokens) {
  return GatedBoard(answer, tokens).make();
}

} // namespace attention
