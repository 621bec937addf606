#include "core/views/model/measured_costs.h"

#include <algorithm>

namespace attention {

const MeasuredRow* rowNamed(const MeasuredCosts& costs, const std::string& name) {
  const auto at = std::find_if(costs.rows.begin(), costs.rows.end(),
                               [&](const MeasuredRow& row) { return row.row.name == name; });
  return at == costs.rows.end() ? nullptr : &*at;
}

std::optional<double> lostBy(const MeasuredCosts& costs, const LossRow& row) {
  return costs.encoder ? row.change : row.loss;
}

double pairsShare(const MeasuredCosts& costs, const LossRow& row) {
  return 100 * row.pairs / costs.rows.front().row.pairs;
}

} // namespace attention
