// The conventions of libraries and papers in the gallery: what each means by a window of W, with a
// small picture in which its keys can be counted.
#pragma once

#include "app/gui/panels/panel.h"

#include <string>
#include <vector>

namespace attention::gui {

// Those that the search finds, by their places in allPresets().
std::vector<std::size_t> conventionsFor(const std::string& search);

void chooseConvention(const PanelContext& context, std::size_t which);

// A heading and a card each, in as many columns as fit. True when one was chosen.
bool drawConventions(const PanelContext& context, const std::vector<std::size_t>& which);

} // namespace attention::gui
