// Words that people type for things that the program calls otherwise.
#pragma once

#include <span>
#include <string_view>

namespace attention::gui {

// The program's words for one that was typed, in small letters, or the beginning of one of three
// letters or more: "gif" → "animation", "dark" → "theme". Empty for its own words.
std::span<const std::string_view> synonymsOf(std::string_view typed);

} // namespace attention::gui
