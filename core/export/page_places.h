// The places of a plot that have words of their own: points of curves, fields of colours, boxes of
// diagrams, tokens of graphs, images and texts, lines between tokens.
#pragma once

#include "core/export/page_areas.h"

#include <string>
#include <vector>

namespace attention {

// As pageAreas; nothing for masks and matrices.
std::vector<std::string> pagePlaces(const PlacedMark& mark, const TextMeasure& measure);

} // namespace attention
