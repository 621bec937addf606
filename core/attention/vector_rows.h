// What kernels and feature maps do with the numbers of one row, by vector code chosen at run time,
// in both precisions. No result depends on where a number stands in its row, and only
// cosinesAndSines depends on the other numbers; sums are taken in an order fixed by the length.
// Errors are relative: exponentials of floats below 3 · 2^−24, all others of a few units of the
// last place.
#pragma once

#include "core/support/matrix.h"

#include <limits>
#include <span>

namespace attention {

// u ← factor · (e^{u − h − shift} + eps). Floats: 0 below −87, +∞ above 88.
template <class T>
struct Exponentials {
  T h = 0;
  T shift = 0;
  T eps = 0;
  T factor = 1;
};
template <class T>
void exponentiate(std::span<T> u, const Exponentials<T>& by);

// u ← elu(u) + 1: u + 1 for u > 0, else e^u (Katharopoulos et al. 2020).
template <class T>
void eluPlusOne(std::span<T> u);

// sines ← factor · sin(u), u ← factor · cos(u); equally many of each. A single angle of 39 000 or
// more, or NaN, sends its whole row to the standard library, whose last digits may differ.
template <class T>
void cosinesAndSines(std::span<T> u, std::span<T> sines, T factor);

// Σ x y, of equal lengths.
template <class T>
T innerProduct(std::span<const T> x, std::span<const T> y);

// Σ x.
template <class T>
T sumOfRow(std::span<const T> x);

// Σ (scale · x)².
template <class T>
T squaredLength(std::span<const T> x, T scale);

// The largest; −∞ where there is none.
template <class T>
T largestOf(std::span<const T> x);

// sum ← a x + b y, of equal lengths; `sum` may be x or y. Exactly x + y where a and b are 1.
template <class T>
void weightedSum(std::span<const T> x, T a, std::span<const T> y, T b, std::span<T> sum);

// sums ← sums + Σ_i row i, added in the order of i; as many sums as columns.
template <class T>
void addColumns(MatrixView<const T> rows, std::span<T> sums);

// x ← c tanh(x / c), c > 0.
template <class T>
void capRow(std::span<T> x, T c);

// x ← ln(e^x + e^c); x may be −∞.
void addLog(std::span<float> x, float c);

// x ← x / d.
template <class T>
void divideRow(std::span<T> x, T d);

// Whether |x| < bound for all x; false with a NaN.
template <class T>
bool allBelow(std::span<const T> x, T bound);

// Whether all are finite.
template <class T>
bool allFinite(std::span<const T> x) {
  return allBelow(x, std::numeric_limits<T>::infinity());
}

} // namespace attention
