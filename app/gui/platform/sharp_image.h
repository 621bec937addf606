// Textures whose texels are cells: drawn with sharp edges in every version of ImGui. Since 1.92.8
// its OpenGL backend filters all textures linearly, whatever filter they have, unless it is told.
#pragma once

#include "app/gui/platform/imgui_compat.h"

namespace attention::gui {

// As ImDrawList::AddImage of the whole texture in the present window.
void drawSharpImage(ImTextureID texture, ImVec2 from, ImVec2 to);

} // namespace attention::gui
