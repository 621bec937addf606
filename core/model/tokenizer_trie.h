// A set of texts, each with a number, in a tree of bytes: which of them begin at a place of another
// text, in time proportional to the longest.
#pragma once

#include "core/support/integers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attention {

class TokenTrie {
public:
  TokenTrie() = default;
  // Empty texts are left out; of equal ones the last counts. O(total length · log).
  explicit TokenTrie(std::vector<std::pair<std::string, Index>> texts);

  bool empty() const { return nodes_.size() <= 1; }

  // found(end, number) for every text of the set that begins at `at`, the shortest first.
  template <class Found>
  void each(std::string_view text, std::size_t at, const Found& found) const {
    std::size_t node = 0;
    while (at < text.size() && !nodes_.empty()) {
      node = child(node, text[at++]);
      if (node == 0)
        return;
      if (nodes_[node].number >= 0)
        found(at, nodes_[node].number);
    }
  }

private:
  // Children of a node stand next to each other, ordered by their byte; the root is nobody's.
  struct Node {
    std::uint32_t firstChild = 0;
    std::uint32_t children = 0;
    Index number = -1;
    char byte = 0; // by which it is reached
  };
  std::size_t child(std::size_t node, char byte) const;

  std::vector<Node> nodes_;
};

} // namespace attention
