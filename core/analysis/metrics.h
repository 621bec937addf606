// How much of dense attention a pattern keeps (S13): captured mass, output error, entropy, density,
// intersection over union.
#pragma once

#include "core/analysis/base.h"
#include "core/attention/attend.h"

#include <memory>
#include <optional>

namespace attention {

// Σ_{j ∈ S_i ∩ B_i} p_ij with p the softmax over B_i; empty rows 0. A sink takes a part of the
// softmax of B_i (T8): then `rows` are shares of what it leaves, and `ofAll` shares of all.
struct CapturedMass {
  std::vector<double> rows;
  double mean = 0;
  std::vector<double> ofAll; // with a sink, else empty
  std::optional<double> meanOfAll;
};

// Uses the cells and the keys of the logits, however parts combine. O(pairs of the base · d).
// Errors as in attend.
template <class T>
CapturedMass capturedMass(const std::shared_ptr<const Prepared>& pattern, MatrixView<const T> q,
                          MatrixView<const T> k, const Base& base,
                          const AttendOptions& options = {}, const Run& run = {});

// The lse over the cells without a sink, however parts combine, from attend's lse of the keys over
// its parts: the same where they form a union, else recomputed in O(pairs · d).
template <class T>
std::vector<T> unionLse(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                        std::span<const T> lse, const AttendOptions& options = {},
                        const Run& run = {});

// The same from the lse of the base and of the pattern cut to the base, where both are known over a
// union of keys, without the sink: row i has exp(lse_i(S ∩ B) − lse_i(B)).
template <class T>
CapturedMass capturedMass(std::span<const T> lse, std::span<const T> baseLse,
                          const std::optional<double>& sink = {});

struct OutputError {
  double relativeFrobenius = 0; // |O − O*|_F / |O*|_F; 0/0 = 0, x/0 = ∞
  double maxAbs = 0;
};

// √Σ x², without overflow or underflow whenever the result fits a double.
class NormSum {
public:
  void add(double x);
  // This norm over another one; 0/0 = 0, x/0 = ∞.
  double over(const NormSum& other) const;

private:
  double largest_ = 0; // in size
  double squares_ = 0; // sum of squares over the largest squared; NaN where one is NaN
};

// The error of several outputs together, such as heads: sums to which outputs are added.
class OutputErrorSums {
public:
  // E_SHAPE where the shapes differ.
  template <class T>
  void add(const Matrix<T>& out, const Matrix<T>& reference);
  // Where an output is NaN, so is the relative error, and the largest is ∞.
  OutputError error() const;

private:
  NormSum difference_;
  NormSum reference_;
  double maxAbs_ = 0;
};

// E_SHAPE where the shapes differ.
template <class T>
OutputError outputError(const Matrix<T>& out, const Matrix<T>& reference);

// −Σ p ln p of every row, in nats, of its positive weights divided by their sum (gates may make
// some negative); empty rows 0. `lse` from
// attend. O(pairs · d).
template <class T>
std::vector<double> rowEntropies(const Prepared& pattern, MatrixView<const T> q,
                                 MatrixView<const T> k, std::span<const T> lse,
                                 const AttendOptions& options = {}, const Run& run = {});

// Entropy divided by ln(keys), in [0, 1]; 1 for a row of one key, 0 for an empty one.
double normalisedEntropy(double entropy, Index keys);

// pairs / (n_q · n_k).
double density(Index pairs, const Lengths& lengths);
// pairs / cells with j ≤ i.
double causalDensity(Index pairs, const Lengths& lengths);
// |A ∩ B| / |A ∪ B|; 1 where both are empty.
double intersectionOverUnion(Index both, Index onlyFirst, Index onlySecond);

} // namespace attention
