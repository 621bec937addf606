// The places and labels of an axis' ticks: numbers at round distances that never touch, or the
// labels of the tokens where each fits.
#pragma once

#include "core/plot/figure.h"
#include "core/plot/text_fit.h"

#include <vector>

namespace attention {

struct Tick {
  double at = 0; // in tokens: the middle of the token's cell
  std::string text;
  bool operator==(const Tick&) const = default;
};

// Labels of tokens are shortened to this many times the size of type.
constexpr double kNameWidth = 6.5;
// The least height of a line, in sizes of type.
constexpr double kLineHeight = 1.3;

// Which tokens have labels, so that none touch on `length` pixels: every one (1) or every second
// one (2); 0 where more would have to be left out.
Index nameStep(const Axis& axis, double length, double type);
// Whether labels of tokens fit there.
bool namesFit(const Axis& axis, double length, double type);

// A tick distance of at least `least`: a divisor of `length` where there is one up to twice as
// large, else 1, 2 or 5 times a power of ten. Where more than kMostDivided ticks would lie on the
// whole length, a power of two for such lengths, and no other divisor.
constexpr Index kMostDivided = 4096;
Index niceStep(Index length, double least);

// The cells of an axis of n tokens that have numbers, of those in [begin, end): cells niceStep
// apart, and the last one, n − 1, without neighbours nearer than `least`. n = 0: part of an axis of
// unknown length. The window and files number the same cells.
std::vector<Index> numberedCells(Index n, Index begin, Index end, double least);

// `gap`: least distance of two numbers in pixels, middle to middle.
std::vector<Tick> numberTicks(const Axis& axis, double length, double gap);
std::vector<Tick> nameTicks(const Axis& axis, double length, double type,
                            const TextMeasure& measure);

// The widest label that the axis may show.
double widestNumber(const Axis& axis, double type, const TextMeasure& measure);
double widestName(const Axis& axis, double type, const TextMeasure& measure);

} // namespace attention
