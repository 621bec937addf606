// A figure changed where its places have no room for its words: names of axes and legends stand
// elsewhere, if that has room.
#pragma once

#include "core/figure/arrange.h"

namespace attention {

// The figure with the names of its y axes above those of its plots that have no title, where
// `places` are too low for one of the names; nothing where they are not.
std::optional<Figure> namedAbove(const Figure& figure, const Arrangement& places,
                                 const TextMeasure& measure);

// The figure with one legend for all panels where `places` cut or break the panels' own, if these
// agree about what a colour means.
std::optional<Figure> legendShared(const Figure& figure, const Arrangement& places);

} // namespace attention
