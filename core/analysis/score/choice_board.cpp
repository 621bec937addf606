#include "core/analysis/score/choice_board.h"

#include "core/analysis/base.h"
#include "core/pattern/pattern_data.h"
#include "core/pattern/similarities.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {
namespace {

// The sum of the `count` largest; reorders them.
double sumOfLargest(std::vector<double>& weights, Index count) {
  const auto middle = weights.begin() + std::min(count, static_cast<Index>(weights.size()));
  if (middle != weights.end())
    std::nth_element(weights.begin(), middle, weights.end(), std::greater<>());
  return std::accumulate(weights.begin(), middle, 0.0);
}

// What one block of queries adds.
struct BlockSums {
  double keys = 0;   // mass of the best keys
  double blocks = 0; // mass of the best blocks
  Index chosen = 0;
  Index possible = 0;
  Index hits = 0;
  Index permitted = 0; // cells
};

KeyChoice keysAlone(const Prepared& pattern) {
  KeyChoice choice;
  const Lengths& lengths = pattern.lengths();
  for (Index i = 0; i < lengths.queries && choice.causal; ++i)
    choice.causal = pattern.rowCount(i, std::clamp<Index>(i + lengths.offset + 1, 0, lengths.keys),
                                     lengths.keys) == 0;
  return choice;
}

// Dense attention, row by row.
class DenseRows {
public:
  DenseRows(const Lengths& lengths, const PatternData& data, const Scoring& scoring)
      : lengths_(lengths), data_(data), scoring_(scoring), keys_(SimilarityScore::Dot, *data.k) {}

  // Keys that query i may see: the first ones.
  Index permitted(Index i, bool causal) const {
    return causal ? std::clamp<Index>(i + lengths_.offset + 1, 0, lengths_.keys) : lengths_.keys;
  }

  // Softmax over the permitted keys: shares of what a sink leaves.
  std::vector<double> weights(Index i, bool causal) const {
    std::vector<double> weights(static_cast<std::size_t>(lengths_.keys));
    keys_.compute(data_.q->view().row(i), weights);
    weights.resize(static_cast<std::size_t>(permitted(i, causal)));
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < weights.size(); ++j) {
      weights[j] = scoring_(weights[j], i, static_cast<Index>(j));
      most = std::max(most, weights[j]);
    }
    double sum = 0;
    for (double& w : weights)
      sum += w = std::exp(w - most);
    for (double& w : weights)
      w /= sum;
    return weights;
  }

private:
  Lengths lengths_;
  const PatternData& data_;
  Scoring scoring_;
  Similarities keys_;
};

// The board of one pattern, which is told the rows of dense attention.
class BoardOf {
public:
  BoardOf(const Prepared& pattern, const DenseRows& dense)
      : pattern_(pattern), dense_(dense),
        choice_(pattern.choice() ? *pattern.choice() : keysAlone(pattern)),
        recall_(static_cast<std::size_t>(pattern.lengths().queries)),
        sums_(static_cast<std::size_t>(ceilDiv(pattern.lengths().queries, choice_.queryBlock))) {}

  Index queryBlock() const { return choice_.queryBlock; }
  bool causal() const { return choice_.causal; }

  // Whether dense attention has the same rows for both, in the same blocks.
  bool sharesRows(const BoardOf& other) const {
    return queryBlock() == other.queryBlock() && causal() == other.causal();
  }

  // Mass of the blocks of keys in one block of queries.
  std::vector<double> noMass() const {
    return std::vector<double>(
        static_cast<std::size_t>(ceilDiv(pattern_.lengths().keys, choice_.keyBlock)));
  }

  // Each block of queries is filled by one thread: its rows, then its end.
  void addRow(Index i, std::vector<double> weights, std::vector<double>& mass) {
    BlockSums& sums = sums_[static_cast<std::size_t>(i / queryBlock())];
    KeyRanges ranges;
    pattern_.row(i, {0, permitted(i)}, ranges);
    double& recall = recall_[static_cast<std::size_t>(i)];
    Index seen = 0;
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        seen += end - begin;
        recall += std::accumulate(weights.begin() + begin, weights.begin() + end, 0.0);
      });
    for (std::size_t j = 0; j < weights.size(); ++j)
      mass[j / static_cast<std::size_t>(choice_.keyBlock)] += weights[j];
    sums.permitted += permitted(i);
    sums.keys += sumOfLargest(weights, seen);
  }
  void endBlock(Index last, const std::vector<double>& mass) {
    addBlocks(last, mass, sums_[static_cast<std::size_t>(last / queryBlock())]);
  }

  ChoiceBoard board(int threads, const Run& run) {
    ChoiceBoard board;
    BlockSums all;
    for (const BlockSums& one : sums_) {
      all.keys += one.keys;
      all.blocks += one.blocks;
      all.chosen += one.chosen;
      all.possible += one.possible;
      all.hits += one.hits;
      all.permitted += one.permitted;
    }
    const auto queries = static_cast<double>(pattern_.lengths().queries);
    const auto share = [](Index part, Index whole, double none) {
      return whole == 0 ? none : static_cast<double>(part) / static_cast<double>(whole);
    };
    board.recall = std::accumulate(recall_.begin(), recall_.end(), 0.0) / queries;
    board.oracleKeysRecall = all.keys / queries;
    board.oracleBlocksRecall = all.blocks / queries;
    board.blockOverlap = share(all.hits, all.chosen, 1);
    board.blocksChosen = all.chosen;
    board.blocksPossible = all.possible;
    board.blockDensity = share(all.chosen, all.possible, 0);
    board.cellDensity = share(pattern_.pairs(run.quiet(), threads), all.permitted, 0);
    board.recallRows = std::move(recall_);
    return board;
  }

private:
  Index permitted(Index i) const { return dense_.permitted(i, causal()); }

  // The blocks that the last query of a block sees are those that were chosen.
  void addBlocks(Index last, const std::vector<double>& mass, BlockSums& sums) const {
    const Index possible = ceilDiv(permitted(last), choice_.keyBlock);
    std::vector<bool> chosen(static_cast<std::size_t>(possible));
    KeyRanges ranges;
    if (choice_.part)
      pattern_.row(*choice_.part, last, {0, permitted(last)}, ranges);
    else
      pattern_.row(last, {0, permitted(last)}, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index c = begin / choice_.keyBlock; c <= (end - 1) / choice_.keyBlock; ++c)
          chosen[static_cast<std::size_t>(c)] = true;
      });
    const auto count = std::count(chosen.begin(), chosen.end(), true);
    std::vector<Index> best(static_cast<std::size_t>(possible));
    std::iota(best.begin(), best.end(), Index{0});
    const auto heavier = [&](Index x, Index y) {
      const double wx = mass[static_cast<std::size_t>(x)];
      const double wy = mass[static_cast<std::size_t>(y)];
      return wx > wy || (wx == wy && x < y);
    };
    if (count < possible)
      std::nth_element(best.begin(), best.begin() + count, best.end(), heavier);
    for (Index b = 0; b < count; ++b) {
      const auto c = static_cast<std::size_t>(best[static_cast<std::size_t>(b)]);
      sums.blocks += mass[c];
      sums.hits += chosen[c] ? 1 : 0;
    }
    sums.chosen += count;
    sums.possible += possible;
  }

  const Prepared& pattern_;
  const DenseRows& dense_;
  KeyChoice choice_;
  std::vector<double> recall_; // each row written by one thread
  std::vector<BlockSums> sums_;
};

// Boards with the same rows, from one pass over them.
void fill(std::span<BoardOf* const> boards, const DenseRows& dense, Index queries, int threads,
          const Run& run) {
  const Index block = boards.front()->queryBlock();
  parallelFor(ceilDiv(queries, block), threads, run, [&](Index a) {
    const Index end = std::min((a + 1) * block, queries);
    std::vector<std::vector<double>> masses;
    for (const BoardOf* board : boards)
      masses.push_back(board->noMass());
    for (Index i = a * block; i < end; ++i) {
      const std::vector<double> weights = dense.weights(i, boards.front()->causal());
      for (std::size_t p = 0; p < boards.size(); ++p)
        boards[p]->addRow(i, weights, masses[p]);
    }
    for (std::size_t p = 0; p < boards.size(); ++p)
      boards[p]->endBlock(end - 1, masses[p]);
  });
}

} // namespace

template <class T>
std::vector<ChoiceBoard> choiceBoards(std::span<const std::shared_ptr<const Prepared>> patterns,
                                      MatrixView<const T> q, MatrixView<const T> k,
                                      const AttendOptions& options, const Run& run) {
  if (patterns.empty())
    return {};
  const Lengths& lengths = patterns.front()->lengths();
  checkInput(lengths, q, k, k);
  const PatternData data = patternData<T>(q, k);
  const DenseRows dense(lengths, data, scoringOf(options, q.cols, lengths));
  std::vector<BoardOf> boards;
  for (const auto& pattern : patterns)
    boards.emplace_back(*pattern, dense);
  std::vector<BoardOf*> left;
  for (BoardOf& board : boards)
    left.push_back(&board);
  while (!left.empty()) {
    const BoardOf& first = *left.front();
    const auto others = std::stable_partition(
        left.begin(), left.end(), [&](const BoardOf* board) { return board->sharesRows(first); });
    const std::span alike(left.begin(), others);
    const Index done = std::ssize(boards) - std::ssize(left);
    fill(
        alike, dense, lengths.queries, options.threads,
        partOf(run, static_cast<double>(done) / static_cast<double>(boards.size()),
               static_cast<double>(done + std::ssize(alike)) / static_cast<double>(boards.size())));
    left.erase(left.begin(), others);
  }
  std::vector<ChoiceBoard> made;
  for (BoardOf& board : boards)
    made.push_back(board.board(options.threads, run));
  return made;
}

template <class T>
ChoiceBoard choiceBoard(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                        const AttendOptions& options, const Run& run) {
  const std::shared_ptr<const Prepared> one(std::shared_ptr<const Prepared>(), &pattern);
  return std::move(choiceBoards<T>({&one, 1}, q, k, options, run).front());
}

template ChoiceBoard choiceBoard<float>(const Prepared&, MatrixView<const float>,
                                        MatrixView<const float>, const AttendOptions&, const Run&);
template ChoiceBoard choiceBoard<double>(const Prepared&, MatrixView<const double>,
                                         MatrixView<const double>, const AttendOptions&,
                                         const Run&);
template std::vector<ChoiceBoard>
choiceBoards<float>(std::span<const std::shared_ptr<const Prepared>>, MatrixView<const float>,
                    MatrixView<const float>, const AttendOptions&, const Run&);
template std::vector<ChoiceBoard>
choiceBoards<double>(std::span<const std::shared_ptr<const Prepared>>, MatrixView<const double>,
                     MatrixView<const double>, const AttendOptions&, const Run&);

} // namespace attention
