#include "core/attention/key_line.h"

#include <algorithm>

namespace attention {
namespace {

// Shorter runs are worth copying into a tile together with others.
constexpr Index kLongRun = 32;

} // namespace

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

KeyLine::Piece KeyLine::pieceAt(Index position, Index most) const {
  const Index end = std::min(position + most, size());
  const Run first = runAt(position);
  if (first.left >= kLongRun || position + first.left >= end)
    return {std::min(end, position + first.left), first.key};
  for (Index t = position; t < end;) {
    const Run run = runAt(t);
    if (run.left >= kLongRun)
      return {t, -1};
    t += run.left;
  }
  return {end, -1};
}

} // namespace attention
