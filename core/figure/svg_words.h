// Words of an SVG file as text: <text> elements over the drawing, for those who edit it afterwards.
#pragma once

#include "core/figure/display_list.h"

#include <string>

namespace attention {

// All but the words.
DisplayList withoutWords(const DisplayList& list);

// `svg`, which must end with </svg>, with the words of the list on top.
std::string withWordsInSvg(std::string svg, const DisplayList& list);

} // namespace attention
