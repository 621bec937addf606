// What the linear order carries from keys to queries (S3.4): K'ᵀ V, m × d_v, and K'ᵀ 1, whose
// product with q' is d_i; both over the factor e^level that the features share (KeySource), so that
// sums of different levels join as in a softmax with a running maximum.
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
  std::vector<T> plain; // Vᵀ 1, of no level; empty where nobody asks for it
  T level = kNone;      // kNone: nothing was added yet

  static constexpr T kNone = -std::numeric_limits<T>::infinity();

  CarriedSums() = default;
  CarriedSums(Index m, Index dv, bool withPlain)
      : values(m, dv), ones(static_cast<std::size_t>(m)),
        plain(static_cast<std::size_t>(withPlain ? dv : 0)) {}

  // What numbers of level `from` are multiplied by to be of level `to` ≥ from.
  static T factor(T from, T to) { return from == to ? T{1} : exponential(from - to); }

  void clear() {
    std::fill_n(values.data(), values.rows() * values.cols(), T{0});
    std::fill(ones.begin(), ones.end(), T{0});
    std::fill(plain.begin(), plain.end(), T{0});
    level = kNone;
  }

  // To a level that is not lower.
  void raise(T to) {
    if (level != to && level != kNone)
      assignWeighted(*this, factor(level, to), *this, T{0});
    level = to;
  }

  // Keys of the current level.
  void add(MatrixView<const T> k, MatrixView<const T> v) {
    transposedMultiply(k, v, values.view(), true);
    addColumns<T>(k, ones);
    if (!plain.empty())
      addColumns<T>(v, plain);
  }

  // This = one + other, of the higher level; `one` may be this.
  void assign(const CarriedSums& one, const CarriedSums& other) {
    const T to = std::max(one.level, other.level);
    assignWeighted(one, factor(one.level, to), other, factor(other.level, to));
    if (!plain.empty())
      weightedSum<T>(one.plain, 1, other.plain, 1, plain);
    level = to;
  }
  void add(const CarriedSums& other) { assign(*this, other); }

  // The sums of features that are all larger by `more`, of `keys` keys.
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
