#include "core/figure/ticks.h"

#include <algorithm>

namespace attention {

bool namesFit(const Axis& axis, double length, double type) {
  const auto tokens = static_cast<double>(axis.end - axis.begin);
  return !axis.names.empty() && length >= tokens * type * kLineHeight;
}

Index niceStep(Index length, double least) {
  Index decade = 1;
  while (static_cast<double>(10 * decade) < least)
    decade *= 10;
  Index round = decade;
  for (const Index factor : {1, 2, 5, 10})
    if (static_cast<double>(round = factor * decade) >= least)
      break;
  // A divisor ends the axis with a tick; it may be a little coarser than the round number.
  constexpr Index kMostTried = 64;
  const auto first = std::max<Index>(static_cast<Index>(std::ceil(least)), 1);
  for (Index step = first; step <= std::min({2 * round, length / 2, first + kMostTried}); ++step)
    if (length % step == 0)
      return step;
  return round;
}

std::vector<Tick> numberTicks(const Axis& axis, double length, double gap) {
  const Index tokens = axis.end - axis.begin;
  const double most = std::max(length / gap, 1.0);
  const Index step = niceStep(tokens, static_cast<double>(tokens) / most);
  std::vector<Tick> ticks;
  for (Index at = ceilDiv(axis.begin, step) * step; at <= axis.end; at += step)
    ticks.push_back({static_cast<double>(at), std::to_string(at)});
  return ticks;
}

std::vector<Tick> nameTicks(const Axis& axis, double type, const TextMeasure& measure) {
  std::vector<Tick> ticks;
  const auto tokens = static_cast<std::size_t>(axis.end - axis.begin);
  for (std::size_t k = 0; k < std::min(tokens, axis.names.size()); ++k)
    ticks.push_back({static_cast<double>(axis.begin) + static_cast<double>(k) + 0.5,
                     fitted(axis.names[k], kNameWidth * type, {type, false}, measure)});
  return ticks;
}

double widestNumber(const Axis& axis, double type, const TextMeasure& measure) {
  return std::max(measure(std::to_string(axis.begin), type, false),
                  measure(std::to_string(axis.end), type, false));
}

double widestName(const Axis& axis, double type, const TextMeasure& measure) {
  double widest = 0;
  for (const std::string& name : axis.names)
    widest = std::max(widest, measure(name, type, false));
  return std::min(widest, kNameWidth * type);
}

} // namespace attention
