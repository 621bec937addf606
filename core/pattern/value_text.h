// Parameter values as text, as they are typed in the window and on the command line: lists "0, 5,
// 9", pairs "0-1, 2-5", paths "0, 1, 0-0", named numbers "w = 3, b = 2".
#pragma once

#include "core/pattern/parameter.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// Items are separated by commas, spaces or line breaks. E_TYPE names `subject`; E_RANGE: an integer
// beyond 64 bits.
Index integerFromText(const std::string& subject, std::string_view text);
std::uint64_t seedFromText(const std::string& subject, std::string_view text);
double realFromText(const std::string& subject, std::string_view text);
std::vector<Index> integersFromText(const std::string& subject, std::string_view text);
std::vector<double> realsFromText(const std::string& subject, std::string_view text);
// 0-1,2-5, or a pair per line, with its numbers separated by a comma or spaces.
PairList pairsFromText(const std::string& subject, std::string_view text);

// Where a count and a list are both possible, "4" is a count and "4," a list. Errors as above.
Value valueFromText(const ParameterFacts& parameter, const std::string& text);

// Empty where there is no text form.
std::string textOf(const Value& value);

} // namespace attention
