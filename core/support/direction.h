// Which way text is read: lines of this program run from left to right, and names in them may not.
#pragma once

#include <string>
#include <string_view>

namespace attention {

// Whether it has letters of scripts that are read from right to left: Hebrew, Arabic and their
// neighbours (Unicode, UAX #9, classes R and AL in the basic plane).
bool readsFromRight(std::string_view text);

// A line that runs from left to right although a name from the right may be its first word: led by
// U+200E where it has such letters.
std::string fromLeft(std::string line);

} // namespace attention
