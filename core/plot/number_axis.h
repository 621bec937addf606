// An axis of numbers: its scale, and the places and labels of its ticks.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace attention {

enum class Scale { Linear, Log2, Log10 };

// From `begin` to `end`, finite and begin < end; both positive on a logarithmic scale.
struct NumberAxis {
  std::string label; // "projections m"
  Scale scale = Scale::Linear;
  double begin = 0;
  double end = 1;
  bool whole = false;     // counts: ticks only at whole numbers (linear)
  bool downwards = false; // a vertical one begins at the top: rows of matrices
  bool cells = false; // 0 … end in steps of one: ticks number them, in their middles, the last too
  bool operator==(const NumberAxis&) const = default;
};

// The axis over those of the values that it can show (finite; positive on a logarithmic scale), its
// ends at round numbers where `round`, or a little beyond so that no value but 0 lies on the frame;
// else at the smallest and the largest. Without such a value, and around a single one, it has a
// length of one unit, power of two or decade on either side.
NumberAxis axisOver(std::string label, Scale scale, std::span<const double> values,
                    bool round = true);

// Where a value lies: 0 on the left or bottom, 1 on the right or top; not finite where the axis has
// no place for it (such as 0 on a logarithmic scale).
double shareOf(const NumberAxis& axis, double value);
// The value at a share: the inverse of shareOf.
double valueAt(const NumberAxis& axis, double share);

struct NumberTick {
  double at = 0;
  std::string text; // "−0.25", "1 024", "10⁻³"
  bool operator==(const NumberTick&) const = default;
};

// Ticks at round numbers, at least `gap` pixels apart on `length` pixels; at least two where the
// axis holds two round numbers. Where decades give one or two, also at 1, 2, 5 or 1, 3 within them.
// Decades of one axis are all plain numbers (0.001 … 10 000) or all powers of ten.
std::vector<NumberTick> ticksOf(const NumberAxis& axis, double length, double gap);

// The value, or the next number nearer to zero, that is 1, 2 or 5 times a power of ten or its
// negative; 0 for 0 and for NaN.
double roundTowardZero(double value);

// A power of ten with its exponent raised: "10⁻³".
std::string powerOfTen(int exponent);

} // namespace attention
