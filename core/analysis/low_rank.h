// How well attention matrices are approximated by matrices of low rank (S8). With singular values
// σ_1 ≥ σ_2 ≥ … the best approximation A_m of rank m keeps the first m terms of U Σ Vᵀ, and by
// Eckart and Young no F1 F2 with inner dimension m is closer:
//
//   |A − A_m|_F = √Σ_{k>m} σ_k²,    |A − A_m|_2 = σ_{m+1}.
//
// A is either exp(s_ij), not normalised, or its rows' softmax: two different objects, so results
// say which they mean. Exact values come from Eigen's BDCSVD in O(n³); for large n a randomised
// range finder (Halko, Martinsson & Tropp 2011) takes O(n² r) and states its error.
#pragma once

#include "core/attention/implied_matrix.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace attention {

enum class LowRankObject {
  Softmax,      // softmax rows p_ij
  Exponentials, // exp(s_ij)
};

std::string_view name(LowRankObject object);             // "softmax", "exp"
LowRankObject lowRankObjectNamed(std::string_view name); // E_RANGE

// The matrix of the scores of Q Kᵀ (scoring.h), with rows made on demand; causal: zero above the
// diagonal. The data behind the views must outlive it. Its rows throw E_NONFINITE where exp(s)
// overflows.
ImpliedMatrix<double> attentionRows(MatrixView<const double> q, MatrixView<const double> k,
                                    const Scoring& scoring, LowRankObject object,
                                    bool causal = false);

// All rows. O(n² d).
Matrix<double> wholeMatrix(const ImpliedMatrix<double>& matrix, int threads = 0,
                           const Run& run = {});

// In descending order, min(rows, cols) of them. E_NONFINITE. When it is stopped, the library's
// decomposition, which cannot be interrupted, finishes on a thread of its own. O(n³).
std::vector<double> singularValues(const Matrix<double>& a, const Run& run = {});

struct Svd {
  Matrix<double> u; // rows × r
  std::vector<double> values;
  Matrix<double> v; // cols × r
};
Svd svd(const Matrix<double>& a);

// A_m = Σ_{k<m} σ_k u_k v_kᵀ; all of A for m ≥ r.
Matrix<double> bestApproximation(const Svd& of, Index m);

// |A − A_m|_F and |A − A_m|_2 for m = 0 … values.size().
struct RankErrors {
  std::vector<double> frobenius;
  std::vector<double> spectral;
};
RankErrors rankErrors(std::span<const double> values);

// How many values are above `relative` times the largest.
Index numericalRank(std::span<const double> values, double relative = 1e-10);

struct RandomizedOptions {
  Index rank = 64; // values wanted
  Index oversampling = 10;
  Index powers = 2; // passes A Aᵀ that sharpen slowly falling values
  std::uint64_t seed = 0;
  int threads = 0;
};

// B = Qᵀ A for an orthonormal Q (rows × sketch): its singular values are at most those of A.
struct RandomizedSpectrum {
  std::vector<double> values; // of B, min(rank + oversampling, rows, cols) of them
  double frobenius = 0;       // |A|_F
  double residual = 0;        // |A − Q Qᵀ A|_F: what B does not see

  // |A − A_m|_F lies between these, m ≤ values.size().
  double least(Index m) const; // √Σ_{k>m} σ_k(B)²
  double most(Index m) const;  // √(least² + residual²), reached by the truncated Q B
};

// E_RANGE: rank below 1, oversampling or powers below 0; Stopped. O(rows cols (d + sketch) (3 + 2
// powers)) time, O((rows + cols) sketch) memory; the same bits at any number of threads.
RandomizedSpectrum randomizedSpectrum(const ImpliedMatrix<double>& matrix,
                                      const RandomizedOptions& options, const Run& run = {});

} // namespace attention
