#include "core/plot/ticks.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <map>

namespace attention {

Index nameStep(const Axis& axis, double length, double type) {
  const auto tokens = static_cast<double>(axis.end - axis.begin);
  for (const Index step : {1, 2})
    if (!axis.names.empty() && static_cast<double>(step) * length >= tokens * type * kLineHeight)
      return step;
  return 0;
}

bool namesFit(const Axis& axis, double length, double type) {
  return nameStep(axis, length, type) > 0;
}

Index niceStep(Index length, double least) {
  // A divisor ends the axis with a whole step: up to twice as coarse as necessary.
  const auto most = std::max<Index>(static_cast<Index>(static_cast<double>(length) / least), 1);
  if (most > kMostDivided && (length & (length - 1)) == 0) {
    Index step = 1;
    while (static_cast<double>(step) < least)
      step *= 2;
    return step;
  }
  for (Index steps = most > kMostDivided ? 0 : std::min(most, length); steps > most / 2; --steps)
    if (length % steps == 0)
      return length / steps;
  Index decade = 1;
  while (static_cast<double>(10 * decade) < least)
    decade *= 10;
  for (const Index factor : {1, 2, 5})
    if (static_cast<double>(factor * decade) >= least)
      return factor * decade;
  return 10 * decade;
}

std::vector<Index> numberedCells(Index n, Index begin, Index end, double least) {
  const Index step = niceStep(n, least);
  std::vector<Index> cells;
  for (Index cell = ceilDiv(std::max<Index>(begin, 0), step) * step; cell < end; cell += step)
    cells.push_back(cell);
  if (n <= 1 || end < n || begin >= n)
    return cells;
  while (!cells.empty() && cells.back() > 0 && static_cast<double>(n - 1 - cells.back()) < least)
    cells.pop_back();
  if (cells.empty() || static_cast<double>(n - 1 - cells.back()) >= least)
    cells.push_back(n - 1);
  return cells;
}

std::vector<Tick> numberTicks(const Axis& axis, double length, double gap) {
  const Index tokens = axis.end - axis.begin;
  const double most = std::max(length / gap, 1.0);
  const Index n = axis.begin == 0 ? axis.end : 0;
  std::vector<Tick> ticks;
  for (const Index cell :
       numberedCells(n, axis.begin, axis.end, static_cast<double>(tokens) / most))
    ticks.push_back({static_cast<double>(cell) + 0.5, groupedDigits(cell)});
  return ticks;
}

std::vector<Tick> nameTicks(const Axis& axis, double length, double type,
                            const TextMeasure& measure) {
  std::vector<Tick> ticks;
  const auto tokens = static_cast<std::size_t>(axis.end - axis.begin);
  const auto step = static_cast<std::size_t>(std::max<Index>(nameStep(axis, length, type), 1));
  std::map<std::string, std::string> names; // by what is left of them
  bool alike = false;
  for (std::size_t k = 0; k < std::min(tokens, axis.names.size()); k += step) {
    const std::string left = fitted(axis.names[k], kNameWidth * type, {type, false}, measure);
    alike = alike || names.emplace(left, axis.names[k]).first->second != axis.names[k];
    ticks.push_back({static_cast<double>(axis.begin) + static_cast<double>(k) + 0.5, left});
  }
  if (!alike)
    return ticks;
  for (std::size_t at = 0; at < ticks.size(); ++at) // the ends may tell them apart
    ticks[at].text =
        fittedInTheMiddle(axis.names[at * step], kNameWidth * type, {type, false}, measure);
  return ticks;
}

double widestNumber(const Axis& axis, double type, const TextMeasure& measure) {
  return std::max(measure(groupedDigits(axis.begin), type, false),
                  measure(groupedDigits(axis.end), type, false));
}

double widestName(const Axis& axis, double type, const TextMeasure& measure) {
  double widest = 0;
  for (const std::string& name : axis.names)
    widest = std::max(widest, measure(name, type, false));
  return std::min(widest, kNameWidth * type);
}

} // namespace attention
