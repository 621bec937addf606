// Where the parts of the Attention view lie.
#pragma once

#include "app/gui/view/attention_shown.h"
#include "app/gui/widgets/ui.h"

#include <vector>

namespace attention::gui {

struct AttentionAreas {
  Rect tabs;
  Rect title;
  std::vector<Rect> panels; // one a panel of the picture, with a line for its title at the top
  Rect legend;              // empty where there is none
  Rect caption;
  Rect hint;
};

// Points that a panel's title takes.
float panelTitle(const Ui& ui);

AttentionAreas attentionAreas(const Ui& ui, const Rect& area, const AttentionShown& shown,
                              bool legend);

} // namespace attention::gui
