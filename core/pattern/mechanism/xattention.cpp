#include "core/pattern/mechanism/xattention.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/similarities.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace attention {
namespace {

constexpr Index kMostKeptScores = Index{1} << 24; // of blocks
constexpr std::array<PartName, 2> kXAttentionParts{
    {{"forced", "first block and diagonal"}, {"chosen", "blocks with the largest weights"}}};

// Rows of `stride` tokens side by side, missing ones zero; `reversed`: the last token first.
Matrix<double> groupsOf(const Matrix<double>& rows, Index stride, bool reversed) {
  const Index d = rows.cols();
  Matrix<double> groups(ceilDiv(rows.rows(), stride), stride * d);
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index u = i % stride;
    std::copy_n(&rows(i, 0), d, &groups(i / stride, (reversed ? stride - 1 - u : u) * d));
  }
  return groups;
}

// What one block of queries takes.
struct TakenBlocks {
  std::vector<Index> forced;
  std::vector<Index> chosen;
};

class AntidiagonalChoice {
public:
  AntidiagonalChoice(const XAttention& x, const BlockGrid& grid, const PatternData& data)
      : x_(x), grid_(grid),
        // Longer groups have the same products: tokens that are missing count as zero.
        stride_(std::min(x.stride, grid.lengths.queries + grid.lengths.keys)),
        groupsPerBlock_(std::max<Index>(1, grid.keyBlock / stride_)),
        scale_(scaleOf(data) / static_cast<double>(x.stride)),
        queries_(groupsOf(*data.q, stride_, true)),
        keys_(SimilarityScore::Dot, groupsOf(*data.k, stride_, false)) {}

  // W of block a of queries, for every block of keys: sums of the softmaxes of its groups.
  std::vector<double> weights(Index a) const {
    std::vector<double> sums(static_cast<std::size_t>(grid_.keyBlocks()));
    std::vector<double> scores(static_cast<std::size_t>(keys_.size()));
    const Index end = std::min((a + 1) * groupsPerBlock_, queries_.rows());
    for (Index r = a * groupsPerBlock_; r < end; ++r) {
      keys_.compute(queries_.view().row(r), scores);
      const auto seen = std::span(scores).first(static_cast<std::size_t>(groupsSeen(r)));
      for (double& s : seen)
        s *= scale_;
      softmax(seen);
      for (std::size_t c = 0; c < seen.size(); ++c)
        sums[c / static_cast<std::size_t>(groupsPerBlock_)] += seen[c];
    }
    return sums;
  }

  TakenBlocks taken(Index a, std::span<const double> weights) const {
    const Index candidates = grid_.candidates(a);
    const bool late = x_.causal && !inFirstChunk(a);
    std::vector<Index> forced;
    if (x_.causal)
      forced = late && grid_.own(a) > 0 ? std::vector<Index>{0, grid_.own(a)}
                                        : std::vector<Index>{grid_.own(a)};
    std::vector<Index> free = byFallingWeight(weights.first(static_cast<std::size_t>(candidates)));
    std::erase_if(
        free, [&](Index c) { return std::find(forced.begin(), forced.end(), c) != forced.end(); });
    TakenBlocks taken{forced, within(weights, forced, free, candidates, x_.causal && !late)};
    if (!late && (taken.forced.empty() || taken.forced.front() != 0)) // a side effect of the code
      taken.forced.insert(taken.forced.begin(), 0);
    if (!late)
      std::erase(taken.chosen, Index{0});
    std::sort(taken.chosen.begin(), taken.chosen.end());
    return taken;
  }

  std::string explain(Index token, Index j) const {
    if (x_.causal && j > token)
      return futureText(token, j);
    const Index a = (token - grid_.lengths.offset) / grid_.queryBlock;
    const Index c = j / grid_.keyBlock;
    const std::vector<double> w = weights(a);
    const TakenBlocks blocks = taken(a, w);
    const auto holds = [c](const std::vector<Index>& list) {
      return std::find(list.begin(), list.end(), c) != list.end();
    };
    const double all = std::accumulate(w.begin(), w.begin() + grid_.candidates(a), 0.0);
    const std::string share = "block " + std::to_string(c) + " has " +
                              readableNumber(100 * w[static_cast<std::size_t>(c)] / all) +
                              " % of the weight of block row " + std::to_string(a);
    if (holds(blocks.forced))
      return "block " + std::to_string(c) +
             (c == 0 ? " is the first, which is always taken" : " lies on the diagonal");
    return share +
           (holds(blocks.chosen) ? ", and is needed for " : ", and heavier ones already have ") +
           readableNumber(100 * x_.threshold) + " %";
  }

  // 2 s d + 6 for every permitted pair of groups.
  double flops(Index d) const {
    double pairs = 0;
    for (Index r = 0; r < queries_.rows(); ++r)
      pairs += static_cast<double>(groupsSeen(r));
    return pairs * (2 * static_cast<double>(x_.stride) * static_cast<double>(d) + 6);
  }

  // W for the blocks that can be chosen.
  void scores(Index a, std::span<double> scores) const {
    const std::vector<double> w = weights(a);
    std::copy(w.begin(), w.end(), scores.begin());
    keepRanked(scores, 0, grid_.candidates(a));
  }
  bool forced(Index a, Index c) const { return c == 0 || (x_.causal && c == grid_.own(a)); }
  std::string rule() const {
    return x_.threshold == 0
               ? "none"
               : "the largest up to " + readableNumber(100 * x_.threshold) + " % of the weight";
  }

private:
  Index groupsSeen(Index r) const {
    return x_.causal ? std::min(r + grid_.lengths.offset / stride_ + 1, keys_.size())
                     : keys_.size();
  }

  bool inFirstChunk(Index a) const {
    return grid_.lengths.offset == 0 && a * grid_.queryBlock < x_.firstChunk;
  }

  // Those of `free`, by falling weight, that are taken while the weight of all taken is below the
  // share. In the first chunk, the list is off by one.
  std::vector<Index> within(std::span<const double> weights, const std::vector<Index>& forced,
                            const std::vector<Index>& free, Index candidates,
                            bool firstChunk) const {
    if (x_.threshold == 1)
      return free;
    if (x_.threshold == 0)
      return {};
    const auto weight = [&](Index c) { return weights[static_cast<std::size_t>(c)]; };
    const double share =
        x_.threshold * std::accumulate(weights.begin(), weights.begin() + candidates, 0.0);
    double sum = 0; // of what is taken, in the first chunk without the last one
    for (const Index c : forced)
      sum += weight(c);
    std::vector<Index> chosen;
    for (std::size_t t = 0; t < free.size(); ++t) {
      const double before = firstChunk && t == 0 ? 0 : sum;
      if (!(before < share))
        break;
      chosen.push_back(free[t]);
      if (!firstChunk)
        sum += weight(free[t]);
      else if (t > 0)
        sum += weight(free[t - 1]);
    }
    return chosen;
  }

  XAttention x_;
  BlockGrid grid_;
  Index stride_;
  Index groupsPerBlock_;
  double scale_;
  Matrix<double> queries_;
  Similarities keys_;
};

ChoiceScores scoresOf(const std::shared_ptr<const AntidiagonalChoice>& choice) {
  return {"the weight of their antidiagonals", choice->rule(),
          [choice](Index a, std::span<double> scores) { choice->scores(a, scores); },
          [choice](Index a, Index c) { return choice->forced(a, c); }};
}

// S26: only bottom-right, by whole blocks.
void requireWholeBlocks(const XAttention& x, const Lengths& lengths) {
  const Index more = lengths.keys - lengths.queries;
  if (!x.causal)
    return;
  if (more < 0 || lengths.offset != more || more % x.blockSize != 0)
    throw Error(ErrorCode::Shape, "n_q",
                "there are " + countText(lengths.queries, "query") + " and " +
                    countText(lengths.keys, "key") +
                    "; causal xattention must have as many of both, or, aligned bottom-right, a "
                    "multiple of block_size, " +
                    std::to_string(x.blockSize) + ", more keys");
}

} // namespace

const Description& describe(const XAttention&) {
  using X = XAttention;
  static const Description kDescription =
      DescriptionBuilder<X>("xattention", "XAttention", "Content")
          .summary("Sums of scores along antidiagonals say which blocks matter; the heaviest are "
                   "taken until they hold a given share of the weight.")
          .source("Xu et al. 2025 (XAttention); mit-han-lab/x-attention, torch path")
          .definition({"A_rc = scale/s·Σ_u q_{rs+s−1−u}·k_{cs+u}; its rows' softmax, summed over "
                       "blocks: W_ac",
                       "the blocks of the largest W_ac while their sum is below τ·Σ_c W_ac; the "
                       "first and the diagonal block before"})
          .conventions(
              "Groups on the diagonal mix in future keys: that is the method. Query blocks "
              "below first_chunk follow the released code's first chunk, which forgets the "
              "first block's weight and takes one block more.")
          .complexity("O(n² d / s) to choose")
          .chooses(Chooses::Ranks)
          .budget("threshold")
          .integer(
              "block_size", "b", &X::blockSize, "Tokens per block, a multiple of stride", "tokens",
              [](const X& x, Index) {
                const Index step = std::max<Index>(x.stride, 1);
                return Bounds{static_cast<double>(step), std::numeric_limits<double>::infinity(),
                              "a multiple of stride, " + std::to_string(step), step};
              })
          .integer("stride", "s", &X::stride, "Tokens per group", "tokens", atLeast(1))
          .real("threshold", "τ", &X::threshold, "Share of the weight that is kept", between(0, 1))
          .boolean("causal", &X::causal, causalMeaning())
          .integer("first_chunk", "", &X::firstChunk,
                   "Query blocks before this token may take one more block, as in the first chunk "
                   "of the released code; a multiple of block_size",
                   "",
                   [](const X& x, Index) {
                     const Index step = std::max<Index>(x.blockSize, 1);
                     return Bounds{0, std::numeric_limits<double>::infinity(),
                                   "0 or a multiple of block_size, " + std::to_string(step), step};
                   })
          .build();
  return kDescription;
}

bool readsData(const XAttention&) {
  return true;
}

bool takesRectangles(const XAttention&) {
  return true;
}

bool takesAnyAlignment(const XAttention& x) {
  return !x.causal;
}

std::shared_ptr<const Prepared> prepared(const XAttention& x, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireAnyData("xattention", lengths, data);
  requireWholeBlocks(x, lengths);
  const Lengths placed = x.causal ? lengths : anyAlignment(lengths);
  const BlockGrid grid{placed, x.blockSize, x.blockSize, x.causal};
  const auto choice = std::make_shared<const AntidiagonalChoice>(x, grid, data);
  const Index blocks = grid.queryBlocks();
  std::vector<TakenBlocks> taken(static_cast<std::size_t>(blocks));
  const bool keeps = blocks * grid.keyBlocks() <= kMostKeptScores;
  Matrix<double> scores(keeps ? blocks : 0, grid.keyBlocks());
  parallelFor(blocks, 0, run, [&](Index a) {
    const std::vector<double> weights = choice->weights(a);
    taken[static_cast<std::size_t>(a)] = choice->taken(a, weights);
    if (keeps)
      std::copy(weights.begin(), weights.end(), scores.view().row(a).begin());
  });
  BlockTables tables(grid, kXAttentionParts.size());
  for (TakenBlocks& one : taken)
    tables.append(std::array{std::move(one.forced), std::move(one.chosen)});
  KeyChoice found = choiceOf(grid, choice->flops(data.q->cols()), scoresOf(choice));
  if (keeps)
    found.found.emplace("block_scores", std::move(scores));
  return preparedBlocks(
      grid, std::move(tables), kXAttentionParts,
      [choice](Index token, Index j) { return choice->explain(token, j); }, std::move(found));
}

} // namespace attention
