// Words that are cut where both of their ends tell them apart.
#pragma once

#include "app/gui/widgets/ui.h"

namespace attention::gui {

// The text, or as much of its beginning and its end as fits into `width` with … between them: names
// of files differ at their ends.
std::string cutInMiddle(const ImFont* font, std::string_view text, float width);

} // namespace attention::gui
