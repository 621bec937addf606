#include "core/analysis/steps/step_logits.h"

#include "core/attention/logit_keys.h"
#include "core/attention/part_rows.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attention {
namespace {

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += a[c] * b[c];
  return sum;
}

void sortByKey(std::vector<StepLogit>& logits) {
  std::stable_sort(logits.begin(), logits.end(),
                   [](const StepLogit& a, const StepLogit& b) { return a.key < b.key; });
}

// Of one softmax; a query that sees no other key sees itself, where the pattern says so.
std::vector<StepLogit> logitsOf(const PartRows& rows, std::size_t part, Index query,
                                const std::vector<double>& scaled) {
  std::vector<StepLogit> logits;
  if (rows.lone(part, query))
    logits.push_back({query, rows.loneLogit()});
  KeyRanges ranges;
  for (std::size_t layer = 0; layer < rows.layers(part); ++layer) {
    rows.row(part, layer, query, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          logits.push_back({j, scaled[static_cast<std::size_t>(j)]});
      });
  }
  sortByKey(logits);
  return logits;
}

void requireFinite(const std::vector<StepLogit>& logits, Index query) {
  for (const StepLogit& logit : logits)
    if (!std::isfinite(logit.value))
      throw Error(ErrorCode::NonFinite, "scores",
                  "the scores of query " + std::to_string(query) +
                      " are beyond float64; they must be at most 1.8·10³⁰⁸");
}

} // namespace

StepLogits stepLogits(const StepsInput& input) {
  checkSteps(input);
  if (input.pattern.branches())
    throw Error(ErrorCode::Unsupported, "pattern",
                "the pattern adds the outputs of " +
                    std::to_string(input.pattern.branches()->of.size()) +
                    " softmaxes with gates; this way to compute needs a pattern of one softmax");
  const Scoring scoring = scoringOf(input.options, input.q.cols, input.pattern.lengths());
  const LogitKeys<double> keys(input.pattern.outputs().keys, input.q, input.k);
  StepLogits logits;
  for (Index j = 0; j < input.k.rows; ++j) {
    logits.dot.push_back(product(input.q.row(input.query), keys.view().row(j)));
    logits.scaled.push_back(scoring(logits.dot.back(), input.query, j));
  }
  const PartRows rows(input.pattern);
  logits.combine = rows.combine();
  for (std::size_t part = 0; part < rows.parts(); ++part) {
    logits.parts.push_back(logitsOf(rows, part, input.query, logits.scaled));
    requireFinite(logits.parts.back(), input.query);
  }
  return logits;
}

std::vector<StepLogit> joined(const StepLogits& logits) {
  assert(logits.combine != Combine::Mean);
  std::vector<StepLogit> all;
  for (const auto& part : logits.parts)
    all.insert(all.end(), part.begin(), part.end());
  sortByKey(all);
  return all;
}

} // namespace attention
