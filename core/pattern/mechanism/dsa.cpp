#include "core/pattern/mechanism/dsa.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/index_arrays.h"
#include "core/pattern/largest_scores.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr std::array<PartName, 1> kDsaParts{{{"selected", "keys with the largest scores"}}};

class DsaChoice {
public:
  DsaChoice(const Dsa& dsa, const BlockGrid& grid, IndexArrays index)
      : dsa_(dsa), grid_(grid), index_(std::move(index)), keys_(SimilarityScore::Dot, index_.k) {}

  std::vector<std::vector<Index>> chosen(const Run& run) const {
    const ScoreTiles tiles{
        grid_.lengths.queries, grid_.lengths.keys,
        [this](Index row, Index key, MatrixView<double> scores) { compute(row, key, scores); }};
    return largestScores(
        tiles, dsa_.k, [this](Index i) { return Others{grid_.candidates(i)}; }, 0, run);
  }

  std::string explain(Index token, Index j) const {
    if (dsa_.causal && j > token)
      return futureText(token, j);
    const Index i = token - grid_.lengths.offset;
    std::vector<double> scores(static_cast<std::size_t>(grid_.lengths.keys));
    compute(i, 0, {scores.data(), 1, grid_.lengths.keys, grid_.lengths.keys});
    return rankText({"key " + std::to_string(j), "the indexer's score", scores, 0,
                     grid_.candidates(i), j, dsa_.k}) +
           standInText(index_.standIn);
  }

  // For every permitted pair and index head: a product, its activation and its weight.
  double flops() const {
    double pairs = 0;
    for (Index i = 0; i < grid_.lengths.queries; ++i)
      pairs += static_cast<double>(grid_.candidates(i));
    return static_cast<double>(index_.heads() * (2 * index_.width() + 3)) * pairs;
  }

  const BlockGrid& grid() const { return grid_; }
  Index count() const { return dsa_.k; }
  void scores(Index i, std::span<double> scores) const {
    compute(i, 0, {scores.data(), 1, grid_.lengths.keys, grid_.lengths.keys});
    keepRanked(scores, 0, grid_.candidates(i));
  }

private:
  // Σ_h w_ih · relu(q_ih · k_j), in the order of the heads.
  void compute(Index row, Index key, MatrixView<double> scores) const {
    for (Index r = 0; r < scores.rows; ++r)
      std::fill(scores.row(r).begin(), scores.row(r).end(), 0.0);
    Matrix<double> products(scores.rows, scores.cols);
    for (Index h = 0; h < index_.heads(); ++h) {
      const Matrix<double>& q = index_.q[static_cast<std::size_t>(h)];
      keys_.compute({&q(row, 0), scores.rows, q.cols(), q.cols()}, key, products.view());
      for (Index r = 0; r < scores.rows; ++r)
        for (Index c = 0; c < scores.cols; ++c) {
          const double product = products(r, c);
          const bool inactive = dsa_.activation == Dsa::Activation::Relu && !(product > 0);
          scores(r, c) += inactive ? 0.0 : index_.weights(row + r, h) * product;
        }
    }
  }

  Dsa dsa_;
  BlockGrid grid_;
  IndexArrays index_;
  Similarities keys_;
};

ChoiceScores scoresOf(const std::shared_ptr<const DsaChoice>& facts) {
  return {"the indexer's score", largestText(facts->count()),
          [facts](Index i, std::span<double> scores) { facts->scores(i, scores); },
          [](Index, Index) { return false; }};
}

} // namespace

const Description& describe(const Dsa&) {
  using Activation = Dsa::Activation;
  static const Description kDescription =
      DescriptionBuilder<Dsa>("dsa", "DSA (DeepSeek)", "Content")
          .summary(
              "A small indexer scores all keys, and every query attends to the k best of them.")
          .source(
              "DeepSeek-AI 2025 (DeepSeek-V3.2-Exp), eq. 1–2; flash-linear-attention, naive_dsa")
          .definition({"I_ij = Σ_h w_ih·relu(q^I_ih·k^I_j)",
                       "Sᵢ = the k permitted keys of the largest I_ij; ties: the smaller index"})
          .conventions("Ties are normal: keys at which no head is active score 0, and the earliest "
                       "win. Without index_q and index_k in the input, the first index_dim columns "
                       "of Q and K stand in for the trained indexer, with one head of weight 1.")
          .complexity("O(n² H d_I) to choose, O(n k d) to attend")
          .chooses(Chooses::Ranks)
          .budget("k")
          .integer("k", "k", &Dsa::k, "Keys per query", "keys", atLeast(0))
          .boolean("causal", &Dsa::causal, causalMeaning())
          .choice("activation", &Dsa::activation, "What happens to negative products",
                  {{Activation::Relu, "relu", "ReLU", "Negative products count as 0"},
                   {Activation::None, "none", "none", "Negative products stay as they are"}})
          .given(
              "index_dim", "d_I", &Dsa::indexDim,
              "How many columns of Q and K stand in for the indexer's own; leave empty to use all",
              ParameterType::Integer, false, atLeast(1))
          .array("index_q", "Queries of the indexer, n_q × H × d_I, or n_q × d_I for one head")
          .array("index_k", "Keys of the indexer, n_k × d_I")
          .array("index_w", "Weights of its heads, n_q × H; 1 where absent")
          .build();
  return kDescription;
}

bool readsData(const Dsa&) {
  return true;
}

bool takesRectangles(const Dsa&) {
  return true;
}

std::shared_ptr<const Prepared> prepared(const Dsa& dsa, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireAnyData("dsa", lengths, data);
  const BlockGrid grid{dsa.causal ? lengths : anyAlignment(lengths), 1, 1, dsa.causal};
  const auto facts = std::make_shared<const DsaChoice>(
      dsa, grid, indexArrays("dsa", dsa.indexDim, lengths, data, true));
  BlockTables tables(grid, kDsaParts.size());
  const auto chosen = facts->chosen(run);
  for (Index i = 0; i < lengths.queries; ++i)
    tables.append(std::span(&chosen[static_cast<std::size_t>(i)], 1));
  return preparedBlocks(
      grid, std::move(tables), kDsaParts,
      [facts](Index token, Index j) { return facts->explain(token, j); },
      choiceOf(grid, facts->flops(), scoresOf(facts)));
}

} // namespace attention
