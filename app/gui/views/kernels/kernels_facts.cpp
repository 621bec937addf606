#include "app/gui/views/kernels/kernels_view.h"

#include "app/gui/interface/jargon.h"
#include "app/gui/widgets/group_digits.h"
#include "core/analysis/feature_ratio.h"
#include "core/support/number_text.h"
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

void addErrors(Facts& facts, KernelsErrorOf what, const ErrorRows& rows, double baseline) {
  const bool output = what == KernelsErrorOf::Output;
  for (const KernelErrorRow* row : rows) {
    facts.add(labelOf(row->curve), shortNumber(errorOf(*row, what), 2),
              output ? "Median over the repeats of the mean squared error of the output D⁻¹ Q′ "
                       "(K′ᵀ V)"
                     : "Mean squared error of φ(q)·φ(k) − exp(q·k/√d), measured");
    if (output)
      continue;
    facts.add("   expected", shortNumber(row->theory, 2),
              "By Lemma 2 for iid projections, and by its extension to rows of one block for "
              "orthogonal ones");
    if (std::isfinite(row->bound))
      facts.add("   at most", shortNumber(row->bound, 2), "Theorem 2, for m ≤ d");
  }
  if (output)
    facts.add("all-zero output", shortNumber(baseline, 2),
              "The error of an all-zero output: the mean of the squared exact output");
}

// "12 of 128 rows have …" for each number of rows that is not 0.
struct RowWarnings {
  Facts& facts;
  std::string before;
  Index all;

  void operator()(Index rows, const std::string& what) const {
    if (rows > 0)
      facts.warnings.push_back(before + groupDigits(rows) + " of " + counted(all, "row") + " " +
                               what);
  }
};

std::string have(Index rows) {
  return agreeing(rows, "has", "have");
}

// How far each estimate is off after the last layer.
Facts layerFacts(const KernelSweep& sweep) {
  const Index layers = sweep.layers.back().layer;
  Facts facts{"After layer " + groupDigits(layers), {}};
  for (const LayerErrorRow& row : sweep.layers) {
    if (row.layer < layers)
      continue;
    facts.add(labelOf(row.curve), shortNumber(row.error.median, 2),
              "Median over the repeats of |X′ − X| / |X|");
    RowWarnings{facts, labelOf(row.curve) + ": ", sweep.n * sweep.options.repeats}(
        row.flaggedRows, have(row.flaggedRows) + " a normaliser that is 0, negative or not finite");
  }
  return facts;
}

Facts sweepFacts(const KernelsSpec& spec, const KernelSweep& sweep) {
  if (!sweep.layers.empty())
    return layerFacts(sweep);
  const ErrorRows rows = rowsAt(sweep, spec.chosen);
  if (rows.empty())
    return {};
  Facts facts{"At m = " + groupDigits(rows.front()->projections), {}};
  addErrors(facts, errorOfSweep(spec, sweep), rows, sweep.result.baseline);
  for (const KernelErrorRow* row : rows) {
    const RowWarnings warn{facts, labelOf(row->curve) + ": ", sweep.result.rowsCompared};
    warn(row->negativeRows, have(row->negativeRows) + " a negative normaliser");
    warn(row->zeroRows, have(row->zeroRows) + " a normaliser of 0");
    warn(row->nonFiniteRows, "overflowed");
  }
  return facts;
}

void addRowWarnings(Facts& facts, const KernelMatrices& of) {
  const RowWarnings warn{facts, "", of.n};
  const auto their = [](Index rows) { return agreeing(rows, "its", "their"); };
  warn(of.negativeRows, have(of.negativeRows) + " a negative normaliser: " +
                            their(of.negativeRows) + " weights change sign");
  warn(of.zeroRows,
       have(of.zeroRows) + " a normaliser of 0: " + their(of.zeroRows) + " output is zero");
  warn(of.nonFiniteRows, "overflowed");
}

Facts matrixFacts(const KernelsSpec& spec, const KernelMatrices& of) {
  Facts facts{of.label, {}};
  if (of.projections > 0)
    facts.add("projections m", groupDigits(of.projections),
              explained("Rows w of W.", jargon::kProjections));
  facts.add("features", groupDigits(of.features),
            explained("Length of φ(x): 2m for trig and hyperbolic features.", jargon::kFeatures));
  facts.add("|A − Â| / |A|", shortNumber(of.relativeError, 2),
            "Frobenius norms over the shown rows, with all their keys");
  facts.add("negative entries shown", groupDigits(of.negativeEntries),
            "Weights below zero, which softmax never has");
  facts.add(estimatesA(spec) ? "output error" : "difference of outputs",
            shortNumber(of.outputError, 2),
            estimatesA(spec) ? "Mean squared error of this one draw"
                             : "Mean squared difference between both kernels' outputs");
  facts.add("all-zero output", shortNumber(of.baseline, 2),
            "Mean squared error of an all-zero output");
  addRowWarnings(facts, of);
  return facts;
}

Facts normaliserFacts(const KernelMatrices& of) {
  std::vector<double> numbers = of.normalisers;
  std::erase_if(numbers, [](double d) { return std::isnan(d); });
  Facts facts{
      of.label,
      {{"rows below 0", groupDigits(of.negativeRows), explained("dᵢ < 0.", jargon::kNormaliser)},
       {"rows at 0", groupDigits(of.zeroRows), "dᵢ = 0: the output is zero"}}};
  if (const auto median = medianNormaliser(of)) {
    const auto [lowest, highest] = std::minmax_element(numbers.begin(), numbers.end());
    facts.add("lowest", shortNumber(*lowest, 3),
              of.overExact ? "Divided by the exact normaliser" : "Divided by the mean size");
    facts.add("median", shortNumber(*median, 3), "");
    facts.add("highest", shortNumber(*highest, 3), "");
  }
  addRowWarnings(facts, of);
  return facts;
}

Facts ratioFacts(double l) {
  const double angle = equalAngle(l);
  return {
      "Two vectors of length " + shortNumber(l, 3),
      {{"equally good at φ", shortNumber(angle, 3),
        "Below this angle trig features are better, above it positive ones"},
       {"   in degrees", shortNumber(angle * 180 / std::numbers::pi, 3), ""},
       {"kernel there", shortNumber(std::exp(l * l * std::cos(angle)), 3), "SM = exp(ℓ² cos φ)"},
       {"r at a right angle", shortNumber(errorRatio(std::numbers::pi / 2, l), 3),
        "(1 − exp(−2 ℓ²)) / 2, always below 1: trig is better there"},
       {"r at φ = 3", shortNumber(errorRatio(3, l), 2),
        "MSE of trig over MSE of positive features"}}};
}

Facts orderFacts(const ProductShapes& shapes) {
  const ProductOrder matrix = matrixFirst(shapes);
  const ProductOrder values = valuesFirst(shapes);
  return {"Multiplications",
          {{"(Q′ K′ᵀ) V", countWithUnit(matrix.total()), "pairs · (m + d)"},
           {"Q′ (K′ᵀ V)", countWithUnit(values.total()), "2 L m d"},
           {"held: L × L", countWithUnit(matrix.between),
            "Numbers in the matrix between the two products"},
           {"held: m × d", countWithUnit(values.between), "Numbers in K′ᵀ V"},
           {"cheaper from L", groupDigits(breakEvenLength(shapes)),
            "The shortest length at which Q′ (K′ᵀ V) takes fewer multiplications"}}};
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

Facts spectrumFacts(const KernelSpectrum& of, Index rank) {
  const Index m = std::min(rank, of.n);
  Facts facts{"At rank m = " + groupDigits(m),
              {{"best of rank m", shortNumber(bestErrorAt(of, m), 2),
                explained("√Σ σₖ² over k > m, relative to A: no product of an n × m and an m × n "
                          "matrix comes closer.",
                          jargon::kRank)}}};
  for (const RankCurve& curve : of.others)
    if (!curve.points.empty())
      facts.lines.push_back(rankFact(curve, m));
  facts.add("90 % of Σ σ", "first " + groupDigits(valuesHolding(of.values, kMostOfSum)),
            "How many singular values make up 90 % of the sum of all");
  facts.add("numerical rank", groupDigits(numericalRank(of.values)) + " of " + groupDigits(of.n),
            "Singular values above 10⁻¹⁰ of the largest");
  return facts;
}

} // namespace

Facts kernelsFacts(const KernelsSpec& spec, const KernelsAnswer& answer) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    return sweepFacts(spec, *answer.sweep);
  case KernelsPicture::Matrices:
    return matrixFacts(spec, *answer.matrices);
  case KernelsPicture::Normalisers:
    return normaliserFacts(*answer.matrices);
  case KernelsPicture::Ratio:
    return ratioFacts(spec.slice);
  case KernelsPicture::Order:
    return orderFacts(answer.shapes);
  case KernelsPicture::Spectrum:
    return spectrumFacts(*answer.spectrum, spec.chosen);
  }
  return {};
}

} // namespace attention::gui
