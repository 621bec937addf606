#include "core/pattern/mechanism/msa.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/forced_blocks.h"
#include "core/pattern/index_arrays.h"

#include <array>
#include <limits>

namespace attention {
namespace {

constexpr Index kKeysAtOnce = 512;
constexpr std::array<PartName, 2> kMsaParts{
    {{"local", "nearest blocks"}, {"chosen", "blocks with the best keys"}}};

class MsaChoice {
public:
  MsaChoice(const Msa& msa, const BlockGrid& grid, IndexArrays index)
      : msa_(msa), grid_(grid), index_(std::move(index)), keys_(SimilarityScore::Dot, index_.k) {}

  const BlockGrid& grid() const { return grid_; }

  // Of query i, a row of the mask; none where its token is before the first key.
  ForcedBlocks forced(Index i) const { return {grid_.candidates(i), 0, msa_.localBlocks}; }

  std::vector<std::vector<Index>> chosen(const Run& run) const {
    const ScoreTiles tiles{
        grid_.lengths.queries, grid_.keyBlocks(),
        [this](Index row, Index block, MatrixView<double> scores) { compute(row, block, scores); }};
    return largestScores(
        tiles, forced(0).left(msa_.topK), [this](Index i) { return forced(i).others(); }, 0, run);
  }

  std::string explain(Index token, Index j) const {
    if (j > token)
      return futureText(token, j);
    const Index i = token - grid_.lengths.offset;
    const ForcedBlocks forced = this->forced(i);
    const Index c = j / grid_.keyBlock;
    const std::string what = "block " + std::to_string(c);
    if (forced.contains(c))
      return what + " is one of the nearest";
    std::vector<double> scores(static_cast<std::size_t>(grid_.keyBlocks()));
    compute(i, 0, {scores.data(), 1, grid_.keyBlocks(), grid_.keyBlocks()});
    return rankText({what, "its largest q·k", scores, forced.begin(), forced.end(), c,
                     forced.left(msa_.topK)}) +
           standInText(index_.standIn);
  }

  // A product and a comparison for each permitted pair.
  double flops() const {
    double pairs = 0;
    for (Index i = 0; i < grid_.lengths.queries; ++i)
      pairs +=
          static_cast<double>(std::clamp<Index>(grid_.lastToken(i) + 1, 0, grid_.lengths.keys));
    return (2 * static_cast<double>(index_.width()) + 1) * pairs;
  }

  Index count() const { return forced(0).left(msa_.topK); }
  void scores(Index i, std::span<double> scores) const {
    compute(i, 0, {scores.data(), 1, grid_.keyBlocks(), grid_.keyBlocks()});
    keepRanked(scores, 0, grid_.candidates(i));
  }

private:
  // The largest score among the permitted keys of each block; −∞ where there is none.
  void compute(Index row, Index block, MatrixView<double> scores) const {
    for (Index r = 0; r < scores.rows; ++r)
      std::fill(scores.row(r).begin(), scores.row(r).end(),
                -std::numeric_limits<double>::infinity());
    const Index seen = grid_.lastToken(row + scores.rows - 1) + 1; // by the last of the rows
    const Index end = std::min({(block + scores.cols) * grid_.keyBlock, grid_.lengths.keys, seen});
    Matrix<double> products(scores.rows, kKeysAtOnce);
    for (Index j = block * grid_.keyBlock; j < end; j += kKeysAtOnce) {
      const MatrixView<double> tile{products.data(), scores.rows, std::min(kKeysAtOnce, end - j),
                                    kKeysAtOnce};
      const Matrix<double>& q = index_.q.front();
      keys_.compute({&q(row, 0), scores.rows, q.cols(), q.cols()}, j, tile);
      for (Index r = 0; r < scores.rows; ++r)
        for (Index c = 0; c < std::min(tile.cols, grid_.lastToken(row + r) + 1 - j); ++c) {
          double& most = scores(r, (j + c) / grid_.keyBlock - block);
          most = std::max(most, tile(r, c));
        }
    }
  }

  Msa msa_;
  BlockGrid grid_;
  IndexArrays index_;
  Similarities keys_;
};

ChoiceScores scoresOf(const std::shared_ptr<const MsaChoice>& facts) {
  return {"their largest q·k", largestText(facts->count()),
          [facts](Index i, std::span<double> scores) { facts->scores(i, scores); },
          [facts](Index i, Index c) { return facts->forced(i).contains(c); }};
}

} // namespace

const Description& describe(const Msa&) {
  static const Description kDescription =
      DescriptionBuilder<Msa>("msa", "MSA (MiniMax)", "Content")
          .summary("An indexer scores keys; every query attends to its nearest blocks and to those "
                   "with the best keys.")
          .source("MiniMax M3; huggingface/transformers, MiniMaxM3VLIndexer")
          .definition({"s_ic = max of q^I_i·k^I_j over the keys j ≤ i of block c",
                       "the top_k blocks of the largest s, the local ones taken before"})
          .conventions("The own block counts in top_k, as in the code. Without index_q and index_k "
                       "in the input, the first index_dim columns of Q and K stand in for them.")
          .complexity("O(n² d_I) to choose, O(n k b d) to attend")
          .chooses(Chooses::Ranks)
          .budget("top_k")
          .integer("block_size", "b", &Msa::blockSize, "Tokens per block", "tokens", atLeast(1))
          .integer("top_k", "k", &Msa::topK, "Blocks per query, local ones included", "blocks",
                   [](const Msa& m, Index) {
                     return Bounds{std::max(1.0, static_cast<double>(m.localBlocks))};
                   })
          .label("top k")
          .integer("local_blocks", "", &Msa::localBlocks,
                   "Own block and those before it, taken before all others", "", atLeast(0))
          .given(
              "index_dim", "d_I", &Msa::indexDim,
              "How many columns of Q and K stand in for the indexer's own; leave empty to use all",
              ParameterType::Integer, false, atLeast(1))
          .array("index_q", "Queries of the indexer, n_q × d_I")
          .array("index_k", "Keys of the indexer, n_k × d_I")
          .build();
  return kDescription;
}

bool readsData(const Msa&) {
  return true;
}

bool takesRectangles(const Msa&) {
  return true;
}

std::shared_ptr<const Prepared> prepared(const Msa& msa, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireAnyData("msa", lengths, data);
  const BlockGrid grid{lengths, 1, std::min(msa.blockSize, lengths.keys)};
  const auto facts = std::make_shared<const MsaChoice>(
      msa, grid, indexArrays("msa", msa.indexDim, lengths, data, false));
  BlockTables tables(grid, kMsaParts.size());
  const auto chosen = facts->chosen(run);
  for (Index i = 0; i < lengths.queries; ++i)
    tables.append(std::array{facts->forced(i).blocks(), chosen[static_cast<std::size_t>(i)]});
  return preparedBlocks(
      grid, std::move(tables), kMsaParts,
      [facts](Index token, Index j) { return facts->explain(token, j); },
      choiceOf(grid, facts->flops(), scoresOf(facts)));
}

} // namespace attention
