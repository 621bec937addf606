// What the pictures of the Hashing view say in words and numbers.
#pragma once

#include "app/gui/view/hashing_shown.h"

namespace attention::gui {

// Fills heading, facts, warnings and reading from the spec and the answer, which is complete.
void addHashingFacts(HashingShown& shown);

} // namespace attention::gui
