// Attention by a general kernel (S3.3): A_ij = K(q_i, k_j) for the keys j of row i, 0 elsewhere;
// out = A V, or D⁻¹ A V with D = diag(d_i), d_i = Σ_j A_ij.
//
//   softmax    exp(x·y / √d)                 normalised, it is softmax attention
//   gaussian   exp(−‖x − y‖² / (2 √d))       softmax = e^{‖x‖²/2√d} · gaussian · e^{‖y‖²/2√d}
//   elu1       φ(x)·φ(y), φ(t) = t + 1 for t > 0, e^t else (Katharopoulos et al. 2020)
//   relu       Σ_t max(x_t, 0) max(y_t, 0)
//
// A pattern is a mask here: a key counts once, however many of its parts have it.
//
// Shapes: q: n_q × d, k: n_k × d, v: n_k × d_v. elu1 and relu over full and causal patterns take
// the linear order of computation; everything else multiplies tiles of the explicit rows.
#pragma once

#include "core/attention/linear_attention.h"
#include "core/pattern/prepared.h"

#include <span>
#include <string_view>

namespace attention {

enum class Kernel { Softmax, Gaussian, Elu1, Relu };

std::span<const std::string_view> kernelNames();
std::string_view name(Kernel kernel); // "softmax" E_UNKNOWN lists the known names.
Kernel kernelNamed(std::string_view name);

struct KernelOptions {
  Kernel kernel = Kernel::Softmax;
  bool normalized = true;
  int threads = 0;
};

// The unnormalised softmax kernel may overflow: such rows are named in nonFiniteRows. Sums of large
// values do not, as long as their means are finite (large_values.h). A row without keys has d_i =
// 0. O(pairs · (d + d_v)), or O(n d d_v) in the linear order. Throws E_SHAPE, E_NONFINITE, Stopped.
template <class T>
KernelAttention<T> kernelAttention(const Prepared& pattern, MatrixView<const T> q,
                                   MatrixView<const T> k, MatrixView<const T> v,
                                   const KernelOptions& options, const Run& run = {});

// The plain twin: A_ij one by one in doubles. The same cases and errors. Slow and simple by design.
KernelAttention<double> kernelReference(const Prepared& pattern, MatrixView<const double> q,
                                        MatrixView<const double> k, MatrixView<const double> v,
                                        const KernelOptions& options, const Run& run = {});

// K(x, y) of two vectors of the same length d. O(d).
double kernelValue(Kernel kernel, std::span<const double> x, std::span<const double> y);

} // namespace attention
