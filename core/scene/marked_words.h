// Numbers marked in words: "[666](pairs) cells" has the number as its author saw it, and the fact
// it comes from. Facts of a pattern, in titles and labels, are told as they are now.
#pragma once

#include "core/pattern/pattern.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct MarkedNumber {
  std::string shown;
  std::string fact;
  bool operator==(const MarkedNumber&) const = default;
};

std::vector<MarkedNumber> numbersIn(std::string_view words);

// The words without marks: "[291](pairs) cells" is "291 cells".
std::string plainWords(std::string_view words);

// The words with what `now` says in place of each mark; nothing leaves it as it is written.
using NumberNow = std::function<std::optional<std::string>(const MarkedNumber&)>;
std::string wordsWith(std::string_view words, const NumberNow& now);

// A parameter's current value in words, or a sum of parameters and integers: "window",
// "left + right + 1", "segments[1]", "of[0].random_blocks", "vars.g". "[4th](stride)" stays an
// ordinal number. A default that depends on the length is told by its symbol. Nothing where the
// pattern has no such parameter.
std::optional<std::string> numberNow(const MarkedNumber& number, const Pattern& pattern);
std::string wordsNow(std::string_view words, const Pattern& pattern);

} // namespace attention
