// The definition of one pattern, as its parameters choose it: of a factor alone (Child et al. 2019,
// §4.2) that factor, not the union.
#pragma once

#include "core/pattern/pattern.h"

#include <string>
#include <vector>

namespace attention {

// The lines of its description; where a parameter chooses one factor, the factor's line and
// "Sᵢ = A¹ᵢ".
std::vector<std::string> definitionOf(const Pattern& pattern);

} // namespace attention
