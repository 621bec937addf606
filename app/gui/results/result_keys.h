// What each result was made of. Two keys are equal where the result is the same: shared values are
// compared by identity, the Scene's by content.
#pragma once

#include "app/gui/view/results.h"

namespace attention::gui {

struct MasksKey {
  Pattern pattern;
  Lengths lengths;
  HeadsSpec heads;
  std::vector<Panel> panels;
  std::optional<CompareSpec> compare = {}; // where the Compare view is shown
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
// A cell of one of the masks. `weights`, of the first one, may be null. O(parts); the number of
// keys where rows are short.
CellFacts makeCell(const Masks& masks, std::size_t mask, const Input* input,
                   const HeadAttention* weights, Index query, Index key);

} // namespace attention::gui
