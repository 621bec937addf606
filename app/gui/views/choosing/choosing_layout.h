// Where the parts of the Choosing view lie.
#pragma once

#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/choosing/choosing_view.h"

#include <vector>

namespace attention::gui {

struct ChoosingAreas {
  PictureFrame frame;
  Rect sorting;             // of the sorting; else empty
  Rect controls;            // of the play of the sorting or of a walk through queries; else empty
  std::vector<Rect> panels; // words at their top where a panel has a title; fewer than the picture
                            // has where not all fit below the sorting
  std::vector<std::vector<Rect>> plots; // of each panel
  Rect captured;                        // the curves below the sorting; empty without room
  std::vector<Rect> small;              // below the matrices
};

// Whether the play's slider stands below its buttons, where the width is too small for both.
bool controlsInTwoRows(const Ui& ui, float width);

// `controls`: whether the play's controls stand there.
ChoosingAreas choosingAreas(const Ui& ui, const Rect& area, const ChoosingShown& shown,
                            const PictureWords& words, bool controls);

// The height in points at which matrices and curves fit below the sorting and its play, in the
// area's width.
float leastSorting(const Ui& ui, Rect area, const PictureWords& words);

} // namespace attention::gui
