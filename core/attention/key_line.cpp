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

std::size_t KeyLine::rangeAt(Index position) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), position);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

KeyLine::Row KeyLine::rowAt(Index position) const {
  const std::size_t r = rangeAt(position);
  const KeyRange& range = ranges_[r];
  if (range.contiguous() || range.width > 1) {
    const Run run = runAt(position);
    return {run.key, run.left, 1};
  }
  return {range.begin + (position - starts_[r]) * range.period, starts_[r + 1] - position,
          range.period};
}

KeyLine::Run KeyLine::runAt(Index position) const {
  const std::size_t r = rangeAt(position);
  const KeyRange& range = ranges_[r];
  const Index within = position - starts_[r];
  if (range.contiguous())
    return {range.begin + within, range.end - range.begin - within};
  const Index column = within % range.width;
  const Index key = range.begin + within / range.width * range.period + column;
  return {key, std::min(range.width - column, range.end - key)};
}

} // namespace attention
