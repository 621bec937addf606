#include "core/pattern/mechanism/nsa.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/forced_blocks.h"
#include "core/pattern/index_arrays.h"
#include "core/pattern/similarities.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <limits>

namespace attention {
namespace {

constexpr Index kRowsOfWeights = 64;

Index compressBlockOf(const Nsa& nsa, Index n) {
  return std::min(nsa.compressBlock, n + 1); // longer ones compress nothing either
}

Matrix<double> compressedKeys(const Nsa& nsa, const PatternData& data) {
  const Index count = compressedCount(nsa, data.k->rows());
  if (hasArray(data, "compressed_k"))
    return arrayOf(data, "compressed_k", count, data.k->cols());
  Matrix<double> means(count, data.k->cols());
  for (Index c = 0; c < count; ++c) {
    Matrix<double> rows(nsa.compressBlock, data.k->cols());
    std::copy_n(&(*data.k)(c * nsa.compressStride, 0), nsa.compressBlock * data.k->cols(),
                rows.data());
    const Matrix<double> mean = blockMeans(rows, nsa.compressBlock);
    std::copy_n(mean.data(), data.k->cols(), &means(c, 0));
  }
  return means;
}

// Rows of weights of compressed keys.
class CompressedWeights {
public:
  CompressedWeights(const Nsa& nsa, const PatternData& data)
      : nsa_(nsa), data_(data), n_(data.k->rows()), count_(compressedCount(nsa, n_)),
        keys_(SimilarityScore::Dot, compressedKeys(nsa, data)), scale_(scaleOf(data)) {}

  Index count() const { return count_; }

  // Of query i, `weights` has room for all: zeros for those that it does not see.
  void row(Index i, std::span<double> weights) const {
    const auto seen = static_cast<std::size_t>(visibleCount(nsa_, n_, i));
    if (count_ > 0)
      keys_.compute(data_.q->view().row(i), weights);
    std::fill(weights.begin() + static_cast<std::ptrdiff_t>(seen), weights.end(), 0.0);
    for (double& w : weights.first(seen))
      w *= scale_;
    softmax(weights.first(seen));
  }

private:
  const Nsa& nsa_;
  const PatternData& data_;
  Index n_;
  Index count_;
  Similarities keys_;
  double scale_;
};

ForcedBlocks forcedBlocks(const Nsa& nsa, Index own) {
  return {own + 1, nsa.initBlocks, nsa.localBlocks};
}

class NsaChoice {
public:
  NsaChoice(const Nsa& nsa, Index n, const PatternData& data)
      : nsa_(nsa), n_(n), data_(data), weights_(nsa_, data_) {}

  // I_it for the blocks up to query i's own: the weights of the compressed keys of every stretch.
  std::vector<double> blockScores(Index i) const {
    std::vector<double> weights(static_cast<std::size_t>(weights_.count()));
    weights_.row(i, weights);
    const Index own = i / nsa_.selectBlock;
    const Index steps = nsa_.selectBlock / nsa_.compressStride;
    const Index overlaps = nsa_.compressBlock / nsa_.compressStride;
    std::vector<double> scores(static_cast<std::size_t>(own) + 1);
    if (weights_.count() == 0)
      return scores;
    for (Index t = 0; t <= own; ++t)
      for (Index m = 0; m < std::min(steps, weights_.count() + overlaps - t * steps); ++m)
        for (Index u = 0; u < overlaps; ++u) {
          const Index c = t * steps + m - u;
          if (c >= 0 && c < weights_.count())
            scores[static_cast<std::size_t>(t)] += weights[static_cast<std::size_t>(c)];
        }
    return scores;
  }

  // Forced blocks and the best of the others, ascending.
  std::vector<Index> selected(Index i) const {
    const ForcedBlocks forced = forcedBlocks(nsa_, i / nsa_.selectBlock);
    std::vector<Index> blocks = forced.blocks();
    if (forced.begin() < forced.end()) {
      const std::vector<double> scores = blockScores(i);
      LargestScores best(std::min(forced.left(nsa_.selectCount), n_));
      best.add(forced.begin(),
               std::span(scores).subspan(static_cast<std::size_t>(forced.begin()),
                                         static_cast<std::size_t>(forced.end() - forced.begin())));
      const std::vector<Index> others = best.take();
      blocks.insert(blocks.end(), others.begin(), others.end());
      std::sort(blocks.begin(), blocks.end());
    }
    return blocks;
  }

  std::string explainSelected(Index i, Index j) const {
    if (j > i)
      return futureText(i, j);
    const ForcedBlocks forced = forcedBlocks(nsa_, i / nsa_.selectBlock);
    const Index t = j / nsa_.selectBlock;
    const std::string block = "block " + std::to_string(t);
    if (forced.contains(t))
      return block + (t < nsa_.initBlocks ? " is one of the first" : " is one of the nearest");
    const std::vector<double> scores = blockScores(i);
    return rankText({block, "the weight of its compressed keys", scores, forced.begin(),
                     forced.end(), t, forced.left(nsa_.selectCount)});
  }

private:
  Nsa nsa_;
  Index n_;
  PatternData data_;
  CompressedWeights weights_;
};

ChoiceScores scoresOf(const Nsa& nsa, const std::shared_ptr<const NsaChoice>& choice) {
  return {"the weight of their compressed keys",
          largestText(forcedBlocks(nsa, 0).left(nsa.selectCount)),
          [choice](Index i, std::span<double> scores) {
            const std::vector<double> row = choice->blockScores(i);
            std::copy(row.begin(), row.end(), scores.begin());
            keepRanked(scores, 0, static_cast<Index>(row.size()));
          },
          [nsa](Index i, Index t) { return isForced(nsa, i, t); }};
}

// n_c l (d + d_v) for the means, and every compressed weight once for each stretch of each block.
double nsaFlops(const Nsa& nsa, Index n, const PatternData& data) {
  double blocks = 0;
  for (Index i = 0; i < n; ++i) {
    const Index block = i / nsa.selectBlock;
    blocks += static_cast<double>(block + 1);
  }
  const auto stride = static_cast<double>(nsa.compressStride);
  return static_cast<double>(compressedCount(nsa, n)) * static_cast<double>(nsa.compressBlock) *
             static_cast<double>(data.k->cols() + data.valueColumns) +
         static_cast<double>(nsa.selectBlock) / stride *
             (static_cast<double>(nsa.compressBlock) / stride) * blocks;
}

// The keys that some visible compressed key stands for: they begin at the first.
Part compressedPart(const Nsa& nsa, Index n) {
  RowTable table;
  for (Index i = 0; i < n; ++i) {
    const Index visible = visibleCount(nsa, n, i);
    std::vector<KeyRun> runs;
    if (visible > 0)
      runs.push_back({0, (visible - 1) * nsa.compressStride + nsa.compressBlock});
    table.appendGroup(i + 1, runs);
  }
  return {"compressed", "compressed keys", std::make_shared<const RowTable>(std::move(table)),
          [nsa, n](Index i, Index j) {
            const Index visible = visibleCount(nsa, n, i);
            return "query " + std::to_string(i) + " sees " + countText(visible, "compressed key") +
                   (visible > 0 && j < (visible - 1) * nsa.compressStride + nsa.compressBlock
                        ? ", one of which stands for key "
                        : ", none of which stands for key ") +
                   std::to_string(j);
          }};
}

Part windowPart(const Nsa& nsa, const Lengths& lengths) {
  RowTable table;
  for (Index i = 0; i < lengths.queries; ++i) {
    std::vector<KeyRun> runs;
    if (nsa.window > 0)
      runs.push_back({std::max<Index>(0, i - std::min(nsa.window, i + 1) + 1), i + 1});
    table.appendGroup(i + 1, runs);
  }
  return {"window", "window", std::make_shared<const RowTable>(std::move(table)),
          [nsa](Index i, Index j) {
            if (j > i)
              return futureText(i, j);
            const bool in = i - j < nsa.window;
            return std::to_string(i) + " − " + std::to_string(j) + " = " + std::to_string(i - j) +
                   (in ? " < " : " ≥ ") + std::to_string(nsa.window);
          }};
}

Part selectedPart(const Nsa& nsa, const Lengths& lengths,
                  const std::shared_ptr<const NsaChoice>& choice, const Run& run) {
  const Index n = lengths.keys;
  std::vector<std::vector<Index>> blocks(static_cast<std::size_t>(n));
  parallelFor(ceilDiv(n, kRowsOfWeights), 0, run, [&](Index chunk) {
    for (Index i = chunk * kRowsOfWeights; i < std::min(n, (chunk + 1) * kRowsOfWeights); ++i)
      blocks[static_cast<std::size_t>(i)] = choice->selected(i);
  });
  BlockTables tables({lengths, 1, nsa.selectBlock, true}, 1);
  for (const std::vector<Index>& row : blocks)
    tables.append(std::span(&row, 1));
  return {"selected", "selected blocks", tables.cells(0),
          [choice](Index i, Index j) { return choice->explainSelected(i, j); }};
}

Matrix<double> gatesOf(const Nsa& nsa, const PatternData& data) {
  if (!hasArray(data, "gates")) {
    const std::vector<double> third(3, 1.0 / 3);
    return {1, 3, nsa.gates ? nsa.gates->get() : third};
  }
  if (nsa.gates)
    throw Error(
        ErrorCode::Range, "gates",
        "gates are given twice, as a parameter and with the input; they must be given once");
  return arrayOf(data, "gates", data.q->rows(), 3);
}

Branches branchesOf(const Nsa& nsa, const PatternData& data, const Part& window,
                    const Part& selected) {
  const Index n = data.q->rows();
  Branch compressed{compressedPart(nsa, n), compressBlockOf(nsa, n), nsa.compressStride};
  for (Index i = 0; i < n; ++i)
    compressed.visible.push_back(visibleCount(nsa, n, i));
  const Index count = compressedCount(nsa, n);
  if (hasArray(data, "compressed_k"))
    compressed.keys = std::make_shared<const Matrix<double>>(
        arrayOf(data, "compressed_k", count, data.k->cols()));
  if (hasArray(data, "compressed_v"))
    compressed.values = std::make_shared<const Matrix<double>>(
        arrayOf(data, "compressed_v", count, data.valueColumns));
  return {{std::move(compressed), Branch{selected}, Branch{window}}, gatesOf(nsa, data)};
}

} // namespace

Index compressedCount(const Nsa& nsa, Index n) {
  return n < nsa.compressBlock ? 0 : (n - nsa.compressBlock) / nsa.compressStride + 1;
}

Index visibleCount(const Nsa& nsa, Index n, Index i) {
  return std::min(compressedCount(nsa, n), compressedCount(nsa, i + 1));
}

bool isForced(const Nsa& nsa, Index i, Index t) {
  return forcedBlocks(nsa, i / nsa.selectBlock).contains(t);
}

Matrix<double> compressedWeights(const Nsa& nsa, const PatternData& data, const Run& run) {
  const CompressedWeights weights(nsa, data);
  Matrix<double> all(data.q->rows(), weights.count());
  for (Index i = 0; i < all.rows(); ++i) {
    run.check();
    weights.row(i, all.view().row(i));
  }
  return all;
}

const Description& describe(const Nsa&) {
  using N = Nsa;
  const auto multiple = [](const N& n, Index) {
    const Index step = std::max<Index>(n.compressStride, 1);
    return Bounds{static_cast<double>(step), std::numeric_limits<double>::infinity(),
                  "a multiple of compress_stride, " + std::to_string(step), step};
  };
  static const Description kDescription =
      DescriptionBuilder<N>("nsa", "NSA", "Content")
          .summary("Every query reads block summaries, the best-scoring blocks and a window: three "
                   "softmaxes, weighted by gates.")
          .source("Yuan et al. 2025 (NSA, arXiv 2502.11089), eq. 5–12; flash-linear-attention, "
                  "naive_nsa; XunhaoLai/native-sparse-attention")
          .definition({"compressed key c stands for keys [cs, cs + ℓ): its mean; seen once all are",
                       "I_it = Σ over stretches of block t of the weights of their compressed keys",
                       "oᵢ = g₁·compressed + g₂·the selected blocks + g₃·the last w keys"})
          .conventions(
              "The paper's MLPs for compressing and for gates have learned weights that are "
              "not here: means, and 1/3 each, unless the input has compressed_k, "
              "compressed_v and gates.")
          .complexity("O(n² d / s) to choose, O(n (n/s + k b + w) d) to attend")
          .chooses(Chooses::Ranks)
          .budget("select_count")
          .integer("compress_block", "ℓ", &N::compressBlock,
                   "Keys per compressed key, a multiple of compress_stride", "tokens", multiple)
          .integer("compress_stride", "s", &N::compressStride,
                   "Keys from one compressed key to the next", "tokens", atLeast(1))
          .integer("select_block", "b", &N::selectBlock,
                   "Keys per block that is selected, a multiple of compress_stride", "tokens",
                   multiple)
          .integer("select_count", "", &N::selectCount, "Blocks per query, forced ones included",
                   "blocks",
                   [](const N& n, Index) {
                     return Bounds{std::max(1.0, static_cast<double>(n.initBlocks) +
                                                     static_cast<double>(n.localBlocks))};
                   })
          .integer("init_blocks", "", &N::initBlocks, "First blocks, taken before all others", "",
                   atLeast(0))
          .integer("local_blocks", "", &N::localBlocks,
                   "Own block and those before it, taken before all others", "", atLeast(1))
          .integer("window", "w", &N::window, "Latest keys, the query's own included", "tokens",
                   atLeast(0))
          .given("gates", "g", &N::gates, "Weights of the three outputs; 1/3 each where not given",
                 ParameterType::Reals, false,
                 [](const N&, Index) {
                   const double infinity = std::numeric_limits<double>::infinity();
                   return Bounds{-infinity, infinity, "three finite numbers"};
                 })
          .array("gates", "Weights of the three outputs for every query, n × 3")
          .array("compressed_k", "Compressed keys, n_c × d, in place of means")
          .array("compressed_v", "Their values, n_c × d_v, in place of means")
          .build();
  return kDescription;
}

bool readsData(const Nsa&) {
  return true;
}

bool takesRectangles(const Nsa&) {
  return false;
}

void checkLengths(const Nsa& nsa, const Lengths&) {
  if (nsa.gates && nsa.gates->size() != 3)
    throw Error(ErrorCode::Shape, "gates",
                "gates has " + countText(nsa.gates->size(), "number") + "; it must have three");
}

std::shared_ptr<const Prepared> prepared(const Nsa& nsa, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireSquareData("nsa", lengths, data);
  const auto choice = std::make_shared<const NsaChoice>(nsa, lengths.keys, data);
  const Part window = windowPart(nsa, lengths);
  const Part selected = selectedPart(nsa, lengths, choice, run);
  Branches branches = branchesOf(nsa, data, window, selected);
  KeyChoice found{1, nsa.selectBlock, true, nsaFlops(nsa, lengths.keys, data), 1};
  found.scores = std::make_shared<const ChoiceScores>(scoresOf(nsa, choice));
  found.found.emplace("visible", branches.of.front().visible);
  if (!nsa.gates && !hasArray(data, "gates"))
    found.found.emplace("stand_in", "gates");
  found.found.emplace("compressed_count", static_cast<double>(compressedCount(nsa, lengths.keys)));
  return Prepared(lengths, {window, selected}, Outputs{}, Parts::Overlapping)
      .withChoice(std::move(found))
      ->withBranches(std::move(branches));
}

} // namespace attention
