// The results that all views share, each a function of what it reads. They run in jobs and throw
// Error or Stopped.
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/interface/results.h"
#include "core/scene/input_data.h"

namespace attention::gui {

// Of the Scene what masksOnly keeps; `input` only where a pattern depends on the data, else none.
Masks makeMasks(const Scene& scene, const Lengths& lengths, const ModelHead& input, const Run& run);
// With the input's widths; 0 where there is none.
MaskCounts makeCounts(const Masks& masks, Index d, Index dv, const Run& run);
// `firstRow`: of the input's queries, which is the mask's query 0.
HeadAttention makeAttention(const Masks& masks, const ModelHead& of, Index firstRow,
                            const Run& run);
HeadMetrics makeMetrics(const HeadAttention& attention, const Run& run);
// The cell of one of the masks that the pointer is on, else the pinned one; nothing if there is
// none. `input` and `weights`, of the first mask, may be null. O(parts); the number of keys only
// where rows are short.
std::optional<CellFacts> pointedCell(const Masks& masks, std::size_t mask, const Pins& pins,
                                     const Hover& hover, const Input* input,
                                     const HeadAttention* weights);

// How many keys the shown query attends to and how many queries see the pinned key, in every mask
// of the view: the numbers of the line between matrix and strip.
// O(parts) per mask with closed forms. Others are counted cell by cell where a row or column has at
// most 65 536 cells; longer ones give no number. Throws Stopped.
TokenCounts makeTokenCounts(const Masks& masks, std::optional<Index> query,
                            std::optional<Index> key, const Run& run);

} // namespace attention::gui
