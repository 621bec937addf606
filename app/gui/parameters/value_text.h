// Parameter values as text, for the fields of the window: lists "0, 5, 9", counts "first 4", pairs
// "0-1, 2-5", named numbers "w = 3, b = 2".
#pragma once

#include "core/pattern/description.h"

namespace attention::gui {

std::string textOf(const Value& value);

// Nothing typed is monostate: back to the default. E_TYPE says what the field takes.
Value valueOf(const Parameter& parameter, const std::string& text);

} // namespace attention::gui
