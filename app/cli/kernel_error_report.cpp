#include "app/cli/kernel_error_report.h"

#include "app/cli/json_file.h"

#include "core/figure/csv_table.h"
#include "core/figure/figure_file.h"
#include "core/input/npy_writer.h"

#include <array>
#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

Json entriesJson(const EntryErrors& errors) {
  return {{"mse", jsonNumber(errors.mse)},
          {"mean_abs", jsonNumber(errors.meanAbs)},
          {"max_abs", jsonNumber(errors.maxAbs)}};
}

Json curveJson(const KernelErrorRow& row) {
  return {{"features", name(row.curve.map)},
          {"projection", name(row.curve.projection)},
          {"norms", name(row.curve.norms)},
          {"m", row.projections}};
}

Json rowJson(const KernelErrorRow& row) {
  Json json = curveJson(row);
  json["m_features"] = row.features;
  json["mean"] = jsonNumber(row.output.mean);
  json["std"] = jsonNumber(row.output.std);
  json["median"] = jsonNumber(row.output.median);
  json["quantiles"] = {{"0.1", jsonNumber(row.output.q10)},
                       {"0.25", jsonNumber(row.output.q25)},
                       {"0.75", jsonNumber(row.output.q75)},
                       {"0.9", jsonNumber(row.output.q90)}};
  Json errors = Json::array();
  for (const double error : row.errors)
    errors.push_back(jsonNumber(error));
  json["errors"] = errors;
  json["negative_normalizers"] = row.negativeRows;
  json["zero_normalizers"] = row.zeroRows;
  json["overflow"] = row.nonFiniteRows;
  json["kernel"] = entriesJson(row.kernel);
  json["matrix"] = entriesJson(row.matrix);
  return json;
}

Json theoryJson(const KernelErrorRow& row) {
  Json json = curveJson(row);
  json["kernel_mse"] = jsonNumber(row.theory);
  json["theorem_2_bound"] = jsonNumber(row.bound);
  return json;
}

void writeTable(const std::string& path, const KernelErrorResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const KernelErrorRow& row : result.rows)
    rows.push_back({std::string(name(row.curve.map)), std::string(name(row.curve.projection)),
                    std::to_string(row.projections), std::to_string(row.features),
                    csvNumber(row.output.mean), csvNumber(row.output.std),
                    csvNumber(row.output.median), csvNumber(row.output.q10),
                    csvNumber(row.output.q25), csvNumber(row.output.q75), csvNumber(row.output.q90),
                    std::to_string(row.negativeRows), std::to_string(row.zeroRows),
                    std::to_string(row.nonFiniteRows), csvNumber(row.kernel.mse),
                    csvNumber(row.theory), csvNumber(row.matrix.mse), csvNumber(result.baseline)});
  writeCsv(path, {{"features", "projection", "m", "m_features", "mean", "std", "median", "q10",
                   "q25", "q75", "q90", "negative_normalizers", "zero_normalizers", "overflow",
                   "kernel_mse", "kernel_theory", "matrix_mse", "baseline"},
                  std::move(rows)});
}

// Every repeat's error: [m, curves, repeats].
void writeErrors(const std::string& path, const KernelErrorResult& result,
                 const KernelErrorOptions& options) {
  std::vector<double> errors;
  for (const KernelErrorRow& row : result.rows)
    errors.insert(errors.end(), row.errors.begin(), row.errors.end());
  const std::array shape{static_cast<Index>(options.projections.size()),
                         static_cast<Index>(options.curves.size()), options.repeats};
  writeNpy<double>(path, shape, std::span<const double>(errors));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

void printRow(std::ostream& out, const std::vector<std::string>& cells) {
  constexpr std::size_t kWidths[] = {12, 13, 6, 10, 14, 14, 14, 14, 10, 7, 1};
  for (std::size_t c = 0; c < cells.size(); ++c)
    out << padded(cells[c], kWidths[c]);
  out << '\n';
}

} // namespace

Json json(const KernelErrorResult& result, const KernelErrorOptions& options, const Json& input) {
  Json object{{"rows", Json::array()}, {"baseline", jsonNumber(result.baseline)}};
  object["theory"] = Json::array();
  for (const KernelErrorRow& row : result.rows) {
    object["rows"].push_back(rowJson(row));
    object["theory"].push_back(theoryJson(row));
  }
  object["input"] = input;
  object["repeats"] = options.repeats;
  object["seed"] = options.seed;
  object["causal"] = options.causal;
  object["stabilize"] = name(options.stabilize);
  object["eps"] = jsonNumber(options.eps);
  object["normalizers"] = result.rowsCompared;
  object["pairs"] = result.pairs;
  return object;
}

void write(const std::string& path, const KernelErrorResult& result,
           const KernelErrorOptions& options, const Json& input) {
  const std::string ending = endingOf(path);
  if (ending == ".csv")
    writeTable(path, result);
  else if (ending == ".json")
    writeJson(path, json(result, options, input));
  else
    writeErrors(path, result, options);
}

void printTable(std::ostream& out, const KernelErrorResult& result) {
  printRow(out, {"features", "projection", "m", "features", "mean", "std", "median", "kernel MSE",
                 "negative", "zero", "overflow"});
  for (const KernelErrorRow& row : result.rows)
    printRow(out, {std::string(name(row.curve.map)), std::string(name(row.curve.projection)),
                   std::to_string(row.projections), std::to_string(row.features),
                   textNumber(row.output.mean), textNumber(row.output.std),
                   textNumber(row.output.median),
                   std::isnan(row.kernel.mse) ? "-" : textNumber(row.kernel.mse),
                   std::to_string(row.negativeRows), std::to_string(row.zeroRows),
                   std::to_string(row.nonFiniteRows)});
  out << "baseline (all-zero output): " << textNumber(result.baseline) << '\n';
}

} // namespace attention::cli
