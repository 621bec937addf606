#include "core/pattern/tree_cells.h"

#include <algorithm>

namespace attention {

// A jump is as long as the two before it were together, if those were equal, else one step: the
// skew binary numbers of Myers 1983, "An applicative random-access stack".
TreeCells::TreeCells(std::span<const Index> parents, Index prefix)
    : prefix_(prefix), links_(1), depths_{0} {
  links_.reserve(parents.size() + 1);
  for (const Index parent : parents) {
    const auto above = static_cast<std::size_t>(parent + 1);
    const Link& up = links_[above];
    const Link& over = links_[up.jump];
    const bool equal = up.depth - over.depth == over.depth - links_[over.jump].depth;
    links_.push_back({above, equal ? over.jump : above, up.depth + 1});
    depths_.push_back(depths_.back() + links_.back().depth);
  }
}

Index TreeCells::ancestorsBelow(Index token, Index key) const {
  std::size_t link = at(token);
  while (link > 0 && this->token(link) >= key) {
    const Link& here = links_[link];
    link = here.jump > 0 && this->token(here.jump) >= key ? here.jump : here.parent;
  }
  return links_[link].depth;
}

bool TreeCells::contains(Index i, Index j) const {
  return isNode(i) && isNode(j) && ancestorsBelow(i, j + 1) > ancestorsBelow(i, j);
}

void TreeCells::appendRow(Index i, KeyRanges& ranges) const {
  if (!isNode(i))
    return;
  const std::size_t first = ranges.size();
  for (std::size_t link = at(i); link > 0; link = links_[link].parent) {
    const Index key = token(link);
    if (ranges.size() > first && ranges.back().begin == key + 1)
      ranges.back().begin = key;
    else
      ranges.push_back({key, key + 1, 1, 1});
  }
}

Index TreeCells::count(const Rect& rect) const {
  const Index end = prefix_ + static_cast<Index>(links_.size()) - 1;
  const Rect r = intersection(rect, {prefix_, end, prefix_, end});
  if (r.empty())
    return 0;
  const auto nodes = [&](Index token) { return static_cast<std::size_t>(token - prefix_); };
  if (r.keyBegin == prefix_ && r.keyEnd >= r.rowEnd)
    return depths_[nodes(r.rowEnd)] - depths_[nodes(r.rowBegin)];
  Index cells = 0;
  for (Index i = r.rowBegin; i < r.rowEnd; ++i)
    cells += ancestorsBelow(i, r.keyEnd) - ancestorsBelow(i, r.keyBegin);
  return cells;
}

} // namespace attention
