#include "core/pattern/mechanism/topk.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/largest_scores.h"
#include "core/pattern/similarities.h"
#include "core/support/number_text.h"

#include <limits>

namespace attention {
namespace {

// Rows and columns as the metric compares them.
class Closeness {
public:
  Closeness(const TopK& topk, const PatternData& data)
      : topk_(topk), q_(inMetric(topk, *data.q)),
        keys_(topk.metric == TopK::Metric::Euclidean ? SimilarityScore::MinusSquaredDistance
                                                     : SimilarityScore::Dot,
              inMetric(topk, *data.k)) {}

  // The candidates of every query with the k largest scores, ascending.
  std::vector<std::vector<Index>> chosen(const Run& run) const {
    const auto others = [&](Index i) {
      return Others{topk_.causal ? i + 1 : keys_.size(), topk_.excludeSelf ? i : -1};
    };
    return largestScores(keys_, q_.view(), topk_.k, others, 0, run);
  }

  bool candidate(Index i, Index j) const {
    return (!topk_.causal || j <= i) && (!topk_.excludeSelf || j != i);
  }

  // "q·k = 1.42 ranks 3 of 12; only the first 10 are kept: attends".
  std::string explain(Index i, Index j) const {
    if (topk_.causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    if (!candidate(i, j))
      return "a query never chooses itself (exclude_self)";
    Matrix<double> row(1, keys_.size());
    keys_.compute(q_.view().row(i), row.view().row(0));
    Index candidates = 0;
    Index rank = 1;
    for (Index other = 0; other < keys_.size(); ++other)
      if (candidate(i, other)) {
        ++candidates;
        rank += row(0, other) > row(0, j) || (row(0, other) == row(0, j) && other < j) ? 1 : 0;
      }
    return scoreName() + (" = " + readableNumber(row(0, j))) + " ranks " + std::to_string(rank) +
           " of " + std::to_string(candidates) + "; " + keptOf(candidates) +
           (rank <= topk_.k ? ": attends" : ": not chosen");
  }

  ChoiceScores scores(const std::shared_ptr<const Closeness>& self) const {
    return {scoreName(), largestText(topk_.k),
            [self](Index i, std::span<double> scores) {
              self->keys_.compute(self->q_.view().row(i), scores);
              keepRanked(scores, 0, self->topk_.causal ? i + 1 : self->keys_.size());
              if (self->topk_.excludeSelf && i < self->keys_.size())
                scores[static_cast<std::size_t>(i)] = std::numeric_limits<double>::quiet_NaN();
            },
            [](Index, Index) { return false; }};
  }

  // As S20.8 counts: a product or a squared distance per pair, and rows of unit length.
  double flops() const {
    const auto d = static_cast<double>(q_.cols());
    double pairs = 0;
    for (Index i = 0; i < q_.rows(); ++i)
      pairs += static_cast<double>(topk_.causal ? std::min(i + 1, keys_.size()) : keys_.size());
    const double each = topk_.metric == TopK::Metric::Euclidean ? 3 * d : 2 * d;
    const double units = topk_.metric == TopK::Metric::Cosine
                             ? (3 * d + 1) * static_cast<double>(q_.rows() + keys_.size())
                             : 0;
    return each * pairs + units;
  }

private:
  static Matrix<double> inMetric(const TopK& topk, const Matrix<double>& m) {
    return topk.metric == TopK::Metric::Cosine ? unitRows(m) : m;
  }

  std::string keptOf(Index candidates) const {
    if (topk_.k == 0)
      return "none is kept";
    if (candidates <= topk_.k)
      return "all are kept";
    return topk_.k == 1 ? "only the first is kept"
                        : "only the first " + std::to_string(topk_.k) + " are kept";
  }

  const char* scoreName() const {
    switch (topk_.metric) {
    case TopK::Metric::Dot:
      return "q·k";
    case TopK::Metric::Cosine:
      return "cos(q, k)";
    case TopK::Metric::Euclidean:
      return "−|q − k|²";
    }
    return "";
  }

  TopK topk_;
  Matrix<double> q_;
  Similarities keys_;
};

std::vector<KeyRun> runsOf(const std::vector<Index>& keys) {
  std::vector<KeyRun> runs;
  for (const Index j : keys) {
    if (!runs.empty() && runs.back().end == j)
      ++runs.back().end;
    else
      runs.push_back({j, j + 1});
  }
  return runs;
}

std::shared_ptr<const RowTable> chosenKeys(const Closeness& closeness, const Run& run) {
  RowTable table;
  Index i = 0;
  for (const std::vector<Index>& keys : closeness.chosen(run))
    table.appendGroup(++i, runsOf(keys));
  return std::make_shared<const RowTable>(std::move(table));
}

} // namespace

const Description& describe(const TopK&) {
  using Metric = TopK::Metric;
  static const Description kDescription =
      DescriptionBuilder<TopK>("topk", "Top-k", "Content")
          .summary("Every query attends to the k keys that are closest to it.")
          .source("Zhao et al. 2019 (Explicit Sparse Transformer); Gupta et al. 2021")
          .definition({"Sᵢ = the k keys with the largest score(qᵢ, kⱼ)",
                       "score = q·k, cos(q, k) or −|q−k|²; ties: the smaller index"})
          .conventions("“Closest” has three meanings: the largest q·k (the default), the smallest "
                       "angle (cosine) or the smallest distance (euclidean). For keys of unit "
                       "length all three agree.")
          .complexity("O(n² d) to choose, O(n k d) to attend")
          .chooses(Chooses::Ranks)
          .budget("k")
          .integer("k", "k", &TopK::k, "Keys per query", "keys", atLeast(0))
          .choice("metric", &TopK::metric, "What makes a key close",
                  {{Metric::Dot, "dot", "q·k", "The largest logit"},
                   {Metric::Cosine, "cosine", "cos", "The smallest angle; zero vectors score 0"},
                   {Metric::Euclidean, "euclidean", "|q−k|", "The smallest distance"}})
          .boolean("causal", &TopK::causal, causalMeaning())
          .boolean("exclude_self", &TopK::excludeSelf, "A query never chooses itself")
          .build();
  return kDescription;
}

bool readsData(const TopK&) {
  return true;
}

std::shared_ptr<const Prepared> prepared(const TopK& topk, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireData("topk", lengths, data);
  const auto closeness = std::make_shared<const Closeness>(topk, data);
  const auto chosen =
      fromParts(lengths, {{"closest", "closest keys", chosenKeys(*closeness, run),
                           [closeness](Index i, Index j) { return closeness->explain(i, j); }}});
  const BlockGrid grid{lengths, 1, 1, topk.causal};
  return chosen->withChoice(choiceOf(grid, closeness->flops(), closeness->scores(closeness)));
}

} // namespace attention
