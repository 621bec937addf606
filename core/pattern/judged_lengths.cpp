#include "core/pattern/judged_lengths.h"

#include "core/pattern/mechanism/all.h"

#include <algorithm>

namespace attention {
namespace {

bool judgesLengths(const Pattern& pattern) {
  for (const Pattern* operand : operandsOf(pattern))
    if (!judgesLengths(*operand))
      return false;
  return mayBeRectangular(pattern) ||
         std::visit([](const auto& m) { return TakesRectangles<std::decay_t<decltype(m)>>; },
                    pattern.mechanism());
}

} // namespace

bool judgeLengths(std::span<const Pattern> patterns) {
  return std::all_of(patterns.begin(), patterns.end(), judgesLengths);
}

} // namespace attention
