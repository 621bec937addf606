// Finds names by what was typed.
#pragma once

#include <span>
#include <string_view>

namespace attention::gui {

// Whether every word of `search`, or one that means the same, occurs in `text`, whatever the case,
// or one that means the same as all of them together; "figure 3" is "fig3". Nothing typed finds
// all.
bool found(std::string_view search, std::string_view text);
// Whether the words occur in it unchanged, one after the other.
bool foundTogether(std::string_view search, std::string_view text);

// How near a name is to what was typed, the nearest first. `Called`: it is the program's word for
// that, or the beginning of one; `Means`: it has such a word in it.
enum class Nearness { Same, Begins, Holds, Called, Means, Other };
Nearness nearness(std::string_view search, std::string_view name);

// The program's words for one or several that were typed, in small letters, or the beginning of
// them of three letters or more: "gif" → "animation", "dark mode" → "theme". Empty for its own
// words.
std::span<const std::string_view> synonymsOf(std::string_view typed);

} // namespace attention::gui
