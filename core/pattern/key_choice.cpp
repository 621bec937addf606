#include "core/pattern/key_choice.h"

#include "core/pattern/prepared.h"

#include <algorithm>
#include <cassert>

namespace attention {

ChosenBlocks::ChosenBlocks(const Prepared& pattern)
    : pattern_(pattern), choice_(*pattern.choice()),
      queryBlocks_(ceilDiv(pattern.lengths().queries, choice_.queryBlock)),
      keyBlocks_(ceilDiv(pattern.lengths().keys, choice_.keyBlock)) {}

Index ChosenBlocks::candidates(Index a) const {
  if (!choice_.causal)
    return keyBlocks_;
  const Lengths& lengths = pattern_.lengths();
  const Index last =
      std::min((a + 1) * choice_.queryBlock, lengths.queries) - 1 + lengths.offset; // a token
  return std::clamp<Index>(floorDiv(last, choice_.keyBlock) + 1, 0, keyBlocks_);
}

// The last query of a block sees the first key of every block that was chosen.
bool ChosenBlocks::contains(Index a, Index c) const {
  assert(a >= 0 && a < queryBlocks_ && c >= 0 && c < keyBlocks_);
  const Index i = std::min((a + 1) * choice_.queryBlock, pattern_.lengths().queries) - 1;
  const Index j = c * choice_.keyBlock;
  return choice_.part ? pattern_.contains(*choice_.part, i, j) : pattern_.contains(i, j);
}

std::vector<Index> evictedAt(const Prepared& pattern) {
  std::vector<Index> gone(static_cast<std::size_t>(pattern.lengths().keys), -1);
  std::vector<Index> held; // keys that every later query has seen so far
  KeyRanges ranges;
  for (Index i = 0; i < pattern.lengths().queries; ++i) {
    pattern.row(i, ranges);
    std::size_t at = 0;
    const auto sees = [&](Index j) {
      while (at < ranges.size() && ranges[at].end <= j)
        ++at;
      return at < ranges.size() && attention::contains(ranges[at], j);
    };
    std::erase_if(held, [&](Index j) {
      const bool seen = sees(j);
      if (!seen)
        gone[static_cast<std::size_t>(j)] = i;
      return !seen;
    });
    held.push_back(i);
  }
  return gone;
}

} // namespace attention
