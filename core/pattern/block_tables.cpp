#include "core/pattern/block_tables.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {

Index BlockGrid::lastToken(Index a) const {
  return std::min((a + 1) * queryBlock, lengths.queries) - 1 + lengths.offset;
}

Index BlockGrid::candidates(Index a) const {
  if (!causal)
    return keyBlocks();
  return std::clamp<Index>(floorDiv(lastToken(a), keyBlock) + 1, 0, keyBlocks());
}

Lengths anyAlignment(const Lengths& lengths) {
  return lengths.offset >= 0 ? lengths : Lengths{lengths.queries, lengths.keys, 0};
}

BlockTables::BlockTables(const BlockGrid& grid, std::size_t parts) : grid_(grid), tables_(parts) {
  if (grid.lengths.offset > 0)
    for (RowTable& table : tables_)
      table.appendGroup(grid.lengths.offset, {}); // tokens without a query
}

std::vector<KeyRun> BlockTables::runsOf(const std::vector<Index>& blocks, Index a) const {
  const Index first = grid_.firstToken(a);
  const Index seen =
      grid_.causal ? std::min(grid_.lastToken(a) + 1, grid_.lengths.keys) : grid_.lengths.keys;
  std::vector<KeyRun> runs;
  for (const Index c : blocks) {
    const Index begin = c * grid_.keyBlock;
    const Index end = std::min(begin + grid_.keyBlock, seen);
    if (begin >= end)
      continue;
    const bool causal = grid_.causal && end > first + 1;
    if (runs.empty() || runs.back().end != begin)
      runs.push_back({begin, end, causal});
    else
      runs.back() = {runs.back().begin, end, causal};
  }
  return runs;
}

void BlockTables::append(std::span<const std::vector<Index>> blocks) {
  const Index a = next_++;
  const Index end = grid_.lastToken(a) + 1;
  if (end <= 0)
    return;
  for (std::size_t p = 0; p < tables_.size(); ++p)
    tables_[p].appendGroup(end, runsOf(blocks[p], a));
}

std::shared_ptr<const RowTable> BlockTables::cells(std::size_t part) {
  return std::make_shared<const RowTable>(std::move(tables_[part]));
}

std::shared_ptr<const Prepared>
preparedBlocks(const BlockGrid& grid, BlockTables tables, std::span<const PartName> names,
               const std::function<std::string(Index token, Index j)>& explain, KeyChoice choice) {
  std::vector<Part> parts;
  for (std::size_t p = 0; p < names.size(); ++p)
    parts.push_back({names[p].name, names[p].label, tables.cells(p), explain});
  return Prepared(grid.lengths, std::move(parts)).withChoice(std::move(choice));
}

KeyChoice choiceOf(const BlockGrid& grid, double flops, ChoiceScores scores) {
  KeyChoice choice{grid.queryBlock, grid.keyBlock, grid.causal, flops};
  choice.scores = std::make_shared<const ChoiceScores>(std::move(scores));
  return choice;
}

void keepRanked(std::span<double> scores, Index begin, Index end) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::fill(scores.begin(), scores.begin() + begin, kNone);
  std::fill(scores.begin() + std::max(begin, end), scores.end(), kNone);
}

std::string largestText(Index count) {
  if (count == 0)
    return "none";
  return count == 1 ? "the largest one" : "the " + groupedDigits(count) + " largest";
}

Matrix<double> blockMeans(const Matrix<double>& rows, Index block, bool padded) {
  const Index blocks = ceilDiv(rows.rows(), block);
  Matrix<double> means(blocks, rows.cols());
  for (Index t = 0; t < blocks; ++t) {
    const Index begin = t * block;
    const Index end = std::min(begin + block, rows.rows());
    const auto count = static_cast<double>(padded ? block : end - begin);
    for (Index c = 0; c < rows.cols(); ++c) {
      double sum = 0;
      double lost = 0; // of the additions so far (Neumaier)
      for (Index i = begin; i < end; ++i) {
        const double x = rows(i, c);
        const double next = sum + x;
        lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
      }
      means(t, c) = (sum + lost) / count;
    }
  }
  return means;
}

std::string futureText(Index token, Index j) {
  return "key " + std::to_string(j) + " > query " + std::to_string(token);
}

std::string rankText(const Rank& rank) {
  const auto at = [&](Index c) { return rank.scores[static_cast<std::size_t>(c)]; };
  Index place = 1;
  for (Index c = rank.begin; c < rank.end; ++c)
    place += at(c) > at(rank.at) || (at(c) == at(rank.at) && c < rank.at) ? 1 : 0;
  const std::string top =
      rank.taken == 1 ? "top one is" : "top " + std::to_string(rank.taken) + " are";
  const std::string choice =
      rank.taken == 0 ? "; none is taken, as those always attended fill the budget"
                      : (place <= rank.taken ? "; the " : "; only the ") + top + " attended";
  return rank.what + " ranks " + std::to_string(place) + " of " +
         std::to_string(rank.end - rank.begin) + " by " + rank.score + " = " +
         readableNumber(at(rank.at)) + choice;
}

void softmax(std::span<double> scores) {
  double most = -std::numeric_limits<double>::infinity();
  for (const double s : scores)
    most = std::max(most, s);
  if (std::isinf(most))
    return std::fill(scores.begin(), scores.end(), 0.0);
  double sum = 0;
  for (double& s : scores)
    sum += s = std::exp(s - most);
  for (double& s : scores)
    s /= sum;
}

std::vector<Index> byFallingWeight(std::span<const double> weights) {
  std::vector<Index> order(weights.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return weights[static_cast<std::size_t>(a)] > weights[static_cast<std::size_t>(b)];
  });
  return order;
}

Index prefixesWithin(std::span<const double> falling, double share) {
  double sum = 0;
  Index count = 0;
  for (const double weight : falling) {
    sum += weight;
    if (sum > share)
      break;
    ++count;
  }
  return count;
}

} // namespace attention
