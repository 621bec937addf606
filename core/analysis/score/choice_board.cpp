#include "core/analysis/score/choice_board.h"

#include "core/analysis/base.h"
#include "core/pattern/pattern_data.h"
#include "core/pattern/similarities.h"
#include "core/support/parallel.h"

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

class BoardOf {
public:
  BoardOf(const Prepared& pattern, const PatternData& data, const Scoring& scoring)
      : pattern_(pattern), data_(data), scoring_(scoring), keys_(SimilarityScore::Dot, *data.k),
        choice_(pattern.choice() ? *pattern.choice() : keysAlone(pattern)),
        recall_(static_cast<std::size_t>(pattern.lengths().queries)) {}

  ChoiceBoard board(int threads, const Run& run) {
    const Lengths& lengths = pattern_.lengths();
    const Index blocks = ceilDiv(lengths.queries, choice_.queryBlock);
    std::vector<BlockSums> sums(static_cast<std::size_t>(blocks));
    parallelFor(blocks, threads, run, [&](Index a) { sums[static_cast<std::size_t>(a)] = of(a); });
    ChoiceBoard board;
    BlockSums all;
    for (const BlockSums& one : sums) {
      all.keys += one.keys;
      all.blocks += one.blocks;
      all.chosen += one.chosen;
      all.possible += one.possible;
      all.hits += one.hits;
      all.permitted += one.permitted;
    }
    const auto queries = static_cast<double>(lengths.queries);
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
  static KeyChoice keysAlone(const Prepared& pattern) {
    KeyChoice choice;
    const Lengths& lengths = pattern.lengths();
    for (Index i = 0; i < lengths.queries && choice.causal; ++i)
      choice.causal =
          pattern.rowCount(i, std::clamp<Index>(i + lengths.offset + 1, 0, lengths.keys),
                           lengths.keys) == 0;
    return choice;
  }

  BlockSums of(Index a) {
    const Index first = a * choice_.queryBlock;
    const Index end = std::min(first + choice_.queryBlock, pattern_.lengths().queries);
    std::vector<double> mass(
        static_cast<std::size_t>(ceilDiv(pattern_.lengths().keys, choice_.keyBlock)));
    BlockSums sums;
    for (Index i = first; i < end; ++i)
      addRow(i, mass, sums);
    addBlocks(end - 1, mass, sums);
    return sums;
  }

  Index permitted(Index i) const {
    const Lengths& lengths = pattern_.lengths();
    return choice_.causal ? std::clamp<Index>(i + lengths.offset + 1, 0, lengths.keys)
                          : lengths.keys;
  }

  // Softmax over the permitted keys: shares of what a sink leaves.
  std::vector<double> weightsOf(Index i) const {
    std::vector<double> weights(static_cast<std::size_t>(pattern_.lengths().keys));
    keys_.compute(data_.q->view().row(i), weights);
    weights.resize(static_cast<std::size_t>(permitted(i)));
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

  void addRow(Index i, std::vector<double>& mass, BlockSums& sums) {
    std::vector<double> weights = weightsOf(i);
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
  const PatternData& data_;
  Scoring scoring_;
  Similarities keys_;
  KeyChoice choice_;
  std::vector<double> recall_; // each row written by one thread
};

} // namespace

template <class T>
ChoiceBoard choiceBoard(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                        const AttendOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, k);
  const PatternData data = patternData<T>(q, k);
  return BoardOf(pattern, data, scoringOf(options, q.cols, pattern.lengths()))
      .board(options.threads, run);
}

template ChoiceBoard choiceBoard<float>(const Prepared&, MatrixView<const float>,
                                        MatrixView<const float>, const AttendOptions&, const Run&);
template ChoiceBoard choiceBoard<double>(const Prepared&, MatrixView<const double>,
                                         MatrixView<const double>, const AttendOptions&,
                                         const Run&);

} // namespace attention
