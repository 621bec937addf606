#include "core/pattern/mechanism/flexprefill.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/similarities.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr double kTakenFirst = std::numeric_limits<double>::infinity();
constexpr std::array<PartName, 4> kFlexParts{{{"vertical", "columns of blocks"},
                                              {"slash", "diagonals of blocks"},
                                              {"query_aware", "blocks with the largest weights"},
                                              {"dense", "all: the input is short"}}};

double& at(std::vector<double>& list, Index k) {
  return list[static_cast<std::size_t>(k)];
}

// What the last b queries give to every key and to every distance, as means.
struct LineWeights {
  std::vector<double> vertical;
  std::vector<double> slash;
};

// What means of blocks weigh, row after row (query-aware blocks).
class MeanWeights {
public:
  MeanWeights(const PatternData& data, Index block, Similarities keys, double scale)
      : queries_(blockMeans(*data.q, block)), keys_(std::move(keys)), scale_(scale) {}

  // The softmax of block a of queries over the blocks up to it; `scores` has room for all.
  std::span<double> row(Index a, std::span<double> scores) const {
    keys_.compute(queries_.view().row(a), scores);
    const auto seen = scores.first(static_cast<std::size_t>(a) + 1);
    for (double& s : seen)
      s *= scale_;
    softmax(seen);
    return seen;
  }

private:
  Matrix<double> queries_;
  Similarities keys_;
  double scale_;
};

// What was decided for the whole head.
struct FlexHead {
  std::vector<bool> columns;             // of blocks
  std::vector<bool> distances;           // of blocks
  std::vector<std::vector<Index>> aware; // blocks of every block of queries, ascending
  double distance = 0;                   // of Jensen and Shannon
  bool isAware = false;
  double flops = 0;
  std::vector<double> columnWeights;        // V of every column of blocks
  std::vector<double> distanceWeights;      // Z of every diagonal of blocks
  std::shared_ptr<const MeanWeights> means; // where it is query-aware; else null

  // The weight that block a of queries chose block c by.
  void scores(Index a, std::span<double> scores) const {
    if (isAware)
      means->row(a, scores);
    else
      for (Index c = 0; c <= a; ++c)
        scores[static_cast<std::size_t>(c)] =
            std::max(columnWeights[static_cast<std::size_t>(c)],
                     distanceWeights[static_cast<std::size_t>(a - c)]);
    keepRanked(scores, 0, a + 1);
  }
  // The first column and the diagonal; of query-aware heads all lines, which other weights chose.
  bool forced(Index a, Index c) const {
    return c == 0 || c == a ||
           (isAware && c < a &&
            (columns[static_cast<std::size_t>(c)] || distances[static_cast<std::size_t>(a - c)]));
  }
};

class FlexChooser {
public:
  FlexChooser(const FlexPrefill& flex, Index n, const PatternData& data)
      : flex_(flex), n_(n), b_(std::min(flex.blockSize, n)), blocks_(ceilDiv(n, b_)),
        least_(ceilDiv(std::min(flex.minBudget, n), b_)), data_(data), scale_(scaleOf(data)) {}

  Index block() const { return b_; }
  bool dense() const { return n_ <= std::max(2 * b_, least_ * b_); }

  FlexHead head(const Run& run) const {
    const LineWeights lines = lineWeights(run);
    std::vector<double> columns = inBlocks(lines.vertical);
    std::vector<double> distances = slashBlocks(lines.slash);
    const Similarities keys(SimilarityScore::Dot, blockMeans(*data_.k, b_));
    FlexHead head;
    head.distance = distanceTo(columns, keys);
    head.isAware = head.distance < flex_.tau;
    head.columnWeights = columns;
    head.distanceWeights = distances;
    columns.front() = distances.front() = kTakenFirst;
    head.columns = largest(columns, head.isAware ? least_ : needed(lines.vertical));
    head.distances = largest(distances, head.isAware ? least_ : needed(lines.slash));
    head.aware.resize(static_cast<std::size_t>(blocks_));
    if (head.isAware) {
      head.means = std::make_shared<const MeanWeights>(data_, b_, keys, scale_);
      addAware(head, run);
    }
    head.flops = flops(head.isAware);
    return head;
  }

private:
  LineWeights lineWeights(const Run& run) const {
    const Similarities keys(SimilarityScore::Dot, *data_.k);
    const auto size = static_cast<std::size_t>(n_);
    LineWeights lines{std::vector<double>(size), std::vector<double>(size)};
    std::vector<double> scores(size);
    for (Index i = n_ - b_; i < n_; ++i) {
      run.report(static_cast<double>(i - n_ + b_) / static_cast<double>(b_));
      keys.compute(data_.q->view().row(i), scores);
      const auto seen = std::span(scores).first(static_cast<std::size_t>(i) + 1);
      for (double& s : seen)
        s *= scale_;
      softmax(seen);
      for (std::size_t j = 0; j < seen.size(); ++j) {
        lines.vertical[j] += seen[j];
        lines.slash[seen.size() - 1 - j] += seen[j];
      }
    }
    for (std::vector<double>* list : {&lines.vertical, &lines.slash})
      for (double& x : *list)
        x /= static_cast<double>(b_);
    return lines;
  }

  std::vector<double> inBlocks(const std::vector<double>& weights) const {
    std::vector<double> sums(static_cast<std::size_t>(blocks_));
    for (Index j = 0; j < n_; ++j)
      at(sums, j / b_) += weights[static_cast<std::size_t>(j)];
    return sums;
  }

  // Distances are cut into blocks from the far end.
  std::vector<double> slashBlocks(const std::vector<double>& weights) const {
    std::vector<double> sums(static_cast<std::size_t>(blocks_));
    for (Index t = 0; t < n_; ++t)
      at(sums, blocks_ - 1 - t / b_) += weights[static_cast<std::size_t>(n_ - 1 - t)];
    return sums;
  }

  // How many blocks reach the share.
  Index needed(std::vector<double> weights) const {
    std::sort(weights.begin(), weights.end(), std::greater<>());
    const Index count = 1 + prefixesWithin(weights, flex_.gamma);
    const Index most =
        flex_.maxBudget ? std::min(blocks_, ceilDiv(std::min(*flex_.maxBudget, n_), b_)) : blocks_;
    return std::min(std::max(count / flex_.countUnit.value_or(flex_.blockSize) + 1, least_), most);
  }

  std::vector<bool> largest(const std::vector<double>& weights, Index count) const {
    std::vector<bool> taken(weights.size());
    const std::vector<Index> order = byFallingWeight(weights);
    for (Index t = 0; t < std::min(count, blocks_); ++t)
      taken[static_cast<std::size_t>(order[static_cast<std::size_t>(t)])] = true;
    return taken;
  }

  // Between the weights of the blocks and what the means of blocks let expect.
  double distanceTo(const std::vector<double>& weights, const Similarities& keys) const {
    Matrix<double> last(b_, data_.q->cols());
    std::copy_n(&(*data_.q)(n_ - b_, 0), b_ * data_.q->cols(), last.data());
    const Matrix<double> mean = blockMeans(last, b_);
    std::vector<double> expected(static_cast<std::size_t>(blocks_));
    keys.compute(mean.view().row(0), expected);
    for (double& e : expected)
      e *= scale_;
    softmax(expected);
    double sum = 0;
    const auto term = [](double x, double m) { return x > 0 ? x * std::log(x / m) : 0.0; };
    for (std::size_t c = 0; c < expected.size(); ++c) {
      const double m = (expected[c] + weights[c]) / 2;
      sum += 0.5 * (term(expected[c], m) + term(weights[c], m));
    }
    return std::sqrt(std::max(0.0, sum));
  }

  // The heaviest blocks of all rows together.
  void addAware(FlexHead& head, const Run& run) const {
    std::vector<double> weights; // row after row, c ≤ a
    std::vector<double> scores(static_cast<std::size_t>(blocks_));
    for (Index a = 0; a < blocks_; ++a) {
      run.check();
      const auto seen = head.means->row(a, scores);
      weights.insert(weights.end(), seen.begin(), seen.end());
    }
    std::vector<Index> taken = heaviest(weights);
    std::sort(taken.begin(), taken.end());
    Index a = 0;
    for (const Index at : taken) {
      while (at >= triangle(a + 1))
        ++a;
      head.aware[static_cast<std::size_t>(a)].push_back(at - triangle(a));
    }
  }

  std::vector<Index> heaviest(const std::vector<double>& weights) const {
    std::vector<Index> order = byFallingWeight(weights);
    if (flex_.gamma == 1)
      return order;
    const double goal = flex_.gamma * static_cast<double>(blocks_);
    double sum = 0;
    std::size_t count = 0;
    for (; count < order.size(); ++count) {
      const double next = sum + weights[static_cast<std::size_t>(order[count])];
      const bool reached =
          flex_.cover == FlexPrefill::Cover::Reach ? count > 0 && !(sum < goal) : next > goal;
      if (reached)
        break;
      sum = next;
    }
    order.resize(count);
    return order;
  }

  // S27: pairs of the last rows, means, and products of means.
  double flops(bool aware) const {
    const auto d = static_cast<double>(data_.q->cols());
    const auto n = static_cast<double>(n_);
    const auto blocks = static_cast<double>(blocks_);
    const auto pairs = static_cast<double>(triangle(n_) - triangle(n_ - b_));
    return pairs * (2 * d + 7) + n * d + blocks * (2 * d + 5) + 8 * blocks +
           (aware ? n * d + (2 * d + 5) * blocks * (blocks + 1) / 2 : 0);
  }

  FlexPrefill flex_;
  Index n_;
  Index b_;
  Index blocks_;
  Index least_; // blocks
  PatternData data_;
  double scale_;
};

std::vector<Index> indicesOf(const std::vector<bool>& list) {
  std::vector<Index> indices;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k])
      indices.push_back(static_cast<Index>(k));
  return indices;
}

// The blocks of row a of each part: a block of two belongs to the first.
std::array<std::vector<Index>, 4> partsOf(const FlexHead& head, Index a) {
  std::array<std::vector<Index>, 4> parts;
  const std::vector<Index>& aware = head.aware[static_cast<std::size_t>(a)];
  for (Index c = 0; c <= a; ++c) {
    if (head.columns[static_cast<std::size_t>(c)])
      parts[0].push_back(c);
    else if (head.distances[static_cast<std::size_t>(a - c)])
      parts[1].push_back(c);
    else if (std::binary_search(aware.begin(), aware.end(), c))
      parts[2].push_back(c);
  }
  return parts;
}

// " (weight 0.02; the lightest chosen has 0.05)": of a line of blocks that is not chosen.
std::string lineText(const std::vector<double>& weights, const std::vector<bool>& chosen,
                     Index line) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < chosen.size(); ++k) // the first is taken whatever it weighs
    if (chosen[k])
      least = std::min(least, weights[k]);
  const std::string own = " (weight " + readableNumber(weights[static_cast<std::size_t>(line)]);
  return own + (std::isinf(least) ? "; only the first is chosen)"
                                  : "; the lightest chosen has " + readableNumber(least) + ")");
}

// "; block 3 of block row 7, of weight 0.01, is not among the heaviest".
std::string awareText(const FlexHead& head, Index a, Index c) {
  std::vector<double> weights(head.columns.size());
  head.means->row(a, weights);
  return "; block " + std::to_string(c) + " of block row " + std::to_string(a) + ", of weight " +
         readableNumber(weights[static_cast<std::size_t>(c)]) + ", is not among the heaviest";
}

std::string explainFlex(const FlexHead& head, Index block, Index i, Index j) {
  if (j > i)
    return futureText(i, j);
  const Index a = i / block;
  const Index c = j / block;
  const std::string column = "column " + std::to_string(c) + " of blocks";
  const std::string distance = "diagonal " + std::to_string(a - c) + " of blocks";
  if (head.columns[static_cast<std::size_t>(c)])
    return column + " is chosen";
  if (head.distances[static_cast<std::size_t>(a - c)])
    return distance + " is chosen";
  const std::vector<Index>& aware = head.aware[static_cast<std::size_t>(a)];
  if (std::binary_search(aware.begin(), aware.end(), c))
    return "block " + std::to_string(c) + " of block row " + std::to_string(a) +
           " is among the heaviest";
  return column + " is not chosen" + lineText(head.columnWeights, head.columns, c) + "; " +
         distance + " is not chosen" + lineText(head.distanceWeights, head.distances, a - c) +
         (head.isAware ? awareText(head, a, c) : "");
}

ChoiceScores scoresOf(const std::shared_ptr<const FlexHead>& head, double gamma) {
  const std::string share = readableNumber(100 * gamma) + " % of the weight";
  return {head->isAware ? "the weight of mean(q)·mean(k)"
                        : "the larger weight of column and diagonal",
          head->isAware ? "the largest of all rows together, up to " + share
                        : "the columns and diagonals that hold " + share,
          [head](Index a, std::span<double> scores) { head->scores(a, scores); },
          [head](Index a, Index c) { return head->forced(a, c); }};
}

std::shared_ptr<const Prepared> densePattern(const BlockGrid& grid) {
  BlockTables tables(grid, kFlexParts.size());
  for (Index a = 0; a < grid.queryBlocks(); ++a) {
    std::array<std::vector<Index>, 4> parts;
    for (Index c = 0; c <= a; ++c)
      parts[3].push_back(c);
    tables.append(parts);
  }
  KeyChoice choice = choiceOf(grid, 0,
                              {"the input is short, so every block is read", "all",
                               [](Index, std::span<double> scores) { keepRanked(scores, 0, 0); },
                               [](Index a, Index c) { return c <= a; }});
  choice.found.emplace("pattern", "dense");
  return preparedBlocks(
      grid, std::move(tables), kFlexParts,
      [](Index i, Index j) {
        return j > i ? futureText(i, j) : std::string("the input is short, so all is attended");
      },
      std::move(choice));
}

} // namespace

const Description& describe(const FlexPrefill&) {
  using F = FlexPrefill;
  static const Description kDescription =
      DescriptionBuilder<F>("flexprefill", "FlexPrefill", "Content")
          .summary("The last queries decide whether a head attends along columns and diagonals or "
                   "to chosen blocks, and how many it needs.")
          .source("Lai et al. 2025 (FlexPrefill, ICLR); ByteDance-Seed/FlexPrefill")
          .definition(
              {"v_j, z_o: what the last b queries give to key j and distance o; V, Z: their "
               "sums over blocks",
               "D = √JS(V, softmax of scale·mean(last queries)·mean(K block c))",
               "D ≥ τ: columns and diagonals of blocks; D < τ: also the heaviest blocks up "
               "to γ of the weight"})
          .conventions("Inputs of at most two blocks are dense. The block that crosses γ is taken, "
                       "as the comments say; the code leaves it out (cover below).")
          .complexity("O(b n d + (n/b)² d) to choose")
          .chooses(Chooses::Ranks)
          .budget("gamma")
          .integer("block_size", "b", &F::blockSize, "Tokens per block", "tokens", atLeast(1))
          .real("gamma", "γ", &F::gamma, "Share of the weight that is kept", between(0, 1))
          .real("tau", "τ", &F::tau,
                "Where block means predict the last queries' weights to within this distance (D), "
                "single blocks are chosen as well as columns and diagonals",
                atLeast(0))
          .integer("min_budget", "", &F::minBudget, "Least tokens per query, in whole blocks", "",
                   atLeast(1))
          .given("max_budget", "", &F::maxBudget,
                 "Most tokens per query, in whole blocks; no limit where not given",
                 ParameterType::Integer, false, atLeast(1))
          .integer(
              "count_unit", "", &F::countUnit,
              "Columns and diagonals of blocks are each taken as often as this goes into the "
              "number of keys needed for the share γ, and once more (128 in the released code)",
              "", atLeast(1), [](const F& f, Index) { return f.blockSize; })
          .choice("cover", &F::cover, "Whether the block that crosses the share is taken",
                  {{F::Cover::Reach, "reach", "taken", "Taken: the share is reached"},
                   {F::Cover::Below, "below", "left out", "Left out, as in the code"}})
          .build();
  return kDescription;
}

bool readsData(const FlexPrefill&) {
  return true;
}

bool takesRectangles(const FlexPrefill&) {
  return false;
}

std::shared_ptr<const Prepared> prepared(const FlexPrefill& flex, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireSquareData("flexprefill", lengths, data);
  const FlexChooser chooser(flex, lengths.keys, data);
  const Index block = chooser.block();
  const BlockGrid grid{lengths, block, block};
  if (chooser.dense())
    return densePattern(grid);
  const auto head = std::make_shared<const FlexHead>(chooser.head(run));
  BlockTables tables(grid, kFlexParts.size());
  for (Index a = 0; a < grid.queryBlocks(); ++a)
    tables.append(partsOf(*head, a));
  KeyChoice choice = choiceOf(grid, head->flops, scoresOf(head, flex.gamma));
  choice.found.emplace("pattern", head->isAware ? "query_aware" : "vertical_slash");
  choice.found.emplace("js_distance", head->distance);
  choice.found.emplace("vertical_blocks", indicesOf(head->columns));
  choice.found.emplace("slash_blocks", indicesOf(head->distances));
  return preparedBlocks(
      grid, std::move(tables), kFlexParts,
      [head, block](Index i, Index j) { return explainFlex(*head, block, i, j); },
      std::move(choice));
}

} // namespace attention
