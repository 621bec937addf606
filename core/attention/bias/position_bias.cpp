#include "core/attention/bias/position_bias.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace attention {
namespace {

// 2^(−8 a / b).
double slope(Index a, Index b) {
  return std::pow(2.0, -8.0 * static_cast<double>(a) / static_cast<double>(b));
}

} // namespace

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

AlibiSlopes alibiSlopesNamed(std::string_view name) {
  if (name == "standard")
    return AlibiSlopes::Standard;
  if (name == "plain")
    return AlibiSlopes::Plain;
  throwRange("slopes", excerpt(name), "standard or plain");
}

std::vector<double> alibiSlopes(Index heads, AlibiSlopes kind) {
  constexpr Index kMostHeads = Index{1} << 20;
  if (heads < 1 || heads > kMostHeads)
    throwRange("heads", std::to_string(heads), "from 1 to " + std::to_string(kMostHeads));
  const Index whole = kind == AlibiSlopes::Plain
                          ? heads
                          : static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  slopes.reserve(static_cast<std::size_t>(heads));
  for (Index h = 0; h < whole; ++h)
    slopes.push_back(slope(h + 1, whole));
  for (Index h = 0; h < heads - whole; ++h)
    slopes.push_back(slope(2 * h + 1, 2 * whole));
  return slopes;
}

} // namespace attention
