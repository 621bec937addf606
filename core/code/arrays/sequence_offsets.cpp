#include "core/code/arrays/array_makers.h"

#include "core/pattern/row_runs.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {
namespace {

// Where a document begins: at the tokens that do not see the one before, and at the end.
std::vector<Index> offsetsOf(const Prepared& pattern, const Run& run) {
  const Index n = pattern.lengths().keys;
  std::vector<Index> offsets{0};
  for (Index i = 1; i < n; ++i) {
    run.check();
    if (!pattern.contains(i, i - 1))
      offsets.push_back(i);
  }
  offsets.push_back(n);
  return offsets;
}

// Whether every token sees its document up to itself, or all of it.
bool areDocuments(const Prepared& pattern, const std::vector<Index>& offsets, bool causal,
                  const Run& run) {
  KeyRanges ranges;
  Runs keys;
  for (std::size_t d = 0; d + 1 < offsets.size(); ++d)
    for (Index i = offsets[d]; i < offsets[d + 1]; ++i) {
      run.check();
      rowRuns(pattern, i, ranges, keys);
      if (keys != Runs{{offsets[d], causal ? i + 1 : offsets[d + 1]}})
        return false;
    }
  return true;
}

} // namespace

MaskArrays sequenceOffsets(const Prepared& pattern, const Run& run) {
  requireSquare(pattern, "cu_seqlens");
  const std::vector<Index> offsets = offsetsOf(pattern, run);
  const bool causal = areDocuments(pattern, offsets, true, run);
  if (!causal && !areDocuments(pattern, offsets, false, run))
    throwRange("mask", "not one of contiguous documents",
               "one, causal or full in every document, for cu_seqlens");
  Index longest = 0;
  for (std::size_t d = 0; d + 1 < offsets.size(); ++d)
    longest = std::max(longest, offsets[d + 1] - offsets[d]);
  return {integerArray("cu_seqlens", {std::ssize(offsets)}, offsets),
          integerArray("max_seqlen", {}, {longest}),
          truthArray("causal", {}, {static_cast<std::uint8_t>(causal)})};
}

} // namespace attention
