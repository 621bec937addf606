// Words broken into lines, for those who draw them themselves.
#pragma once

#include "app/gui/platform/imgui_compat.h"

#include <string>
#include <string_view>

namespace attention::gui {

// Broken by \n at blanks into lines of at most `width`; a longer word stays whole.
std::string inLines(const ImFont* font, std::string_view text, float width);

} // namespace attention::gui
