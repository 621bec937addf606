#include "app/gui/widgets/group_digits.h"

#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention::gui {

std::string groupDigits(std::int64_t value) {
  return groupedDigits(value);
}

std::string groupDigits(std::uint64_t value) {
  return groupedDigits(value);
}

std::string shortNumber(double value, int significant) {
  return readableNumber(value, significant);
}

std::string countWithUnit(double value) {
  constexpr std::array<const char*, 7> kUnits{"", " k", " M", " G", " T", " P", " E"};
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0)
    return plainNumber(std::max(value, 0.0), 3);
  // "28.0 k" beside "24.6 k": so many digits of each.
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + kUnits[unit];
}

std::string percent(double share) {
  return sharePercent(share);
}

} // namespace attention::gui
