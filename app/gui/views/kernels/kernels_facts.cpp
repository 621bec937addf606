#include "app/gui/views/kernels/kernels_view.h"

#include "app/gui/interface/jargon.h"
#include "app/gui/widgets/group_digits.h"
#include "core/analysis/feature_ratio.h"
#include "core/support/number_text.h"
#include "core/support/quantile.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/kernels/scene_kernels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attention::gui {
namespace {

std::string labelOf(const Estimator& estimator) {
  return estimatorCurve(estimator).label;
}

void sweepFacts(KernelsShown& shown, const ErrorRows& rows) {
  const KernelSweep& sweep = *shown.answer.sweep;
  const KernelsErrorOf what = errorOfSweep(shown.spec, sweep);
  const bool output = what == KernelsErrorOf::Output;
  for (const KernelErrorRow* row : rows) {
    shown.facts.push_back({labelOf(row->curve), shortNumber(errorOf(*row, what), 2),
                           output ? "Median over the repeats of the mean squared error of the "
                                    "output D⁻¹ Q′ (K′ᵀ V)"
                                  : "Mean squared error of φ(q)·φ(k) − exp(q·k/√d), measured"});
    if (!output)
      shown.facts.push_back({"   expected", shortNumber(row->theory, 2),
                             "By Lemma 2 for iid projections, and by its extension to rows of one "
                             "block for orthogonal ones"});
    if (!output && std::isfinite(row->bound))
      shown.facts.push_back({"   at most", shortNumber(row->bound, 2), "Theorem 2, for m ≤ d"});
  }
  if (output)
    shown.facts.push_back(
        {"all-zero output", shortNumber(sweep.result.baseline, 2),
         "The error of an all-zero output: the mean of the squared exact output"});
}

void sweepWarnings(KernelsShown& shown, const ErrorRows& rows) {
  const Index all = shown.answer.sweep->result.rowsCompared;
  for (const KernelErrorRow* row : rows) {
    const auto warn = [&](Index count, const std::string& what) {
      if (count > 0)
        shown.warnings.push_back(labelOf(row->curve) + ": " + groupDigits(count) + " of " +
                                 counted(all, "row") + " " + what);
    };
    const auto have = [](Index count) { return agreeing(count, "has", "have"); };
    warn(row->negativeRows, have(row->negativeRows) + " a negative normaliser");
    warn(row->zeroRows, have(row->zeroRows) + " a normaliser of 0");
    warn(row->nonFiniteRows, "overflowed");
  }
}

// How far each estimate is off after the last layer.
void addLayers(KernelsShown& shown) {
  const KernelSweep& sweep = *shown.answer.sweep;
  const Index layers = sweep.layers.back().layer;
  shown.factsHeading = "After layer " + groupDigits(layers);
  for (const LayerErrorRow& row : sweep.layers) {
    if (row.layer < layers)
      continue;
    shown.facts.push_back({labelOf(row.curve), shortNumber(row.error.median, 2),
                           "Median over the repeats of |X′ − X| / |X|"});
    if (row.flaggedRows > 0)
      shown.warnings.push_back(labelOf(row.curve) + ": " + groupDigits(row.flaggedRows) + " of " +
                               counted(sweep.n * sweep.options.repeats, "row") +
                               agreeing(row.flaggedRows, " has", " have") +
                               " a normaliser that is 0, negative or not finite");
  }
}

void addSweep(KernelsShown& shown) {
  if (!shown.answer.sweep->layers.empty())
    return addLayers(shown);
  const ErrorRows rows = rowsAt(*shown.answer.sweep, shown.spec.chosen);
  if (rows.empty())
    return;
  shown.factsHeading = "At m = " + groupDigits(rows.front()->projections);
  sweepFacts(shown, rows);
  sweepWarnings(shown, rows);
}

void rowWarnings(KernelsShown& shown, const KernelMatrices& of) {
  const auto warn = [&](Index rows, const std::string& what) {
    if (rows > 0)
      shown.warnings.push_back(groupDigits(rows) + " of " + counted(of.n, "row") + " " + what);
  };
  const auto have = [](Index rows) { return agreeing(rows, "has", "have"); };
  const auto their = [](Index rows) { return agreeing(rows, "its", "their"); };
  warn(of.negativeRows, have(of.negativeRows) + " a negative normaliser: " +
                            their(of.negativeRows) + " weights change sign");
  warn(of.zeroRows,
       have(of.zeroRows) + " a normaliser of 0: " + their(of.zeroRows) + " output is zero");
  warn(of.nonFiniteRows, "overflowed");
}

void addMatrices(KernelsShown& shown) {
  const KernelMatrices& of = *shown.answer.matrices;
  shown.factsHeading = of.label;
  if (of.projections > 0)
    shown.facts.push_back({"projections m", groupDigits(of.projections),
                           explained("Rows w of W.", jargon::kProjections)});
  shown.facts.push_back(
      {"features", groupDigits(of.features),
       explained("Length of φ(x): 2m for trig and hyperbolic features.", jargon::kFeatures)});
  shown.facts.push_back({"|A − Â| / |A|", shortNumber(of.relativeError, 2),
                         "Frobenius norms over the shown rows, with all their keys"});
  shown.facts.push_back({"negative entries shown", groupDigits(of.negativeEntries),
                         "Weights below zero, which softmax never has"});
  shown.facts.push_back({estimatesA(shown.spec) ? "output error" : "difference of outputs",
                         shortNumber(of.outputError, 2),
                         estimatesA(shown.spec)
                             ? "Mean squared error of this one draw"
                             : "Mean squared difference between both kernels' outputs"});
  shown.facts.push_back(
      {"all-zero output", shortNumber(of.baseline, 2), "Mean squared error of an all-zero output"});
  rowWarnings(shown, of);
}

void addNormalisers(KernelsShown& shown) {
  const KernelMatrices& of = *shown.answer.matrices;
  std::vector<double> sorted = of.normalisers;
  std::erase_if(sorted, [](double d) { return std::isnan(d); });
  std::sort(sorted.begin(), sorted.end());
  shown.factsHeading = of.label;
  shown.facts.push_back(
      {"rows below 0", groupDigits(of.negativeRows), explained("dᵢ < 0.", jargon::kNormaliser)});
  shown.facts.push_back({"rows at 0", groupDigits(of.zeroRows), "dᵢ = 0: the output is zero"});
  if (!sorted.empty()) {
    shown.facts.push_back(
        {"lowest", shortNumber(sorted.front(), 3),
         of.overExact ? "Divided by the exact normaliser" : "Divided by the mean size"});
    shown.facts.push_back({"median", shortNumber(quantileOf(sorted, 0.5), 3), ""});
    shown.facts.push_back({"highest", shortNumber(sorted.back(), 3), ""});
  }
  rowWarnings(shown, of);
}

void addRatio(KernelsShown& shown) {
  const double l = shown.spec.slice;
  const double angle = equalAngle(l);
  shown.factsHeading = "Two vectors of length " + shortNumber(l, 3);
  shown.facts.push_back({"equally good at φ", shortNumber(angle, 3),
                         "Below this angle trig features are better, above it positive ones"});
  shown.facts.push_back({"   in degrees", shortNumber(angle * 180 / std::numbers::pi, 3), ""});
  shown.facts.push_back(
      {"kernel there", shortNumber(std::exp(l * l * std::cos(angle)), 3), "SM = exp(ℓ² cos φ)"});
  shown.facts.push_back({"r at a right angle", shortNumber(errorRatio(std::numbers::pi / 2, l), 3),
                         "(1 − exp(−2 ℓ²)) / 2, always below 1: trig is better there"});
  shown.facts.push_back({"r at φ = 3", shortNumber(errorRatio(3, l), 2),
                         "MSE of trig over MSE of positive features"});
}

void addOrder(KernelsShown& shown) {
  const ProductShapes& shapes = shown.answer.shapes;
  const ProductOrder matrix = matrixFirst(shapes);
  const ProductOrder values = valuesFirst(shapes);
  shown.factsHeading = "Multiplications";
  shown.facts.push_back({"(Q′ K′ᵀ) V", countWithUnit(matrix.total()), "pairs · (m + d)"});
  shown.facts.push_back({"Q′ (K′ᵀ V)", countWithUnit(values.total()), "2 L m d"});
  shown.facts.push_back({"held: L × L", countWithUnit(matrix.between),
                         "Numbers in the matrix between the two products"});
  shown.facts.push_back({"held: m × d", countWithUnit(values.between), "Numbers in K′ᵀ V"});
  const Index from = breakEvenLength(shapes);
  shown.facts.push_back({"cheaper from L", groupDigits(from),
                         "The shortest length at which Q′ (K′ᵀ V) takes fewer multiplications"});
}

// A curve at the rank; where it has no point there, at its nearest one by ratio, which is then
// named.
Fact rankFact(const RankCurve& curve, Index rank) {
  const auto away = [&](const Point& point) {
    return std::abs(std::log(point.x / static_cast<double>(rank)));
  };
  const Point& at =
      *std::min_element(curve.points.begin(), curve.points.end(),
                        [&](const Point& a, const Point& b) { return away(a) < away(b); });
  const auto numbers = static_cast<Index>(at.x);
  const std::string label = curve.estimator ? labelOf(*curve.estimator) : "Linformer";
  const std::string words = "|A − Â| / |A| with " + counted(numbers, "number") + " per token";
  return numbers == rank ? Fact{label, shortNumber(at.y, 2), words}
                         : Fact{label + ", m = " + groupDigits(numbers), shortNumber(at.y, 2),
                                words + ", at the nearest point of its curve"};
}

void addSpectrum(KernelsShown& shown) {
  const KernelSpectrum& of = *shown.answer.spectrum;
  const Index m = std::min(shown.spec.chosen, of.n);
  shown.factsHeading = "At rank m = " + groupDigits(m);
  shown.facts.push_back({"best of rank m", shortNumber(bestErrorAt(of, m), 2),
                         explained("√Σ σₖ² over k > m, relative to A: no product of an n × m and "
                                   "an m × n matrix comes closer.",
                                   jargon::kRank)});
  for (const RankCurve& curve : of.others)
    if (!curve.points.empty())
      shown.facts.push_back(rankFact(curve, m));
  shown.facts.push_back({"90 % of Σ σ",
                         "first " + groupDigits(valuesHolding(of.values, kMostOfSum)),
                         "How many singular values make up 90 % of the sum of all"});
  shown.facts.push_back({"numerical rank",
                         groupDigits(numericalRank(of.values)) + " of " + groupDigits(of.n),
                         "Singular values above 10⁻¹⁰ of the largest"});
}

} // namespace

void addKernelsFacts(KernelsShown& shown) {
  switch (shown.spec.picture) {
  case KernelsPicture::Error:
    return addSweep(shown);
  case KernelsPicture::Matrices:
    return addMatrices(shown);
  case KernelsPicture::Normalisers:
    return addNormalisers(shown);
  case KernelsPicture::Ratio:
    return addRatio(shown);
  case KernelsPicture::Order:
    return addOrder(shown);
  case KernelsPicture::Spectrum:
    return addSpectrum(shown);
  }
}

} // namespace attention::gui
