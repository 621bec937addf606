#include "core/views/kernels/kernel_error_figure.h"

#include "core/support/number_text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace attention {
namespace {

constexpr double kMostDecades = 12; // of an axis of errors: beyond, features have clearly failed

NumberAxis axisOfErrors(std::string label, std::vector<double> seen) {
  double least = HUGE_VAL;
  for (const double error : seen)
    if (std::isfinite(error) && error > 0)
      least = std::min(least, error);
  for (double& error : seen)
    error = std::min(error, least * std::pow(10, kMostDecades));
  return axisOver(std::move(label), Scale::Log10, seen);
}

class KernelErrorPlots {
public:
  KernelErrorPlots(const KernelErrorResult& result, const KernelErrorOptions& options,
                   const KernelErrorMarks& marks = {})
      : result_(result), options_(options), marks_(marks) {}

  Plot output() const {
    CurvesMark mark;
    std::vector<double> seen{result_.baseline};
    for (const Estimator& estimator : options_.curves) {
      Curve curve = estimatorCurve(estimator);
      forEachRow(estimator, [&](const KernelErrorRow& row) {
        curve.points.push_back({static_cast<double>(row.projections), row.output.median});
        curve.bands.push_back({row.output.q25, row.output.q75});
        for (const double error : {row.output.q25, row.output.median, row.output.q75})
          seen.push_back(error);
      });
      mark.curves.push_back(std::move(curve));
    }
    mark.x = axisOfProjections();
    mark.y = axisOfErrors("mean squared error of the output", seen);
    mark.curves.push_back(level("all-zero output", result_.baseline, mark.x));
    mark.uprights = uprights();
    return {std::move(mark), std::nullopt, std::nullopt};
  }

  Plot entries() const {
    CurvesMark mark;
    std::vector<double> seen;
    for (const Estimator& estimator : options_.curves) {
      Curve measured = estimatorCurve(estimator);
      measured.dash = Dash::Solid; // dashed is what is expected
      Curve theory = measured;
      theory.label.clear();
      theory.kind = CurveKind::Theory;
      theory.dash = Dash::Dashed;
      forEachRow(estimator, [&](const KernelErrorRow& row) {
        const auto m = static_cast<double>(row.projections);
        measured.points.push_back({m, row.kernel.mse});
        theory.points.push_back({m, row.theory});
        seen.insert(seen.end(), {row.kernel.mse, row.theory});
      });
      mark.curves.push_back(std::move(measured));
      mark.curves.push_back(std::move(theory));
    }
    addBound(mark, seen);
    mark.x = axisOfProjections();
    mark.y = axisOfErrors("mean squared error of the kernel", seen);
    mark.uprights = uprights();
    return {std::move(mark), std::nullopt, std::nullopt};
  }

private:
  // Theorem 2, where v ≤ d.
  void addBound(CurvesMark& mark, std::vector<double>& seen) const {
    Curve bound = estimatorCurve({FeatureMap::Positive, ProjectionKind::Orthogonal, Norms::Chi});
    bound.label = "bound (Theorem 2)";
    bound.kind = CurveKind::Points;
    for (const KernelErrorRow& row : result_.rows)
      if (std::isfinite(row.bound)) {
        bound.points.push_back({static_cast<double>(row.projections), row.bound});
        seen.push_back(row.bound);
      }
    if (!bound.points.empty())
      mark.curves.push_back(std::move(bound));
  }

  std::vector<Upright> uprights() const {
    std::vector<Upright> all;
    if (marks_.chosen)
      all.push_back({static_cast<double>(*marks_.chosen), "m = " + groupedDigits(*marks_.chosen)});
    const auto d = static_cast<double>(marks_.d.value_or(1));
    if (d > 1) // else it is 0, which is not a number of projections
      all.push_back({d * std::log(d), "d ln d ≈ " + readableNumber(d * std::log(d))});
    return all;
  }

  template <class Visit>
  void forEachRow(const Estimator& estimator, Visit visit) const {
    for (const KernelErrorRow& row : result_.rows)
      if (row.curve == estimator)
        visit(row);
  }

  // The whole sweep's from the start, so that growing curves stay in place.
  NumberAxis axisOfProjections() const {
    std::vector<double> values;
    for (const Index m : options_.projections)
      values.push_back(static_cast<double>(m));
    return axisOver("projections m", Scale::Log2, values, /*round=*/false);
  }

  static Curve level(std::string label, double value, const NumberAxis& x) {
    Curve curve;
    curve.label = std::move(label);
    curve.dash = Dash::Dotted;
    curve.kind = CurveKind::Level;
    curve.points = {{x.begin, value}, {x.end, value}};
    return curve;
  }

  const KernelErrorResult& result_;
  const KernelErrorOptions& options_;
  KernelErrorMarks marks_;
};

std::string captionOf(const KernelErrorResult& result, const KernelErrorOptions& options,
                      const std::string& input, bool entries) {
  std::string text = "Median over " + counted(options.repeats, "repeat") +
                     ", band from the lower to the upper quartile.";
  if (entries)
    text += " Right: single entries of the kernel, " +
            std::string(options.allEntries ? "all of them"
                                           : counted(options.pairs, "pair") + " per repeat") +
            "; dashed: their expected error in closed form.";
  if (const std::string missed = entries ? missedTailText(result, options.repeats) : "";
      !missed.empty())
    text += " " + missed;
  return text + (input.empty() ? "" : " Input: " + input + ".");
}

} // namespace

Plot outputErrorPlot(const KernelErrorResult& result, const KernelErrorOptions& options,
                     const KernelErrorMarks& marks) {
  return KernelErrorPlots(result, options, marks).output();
}

std::optional<Plot> entryErrorPlot(const KernelErrorResult& result,
                                   const KernelErrorOptions& options,
                                   const KernelErrorMarks& marks) {
  if (!hasEntries(result))
    return std::nullopt;
  return KernelErrorPlots(result, options, marks).entries();
}

Plot layerErrorPlot(std::span<const LayerErrorRow> rows) {
  CurvesMark mark;
  std::vector<double> layers;
  std::vector<double> seen;
  for (const LayerErrorRow& row : rows) {
    if (row.layer == 1)
      mark.curves.push_back(estimatorCurve(row.curve));
    mark.curves.back().points.push_back({static_cast<double>(row.layer), row.error.median});
    mark.curves.back().bands.push_back({row.error.q25, row.error.q75});
    layers.push_back(static_cast<double>(row.layer));
    seen.insert(seen.end(), {row.error.q25, row.error.median, row.error.q75});
  }
  mark.x = axisOver("layers", Scale::Linear, layers, /*round=*/false);
  mark.x.whole = true;
  mark.y = axisOfErrors("relative error of the output", std::move(seen));
  return {std::move(mark), std::nullopt, std::nullopt};
}

Figure kernelErrorFigure(const KernelErrorResult& result, const KernelErrorOptions& options,
                         const KernelErrorFigureOptions& how) {
  const KernelErrorPlots plots(result, options);
  Figure figure;
  figure.theme = how.theme;
  figure.title = "Error of random features against the number of projections";
  figure.panels.push_back({"", {plots.output()}, {}});
  const bool entries = hasEntries(result);
  if (entries)
    figure.panels.push_back({"", {plots.entries()}, {}});
  figure.caption = captionOf(result, options, how.input, entries);
  figure.source = "After Choromanski et al. 2021, figure 4";
  return figure;
}

bool hasEntries(const KernelErrorResult& result) {
  return std::any_of(result.rows.begin(), result.rows.end(), [](const KernelErrorRow& row) {
    return std::isfinite(row.kernel.mse) && std::isfinite(row.theory);
  });
}

bool entriesOverflow(const KernelsSpec& spec, const KernelSweep& sweep) {
  return spec.errorOf == KernelsErrorOf::Entries && sweep.layers.empty() &&
         sweep.options.stabilize == Stabilize::Off && !hasEntries(sweep.result);
}

KernelsErrorOf errorOfSweep(const KernelsSpec& spec, const KernelSweep& sweep) {
  if (!sweep.layers.empty())
    return KernelsErrorOf::Layers;
  const bool entries = spec.errorOf == KernelsErrorOf::Entries && hasEntries(sweep.result);
  return entries ? KernelsErrorOf::Entries : KernelsErrorOf::Output;
}

bool missesTail(const KernelErrorRow& row) {
  return std::isfinite(row.kernel.mse) && row.theory > 4 * row.kernel.mse;
}

std::string missedTailText(const KernelErrorResult& result, Index repeats,
                           std::optional<Index> at) {
  const KernelErrorRow* worst = nullptr;
  for (const KernelErrorRow& row : result.rows)
    if (missesTail(row) && (!at || row.projections == *at) &&
        (!worst || row.theory * worst->kernel.mse > worst->theory * row.kernel.mse))
      worst = &row;
  if (!worst)
    return "";
  return "The mean of " + groupedDigits(repeats) + (repeats == 1 ? " draw" : " redraws") +
         " misses rare large errors: for " + estimatorCurve(worst->curve).label +
         " features at m = " + groupedDigits(worst->projections) + ", " +
         readableNumber(worst->kernel.mse, 2) + " is measured, " +
         (std::isfinite(worst->theory) ? readableNumber(worst->theory, 2)
                                       : "more than " + powerOfTen(DBL_MAX_10_EXP)) +
         " expected.";
}

Curve estimatorCurve(const Estimator& estimator) {
  const bool iid = estimator.projection == ProjectionKind::Iid;
  Curve curve;
  curve.label = std::string(name(estimator.map)) + ", " + std::string(name(estimator.projection));
  switch (estimator.map) {
  case FeatureMap::Positive:
    curve.hue = iid ? 2 : 0;
    curve.dash = iid ? Dash::Dashed : Dash::Solid;
    break;
  case FeatureMap::Hyperbolic:
    curve.hue = iid ? 6 : 3;
    curve.dash = iid ? Dash::Dashed : Dash::DashDotted;
    break;
  default:
    curve.hue = iid ? 5 : 1;
    curve.dash = iid ? Dash::Dotted : Dash::DashDotted;
  }
  return curve;
}

} // namespace attention
