// What weights are measured against: the one choice of the Attention and Compare views.
#pragma once

#include "app/gui/widgets/choices.h"

#include <vector>

namespace attention::gui {

// In the order of AttentionBase.
std::vector<ChoiceItem> baseItems();

} // namespace attention::gui
