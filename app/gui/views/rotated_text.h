// Text that reads from below to above: titles of vertical axes, words over narrow columns.
#pragma once

#include "app/gui/platform/imgui_compat.h"

#include <string_view>

namespace attention::gui {

// `at` is the lower left corner of the turned text: its first letter stands there.
void drawTextUpwards(ImFont* font, ImVec2 at, const ImVec4& textColor, std::string_view text);

} // namespace attention::gui
