#include "core/pattern/mechanism/moba.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/largest_scores.h"

#include <array>
#include <numeric>

namespace attention {
namespace {

constexpr std::array<PartName, 2> kMobaParts{
    {{"own", "own block"}, {"routed", "blocks routed to"}}};

// What reasons compute again.
struct MobaChoice {
  Moba moba;
  PatternData data;
  Index block;
  Similarities means;

  std::string explain(Index i, Index j) const {
    if (j > i)
      return futureText(i, j);
    const Index own = i / block;
    const Index c = j / block;
    const std::string what = "block " + std::to_string(c);
    if (c == own)
      return what + " holds the query itself";
    if (moba.topK == 1)
      return what + (moba.reading == Moba::Reading::Efficient
                         ? " is earlier, and with top_k 1 the efficient code attends to all"
                         : " is not the query's own, and top_k is 1");
    std::vector<double> scores(static_cast<std::size_t>(means.size()));
    means.compute(data.q->view().row(i), scores);
    return rankText({what, "q·mean(k)", scores, 0, own, c, moba.topK - 1});
  }
};

ChoiceScores scoresOf(const std::shared_ptr<const MobaChoice>& facts) {
  const Moba& moba = facts->moba;
  const bool all = moba.topK == 1 && moba.reading == Moba::Reading::Efficient;
  return {"q·mean(k)", all ? "all earlier ones" : largestText(moba.topK - 1),
          [facts](Index i, std::span<double> scores) {
            facts->means.compute(facts->data.q->view().row(i), scores);
            keepRanked(scores, 0, facts->moba.topK == 1 ? 0 : i / facts->block);
          },
          [facts, all](Index i, Index c) {
            return all ? c <= i / facts->block : c == i / facts->block;
          }};
}

// The earlier blocks of every query.
std::vector<std::vector<Index>> routedBlocks(const MobaChoice& facts, const Run& run) {
  const Index n = facts.data.q->rows();
  if (facts.moba.topK == 1) {
    std::vector<std::vector<Index>> routed(static_cast<std::size_t>(n));
    if (facts.moba.reading == Moba::Reading::Efficient)
      for (Index i = 0; i < n; ++i) {
        auto& earlier = routed[static_cast<std::size_t>(i)];
        earlier.resize(static_cast<std::size_t>(i / facts.block));
        std::iota(earlier.begin(), earlier.end(), Index{0});
      }
    return routed;
  }
  return largestScores(
      facts.means, facts.data.q->view(), facts.moba.topK - 1,
      [&](Index i) { return Others{i / facts.block}; }, 0, run);
}

// Mean keys, and a product with each earlier one.
double flopsOf(const Moba& moba, Index n, Index block, Index d) {
  if (moba.topK == 1 && moba.reading == Moba::Reading::Efficient)
    return 0;
  double earlier = 0; // blocks, over all queries
  for (Index t = 0; t * block < n; ++t)
    earlier += static_cast<double>(t * std::min(block, n - t * block));
  return static_cast<double>(n * d) + 2 * static_cast<double>(d) * earlier;
}

} // namespace

const Description& describe(const Moba&) {
  using Reading = Moba::Reading;
  static const Description kDescription =
      DescriptionBuilder<Moba>("moba", "MoBA", "Content")
          .summary(
              "Every query attends to its own block and to the earlier blocks with the highest "
              "scores: its product with the block's mean key.")
          .source("Lu et al. 2025 (MoBA, arXiv 2502.13189), §2.2 and Algorithm 1; MoonshotAI/MoBA")
          .definition(
              {"g_c = qᵢ·mean(K of block c) for the blocks before the query's own",
               "Sᵢ = { j ≤ i : j in the query's own block, or in one of the k−1 blocks of the "
               "largest g_c }"})
          .conventions(
              "The query's own block counts in k and is never scored. With k = 1 the efficient "
              "code attends to all earlier keys, the paper and the naive code only to the "
              "query's own block.")
          .complexity("O(n² d / b) to choose, O(n k b d) to attend")
          .chooses(Chooses::Ranks)
          .budget("top_k")
          .integer("block_size", "b", &Moba::blockSize, "Tokens per block", "tokens", atLeast(1))
          .integer("top_k", "k", &Moba::topK, "Blocks per query, its own included", "blocks",
                   atLeast(1))
          .label("top k")
          .choice("reading", &Moba::reading, "What top_k = 1 means",
                  {{Reading::Naive, "naive", "own block", "Only the query's own block (paper)"},
                   {Reading::Efficient, "efficient", "all earlier",
                    "All earlier keys: the efficient code falls back to causal attention"}})
          .build();
  return kDescription;
}

bool readsData(const Moba&) {
  return true;
}

bool takesRectangles(const Moba&) {
  return false;
}

std::shared_ptr<const Prepared> prepared(const Moba& moba, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireSquareData("moba", lengths, data);
  const Index n = lengths.keys;
  const Index block = std::min(moba.blockSize, n);
  const auto facts = std::make_shared<const MobaChoice>(
      MobaChoice{moba, data, block, {SimilarityScore::Dot, blockMeans(*data.k, block)}});
  const BlockGrid grid{lengths, 1, block};
  BlockTables tables(grid, kMobaParts.size());
  std::array<std::vector<Index>, 2> blocks;
  const auto routed = routedBlocks(*facts, run);
  for (Index i = 0; i < n; ++i) {
    blocks = {std::vector<Index>{i / block}, routed[static_cast<std::size_t>(i)]};
    tables.append(blocks);
  }
  return preparedBlocks(
      grid, std::move(tables), kMobaParts,
      [facts](Index i, Index j) { return facts->explain(i, j); },
      choiceOf(grid, flopsOf(moba, n, block, data.q->cols()), scoresOf(facts)));
}

} // namespace attention
