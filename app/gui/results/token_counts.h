// How many keys the shown query attends to and how many queries see the pinned key, in every mask
// of the view: the numbers of the line between matrix and strip.
#pragma once

#include "app/gui/view/results.h"

namespace attention::gui {

struct TokensKey {
  std::shared_ptr<const Masks> masks; // never null
  std::optional<Index> query;         // in [0, n_q)
  std::optional<Index> key;           // in [0, n_k)
  bool operator==(const TokensKey&) const = default;
};

// O(parts) a mask with closed forms. Others are counted cell by cell where a row or column has at
// most 65 536 cells; longer ones give no number. Throws Stopped.
TokenCounts makeTokenCounts(const TokensKey& key, const Run& run);

} // namespace attention::gui
