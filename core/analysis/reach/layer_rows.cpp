#include "core/analysis/reach/layer_rows.h"

namespace attention {

LayerRows::LayerRows(const LayerStack& stack, int threads, const Run& run) {
  for (std::size_t k = 0; k < stack.patterns.size(); ++k) {
    const std::shared_ptr<const Prepared>& pattern = stack.patterns[k];
    // Two layers of one pattern share what was asked.
    std::size_t same = 0;
    while (stack.patterns[same] != pattern)
      ++same;
    if (same < k) {
      rows_.push_back(rows_[same]);
      continue;
    }
    const RowSource asked = [pattern](Index i, KeyRanges& ranges) { pattern->row(i, ranges); };
    if (pattern->closedForm()) {
      rows_.push_back(asked);
      continue;
    }
    const BitMatrix& bits =
        kept_.emplace_back(bitMatrix(stack.n(), asked, false, threads, run.quiet()));
    rows_.emplace_back([&bits](Index i, KeyRanges& ranges) { bits.ranges(i, ranges); });
  }
}

} // namespace attention
