// Pointer and keyboard over all parts of the Mask view: matrices, minimap, images.
#pragma once

#include "app/gui/views/mask_screen.h"

namespace attention::gui {

// Emits camera, pins and hover. Before anything is drawn, so that what is drawn lies on top.
void takeInput(const MaskScreen& screen);

} // namespace attention::gui
