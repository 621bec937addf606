// The cells that strokes leave, written out as runs of keys for groups of rows: where strokes are
// too many, or cross in too many ways, for a list of signed terms. One sweep over the rows at which
// anything changes, so rectangles take the time of their edges; diagonals change every row.
#pragma once

#include "core/pattern/row_table.h"
#include "core/pattern/strokes.h"
#include "core/support/run.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attention {

struct StrokeTables {
  std::shared_ptr<const RowTable> added;   // cells whose last stroke adds them
  std::shared_ptr<const RowTable> touched; // cells of any stroke
  // The same cells as disjoint rectangles in the order of their rows, where they are few.
  std::optional<std::vector<Rect>> rects;
};

constexpr Index kMostStrokeRuns = Index{1} << 24;
constexpr std::size_t kMostStrokeRects = std::size_t{1} << 16;

// Of token rows [0, rows) and keys [0, keys). O(runs log runs) at most; E_RANGE where there would
// be more than kMostStrokeRuns of them.
StrokeTables strokeTables(std::span<const StrokePiece> pieces, Index rows, Index keys,
                          const Run& run);

} // namespace attention
