// What to see in the pictures of the Kernels view, in sentences (kernels_figure.h).
#include "core/analysis/feature_ratio.h"
#include "core/support/number_text.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/kernels/kernels_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace attention {
namespace {

using Sentences = std::vector<std::string>;

constexpr double kPlainlyMore = 1.05; // a ratio: less reads "1 times"

// "orthogonal trig": how features are drawn, then which they are, for a sentence.
std::string drawnFeatures(const Estimator& estimator) {
  const std::string label = estimatorCurve(estimator).label; // "trig, orthogonal"
  const std::size_t comma = label.find(", ");
  return comma == std::string::npos ? label
                                    : label.substr(comma + 2) + " " + label.substr(0, comma);
}

// The basis for comparing features: the closed form where redraws miss rare large errors.
struct Compared {
  KernelsErrorOf what;
  bool expected = false;

  Compared(const ErrorRows& rows, KernelsErrorOf of)
      : what(of), expected(of == KernelsErrorOf::Entries &&
                           std::any_of(rows.begin(), rows.end(), [](const KernelErrorRow* row) {
                             return missesTail(*row);
                           })) {}
  double operator()(const KernelErrorRow& row) const {
    return expected ? row.theory : errorOf(row, what);
  }
};

const KernelErrorRow* rowOf(const ErrorRows& rows, FeatureMap map, ProjectionKind kind) {
  for (const KernelErrorRow* row : rows)
    if (row->curve.map == map && row->curve.projection == kind)
      return row;
  return nullptr;
}

std::string times(double ratio) {
  return readableNumber(ratio, 2) + " times";
}

// Over a single key: its weight is 1 whatever the features are.
bool isRounding(const KernelSweep& sweep, double error) {
  constexpr double kRounding = 1e-24; // of squares of doubles
  return error <= kRounding * sweep.result.baseline;
}

// Which features err least, by how much, and whether any is better than nothing.
Sentences readRows(const KernelsSpec& spec, const KernelSweep& sweep, const ErrorRows& rows) {
  Sentences said;
  const KernelsErrorOf what = errorOfSweep(spec, sweep);
  const Compared error(rows, what);
  const auto less = [&](const KernelErrorRow* a, const KernelErrorRow* b) {
    return error(*a) < error(*b);
  };
  const auto [best, worst] = std::minmax_element(rows.begin(), rows.end(), less);
  if (what == KernelsErrorOf::Output && isRounding(sweep, error(**worst))) {
    said.push_back("Only rounding errors are left: all features are exact here.");
    return said;
  }
  const std::string at = "At m = " + groupedDigits((*best)->projections) + ", ";
  const double ratio = error(**worst) / error(**best);
  if (error.expected)
    said.push_back(missedTailText(sweep.result, sweep.options.repeats, (*best)->projections));
  said.push_back(
      at + drawnFeatures((*best)->curve) + " features " +
      (error.expected ? "are expected to have the lowest error" : "have the lowest error") +
      (rows.size() > 1 && std::isfinite(ratio)
           ? "; " + drawnFeatures((*worst)->curve) + " features err " + times(ratio) + " as much."
           : "."));
  if (what == KernelsErrorOf::Output) {
    const double zero = sweep.result.baseline / errorOf(**best, what);
    said.push_back(zero >= kPlainlyMore ? "The best ones have an error " + times(zero) +
                                              " lower than an all-zero output."
                   : zero > 1 ? "The best ones err nearly as much as an all-zero output."
                              : "Yet an all-zero output would err less than any of them.");
  }
  for (const FeatureMap map : {FeatureMap::Trig, FeatureMap::Positive, FeatureMap::Hyperbolic}) {
    const auto* iid = rowOf(rows, map, ProjectionKind::Iid);
    const auto* orthogonal = rowOf(rows, map, ProjectionKind::Orthogonal);
    if (!iid || !orthogonal)
      continue;
    const double gain = error(*iid) / error(*orthogonal);
    if (gain > 1.3 && std::isfinite(gain))
      said.push_back("Orthogonal projections help " + std::string(name(map)) +
                     " features: " + (error.expected ? "an expected error " : "an error ") +
                     times(gain) + " lower than with independent (iid) ones.");
    if (gain < 1 / 1.3)
      said.push_back("Orthogonal projections do not help " + std::string(name(map)) +
                     " features here.");
  }
  return said;
}

// Which curve ends with the least error, and how much of it the layers after the first added.
std::string layersReading(const KernelSweep& sweep) {
  const Index layers = sweep.layers.back().layer;
  const LayerErrorRow& best = *std::min_element(
      sweep.layers.begin(), sweep.layers.end(),
      [&](const LayerErrorRow& a, const LayerErrorRow& b) {
        return a.layer == layers && (b.layer < layers || a.error.median < b.error.median);
      });
  if (!std::isfinite(best.error.median))
    return "No features stay finite through all layers.";
  std::string text = "At m = " + groupedDigits(sweep.options.projections.front()) + ", " +
                     drawnFeatures(best.curve) + " features end with the lowest error";
  const auto first =
      std::find_if(sweep.layers.begin(), sweep.layers.end(), [&](const LayerErrorRow& row) {
        return row.layer == 1 && row.curve == best.curve;
      });
  if (best.layer > 1 && first->error.median > 0)
    text += ": " + times(best.error.median / first->error.median) + " that after the first layer";
  return text + ".";
}

Sentences readErrors(const KernelsSpec& spec, const KernelSweep& sweep) {
  Sentences said;
  if (!sweep.layers.empty())
    said.push_back(layersReading(sweep));
  else if (const ErrorRows rows = rowsAt(sweep, spec.chosen); !rows.empty())
    said = readRows(spec, sweep, rows);
  if (spec.kernel != Kernel::Softmax)
    said.push_back("All curves use features of exp(q·k/√d); the kernel " +
                   std::string(name(spec.kernel)) + " appears only in the matrices.");
  return said;
}

// How far Â is from A, which it estimates or stands beside.
std::string matricesReading(const KernelsSpec& spec, const KernelMatrices& of) {
  const bool less = of.relativeError < 1;
  const std::string size = less ? sharePercent(of.relativeError) + " of A."
                                : times(of.relativeError) + " the size of A.";
  if (!estimatesA(spec))
    return "Two kernels, and neither estimates the other: they differ by " + size;
  constexpr double kFaithful = 0.1;
  return (of.relativeError < kFaithful ? "The estimate keeps the picture: its error is "
          : less                       ? "The estimate's error is "
                 : "The estimate is further from A than a matrix of zeros: its error is ") +
         size;
}

Sentences readMatrices(const KernelsSpec& spec, const KernelMatrices& of) {
  Sentences said{matricesReading(spec, of)};
  if (of.negativeEntries > 0)
    said.emplace_back("Entries below zero are drawn in vermilion: the features do not keep weights "
                      "positive.");
  return said;
}

Sentences readNormalisers(const KernelMatrices& of) {
  Sentences said;
  const Index bad = of.negativeRows + of.zeroRows;
  const auto near = static_cast<Index>(std::count_if(of.normalisers.begin(), of.normalisers.end(),
                                                     [](double d) { return d > 0.8 && d < 1.25; }));
  if (bad > 0)
    said.push_back("A normaliser near zero blows up its row: " + counted(bad, "row") +
                   agreeing(bad, " is", " are") +
                   " at or below zero, and those just above it are not safe.");
  else
    said.push_back("No row is below zero.");
  if (of.overExact)
    said.push_back(sharePercent(static_cast<double>(near) / static_cast<double>(of.n)) +
                   " of the rows lie between 0.8 and 1.25 times the exact normaliser.");
  if (const auto median = vanishingNormaliser(of))
    said.push_back("The median ratio to the exact normaliser is " + readableNumber(*median) +
                   ": for vectors this long, nearly all of the exact sum comes from rare "
                   "projections, and none of those were drawn.");
  return said;
}

std::string ratioReading(double length) {
  return "Trig features win for vectors that point the same way, positive ones at angles beyond " +
         readableNumber(equalAngle(length) * 180 / std::numbers::pi, 3) +
         "° at this length: there the kernel is small, but the errors of trig features are not.";
}

std::string orderReading(const ProductOrder& matrix, const ProductOrder& values, Index from) {
  const double ratio = matrix.total() / values.total();
  if (ratio < 1)
    return "At this length, multiplying K′ᵀ by V first takes more multiplications; it pays off "
           "from L "
           "= " +
           groupedDigits(from) + ".";
  const std::string held = " and never holds the L × L matrix.";
  if (ratio == 1)
    return "Multiplying K′ᵀ by V first takes as many multiplications" + held;
  return "Multiplying K′ᵀ by V first takes " +
         (ratio < kPlainlyMore ? "nearly as many multiplications"
                               : times(ratio) + " fewer multiplications") +
         held;
}

Sentences readOrder(const ProductShapes& shapes) {
  return {orderReading(matrixFirst(shapes), valuesFirst(shapes), breakEvenLength(shapes)),
          "The result is the same, since matrix multiplication is associative; only the softmax "
          "stood in the way."};
}

Sentences readSpectrum(const KernelsSpec& spec, const KernelSpectrum& of) {
  const Index m = std::min(spec.chosen, of.n);
  Sentences said;
  said.push_back("90 % of the sum of the singular values lies in the first " +
                 groupedDigits(valuesHolding(of.values, kMostOfSum)) + " of " +
                 groupedDigits(of.n) + ".");
  if (m >= of.n) {
    said.push_back("A has a rank of at most n = " + groupedDigits(of.n) +
                   ": with m = " + groupedDigits(m) + " nothing needs to be lost.");
    return said;
  }
  said.push_back("Even the best matrix of rank " + groupedDigits(m) + " misses " +
                 sharePercent(bestErrorAt(of, m)) + " of A.");
  said.push_back("Features and projections are drawn without looking at A: they lie above "
                 "this line, which no matrix of that rank can beat.");
  return said;
}

} // namespace

ErrorRows rowsAt(const KernelSweep& sweep, Index chosen) {
  Index nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const KernelErrorRow& row : sweep.result.rows) {
    const double away =
        std::abs(std::log(static_cast<double>(row.projections) / static_cast<double>(chosen)));
    if (away < least) {
      least = away;
      nearest = row.projections;
    }
  }
  ErrorRows rows;
  for (const KernelErrorRow& row : sweep.result.rows)
    if (row.projections == nearest)
      rows.push_back(&row);
  return rows;
}

double errorOf(const KernelErrorRow& row, KernelsErrorOf what) {
  return what == KernelsErrorOf::Output ? row.output.median : row.kernel.mse;
}

Index valuesHolding(std::span<const double> values, double share) {
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  double sum = 0;
  std::size_t most = 0;
  while (most < values.size() && sum < share * total)
    sum += values[most++];
  return static_cast<Index>(most);
}

double bestErrorAt(const KernelSpectrum& of, Index rank) {
  const auto at = static_cast<std::size_t>(rank);
  return at == 0 || at > of.best.size() ? 0 : of.best[at - 1].y;
}

std::vector<std::string> readingOf(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return readErrors(spec, *answer.sweep);
  case KernelsPicture::Matrices:
    return readMatrices(spec, *answer.matrices);
  case KernelsPicture::Normalisers:
    return readNormalisers(*answer.matrices);
  case KernelsPicture::Ratio:
    return {ratioReading(spec.slice)};
  case KernelsPicture::Order:
    return readOrder(answer.shapes);
  case KernelsPicture::Spectrum:
    break;
  }
  return readSpectrum(spec, *answer.spectrum);
}

} // namespace attention
