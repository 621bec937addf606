// Where the parts of the Kernels view lie.
#pragma once

#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/kernels/kernels_shown.h"

#include <vector>

namespace attention::gui {

struct KernelsAreas {
  PictureFrame frame;
  std::vector<Rect> panels;             // words at their top where a panel has a title
  std::vector<std::vector<Rect>> plots; // of each panel
  std::vector<Rect> small;              // below; empty if there is no room
  Rect note;                            // what the small ones show
};

KernelsAreas kernelsAreas(const Ui& ui, const Rect& area, const KernelsShown& shown,
                          const PictureWords& words);

} // namespace attention::gui
