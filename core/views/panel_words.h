// Words of panels, and whether an edit of their patterns leaves them true.
#pragma once

#include "core/scene/panel.h"

#include <string>
#include <vector>

namespace attention {

// Whether there is a digit in them.
bool tellsNumbers(const std::string& words);

// Whether a number of `own` that is another one in `edited` stands in the words.
bool tellsChanged(const std::string& words, const Pattern& own, const Pattern& edited);

// Takes away what the panels of `edited` say of those that they were made from, `own`, and is true
// no longer; the program's own words are seen in its place.
// - Of a panel whose pattern is another one: title and labels of parts that tell numbers; all of
//   them where more than numbers has changed.
// - Where the pattern of any panel, in its place, has other numbers: those that call a number by a
//   letter ("W + 1 keys"), which the figure as a whole gave its value.
void dropStaleWords(std::vector<Panel>& edited, const std::vector<Panel>& own);

// Takes away titles, and labels with their hues, that panels of `other`, in the same places, are
// without.
void keepCommonWords(std::vector<Panel>& panels, const std::vector<Panel>& other);

} // namespace attention
