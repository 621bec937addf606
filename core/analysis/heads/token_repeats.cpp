#include "core/analysis/heads/token_repeats.h"

#include <map>

namespace attention {

TokenRepeats::TokenRepeats(std::span<const Index> tokens) {
  std::map<Index, Index> last; // position by token
  for (const Index token : tokens) {
    const auto position = static_cast<Index>(before_.size());
    const auto [known, isNew] = last.try_emplace(token, position);
    before_.push_back(isNew ? -1 : known->second);
    known->second = position;
  }
}

} // namespace attention
