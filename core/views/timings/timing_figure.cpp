#include "core/views/timings/timing_figure.h"

#include "core/analysis/timing/timing_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

class TimingPlots {
public:
  TimingPlots(const Timings& timings, const TimingFigureOptions& options)
      : timings_(timings), options_(options) {}

  Plot seconds() const {
    CurvesMark mark;
    std::vector<double> seen;
    for (std::size_t m = 0; m < options_.names.size(); ++m)
      addSeconds(m, mark, seen);
    for (const TimingCrossover& crossover : timings_.crossovers)
      mark.named.push_back({{crossover.at.n, secondsAt(crossover)},
                            "n ≈ " + groupedDigits(std::lround(crossover.at.n))});
    mark.x = axisOfSizes();
    mark.y = axisOver("seconds", Scale::Log10, seen);
    return telling(std::move(mark), secondsWords());
  }

  Plot shares() const {
    CurvesMark mark;
    std::vector<double> seen{0};
    for (std::size_t m = 0; m < options_.names.size(); ++m) {
      Curve curve = methodCurve(m);
      curve.label = options_.names[m];
      forEachRow(m, [&](const TimingRow& row) {
        if (abovePeak(row))
          return;
        curve.points.push_back({static_cast<double>(row.n), 100 * row.peakShare});
        seen.push_back(100 * row.peakShare);
      });
      mark.curves.push_back(std::move(curve));
    }
    mark.x = axisOfSizes();
    mark.y = axisOver("% of the FMA peak", Scale::Linear, seen);
    if (seen.size() == 1) // nothing is measured
      mark.y.end = 100;
    return telling(std::move(mark), sharesWords());
  }

private:
  template <class Visit>
  void forEachRow(std::size_t method, Visit visit) const {
    for (const TimingRow& row : timings_.rows)
      if (row.method == method)
        visit(row);
  }

  void addSeconds(std::size_t m, CurvesMark& mark, std::vector<double>& seen) const {
    Curve measured = methodCurve(m);
    Curve fitted = measured;
    fitted.kind = CurveKind::Theory;
    Curve predicted = fitted;
    fitted.dash = Dash::Dashed;
    predicted.dash = Dash::Dotted;
    measured.label = options_.names[m];
    const TimingExponent* exponent = exponentOf(m);
    if (exponent)
      measured.fitted = "n" + raised(fixed(exponent->measured.exponent, 2));
    forEachRow(m, [&](const TimingRow& row) {
      const auto n = static_cast<double>(row.n);
      measured.points.push_back({n, row.seconds.median});
      measured.bands.push_back({row.seconds.q1, row.seconds.q3});
      predicted.points.push_back({n, row.predicted});
      if (exponent && row.n >= exponent->measured.from && row.n <= exponent->measured.to)
        fitted.points.push_back({n, exponent->measured.at(row.n)});
      seen.insert(seen.end(), {row.seconds.q1, row.seconds.q3, row.predicted});
    });
    mark.curves.push_back(std::move(measured));
    mark.curves.push_back(std::move(fitted));
    mark.curves.push_back(std::move(predicted));
  }

  static Plot telling(CurvesMark mark, std::vector<PlaceWords> words) {
    Plot plot{std::move(mark), std::nullopt, std::nullopt};
    plot.told = [words = std::move(words)] { return words; };
    return plot;
  }

  static PlaceWords pointOf(const TimingRow& row, double value, std::string words) {
    return {{static_cast<double>(row.n), value, 0, 0}, std::move(words)};
  }

  // Where points are as close, what was measured comes before the lines that explain it.
  std::vector<PlaceWords> secondsWords() const {
    std::vector<PlaceWords> measured;
    std::vector<PlaceWords> lines;
    for (const TimingRow& row : timings_.rows) {
      const std::string& name = options_.names[row.method];
      const std::string size = "\nn = " + groupedDigits(row.n) + ": ";
      measured.push_back(pointOf(row, row.seconds.median, rowText(row, name)));
      lines.push_back(pointOf(row, row.predicted,
                              name + size + secondsText(row.predicted) + " by the cost model"));
      const TimingExponent* exponent = exponentOf(row.method);
      if (exponent && row.n >= exponent->measured.from && row.n <= exponent->measured.to) {
        const double fitted = exponent->measured.at(row.n);
        lines.push_back(pointOf(row, fitted,
                                name + size + secondsText(fitted) + " by the fitted n" +
                                    raised(fixed(exponent->measured.exponent, 2))));
      }
    }
    measured.insert(measured.end(), lines.begin(), lines.end());
    return measured;
  }

  std::vector<PlaceWords> sharesWords() const {
    std::vector<PlaceWords> words;
    for (const TimingRow& row : timings_.rows)
      if (!abovePeak(row))
        words.push_back(
            pointOf(row, 100 * row.peakShare, rowText(row, options_.names[row.method])));
    return words;
  }

  const TimingExponent* exponentOf(std::size_t method) const {
    const auto at = std::find_if(timings_.exponents.begin(), timings_.exponents.end(),
                                 [&](const TimingExponent& of) { return of.method == method; });
    return at == timings_.exponents.end() ? nullptr : &*at;
  }

  // On the line between the medians of the sizes around it.
  double secondsAt(const TimingCrossover& crossover) const {
    const TimingRow* before = nullptr;
    const TimingRow* after = nullptr;
    forEachRow(crossover.below, [&](const TimingRow& row) {
      if (static_cast<double>(row.n) <= crossover.at.n)
        before = &row;
      else if (!after)
        after = &row;
    });
    if (!before || !after)
      return before ? before->seconds.median : after ? after->seconds.median : 0;
    const auto ln = [](auto x) { return std::log(static_cast<double>(x)); };
    const double share = (ln(crossover.at.n) - ln(before->n)) / (ln(after->n) - ln(before->n));
    return std::exp(ln(before->seconds.median) +
                    share * (ln(after->seconds.median) - ln(before->seconds.median)));
  }

  // Whether every mechanism leaves out this size.
  bool isLeftOut(Index n) const {
    const auto at = [n](const TimingOmission& of) { return of.n == n; };
    const auto left = std::count_if(timings_.omitted.begin(), timings_.omitted.end(), at);
    return left == static_cast<std::ptrdiff_t>(options_.names.size());
  }

  NumberAxis axisOfSizes() const {
    std::vector<double> values;
    for (const Index n : options_.sizes)
      if (!isLeftOut(n))
        values.push_back(static_cast<double>(n));
    return axisOver("n", Scale::Log2, values, /*round=*/false);
  }

  const Timings& timings_;
  const TimingFigureOptions& options_;
};

// The largest value of any row.
Index samplesOf(const Timings& timings) {
  Index most = 0;
  for (const TimingRow& row : timings.rows)
    most = std::max(most, row.seconds.samples);
  return most;
}

std::string captionOf(const Timings& timings, const TimingFigureOptions& options) {
  std::string text =
      "Median of " + std::to_string(samplesOf(timings)) + " interleaved samples on " +
      std::to_string(options.threads) + (options.threads == 1 ? " thread" : " threads") +
      ", d = " + std::to_string(options.d) +
      ", band from the lower to the upper quartile. Dashed: the fitted power law. "
      "Dotted: the cost model scaled to match at the largest size. Beside it: useful operations "
      "per second as a share of the machine's peak of fused multiply-adds, " +
      fixed(timings.peakGflops, 1) + " GFLOP/s (" + vectorsText(timings) +
      "), measured between the same samples.";
  const std::string doubts = doubtsText(timings, options.names);
  return doubts.empty() ? text : text + " " + doubts;
}

} // namespace

Plot timePlot(const Timings& timings, const TimingFigureOptions& options) {
  return TimingPlots(timings, options).seconds();
}

Plot peakSharePlot(const Timings& timings, const TimingFigureOptions& options) {
  return TimingPlots(timings, options).shares();
}

Figure timingFigure(const Timings& timings, const TimingFigureOptions& options) {
  Figure figure;
  figure.theme = options.theme;
  figure.title = "Time of attention against n, measured on this machine";
  figure.panels.push_back({"", {timePlot(timings, options)}, {}});
  figure.panels.push_back({"", {peakSharePlot(timings, options)}, {}});
  figure.caption = captionOf(timings, options);
  return figure;
}

CsvTable timingTable(const Timings& timings, std::span<const std::string> names) {
  CsvTable table{{"mechanism", "n", "median", "q1", "q3", "minimum", "samples", "gflops",
                  "peak_share", "predicted", "choosing", "attending", "pairs", "flops",
                  "useful_flops", "bytes"},
                 {}};
  for (const TimingRow& row : timings.rows)
    table.rows.push_back(
        {csvText(names[row.method]), std::to_string(row.n), csvNumber(row.seconds.median),
         csvNumber(row.seconds.q1), csvNumber(row.seconds.q3), csvNumber(row.seconds.minimum),
         std::to_string(row.seconds.samples), csvNumber(row.gflops), csvNumber(row.peakShare),
         csvNumber(row.predicted), row.chooses ? csvNumber(row.choosing.median) : "",
         csvNumber(row.attending.median), row.work.pairs ? std::to_string(*row.work.pairs) : "",
         csvNumber(row.work.flops), csvNumber(row.work.usefulFlops), csvNumber(row.work.bytes)});
  return table;
}

Curve methodCurve(std::size_t method) {
  static constexpr std::array kDashes{Dash::Solid, Dash::DashDotted, Dash::Dashed, Dash::Dotted};
  Curve curve;
  curve.hue = method;
  curve.marker = markerOf(method);
  curve.dash = kDashes[method / 8 % kDashes.size()];
  return curve;
}

} // namespace attention
