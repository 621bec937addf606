// What each result was made from. Two keys are equal where the result is the same: shared values
// are compared by identity, the Scene's by content.
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/interface/results.h"

namespace attention::gui {

struct MasksKey {
  Scene scene; // what the masks are made from, and nothing else (masksOnly)
  Lengths lengths;
  // Where a pattern depends on the data: the input and the model head; else none.
  std::shared_ptr<const Input> input = {};
  Index batch = 0;
  Index head = 0;
  bool operator==(const MasksKey&) const = default;
};

struct CountsKey {
  std::shared_ptr<const Masks> masks;
  Index d = 0;
  Index dv = 0;
  bool operator==(const CountsKey&) const = default;
};

struct AttentionKey {
  std::shared_ptr<const Masks> masks;
  std::shared_ptr<const Input> input;
  Index batch = 0;
  Index head = 0;
  Index firstRow = 0; // of the input's queries, which is the mask's query 0
  bool operator==(const AttentionKey&) const = default;
};

struct MetricsKey {
  std::shared_ptr<const HeadAttention> attention;
  bool operator==(const MetricsKey&) const = default;
};

// The computations, each a function of its key. They run in jobs and throw Error or Stopped.
Masks makeMasks(const MasksKey& key, const Run& run);
MaskCounts makeCounts(const CountsKey& key, const Run& run);
HeadAttention makeAttention(const AttentionKey& key, const Run& run);
HeadMetrics makeMetrics(const MetricsKey& key, const Run& run);
// The cell of one of the masks that the pointer is on, else the pinned one; nothing if there is
// none. `input` and `weights`, of the first mask, may be null. O(parts); the number of keys only
// where rows are short.
std::optional<CellFacts> pointedCell(const Masks& masks, std::size_t mask, const Pins& pins,
                                     const Hover& hover, const Input* input,
                                     const HeadAttention* weights);

// How many keys the shown query attends to and how many queries see the pinned key, in every mask
// of the view: the numbers of the line between matrix and strip.
struct TokensKey {
  std::shared_ptr<const Masks> masks; // never null
  std::optional<Index> query;         // in [0, n_q)
  std::optional<Index> key;           // in [0, n_k)
  bool operator==(const TokensKey&) const = default;
};

// O(parts) per mask with closed forms. Others are counted cell by cell where a row or column has at
// most 65 536 cells; longer ones give no number. Throws Stopped.
TokenCounts makeTokenCounts(const TokensKey& key, const Run& run);

} // namespace attention::gui
