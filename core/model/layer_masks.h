// The masks of a layer's heads, prepared, and what they cost.
#pragma once

#include "core/model/variant.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <memory>
#include <utility>
#include <vector>

namespace attention {

using HeadMasks = std::vector<std::shared_ptr<const Prepared>>; // one per query head

// Queries and keys of all heads side by side, after norms and rotation.
struct ProjectedLayer {
  MatrixView<const float> q; // n × heads · headWidth
  MatrixView<const float> k; // n × kvHeads · headWidth
  MatrixView<const float> v;
};

// Head h, or key/value head h, of matrices side by side.
inline MatrixView<const float> headOf(MatrixView<const float> all, Index head, Index width) {
  return {all.data + head * width, all.rows, width, all.stride};
}

// Prepares masks for n tokens; patterns that need no data once for all heads and layers.
class MaskPreparer {
public:
  MaskPreparer(const Model& model, Index n) : model_(model), n_(n) {}

  // Throws what prepare() throws, and Stopped.
  HeadMasks prepare(const ModelVariant& variant, Index layer, const ProjectedLayer& projected,
                    const Run& run);

private:
  std::shared_ptr<const Prepared> withoutData(const Pattern& pattern, const Run& run);

  const Model& model_;
  Index n_;
  std::vector<std::pair<Pattern, std::shared_ptr<const Prepared>>> known_;
};

// What the masks of a layer come to.
struct LayerCost {
  Index pairs = 0; // of all heads
  // The largest number of keys that must be kept at a step: those up to it which the query of that
  // step or a later one reads, in any head. Keys and values of all heads are kept together, as in
  // the widths of specification T11.
  Index keptKeys = 0;
  bool operator==(const LayerCost&) const = default;
};

// O(n · ranges of a row) for every different mask. Throws Stopped.
LayerCost costOf(const HeadMasks& masks, const Run& run);

} // namespace attention
