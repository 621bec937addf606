#include "app/cli/lowrank_report.h"

#include "app/cli/report.h"

#include "core/export/csv_table.h"
#include "core/input/npy_writer.h"
#include "core/support/text.h"

#include <ostream>

namespace attention::cli {
namespace {

double relative(double error, double norm) {
  return error == 0 ? 0 : error / norm;
}

Json lineJson(const RankLine& line, const LowRankAnswer& answer) {
  Json json{{"rank", line.rank},
            {"frobenius", jsonNumber(line.most)},
            {"relative_frobenius", jsonNumber(relative(line.most, answer.norm))}};
  if (answer.residual)
    json["least_frobenius"] = jsonNumber(line.least);
  json["spectral"] = orNull(line.spectral);
  json["linformer"] = errorJson(line.linformer);
  return json;
}

} // namespace

Json answerJson(const LowRankAnswer& answer, const LowRankQuestion& asked, const Input& input) {
  Json json{{"n", answer.n},
            {"matrix", input.hasQkv() ? std::string(name(asked.object)) : "given weights"},
            {"causal", asked.causal},
            {"method", asked.exact ? "exact" : "randomized"},
            {"frobenius", jsonNumber(answer.norm)}};
  if (answer.residual) {
    json["residual"] = jsonNumber(*answer.residual);
    json["sketch_seed"] = asked.sketch.seed;
  } else
    json["numerical_rank"] = numericalRank(answer.values);
  json["singular_values"] = answer.values;
  json["rows"] = Json::array();
  for (const RankLine& line : answer.lines)
    json["rows"].push_back(lineJson(line, answer));
  if (answer.given)
    json["linformer_given"] = errorJson(answer.given);
  else if (asked.linformer)
    json["linformer_seed"] = asked.linformerSeed;
  return json;
}

void write(const std::string& path, const LowRankAnswer& answer, const Json& json) {
  const std::string ending = endingOf(path);
  if (ending == ".json")
    return writeJson(path, json);
  if (ending == ".npy") {
    const Index shape[] = {static_cast<Index>(answer.values.size())};
    return writeNpy<double>(path, shape, std::span<const double>(answer.values));
  }
  std::vector<std::vector<std::string>> rows;
  for (const RankLine& line : answer.lines)
    rows.push_back({std::to_string(line.rank), csvNumber(line.most),
                    csvNumber(relative(line.most, answer.norm)), csvNumber(line.least),
                    line.spectral ? csvNumber(*line.spectral) : "",
                    line.linformer ? csvNumber(line.linformer->relativeFrobenius) : ""});
  writeCsv(path, {{"rank", "frobenius", "relative_frobenius", "least_frobenius", "spectral",
                   "linformer_relative_frobenius"},
                  std::move(rows)});
}

void printAnswer(std::ostream& out, const LowRankAnswer& answer, const Json& json) {
  print(out, Lines{{"matrix", json["matrix"].get<std::string>() +
                                  (json["causal"].get<bool>() ? " (causal)" : "") + ", n " +
                                  std::to_string(answer.n)},
                   {"singular values",
                    json["method"].get<std::string>() +
                        (answer.residual ? ", residual " + textNumber(*answer.residual) : "")},
                   {"Frobenius norm", textNumber(answer.norm)}});
  for (const RankLine& line : answer.lines) {
    out << "rank " << line.rank << ": best relative error "
        << textNumber(relative(line.most, answer.norm));
    if (answer.residual)
      out << " (at least " << textNumber(relative(line.least, answer.norm)) << ')';
    if (line.spectral)
      out << ", spectral " << textNumber(*line.spectral);
    if (line.linformer)
      out << ", Linformer's output " << textNumber(line.linformer->relativeFrobenius);
    out << '\n';
  }
  if (answer.given)
    out << "Linformer with given E, F: output error " << errorText(*answer.given) << '\n';
}

} // namespace attention::cli
