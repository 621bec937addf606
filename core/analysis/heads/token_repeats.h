// Where the token of a position occurred before: used to find heads that attend to an earlier
// occurrence, or to what came after it (Olsson et al. 2022, induction heads).
#pragma once

#include "core/support/integers.h"

#include <span>
#include <vector>

namespace attention {

class TokenRepeats {
public:
  // Equal numbers are equal tokens.
  explicit TokenRepeats(std::span<const Index> tokens);

  Index size() const { return static_cast<Index>(before_.size()); }
  bool repeats(Index position) const { return before_[static_cast<std::size_t>(position)] >= 0; }

  // Calls visit(j) for every earlier position j with the same token, in descending order.
  template <class Visit>
  void forEachBefore(Index position, const Visit& visit) const {
    for (Index j = before_[static_cast<std::size_t>(position)]; j >= 0;
         j = before_[static_cast<std::size_t>(j)])
      visit(j);
  }

private:
  std::vector<Index> before_; // the last earlier position with the same token; −1 where none is
};

} // namespace attention
