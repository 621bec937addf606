// What the linear order carries from keys to queries (S3.4): K'ᵀ V, m × d_v, and K'ᵀ 1, whose
// product with q' is d_i; both divided by the factor e^level that the features share (KeySource),
// so that sums of different levels combine as in a softmax with a running maximum.
#pragma once

#include "core/attention/exp.h"
#include "core/attention/vector_rows.h"
#include "core/support/products.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace attention {

template <class T>
struct CarriedSums {
  Matrix<T> values;     // K'ᵀ V
  std::vector<T> ones;  // K'ᵀ 1
  std::vector<T> plain; // Vᵀ 1, without a level; empty if it is not needed
  T level = kNone;      // kNone: nothing added yet

  static constexpr T kNone = -std::numeric_limits<T>::infinity();

  CarriedSums() = default;
  CarriedSums(Index m, Index dv, bool withPlain)
      : values(m, dv), ones(static_cast<std::size_t>(m)),
        plain(static_cast<std::size_t>(withPlain ? dv : 0)) {}

  // The factor that takes numbers of level `from` to level `to` ≥ from.
  static T factor(T from, T to) { return from == to ? T{1} : exponential(from - to); }

  void clear() {
    std::fill_n(values.data(), values.rows() * values.cols(), T{0});
    std::fill(ones.begin(), ones.end(), T{0});
    std::fill(plain.begin(), plain.end(), T{0});
    level = kNone;
  }

  // Raises the level; never lowers it.
  void raise(T to) {
    if (level != to && level != kNone)
      assignWeighted(*this, factor(level, to), *this, T{0});
    level = to;
  }

  // Adds keys of the current level.
  void add(MatrixView<const T> k, MatrixView<const T> v) {
    transposedMultiply(k, v, values.view(), true);
    addColumns<T>(k, ones);
    if (!plain.empty())
      addColumns<T>(v, plain);
  }

  // this = one + other, at the higher level; `one` may be this.
  void assign(const CarriedSums& one, const CarriedSums& other) {
    const T to = std::max(one.level, other.level);
    assignWeighted(one, factor(one.level, to), other, factor(other.level, to));
    if (!plain.empty())
      weightedSum<T>(one.plain, 1, other.plain, 1, plain);
    level = to;
  }
  void add(const CarriedSums& other) { assign(*this, other); }

  // Adds `more` to every feature of the `keys` summed keys.
  void addToFeatures(T more, Index keys) {
    for (Index a = 0; a < values.rows(); ++a)
      weightedSum<T>(values.view().row(a), 1, plain, more, values.view().row(a));
    for (T& sum : ones)
      sum += more * static_cast<T>(keys);
  }

private:
  void assignWeighted(const CarriedSums& one, T a, const CarriedSums& other, T b) {
    weightedSum<T>(one.values.values(), a, other.values.values(), b,
                   {values.data(), values.values().size()});
    weightedSum<T>(one.ones, a, other.ones, b, ones);
  }
};

} // namespace attention
