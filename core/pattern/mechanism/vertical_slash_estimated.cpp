#include "core/pattern/mechanism/vertical_slash_estimated.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/similarities.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {
namespace {

constexpr double kForced = std::numeric_limits<double>::infinity();

// What the last queries give to every column and to every distance.
struct Sums {
  std::vector<double> vertical;
  std::vector<double> slash;
};

// The causal softmax of row i, added to the sums.
void addRow(Index i, std::span<double> scores, double scale, Sums& sums) {
  const auto seen = scores.first(static_cast<std::size_t>(i) + 1);
  double maximum = -kForced;
  for (double& s : seen) {
    s *= scale;
    maximum = std::max(maximum, s);
  }
  double sum = 0;
  for (double& s : seen)
    sum += s = std::exp(s - maximum);
  for (std::size_t j = 0; j < seen.size(); ++j) {
    sums.vertical[j] += seen[j] / sum;
    sums.slash[seen.size() - 1 - j] += seen[j] / sum;
  }
}

// The indices of the `most` largest, ascending; ties to the smaller one.
IndexList largest(const std::vector<double>& scores, Index most) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(most)));
  std::sort(order.begin(), order.end());
  return IndexList(std::move(order));
}

void force(std::vector<double>& scores, Index first) {
  const auto count = std::min(static_cast<std::ptrdiff_t>(scores.size()), std::ptrdiff_t{first});
  std::fill(scores.begin(), scores.begin() + count, kForced);
}

} // namespace

const Description& describe(const VerticalSlashEstimated&) {
  using Lines = VerticalSlashEstimated;
  static const Description kDescription =
      DescriptionBuilder<Lines>("vertical_slash_estimated", "Estimated vertical-slash", "Content")
          .summary("The columns and diagonals that the last queries attend to most.")
          .source("Jiang et al. 2024 (MInference), §3.2")
          .definition({"aⱼ = Σ pᵢⱼ, bₒ = Σ pᵢ,ᵢ₋ₒ over the last queries' causal softmax",
                       "V, O: the columns and distances of the largest a and b; Sᵢ as "
                       "vertical_slash"})
          .conventions("MInference raises the numbers to at least 30 and 50, and its kernel rounds "
                       "diagonals to blocks of 64; neither is done here.")
          .complexity("O(q n d) to choose, O(n (|V|+|O|) d) to attend")
          .integer("n_vertical", "|V|", &Lines::nVertical, "Columns chosen", "", atLeast(0))
          .integer("n_slash", "|O|", &Lines::nSlash, "Diagonals chosen", "", atLeast(0))
          .integer("last_q", "q", &Lines::lastQ, "How many of the last queries are read", "tokens",
                   atLeast(1))
          .integer("force_first", "", &Lines::forceFirst, "First columns, taken before all others",
                   "tokens", atLeast(0))
          .integer("force_local", "", &Lines::forceLocal,
                   "Shortest distances, taken before all others", "tokens", atLeast(0))
          .build();
  return kDescription;
}

bool readsData(const VerticalSlashEstimated&) {
  return true;
}

VerticalSlash estimatedLines(const VerticalSlashEstimated& estimated, const Lengths& lengths,
                             const PatternData& data, const Run& run) {
  requireData("vertical_slash_estimated", lengths, data);
  const Index n = lengths.keys;
  const auto size = static_cast<std::size_t>(n);
  const Similarities keys(SimilarityScore::Dot, *data.k);
  const double scale = 1 / std::sqrt(static_cast<double>(data.q->cols()));
  Sums sums{std::vector<double>(size), std::vector<double>(size)};
  std::vector<double> scores(size);
  const Index first = n - std::min(n, estimated.lastQ);
  for (Index i = first; i < n; ++i) {
    run.report(static_cast<double>(i - first) / static_cast<double>(n - first));
    keys.compute(data.q->view().row(i), scores);
    addRow(i, scores, scale, sums);
  }
  force(sums.vertical, estimated.forceFirst);
  force(sums.slash, estimated.forceLocal);
  return {largest(sums.vertical, estimated.nVertical), largest(sums.slash, estimated.nSlash)};
}

std::shared_ptr<const Prepared> prepared(const VerticalSlashEstimated& estimated,
                                         const Lengths& lengths, const PatternData& data,
                                         const Run& run) {
  return prepared(estimatedLines(estimated, lengths, data, run), lengths, run);
}

} // namespace attention
