// Matrices, normalisers, the ratio of errors and singular values as plots (kernels_figure.h).
#include "core/analysis/feature_ratio.h"
#include "core/support/quantile.h"
#include "core/support/text.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/kernels/kernels_figure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attention {
namespace {

constexpr std::size_t kPositiveHue = 2; // green
constexpr std::size_t kNegativeHue = 5; // reddish purple
constexpr std::size_t kZeroHue = 1;
constexpr double kMostLength = 2;      // l of the ratio's map (Performer figure 2)
constexpr double kMostPlotDecades = 3; // of the ratio, on its ramp
constexpr double kExact = 1;           // of a normaliser over the exact one
constexpr Index kMapColumns = 240;
constexpr Index kMapRows = 160;
constexpr Index kSliceSteps = 361;

Plot valuesPlot(const std::shared_ptr<const Matrix<float>>& values, float top, Ramp ramp) {
  const Index cells = values->rows();
  ValuesMark mark;
  mark.values = values;
  mark.cells = {0, cells, 0, cells};
  mark.top = top;
  mark.ramp = ramp;
  return {std::move(mark), Axis{"key j", 0, cells, {}}, Axis{"query i", 0, cells, {}}};
}

// The axis, or a longer one, so that no bar of `values` that it holds seems to be cut.
NumberAxis withHeadroom(NumberAxis axis, const std::vector<double>& values) {
  constexpr double kHeadroom = 0.02; // of the axis
  constexpr int kMostRounds = 4;
  for (int round = 0; round < kMostRounds; ++round) {
    const double gap = kHeadroom * (axis.end - axis.begin);
    double low = axis.begin;
    double high = axis.end;
    for (const double value : values)
      if (value >= axis.begin && value <= axis.end) {
        low = std::min(low, value < 0 ? value - gap : 0);
        high = std::max(high, value + gap);
      }
    if (low == axis.begin && high == axis.end)
      return axis;
    axis = axisOver(axis.label, Scale::Linear, std::vector<double>{low, high});
  }
  return axis;
}

// Most of the values, zero and `level`; a few that lie far out are cut.
NumberAxis axisOfBars(const std::string& label, std::vector<double> values, double level) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty())
    return {label, Scale::Linear, 0, 1};
  std::sort(values.begin(), values.end());
  const double q1 = quantileOf(values, 0.25);
  const double q3 = quantileOf(values, 0.75);
  const double low = std::max(values.front(), q1 - 6 * (q3 - q1));
  const double high = std::min(values.back(), q3 + 6 * (q3 - q1));
  return withHeadroom(axisOver(label, Scale::Linear, std::vector<double>{0, level, low, high}),
                      values);
}

NumberAxis normaliserAxis(const KernelMatrices& matrices) {
  return axisOfBars(matrices.overExact ? "estimated over exact normaliser"
                                       : "normaliser over the mean size",
                    matrices.normalisers, matrices.overExact ? kExact : 0);
}

CurvesMark overAngle(NumberAxis y) {
  CurvesMark mark;
  mark.x = {"angle φ, radians", Scale::Linear, -std::numbers::pi, std::numbers::pi};
  mark.y = std::move(y);
  return mark;
}

template <class Value>
Curve curveOverAngle(Curve curve, Value value) {
  for (Index k = 0; k < kSliceSteps; ++k) {
    const double angle = std::numbers::pi * (2 * static_cast<double>(k) / (kSliceSteps - 1) - 1);
    curve.points.push_back({angle, value(angle)});
  }
  return curve;
}

Curve lineOf(const std::string& label, std::size_t hue, Dash dash, CurveKind kind) {
  Curve curve;
  curve.label = label;
  curve.hue = hue;
  curve.dash = dash;
  curve.kind = kind;
  return curve;
}

Curve levelAt(const std::string& label, const NumberAxis& x, double value) {
  Curve curve = lineOf(label, 0, Dash::Dotted, CurveKind::Level);
  curve.points = {{x.begin, value}, {x.end, value}};
  return curve;
}

Curve estimatorLine(FeatureMap map) {
  Curve curve = estimatorCurve({map, ProjectionKind::Orthogonal, Norms::Chi});
  curve.label = name(map);
  curve.dash = map == FeatureMap::Trig ? Dash::Dashed : Dash::Solid;
  return curve;
}

} // namespace

std::vector<Plot> matrixPlots(const KernelMatrices& matrices) {
  return {valuesPlot(matrices.exact, matrices.top, Ramp::Signed),
          valuesPlot(matrices.estimate, matrices.top, Ramp::Signed),
          valuesPlot(matrices.error, matrices.top, Ramp::Errors)};
}

Plot normaliserPlot(const KernelMatrices& matrices) {
  Curve above = lineOf("", kPositiveHue, Dash::Solid, CurveKind::Bars);
  Curve below = lineOf("", kNegativeHue, Dash::Solid, CurveKind::Bars);
  Curve zero = lineOf("", kZeroHue, Dash::Solid, CurveKind::Points);
  for (std::size_t i = 0; i < matrices.normalisers.size(); ++i) {
    const double d = matrices.normalisers[i];
    Curve& of = d == 0 ? zero : d < 0 ? below : above;
    of.points.push_back({static_cast<double>(i), d});
  }
  CurvesMark mark;
  mark.x = {"query i", Scale::Linear, -0.5, static_cast<double>(matrices.n) - 0.5, true};
  mark.y = normaliserAxis(matrices);
  if (matrices.overExact)
    mark.curves.push_back(levelAt("exact", mark.x, kExact));
  for (Curve* curve : {&above, &below, &zero})
    mark.curves.push_back(std::move(*curve));
  return {std::move(mark), std::nullopt, std::nullopt};
}

Index cutNormalisers(const KernelMatrices& matrices) {
  const NumberAxis axis = normaliserAxis(matrices);
  return std::count_if(matrices.normalisers.begin(), matrices.normalisers.end(), [&](double d) {
    return d < axis.begin || d > axis.end; // infinite ones too, none that is no number
  });
}

Plot ratioPlot(double slice) {
  CurvesMark mark = overAngle({"length ℓ of q and k", Scale::Linear, -kMostLength, kMostLength});
  mark.field =
      Field{std::make_shared<const Matrix<float>>(logRatioMap(kMapRows, kMapColumns, kMostLength)),
            Ramp::Diverging,
            static_cast<float>(kMostPlotDecades),
            "φ",
            "ℓ",
            "r",
            true};
  mark.curves.push_back(levelAt("ℓ = " + shortest(slice), mark.x, slice));
  mark.aspect = 0.66;
  return {std::move(mark), std::nullopt, std::nullopt};
}

Plot slicePlot(double slice) {
  CurvesMark mark = overAngle({"ratio r at ℓ = " + shortest(slice), Scale::Log10, 1e-3, 1e3});
  mark.curves.push_back(curveOverAngle(lineOf("r", kNegativeHue, Dash::Solid, CurveKind::Data),
                                       [&](double angle) { return errorRatio(angle, slice); }));
  mark.curves.push_back(levelAt("equally good", mark.x, 1));
  mark.aspect = 0.66;
  return {std::move(mark), std::nullopt, std::nullopt};
}

Plot sliceErrorsPlot(double slice, Index projections) {
  CurvesMark mark = overAngle({});
  std::vector<double> seen;
  const auto add = [&](FeatureMap map, double AngleErrors::*of) {
    mark.curves.push_back(curveOverAngle(estimatorLine(map), [&](double angle) {
      seen.push_back(errorsAt(angle, slice, projections).*of);
      return seen.back();
    }));
  };
  add(FeatureMap::Positive, &AngleErrors::positive);
  add(FeatureMap::Trig, &AngleErrors::trig);
  // Both fall to zero somewhere: some decades below the largest are enough, where they hold the
  // crossing and the top of trig features.
  const double most = *std::max_element(seen.begin(), seen.end());
  const double trig = *std::max_element(seen.begin() + kSliceSteps, seen.end());
  const double equal = errorsAt(equalAngle(slice), slice, projections).trig;
  mark.y = axisOver("MSE, m = " + std::to_string(projections), Scale::Log10,
                    std::vector<double>{std::min({most * 1e-5, trig / 10, equal / 10}), most});
  mark.aspect = 0.66;
  return {std::move(mark), std::nullopt, std::nullopt};
}

Plot singularValuesPlot(const KernelSpectrum& spectrum) {
  CurvesMark mark;
  mark.x = {"k", Scale::Linear, 0, static_cast<double>(spectrum.n), true};
  mark.y = {"share", Scale::Linear, 0, 1};
  Curve cumulative = lineOf("(σ₁ + … + σₖ) / Σ σ", 0, Dash::Solid, CurveKind::Data);
  Curve single = lineOf("σₖ / σ₁", 1, Dash::Dashed, CurveKind::Data);
  double total = 0;
  for (const double value : spectrum.values)
    total += value;
  double sum = 0;
  for (std::size_t k = 0; k < spectrum.values.size(); ++k) {
    sum += spectrum.values[k];
    const auto x = static_cast<double>(k + 1);
    cumulative.points.push_back({x, sum / total});
    single.points.push_back({x, spectrum.values[k] / spectrum.values.front()});
  }
  mark.curves = {std::move(cumulative), std::move(single)};
  mark.aspect = 0.7;
  return {std::move(mark), std::nullopt, std::nullopt};
}

Plot rankErrorPlot(const KernelSpectrum& spectrum) {
  CurvesMark mark;
  std::vector<double> seen;
  std::vector<double> ranks{static_cast<double>(spectrum.n)};
  Curve best = lineOf("best of rank m", 7, Dash::Solid, CurveKind::Data);
  best.points = spectrum.best;
  mark.curves.push_back(std::move(best));
  for (const RankCurve& of : spectrum.others) {
    Curve curve = of.estimator ? estimatorCurve(*of.estimator)
                               : lineOf("Linformer, k = m", 3, Dash::Solid, CurveKind::Data);
    curve.points = of.points;
    for (const Point& point : of.points) {
      seen.push_back(point.y);
      ranks.push_back(point.x);
    }
    mark.curves.push_back(std::move(curve));
  }
  const auto rankSeen = [&](const Point& p) {
    return p.x <= 0.8 * static_cast<double>(spectrum.n);
  };
  for (const Point& point : spectrum.best)
    if (rankSeen(point) && point.y > 1e-6)
      seen.push_back(point.y);
  ranks.push_back(1);
  mark.x = axisOver("rank, or features m", Scale::Log2, ranks, /*round=*/false);
  for (double& error : seen)
    error = std::min(error, 1e3); // beyond that, features have clearly failed
  mark.y = axisOver("|A − Â| / |A|, Frobenius", Scale::Log10, seen);
  mark.aspect = 0.7;
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace attention
