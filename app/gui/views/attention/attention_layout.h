// Where the parts of the Attention view lie.
#pragma once

#include "app/gui/pictures/picture_parts.h"
#include "app/gui/views/attention/attention_shown.h"

#include <vector>

namespace attention::gui {

struct AttentionAreas {
  PictureFrame frame;
  std::vector<Rect> panels; // one per panel of the picture, with a line for its title at the top
  Rect hint;
};

// The height in points of a panel's title.
float panelTitle(const Ui& ui);

AttentionAreas attentionAreas(const Ui& ui, const Rect& area, const AttentionShown& shown,
                              const PictureWords& words);

} // namespace attention::gui
