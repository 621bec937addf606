#include "core/views/model/measured_costs.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace attention {

MeasuredRow measuredRow(const LossRow& row, const Predictions& predictions,
                        const Tokenizer* tokenizer, std::size_t hue) {
  MeasuredRow measured{row, hue, predictions.loss, {}, predictions.share};
  if (tokenizer)
    for (const Index id : predictions.top)
      measured.expected.push_back(tokenizer->piece(id));
  return measured;
}

const MeasuredRow* rowNamed(const MeasuredCosts& costs, const std::string& name) {
  const auto at = std::find_if(costs.rows.begin(), costs.rows.end(),
                               [&](const MeasuredRow& row) { return row.row.name == name; });
  return at == costs.rows.end() ? nullptr : &*at;
}

Index tokensOf(const MeasuredRow& row) {
  return static_cast<Index>(row.loss.size()) + 1;
}

double lossAsItIs(const MeasuredCosts& costs, std::size_t count) {
  const auto first = std::span(costs.rows.front().loss).first(count);
  return std::accumulate(first.begin(), first.end(), 0.0) / static_cast<double>(count);
}

std::optional<double> lostBy(const MeasuredCosts& costs, const LossRow& row) {
  return costs.encoder ? row.change : row.loss;
}

double pairsShare(const MeasuredCosts& costs, const LossRow& row) {
  return 100 * row.pairs / costs.rows.front().row.pairs;
}

} // namespace attention
