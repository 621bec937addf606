#include "core/attention/key_line.h"

#include <algorithm>

namespace attention {

void KeyLine::clear() {
  ranges_.clear();
  starts_.assign(1, 0);
}

void KeyLine::append(const KeyRange& range) {
  ranges_.push_back(range);
  starts_.push_back(starts_.back() + count(range));
}

Interval KeyLine::positions(std::size_t r, const KeyRange& part) const {
  const KeyRange& whole = ranges_[r];
  const Index first = starts_[r] + count(whole, whole.begin, part.begin);
  return {first, first + count(part)};
}

KeyLine::Run KeyLine::runAt(Index position) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), position);
  const auto r = static_cast<std::size_t>(after - starts_.begin()) - 1;
  const KeyRange& range = ranges_[r];
  const Index within = position - starts_[r];
  if (range.contiguous())
    return {range.begin + within, range.end - range.begin - within};
  const Index column = within % range.width;
  const Index key = range.begin + within / range.width * range.period + column;
  return {key, std::min(range.width - column, range.end - key)};
}

} // namespace attention
