// Cells of the nodes of a forest that see themselves and their ancestors (T4). Nodes come after
// their parents.
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

class TreeCells {
public:
  // Node t has the parent parents[t] < t, −1 for a root, and is token prefix + t.
  TreeCells(std::span<const Index> parents, Index prefix);

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // O(1) over all keys, else O(log depth) per row.
  Index count(const Rect& rect) const;

  // How far a node, by its token, is from its root, which is 1.
  Index depthOf(Index token) const { return links_[at(token)].depth; }

private:
  // Of a node, behind the one for what is above the roots.
  struct Link {
    std::size_t parent = 0;
    std::size_t jump = 0; // an ancestor further up, so that any is found in O(log depth)
    Index depth = 0;
  };

  std::size_t at(Index token) const { return static_cast<std::size_t>(token - prefix_ + 1); }
  Index token(std::size_t link) const { return prefix_ + static_cast<Index>(link) - 1; }
  bool isNode(Index token) const { return token >= prefix_ && at(token) < links_.size(); }
  // Of the node and its ancestors, those that are tokens below `key`.
  Index ancestorsBelow(Index token, Index key) const;

  Index prefix_;
  std::vector<Link> links_;
  std::vector<Index> depths_; // depths_[t]: of the first t nodes together
};

} // namespace attention
