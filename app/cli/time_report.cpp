#include "app/cli/time_report.h"

#include "app/cli/report.h"
#include "core/analysis/timing/timing_text.h"
#include "core/pattern/pattern_json.h"
#include "core/support/parallel.h"
#include "core/support/text.h"
#include "core/views/timings/timing_figure.h"

#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

std::string nameOf(const TimeReport& report, std::size_t method) {
  return methodText(report.methods[method]);
}

// Full names, for tables; figures use shorter ones.
std::vector<std::string> namesOf(const TimeReport& report) {
  std::vector<std::string> names;
  for (const ScoredMethod& method : report.methods)
    names.push_back(methodText(method));
  return names;
}

Json summaryJson(const SampleSummary& seconds) {
  return {{"median", jsonNumber(seconds.median)},
          {"q1", jsonNumber(seconds.q1)},
          {"q3", jsonNumber(seconds.q3)},
          {"minimum", jsonNumber(seconds.minimum)},
          {"samples", seconds.samples}};
}

Json rowJson(const TimeReport& report, const TimingRow& row) {
  Json json{{"mechanism", nameOf(report, row.method)}, {"n", row.n}};
  json.update(summaryJson(row.seconds));
  json["gflops"] = jsonNumber(row.gflops);
  json["peak_share"] = jsonNumber(row.peakShare);
  json["predicted"] = jsonNumber(row.predicted);
  json["choosing"] = row.chooses ? jsonNumber(row.choosing.median) : Json(nullptr);
  json["attending"] = jsonNumber(row.attending.median);
  json["pairs"] = row.work.pairs ? Json(*row.work.pairs) : Json(nullptr);
  json["flops"] = jsonNumber(row.work.flops);
  json["useful_flops"] = jsonNumber(row.work.usefulFlops);
  json["bytes"] = jsonNumber(row.work.bytes);
  if (const auto* pattern = std::get_if<Pattern>(&report.methods[row.method]))
    json["pattern"] = toJson(*pattern);
  return json;
}

Json exponentJson(const TimeReport& report, const TimingExponent& of) {
  const PowerLaw& law = of.measured;
  return {{"mechanism", nameOf(report, of.method)},
          {"exponent", jsonNumber(law.exponent)},
          {"standard_error", orNull(law.standardError)},
          {"r_squared", law.points > 2 ? jsonNumber(law.rSquared) : Json(nullptr)},
          {"predicted", of.predicted ? jsonNumber(of.predicted->exponent) : Json(nullptr)},
          {"from_n", law.from},
          {"to_n", law.to},
          {"sizes", law.points}};
}

Json crossoverJson(const TimeReport& report, const TimingCrossover& crossover) {
  return {{"n", jsonNumber(crossover.at.n)},
          {"between", {crossover.at.low, crossover.at.high}},
          {"faster_below", nameOf(report, crossover.below)},
          {"faster_above", nameOf(report, crossover.above)}};
}

Json omissionJson(const TimeReport& report, const TimingOmission& omission) {
  return {{"mechanism", nameOf(report, omission.method)},
          {"n", omission.n},
          {"seconds", jsonNumber(omission.seconds)}};
}

Json noiseJson(const TimeReport& report) {
  const TimingNoise& noise = report.timings.noise;
  Json worst = nullptr;
  if (noise.worst) {
    const TimingRow& row = report.timings.rows[*noise.worst];
    worst = {{"mechanism", nameOf(report, row.method)}, {"n", row.n}};
  }
  return {{"noisy", noise.noisy},     {"peak_spread", jsonNumber(noise.peakSpread)},
          {"peak_limit", kNoisyPeak}, {"worst_spread", jsonNumber(noise.worstSpread)},
          {"limit", kNoisyRow},       {"worst", worst}};
}

void printRows(std::ostream& out, const TimeReport& report) {
  std::vector<Cells> lines{{"mechanism", "n", "median", "quartiles", "choosing", "GFLOP/s",
                            "of peak", "predicted", "samples"}};
  for (const TimingRow& row : report.timings.rows)
    lines.push_back(
        {nameOf(report, row.method), std::to_string(row.n), secondsText(row.seconds.median),
         secondsText(row.seconds.q1) + " – " + secondsText(row.seconds.q3),
         row.chooses ? secondsText(row.choosing.median) : "-", fixed(row.gflops, 2),
         peakShareText(row), secondsText(row.predicted), std::to_string(row.seconds.samples)});
  printAligned(out, lines);
}

void printExponents(std::ostream& out, const TimeReport& report) {
  const Timings& timings = report.timings;
  if (timings.exponents.empty()) {
    out << "exponents: none; a fit needs two sizes of at least " << timings.fitFrom << " tokens\n";
    return;
  }
  std::vector<Cells> lines{{"time ~ n^e", "e", "standard error", "R²", "predicted e", "over n"}};
  for (const TimingExponent& of : timings.exponents) {
    const PowerLaw& law = of.measured;
    lines.push_back({nameOf(report, of.method), fixed(law.exponent, 2),
                     law.standardError ? fixed(*law.standardError, 3) : "-",
                     law.points > 2 ? fixed(law.rSquared, 4) : "-",
                     of.predicted ? fixed(of.predicted->exponent, 2) : "-",
                     std::to_string(law.from) + " – " + std::to_string(law.to)});
  }
  printAligned(out, lines);
}

void printCrossovers(std::ostream& out, const TimeReport& report) {
  for (const TimingCrossover& crossover : report.timings.crossovers)
    out << nameOf(report, crossover.above) << " is faster than " << nameOf(report, crossover.below)
        << " from n ≈ " << std::lround(crossover.at.n) << " on (between the measured "
        << crossover.at.low << " and " << crossover.at.high << ")\n";
  if (report.methods.size() > 1 && report.timings.crossovers.empty())
    out << "crossovers: " << noCrossoverText(report.timings) << '\n';
}

void printMachine(std::ostream& out, const TimeReport& report) {
  const Timings& timings = report.timings;
  const int threads = report.options.threads;
  out << "FMA peak: " << fixed(timings.peakGflops, 1) << " GFLOP/s on " << resolvedThreads(threads)
      << (threads == 1 ? " thread, " : " threads, ") << vectorsText(timings)
      << ", measured between the samples\n";
  if (timings.noise.noisy)
    out << "the machine was noisy: " << noiseText(timings, namesOf(report)) << '\n';
}

void printOmissions(std::ostream& out, const TimeReport& report) {
  for (const TimingOmission& omission : report.timings.omitted)
    out << "not measured: " << nameOf(report, omission.method) << " at n " << omission.n
        << (omission.seconds > 0 ? ", about " + secondsText(omission.seconds) + " per run" : "")
        << "; --seconds leaves no time for it\n";
}

} // namespace

Json json(const TimeReport& report) {
  const Timings& timings = report.timings;
  Json object;
  for (const char* key : {"rows", "exponents", "crossovers", "omitted"})
    object[key] = Json::array();
  for (const TimingRow& row : timings.rows)
    object["rows"].push_back(rowJson(report, row));
  for (const TimingExponent& of : timings.exponents)
    object["exponents"].push_back(exponentJson(report, of));
  object["fit_from"] = timings.fitFrom;
  object["peak_gflops"] = jsonNumber(timings.peakGflops);
  object["peak"] = summaryJson(timings.peak);
  object["peak"]["vectors"] = timings.vectors;
  for (const TimingCrossover& crossover : timings.crossovers)
    object["crossovers"].push_back(crossoverJson(report, crossover));
  object["noise"] = noiseJson(report);
  for (const TimingOmission& omission : timings.omitted)
    object["omitted"].push_back(omissionJson(report, omission));
  object["d"] = report.options.d;
  object["heads"] = report.options.heads;
  object["threads"] = resolvedThreads(report.options.threads);
  object["dtype"] = "float32";
  object["seed"] = report.seed;
  return object;
}

void printTable(std::ostream& out, const TimeReport& report) {
  printRows(out, report);
  printExponents(out, report);
  printCrossovers(out, report);
  printMachine(out, report);
  printOmissions(out, report);
}

void write(const TimeReport& report, const std::string& path, const PictureOptions& how,
           const Run& run) {
  const std::string ending = endingOf(path);
  if (ending == ".json")
    return writeJson(path, json(report));
  if (ending == ".csv")
    return writeCsv(path, timingTable(report.timings, namesOf(report)));
  TimingFigureOptions options;
  options.names.reserve(report.methods.size());
  for (const ScoredMethod& method : report.methods)
    options.names.push_back(methodTitle(method));
  options.sizes = report.options.sizes;
  options.threads = resolvedThreads(report.options.threads);
  options.d = report.options.d;
  options.theme = how.theme;
  writeFigure(timingFigure(report.timings, options), path, how.file, run);
}

} // namespace attention::cli
