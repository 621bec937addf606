#include "core/attention/part_rows.h"

namespace attention {

std::size_t PartRows::layers(std::size_t part) const {
  return combined() ? 1 + pattern_.parts()[part].repeats.size() : 1;
}

void PartRows::row(std::size_t part, std::size_t layer, Index i, KeyRanges& ranges) const {
  if (!combined())
    return pattern_.row(i, ranges);
  if (layer > 0)
    pattern_.repeatRow(part, layer - 1, i, ranges);
  else
    pattern_.row(part, i, ranges);
  const bool itselfAlone =
      ranges.size() == 1 && ranges.front().begin == i && count(ranges.front()) == 1;
  if (anyLone() && itselfAlone)
    ranges.clear();
}

bool PartRows::lone(std::size_t part, Index i) const {
  if (!anyLone())
    return false;
  KeyRanges ranges;
  row(part, 0, i, ranges);
  return ranges.empty();
}

std::span<const Index> PartRows::order(std::size_t part) const {
  if (combined())
    return pattern_.parts()[part].order ? std::span<const Index>(*pattern_.parts()[part].order)
                                        : std::span<const Index>();
  for (const Part& any : pattern_.parts())
    if (any.order)
      return *any.order;
  return {};
}

} // namespace attention
