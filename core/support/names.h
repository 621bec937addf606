// Names that people type: '-' and '_' are the same in them, and a misspelt one gets the nearest
// known name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attention {

// Whether two names are equal apart from '-' and '_'.
bool sameName(std::string_view a, std::string_view b);

// The nearest of `names` to a misspelt one; empty if none is near.
std::string nearest(std::string_view name, std::span<const std::string> names);

// "; the nearest is strided", with `prefix` before the name; empty if none is near.
std::string nearestHint(std::string_view name, std::span<const std::string> names,
                        std::string_view prefix = {});

} // namespace attention
