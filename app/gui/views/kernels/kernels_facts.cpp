#include "app/gui/views/kernels/kernels_shown.h"

#include "app/gui/interface/jargon.h"
#include "app/gui/widgets/group_digits.h"
#include "core/analysis/feature_ratio.h"
#include "core/support/number_text.h"
#include "core/support/quantile.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/kernels/scene_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attention::gui {
namespace {

using Rows = std::vector<const KernelErrorRow*>;

constexpr double kPlainlyMore = 1.05; // a ratio: less reads "1 times"

std::string labelOf(const Estimator& estimator) {
  return estimatorCurve(estimator).label;
}

// "orthogonal trig": how features are drawn, then which they are, for a sentence.
std::string drawnFeatures(const Estimator& estimator) {
  const std::string label = labelOf(estimator); // "trig, orthogonal"
  const std::size_t comma = label.find(", ");
  return comma == std::string::npos ? label
                                    : label.substr(comma + 2) + " " + label.substr(0, comma);
}

// The rows of the number of projections that is nearest to the chosen one, by its ratio.
Rows rowsAt(const KernelSweep& sweep, Index chosen) {
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
  Rows rows;
  for (const KernelErrorRow& row : sweep.result.rows)
    if (row.projections == nearest)
      rows.push_back(&row);
  return rows;
}

double errorOf(const KernelErrorRow& row, KernelsErrorOf what) {
  return what == KernelsErrorOf::Output ? row.output.median : row.kernel.mse;
}

// The basis for comparing features: the closed form where redraws miss rare large errors.
struct Compared {
  KernelsErrorOf what;
  bool expected = false;

  Compared(const Rows& rows, KernelsErrorOf of)
      : what(of), expected(of == KernelsErrorOf::Entries &&
                           std::any_of(rows.begin(), rows.end(), [](const KernelErrorRow* row) {
                             return missesTail(*row);
                           })) {}
  double operator()(const KernelErrorRow& row) const {
    return expected ? row.theory : errorOf(row, what);
  }
};

const KernelErrorRow* rowOf(const Rows& rows, FeatureMap map, ProjectionKind kind) {
  for (const KernelErrorRow* row : rows)
    if (row->curve.map == map && row->curve.projection == kind)
      return row;
  return nullptr;
}

std::string times(double ratio) {
  return shortNumber(ratio, 2) + " times";
}

void sweepFacts(KernelsShown& shown, const Rows& rows) {
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

void sweepWarnings(KernelsShown& shown, const Rows& rows) {
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

// Over a single key: its weight is 1 whatever the features are.
bool isRounding(const KernelSweep& sweep, double error) {
  constexpr double kRounding = 1e-24; // of squares of doubles
  return error <= kRounding * sweep.result.baseline;
}

// Which features err least, by how much, and whether any is better than nothing.
void sweepReading(KernelsShown& shown, const Rows& rows) {
  const KernelSweep& sweep = *shown.answer.sweep;
  const KernelsErrorOf what = errorOfSweep(shown.spec, sweep);
  const Compared error(rows, what);
  const auto less = [&](const KernelErrorRow* a, const KernelErrorRow* b) {
    return error(*a) < error(*b);
  };
  const auto [best, worst] = std::minmax_element(rows.begin(), rows.end(), less);
  if (what == KernelsErrorOf::Output && isRounding(sweep, error(**worst))) {
    shown.reading.push_back("Only rounding errors are left: all features are exact here.");
    return;
  }
  const std::string at = "At m = " + groupDigits((*best)->projections) + ", ";
  const double ratio = error(**worst) / error(**best);
  if (error.expected)
    shown.reading.push_back(
        missedTailText(sweep.result, sweep.options.repeats, (*best)->projections));
  shown.reading.push_back(
      at + drawnFeatures((*best)->curve) + " features " +
      (error.expected ? "are expected to have the lowest error" : "have the lowest error") +
      (rows.size() > 1 && std::isfinite(ratio)
           ? "; " + drawnFeatures((*worst)->curve) + " features err " + times(ratio) + " as much."
           : "."));
  if (what == KernelsErrorOf::Output) {
    const double zero = sweep.result.baseline / errorOf(**best, what);
    shown.reading.push_back(zero >= kPlainlyMore ? "The best ones err " + times(zero) +
                                                       " less than an all-zero output."
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
      shown.reading.push_back(
          "Orthogonal projections help " + std::string(name(map)) + " features: " + times(gain) +
          " less " + (error.expected ? "expected " : "") + "error than independent (iid) ones.");
    if (gain < 1 / 1.3)
      shown.reading.push_back("Orthogonal projections do not help " + std::string(name(map)) +
                              " features here.");
  }
}

// Which curve ends with the least error, and how much of it the layers after the first added.
std::string layersReading(const KernelSweep& sweep, const LayerErrorRow& best) {
  if (!std::isfinite(best.error.median))
    return "No features stay finite through all layers.";
  std::string text = "At m = " + groupDigits(sweep.options.projections.front()) + ", " +
                     drawnFeatures(best.curve) + " features end with the lowest error";
  const auto first =
      std::find_if(sweep.layers.begin(), sweep.layers.end(), [&](const LayerErrorRow& row) {
        return row.layer == 1 && row.curve == best.curve;
      });
  if (best.layer > 1 && first->error.median > 0)
    text += ": " + times(best.error.median / first->error.median) + " that after the first layer";
  return text + ".";
}

// How far each estimate is off after the last layer.
void addLayers(KernelsShown& shown) {
  const KernelSweep& sweep = *shown.answer.sweep;
  const Index layers = sweep.layers.back().layer;
  shown.factsHeading = "After layer " + groupDigits(layers);
  const LayerErrorRow* best = nullptr;
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
    if (!best || row.error.median < best->error.median)
      best = &row;
  }
  shown.reading.push_back(layersReading(sweep, *best));
}

void addSweep(KernelsShown& shown) {
  if (!shown.answer.sweep->layers.empty())
    return addLayers(shown);
  const Rows rows = rowsAt(*shown.answer.sweep, shown.spec.chosen);
  if (rows.empty())
    return;
  shown.factsHeading = "At m = " + groupDigits(rows.front()->projections);
  sweepFacts(shown, rows);
  sweepWarnings(shown, rows);
  sweepReading(shown, rows);
}

void addErrors(KernelsShown& shown) {
  addSweep(shown);
  if (shown.spec.kernel != Kernel::Softmax)
    shown.reading.push_back("All curves use features of exp(q·k/√d); the kernel " +
                            std::string(name(shown.spec.kernel)) +
                            " appears only in the matrices.");
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

// How far Â is from A, which it estimates or stands beside.
std::string matricesReading(const KernelsSpec& spec, const KernelMatrices& of) {
  const bool less = of.relativeError < 1;
  const std::string size =
      less ? percent(of.relativeError) + " of A." : times(of.relativeError) + " the size of A.";
  if (!estimatesA(spec))
    return "Two kernels, and neither estimates the other: they differ by " + size;
  return (less ? "The estimate keeps the picture: its error is "
               : "The estimate is further from A than a matrix of zeros: its error is ") +
         size;
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
  shown.reading.push_back(matricesReading(shown.spec, of));
  if (of.negativeEntries > 0)
    shown.reading.push_back("Entries below zero are drawn in vermilion: the features do not keep "
                            "weights positive.");
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
  const Index bad = of.negativeRows + of.zeroRows;
  const auto near = static_cast<Index>(
      std::count_if(sorted.begin(), sorted.end(), [](double d) { return d > 0.8 && d < 1.25; }));
  if (bad > 0)
    shown.reading.push_back("A normaliser near zero blows up its row: " + counted(bad, "row") +
                            agreeing(bad, " is", " are") +
                            " at or below zero, and those just above it are not safe.");
  else
    shown.reading.push_back("No row is below zero.");
  if (of.overExact)
    shown.reading.push_back(percent(static_cast<double>(near) / static_cast<double>(of.n)) +
                            " of the rows lie between 0.8 and 1.25 times the exact normaliser.");
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
  shown.reading.push_back(
      "Trig features win for vectors that point the same way, positive ones at angles beyond " +
      shortNumber(angle * 180 / std::numbers::pi, 3) +
      "° at this length: there the kernel is small, but the errors of trig features are not.");
}

std::string orderReading(const ProductOrder& matrix, const ProductOrder& values, Index from) {
  const double ratio = matrix.total() / values.total();
  if (ratio < 1)
    return "At this length, multiplying K′ᵀ by V first takes more multiplications; it pays off "
           "from L "
           "= " +
           groupDigits(from) + ".";
  const std::string held = " and never holds the L × L matrix.";
  if (ratio == 1)
    return "Multiplying K′ᵀ by V first takes as many multiplications" + held;
  return "Multiplying K′ᵀ by V first takes " +
         (ratio < kPlainlyMore ? "nearly as many multiplications"
                               : times(ratio) + " fewer multiplications") +
         held;
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
  shown.reading.push_back(orderReading(matrix, values, from));
  shown.reading.push_back("The result is the same, since matrix multiplication is associative; "
                          "only the softmax stood in the way.");
}

double bestAt(const KernelSpectrum& of, Index rank) {
  const auto at = static_cast<std::size_t>(rank);
  return at == 0 || at > of.best.size() ? 0 : of.best[at - 1].y;
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
  double total = 0;
  for (const double value : of.values)
    total += value;
  double sum = 0;
  Index most = 0;
  while (most < static_cast<Index>(of.values.size()) && sum < 0.9 * total)
    sum += of.values[static_cast<std::size_t>(most++)];
  shown.factsHeading = "At rank m = " + groupDigits(m);
  shown.facts.push_back({"best of rank m", shortNumber(bestAt(of, m), 2),
                         explained("√Σ σₖ² over k > m, relative to A: no product of an n × m and "
                                   "an m × n matrix comes closer.",
                                   jargon::kRank)});
  for (const RankCurve& curve : of.others)
    if (!curve.points.empty())
      shown.facts.push_back(rankFact(curve, m));
  shown.facts.push_back({"90 % of Σ σ", "first " + groupDigits(most),
                         "How many singular values make up 90 % of the sum of all"});
  shown.facts.push_back({"numerical rank",
                         groupDigits(numericalRank(of.values)) + " of " + groupDigits(of.n),
                         "Singular values above 10⁻¹⁰ of the largest"});
  shown.reading.push_back("90 % of the sum of the singular values lies in the first " +
                          groupDigits(most) + " of " + groupDigits(of.n) + ".");
  if (m >= of.n) {
    shown.reading.push_back("A has a rank of at most n = " + groupDigits(of.n) +
                            ": with m = " + groupDigits(m) + " nothing needs to be lost.");
    return;
  }
  shown.reading.push_back("Even the best matrix of rank " + groupDigits(m) + " misses " +
                          percent(bestAt(of, m)) + " of A.");
  shown.reading.push_back("Features and projections are drawn without looking at A: they lie above "
                          "this line, which no matrix of that rank can beat.");
}

} // namespace

void addKernelsFacts(KernelsShown& shown) {
  switch (shown.spec.picture) {
  case KernelsPicture::Error:
    return addErrors(shown);
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
