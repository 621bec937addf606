// Oniguruma's expressions, as PCRE2 writes them.
#pragma once

#include <string>
#include <string_view>

namespace attention {

// The same expression for PCRE2 (PCRE2_UTF, PCRE2_UCP, PCRE2_MULTILINE). E_EXPR names `subject`:
// sets within sets, intersections (&&), \h, \W in a set, (?m), repeated intervals {n,m}+ and {,m},
// which PCRE2 has not or reads differently.
std::string pcreExpression(std::string_view oniguruma, const std::string& subject);

} // namespace attention
