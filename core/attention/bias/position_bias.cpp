#include "core/attention/bias/position_bias.h"

#include <algorithm>

namespace attention {

double PositionBias::at(Index token, Index key) const {
  const Index distance = key - token;
  const double own = perToken * static_cast<double>(token);
  if (table) {
    const Index most = radius();
    return own + (*table)[static_cast<std::size_t>(std::clamp(distance, -most, most) + most)];
  }
  return own + (distance < 0 ? before : after) * static_cast<double>(distance);
}

bool PositionBias::operator==(const PositionBias& other) const {
  const bool sameTable = table == other.table || (table && other.table && *table == *other.table);
  return sameTable && before == other.before && after == other.after && perToken == other.perToken;
}

} // namespace attention
