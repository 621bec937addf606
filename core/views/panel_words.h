// Words of panels, and whether an edit of their patterns leaves them true.
#pragma once

#include "core/scene/panel.h"

#include <string>
#include <vector>

namespace attention {

// Whether there is a digit in them.
bool tellsNumbers(const std::string& words);

// Whether the words contain a number of `own` that differs in `edited`.
bool tellsChanged(const std::string& words, const Pattern& own, const Pattern& edited);

// Removes what the panels of `edited` say about `own`, from which they were made, and is no longer
// true; the program's own words take its place.
// - Of a panel with a different pattern: title and labels of parts that contain numbers; all of
//   them where more than numbers has changed.
// - Where the pattern of any panel, in its place, has other numbers: words that name a number by a
//   letter ("W + 1 keys") to which the figure as a whole gave its value.
void dropStaleWords(std::vector<Panel>& edited, const std::vector<Panel>& own);

// Removes titles, and labels with their hues, that panels of `other` in the same places lack.
void keepCommonWords(std::vector<Panel>& panels, const std::vector<Panel>& other);

} // namespace attention
