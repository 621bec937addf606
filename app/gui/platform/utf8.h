// UTF-8 to code points and back. Broken sequences become U+FFFD, one for each byte that fits
// nowhere.
#pragma once

#include <string>
#include <string_view>

namespace attention::gui {

// Takes the first code point off `text`, which must not be empty.
char32_t takeSign(std::string_view& text);
// Appends the code point.
void appendSign(std::string& text, char32_t sign);

// `text` with control characters (and broken UTF-8) replaced by visible escapes such as \n or \x1b:
// for tokens and file names.
std::string visibleText(std::string_view text);

} // namespace attention::gui
