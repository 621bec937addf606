// The background of the window's regions, which covers most of its pixels. It is cleared, not
// drawn: software OpenGL takes several milliseconds per frame to draw it as textured triangles.
#pragma once

#include "app/gui/platform/imgui_compat.h"

namespace attention::gui {

// Fills a rectangle of the screen below all windows of this frame; `tint` is opaque.
void fillGround(ImVec2 from, ImVec2 to, ImU32 tint);

} // namespace attention::gui
