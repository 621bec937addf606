// A point of a curve in words, as pointers tell it in the window and in pages.
#pragma once

#include "core/plot/curves.h"

#include <string>

namespace attention {

// "Full  n² · n = 65 536: seconds = 0.0123": the label if there is one, then both numbers by the
// names of their axes. `number`: the name of the second where its axis has none.
std::string pointWords(const CurvesMark& mark, const std::string& label, const Point& point,
                       const std::string& number = {});

} // namespace attention
