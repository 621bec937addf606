#include "core/pattern/mechanism/sparge.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/similarities.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

constexpr double kUsualCdf = 0.98;
std::array<PartName, 2> partNames(const Sparge& sparge) {
  return {{{"fixed", sparge.sink ? "dissimilar blocks and the first" : "dissimilar blocks"},
           {"chosen", "blocks with the largest weights"}}};
}

// What one block of queries takes.
struct SpargeRow {
  std::vector<Index> fixed;
  std::vector<Index> chosen;
  Index scored = 0;
};

Matrix<double> withoutMean(const Matrix<double>& rows) {
  const Matrix<double> mean = blockMeans(rows, rows.rows());
  Matrix<double> rest = rows;
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index c = 0; c < rows.cols(); ++c)
      rest(i, c) -= mean(0, c);
  return rest;
}

// The mean cosine of all pairs of rows of every block, |Σ of unit rows|² / r².
std::vector<double> selfSimilarities(const Matrix<double>& rows, Index block) {
  const Matrix<double> means = blockMeans(unitRows(rows), block);
  std::vector<double> similarities;
  for (Index t = 0; t < means.rows(); ++t) {
    double squares = 0;
    for (const double x : means.view().row(t))
      squares += x * x;
    similarities.push_back(squares);
  }
  return similarities;
}

class SpargeChoice {
public:
  SpargeChoice(const Sparge& sparge, const BlockGrid& grid, const PatternData& data)
      : SpargeChoice(sparge, grid, data, sparge.smoothK ? withoutMean(*data.k) : *data.k) {}

  std::vector<bool> similarQueries() const {
    return similar(querySimilarity_, grid_.queryBlock, grid_.lengths.queries);
  }
  std::vector<bool> similarKeys() const {
    return similar(keySimilarity_, grid_.keyBlock, grid_.lengths.keys);
  }

  SpargeRow taken(Index a) const {
    SpargeRow row;
    const std::vector<Index> live = this->live(a);
    for (Index c = 0; c < grid_.candidates(a); ++c)
      if (isFixed(a, c))
        row.fixed.push_back(c);
    row.scored = static_cast<Index>(live.size());
    const std::vector<double> p = weights(a, live);
    const std::vector<Index> order = byFallingWeight(p);
    const auto most = std::min(order.size(), static_cast<std::size_t>(count(p, order)));
    for (std::size_t t = 0; t < most; ++t) {
      const Index c = live[static_cast<std::size_t>(order[t])];
      if (!std::binary_search(row.fixed.begin(), row.fixed.end(), c))
        row.chosen.push_back(c);
    }
    std::sort(row.chosen.begin(), row.chosen.end());
    return row;
  }

  std::string explain(Index token, Index j) const {
    if (sparge_.causal && j > token)
      return futureText(token, j);
    const Index a = (token - grid_.lengths.offset) / grid_.queryBlock;
    const Index c = j / grid_.keyBlock;
    const std::string block = "block " + std::to_string(c);
    const auto similarity = [&](const std::vector<double>& of, Index t) {
      return " has similarity " + readableNumber(of[static_cast<std::size_t>(t)]) + ", not above " +
             readableNumber(sparge_.similarity);
    };
    if (!isSimilarQuery(a))
      return "block " + std::to_string(a) + " of queries" + similarity(querySimilarity_, a);
    if (!isSimilarKey(c))
      return block + " of keys" + similarity(keySimilarity_, c);
    if (sparge_.sink && c == 0)
      return block + " is the first, which sink keeps";
    const SpargeRow row = taken(a);
    const bool in = std::binary_search(row.chosen.begin(), row.chosen.end(), c);
    return block + (in ? " is among the heaviest blocks that are chosen"
                       : " is lighter than the blocks that are chosen");
  }

  // Whether block a takes candidate c whatever its weight.
  bool isFixed(Index a, Index c) const {
    return !isSimilarQuery(a) || !isSimilarKey(c) || (sparge_.sink && c == 0);
  }
  void scores(Index a, std::span<double> scores) const {
    keepRanked(scores, 0, 0);
    const std::vector<Index> live = this->live(a);
    const std::vector<double> p = weights(a, live);
    for (std::size_t t = 0; t < live.size(); ++t)
      scores[static_cast<std::size_t>(live[t])] = p[t];
  }
  std::string rule() const {
    if (sparge_.ratio)
      return "the largest, " + readableNumber(100 * *sparge_.ratio) + " % of the blocks";
    return "the largest up to " + readableNumber(100 * sparge_.cdf.value_or(kUsualCdf)) +
           " % of the weight";
  }

private:
  SpargeChoice(const Sparge& sparge, const BlockGrid& grid, const PatternData& data,
               const Matrix<double>& keys)
      : sparge_(sparge), grid_(grid), scale_(scaleOf(data)),
        queries_(blockMeans(*data.q, grid.queryBlock)),
        keys_(SimilarityScore::Dot, blockMeans(keys, grid.keyBlock)),
        querySimilarity_(selfSimilarities(*data.q, grid.queryBlock)),
        keySimilarity_(selfSimilarities(keys, grid.keyBlock)) {}

  bool isSimilar(const std::vector<double>& similarities, Index t, Index block, Index n) const {
    const bool isShort = n - t * block < block;
    if (isShort && sparge_.shortBlock == Sparge::ShortBlock::Dissimilar)
      return false;
    return similarities[static_cast<std::size_t>(t)] > sparge_.similarity;
  }
  bool isSimilarQuery(Index a) const {
    return isSimilar(querySimilarity_, a, grid_.queryBlock, grid_.lengths.queries);
  }
  bool isSimilarKey(Index c) const {
    return isSimilar(keySimilarity_, c, grid_.keyBlock, grid_.lengths.keys);
  }
  std::vector<bool> similar(const std::vector<double>& similarities, Index block, Index n) const {
    std::vector<bool> all;
    for (std::size_t t = 0; t < similarities.size(); ++t)
      all.push_back(isSimilar(similarities, static_cast<Index>(t), block, n));
    return all;
  }

  // Candidates with a similar block of keys.
  std::vector<Index> live(Index a) const {
    std::vector<Index> live;
    for (Index c = 0; c < grid_.candidates(a); ++c)
      if (isSimilarKey(c))
        live.push_back(c);
    return live;
  }

  // The softmax over the live blocks.
  std::vector<double> weights(Index a, const std::vector<Index>& live) const {
    std::vector<double> scores(static_cast<std::size_t>(keys_.size()));
    keys_.compute(queries_.view().row(a), scores);
    std::vector<double> p;
    p.reserve(live.size());
    for (const Index c : live)
      p.push_back(scale_ * scores[static_cast<std::size_t>(c)]);
    softmax(p);
    return p;
  }

  // How many live blocks are taken.
  Index count(const std::vector<double>& p, const std::vector<Index>& order) const {
    if (sparge_.ratio)
      return std::max<Index>(1, static_cast<Index>(std::floor(
                                    *sparge_.ratio * static_cast<double>(grid_.keyBlocks()))));
    const double cdf = sparge_.cdf.value_or(kUsualCdf);
    if (cdf == 1)
      return static_cast<Index>(order.size());
    std::vector<double> falling;
    falling.reserve(order.size());
    for (const Index t : order)
      falling.push_back(p[static_cast<std::size_t>(t)]);
    return std::max<Index>(1, prefixesWithin(falling, cdf));
  }

  Sparge sparge_;
  BlockGrid grid_;
  double scale_;
  Matrix<double> queries_;
  Similarities keys_;
  std::vector<double> querySimilarity_;
  std::vector<double> keySimilarity_;
};

ChoiceScores scoresOf(const std::shared_ptr<const SpargeChoice>& choice) {
  return {"the weight of mean(q)·mean(k)", choice->rule(),
          [choice](Index a, std::span<double> scores) { choice->scores(a, scores); },
          [choice](Index a, Index c) { return choice->isFixed(a, c); }};
}

// S28: means, similarities, and 2d + 5 for each live block.
double spargeFlops(const Sparge& sparge, const BlockGrid& grid, Index columns, double scored) {
  const auto d = static_cast<double>(columns);
  const auto keys = static_cast<double>(grid.lengths.keys);
  const double rows = static_cast<double>(grid.lengths.queries) + keys;
  const auto blocks = static_cast<double>(grid.queryBlocks() + grid.keyBlocks());
  return rows * d + (sparge.smoothK ? 2 * keys * d : 0) + 4 * d * rows + 2 * d * blocks +
         scored * (2 * d + 5);
}

} // namespace

const Description& describe(const Sparge&) {
  using S = Sparge;
  static const Description kDescription =
      DescriptionBuilder<S>("sparge", "SpargeAttn", "Content")
          .summary("Blocks with similar rows are judged by their means; all others are kept.")
          .source("Zhang et al. 2025 (SpargeAttn), first stage; thu-ml/SpargeAttn")
          .definition(
              {"a block is similar if its mean cosine |Σ unit rows|²/r² is above θ",
               "p_a = softmax over similar blocks c of scale·mean(Q block a)·mean(K block c)",
               "the heaviest blocks, as long as their sum stays within τ, and all that are not "
               "similar"})
          .conventions(
              "The block that crosses τ is not taken. The second stage, which skips by the "
              "running maximum, and low precision are left out.")
          .complexity("O(n d + n² d / (b_q b_k)) to choose")
          .chooses(Chooses::Ranks)
          .budget([](const S& s) -> std::string_view { return s.ratio ? "ratio" : "cdf"; })
          .integer("block_q", "b_q", &S::blockQ, "Queries per block", "tokens", atLeast(1))
          .integer("block_k", "b_k", &S::blockK, "Keys per block", "tokens", atLeast(1))
          .real("similarity", "θ", &S::similarity, "Mean cosine above which a block is similar",
                between(-1, 1))
          .given("cdf", "τ", &S::cdf,
                 "Share of the weight that is kept; 0.98 where there is no ratio",
                 ParameterType::Real, false, between(0, 1))
          .given("ratio", "", &S::ratio, "Share of the blocks that is kept, in place of cdf",
                 ParameterType::Real, false, between(0, 1))
          .boolean("causal", &S::causal, causalMeaning())
          .boolean("sink", &S::sink, "Always keep the first block of keys")
          .boolean("smooth_k", &S::smoothK, "Take the mean of all keys away before choosing")
          .choice("short_block", &S::shortBlock, "What a short last block counts as",
                  {{S::ShortBlock::Real, "real", "its rows", "Judged by its rows"},
                   {S::ShortBlock::Dissimilar, "dissimilar", "dissimilar",
                    "Never similar, as in the code, which divides 0 by 0"}})
          .build();
  return kDescription;
}

bool readsData(const Sparge&) {
  return true;
}

bool takesRectangles(const Sparge& sparge) {
  return !sparge.causal;
}

bool takesAnyAlignment(const Sparge& sparge) {
  return !sparge.causal;
}

void checkLengths(const Sparge& sparge, const Lengths&) {
  if (sparge.cdf && sparge.ratio)
    throw Error(ErrorCode::Range, "ratio", "cdf and ratio are both given; it must be only one");
}

std::shared_ptr<const Prepared> prepared(const Sparge& sparge, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  if (sparge.causal)
    requireSquareData("causal sparge", lengths, data);
  requireAnyData("sparge", lengths, data);
  const Lengths placed = sparge.causal ? lengths : anyAlignment(lengths);
  const BlockGrid grid{placed, sparge.blockQ, sparge.blockK, sparge.causal};
  const auto choice = std::make_shared<const SpargeChoice>(sparge, grid, data);
  std::vector<SpargeRow> rows(static_cast<std::size_t>(grid.queryBlocks()));
  parallelFor(grid.queryBlocks(), 0, run,
              [&](Index a) { rows[static_cast<std::size_t>(a)] = choice->taken(a); });
  const auto names = partNames(sparge);
  BlockTables tables(grid, names.size());
  double scored = 0;
  for (SpargeRow& row : rows) {
    scored += static_cast<double>(row.scored);
    tables.append(std::array{std::move(row.fixed), std::move(row.chosen)});
  }
  KeyChoice found =
      choiceOf(grid, spargeFlops(sparge, grid, data.q->cols(), scored), scoresOf(choice));
  found.found.emplace("similar_q", choice->similarQueries());
  found.found.emplace("similar_k", choice->similarKeys());
  return preparedBlocks(
      grid, std::move(tables), names,
      [choice](Index token, Index j) { return choice->explain(token, j); }, std::move(found));
}

} // namespace attention
