// UTF-8 to signs and back. Broken sequences become U+FFFD, one for each byte that fits nowhere.
#pragma once

#include <string>
#include <string_view>

namespace attention::gui {

// Takes the first sign off `text`, which must not be empty.
char32_t takeSign(std::string_view& text);
// Appends the sign.
void appendSign(std::string& text, char32_t sign);

} // namespace attention::gui
