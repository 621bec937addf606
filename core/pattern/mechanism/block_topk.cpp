#include "core/pattern/mechanism/block_topk.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/forced_blocks.h"
#include "core/pattern/largest_scores.h"

#include <array>

namespace attention {
namespace {

constexpr std::array<PartName, 2> kBlockTopKParts{
    {{"forced", "first and local blocks"}, {"chosen", "blocks with the largest scores"}}};

struct BlockTopKChoice {
  BlockTopK topk;
  Index block;
  Matrix<double> q; // means of blocks
  Similarities k;

  // The forced ones among blocks 0 … own.
  ForcedBlocks forced(Index own) const { return {own + 1, topk.sinkBlocks, topk.localBlocks}; }

  std::string explain(Index i, Index j) const {
    if (j > i)
      return futureText(i, j);
    const Index own = i / block;
    const ForcedBlocks forced = this->forced(own);
    const Index c = j / block;
    const std::string what = "block " + std::to_string(c);
    if (forced.contains(c))
      return what + (c < topk.sinkBlocks ? " is one of the first" : " is one of the nearest");
    std::vector<double> scores(static_cast<std::size_t>(k.size()));
    k.compute(q.view().row(own), scores);
    return rankText(
        {what, "mean(q)·mean(k)", scores, forced.begin(), forced.end(), c, forced.left(topk.topK)});
  }
};

ChoiceScores scoresOf(const std::shared_ptr<const BlockTopKChoice>& facts) {
  return {"mean(q)·mean(k)", largestText(facts->forced(0).left(facts->topk.topK)),
          [facts](Index a, std::span<double> scores) {
            facts->k.compute(facts->q.view().row(a), scores);
            keepRanked(scores, 0, a + 1);
          },
          [facts](Index a, Index c) { return facts->forced(a).contains(c); }};
}

} // namespace

const Description& describe(const BlockTopK&) {
  using B = BlockTopK;
  static const Description kDescription =
      DescriptionBuilder<B>("block_topk", "Block top-k", "Content")
          .summary("Every block of queries attends to the k blocks of keys with the largest score: "
                   "mean query times mean key.")
          .source("Jiang et al. 2024 (MInference), block-sparse heads; Nawrot et al. 2025 "
                  "(sparse-frontier)")
          .definition({"g_ac = mean(Q of block a)·mean(K of block c), c ≤ a",
                       "the top_k blocks of the largest g, first and local blocks taken before"})
          .conventions("The own block is not forced in MInference, so rows may see no key of their "
                       "own block; sparse-frontier forces the first, the own and the previous one.")
          .complexity("O((n/b)² d) to choose, O(n k b d) to attend")
          .chooses(Chooses::Ranks)
          .budget("top_k")
          .integer("block_size", "b", &B::blockSize, "Tokens per block", "tokens", atLeast(1))
          .integer("top_k", "k", &B::topK, "Blocks per block of queries, forced ones included",
                   "blocks",
                   [](const B& b, Index) {
                     return Bounds{static_cast<double>(b.sinkBlocks) +
                                   static_cast<double>(b.localBlocks)};
                   })
          .label("top k")
          .integer("sink_blocks", "", &B::sinkBlocks, "First blocks, taken before all others", "",
                   atLeast(0))
          .integer("local_blocks", "", &B::localBlocks,
                   "Own block and those before it, taken before all others", "", atLeast(0))
          .choice("pool", &B::pool, "What a short last block is averaged over",
                  {{B::Pool::Real, "real", "its rows", "Its own rows only"},
                   {B::Pool::Padded, "padded", "with zeros",
                    "Filled with zero rows, as both codes do: its scores shrink"}})
          .build();
  return kDescription;
}

bool readsData(const BlockTopK&) {
  return true;
}

bool takesRectangles(const BlockTopK&) {
  return false;
}

std::shared_ptr<const Prepared> prepared(const BlockTopK& topk, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireSquareData("block_topk", lengths, data);
  const Index n = lengths.keys;
  const bool padded = topk.pool == BlockTopK::Pool::Padded;
  const Index block = padded ? topk.blockSize : std::min(topk.blockSize, n);
  const auto facts = std::make_shared<const BlockTopKChoice>(
      BlockTopKChoice{topk,
                      block,
                      blockMeans(*data.q, block, padded),
                      {SimilarityScore::Dot, blockMeans(*data.k, block, padded)}});
  const BlockGrid grid{lengths, block, block};
  BlockTables tables(grid, kBlockTopKParts.size());
  const auto chosen = largestScores(
      facts->k, facts->q.view(), facts->forced(0).left(topk.topK),
      [&](Index a) { return facts->forced(a).others(); }, 0, run);
  for (Index a = 0; a < grid.queryBlocks(); ++a)
    tables.append(std::array{facts->forced(a).blocks(), chosen[static_cast<std::size_t>(a)]});
  const auto blocks = static_cast<double>(grid.queryBlocks());
  const auto d = static_cast<double>(data.q->cols());
  return preparedBlocks(
      grid, std::move(tables), kBlockTopKParts,
      [facts](Index i, Index j) { return facts->explain(i, j); },
      choiceOf(grid, 2 * static_cast<double>(n) * d + d * blocks * (blocks + 1), scoresOf(facts)));
}

} // namespace attention
