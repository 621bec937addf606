// Random features (S7): vectors φ(x) of length m with E φ(x)·φ(y) = K(x, y), so that attention by
// the kernel K is attention by an inner product, which takes O(n m d) time. x̄ = x / d^¼, so that
// SM(x̄, ȳ) = exp(x·y / √d); v projections w_a, h = ‖x̄‖²/2:
//
//   trig           e^h v^−½ [cos w_a·x̄ …, sin w_a·x̄ …]          m = 2v   unbiased for SM
//   gaussian_trig  v^−½ [cos …, sin …]                            m = 2v   exp(−‖x̄ − ȳ‖²/2)
//   positive       e^−h v^−½ [exp(w_a·x̄) …]   (FAVOR+)           m = v    SM
//   hyperbolic     e^−h (2v)^−½ [exp(w_a·x̄) …, exp(−w_a·x̄) …]   m = 2v   SM
//   relu           max(0, v^−½ w_a·x̄) + eps                       m = v    generalised attention
//   elu1           elu(x) + 1 on the unscaled x, without W        m = d
//
// Choromanski et al. 2021; Katharopoulos et al. 2020. Features overflow for long vectors;
// stabilisers (S7.5) subtract a maximum before exp, which cancels in D⁻¹ A V while eps is 0:
//
//   reference  the row's max_a w_a·x̄ for queries, that of all keys for keys (Performer's code);
//              trig: e^h over its maximum. Only prevents overflow: rows may underflow to zero.
//   robust     the maximum of the whole exponent: no query row is empty.
#pragma once

#include "core/attention/linear_attention.h"
#include "core/support/run.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace attention {

enum class FeatureMap { Trig, GaussianTrig, Positive, Hyperbolic, Relu, Elu1 };
enum class Stabilize { Off, Reference, Robust };
enum class FeatureRole { Query, Key };

std::span<const std::string_view> featureMapNames();
std::string_view name(FeatureMap map); // "gaussian_trig"
std::string_view name(Stabilize stabilize);
// E_UNKNOWN and E_RANGE list the known names.
FeatureMap featureMapNamed(std::string_view name);
Stabilize stabilizeNamed(std::string_view name);

// m for v projections; elu1, and relu without projections, have one feature per column.
Index featureCount(FeatureMap map, Index projections, Index d);
// Whether the map takes projections: all but elu1.
bool takesProjections(FeatureMap map);
// Whether a stabiliser changes its features: those with a factor that may overflow.
bool takesStabiliser(FeatureMap map);
// Whether eps is added to its features: exponentials and relu.
bool takesEps(FeatureMap map);

struct FeatureOptions {
  FeatureMap map = FeatureMap::Positive;
  Stabilize stabilize = Stabilize::Off;
  std::optional<double> eps;       // added to every exponential or relu; relu 0.001, else 0
  std::optional<bool> scaleInputs; // x̄ instead of x; all but elu1

  double currentEps() const { return eps.value_or(map == FeatureMap::Relu ? 0.001 : 0.0); }
  bool scaled() const { return scaleInputs.value_or(map != FeatureMap::Elu1); }
};

// E_NONFINITE, E_RANGE where eps cannot be added to features: the same that featuresOf refuses.
void checkEps(double eps);

// φ of the rows of x (n × d), computed on demand. W: v × d, empty for elu1 and for relu on x̄
// itself. The views must outlive the source; W is copied. Keys with a stabiliser are scanned once,
// O(n v d). E_SHAPE, E_RANGE (eps < 0), E_NONFINITE (eps, W), E_TYPE (W is missing).
template <class T>
FeatureSource<T> featuresOf(MatrixView<const T> x, const Matrix<double>& w,
                            const FeatureOptions& options, FeatureRole role, int threads = 0,
                            const Run& run = {});

// The same for keys in linearAttentionInto: exponentials are stabilised as they come, trig's keys
// are scanned first. Lifetimes and errors as featuresOf.
template <class T>
KeySource<T> keyFeaturesOf(MatrixView<const T> x, const Matrix<double>& w,
                           const FeatureOptions& options, int threads = 0, const Run& run = {});

// Writes all rows to `out`: n × m.
template <class T>
void writeFeatures(const FeatureSource<T>& source, MatrixView<T> out, int threads = 0,
                   const Run& run = {});

// All rows: n × m.
template <class T>
Matrix<T> featureMatrix(const FeatureSource<T>& source, int threads = 0, const Run& run = {});

} // namespace attention
