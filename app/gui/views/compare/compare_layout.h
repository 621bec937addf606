// Where the parts of the Compare view lie: the masks, the two plots, the list of the mechanisms'
// names.
#pragma once

#include "app/gui/interface/view.h"

#include <array>

namespace attention::gui {

constexpr float kPlotHeading = 26; // height of the line over a plot, at scale 1

// The names behind the plots' numbers.
struct NameList {
  std::size_t count = 0; // 0: none yet, so no room is kept for them
  float width = 0;       // points of the widest with its dot
  float least = 0;       // likewise, without parameters that are not needed to tell it apart
  float rowHeight = 0;   // points
  bool operator==(const NameList&) const = default;
};

struct CompareAreas {
  Rect masks;
  std::array<Rect, 2> plots{}; // below their headings; without a height: left out
  Rect list{};
};

// Columns of names that fit side by side in that room, at least 1: of whole names where that shows
// all of them, else of short ones.
float nameColumns(const Ui& ui, const NameList& names, float width, float height);

// The arrangement with the largest matrices and plots: plots below the masks, or in a column beside
// them; the names go where either leaves room.
CompareAreas compareAreas(const ViewContext& context, const NameList& names);

} // namespace attention::gui
