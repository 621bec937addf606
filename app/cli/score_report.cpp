#include "app/cli/score_report.h"

#include "app/cli/report.h"
#include "core/pattern/pattern_json.h"
#include "core/support/number_text.h"
#include "core/support/parallel.h"
#include "core/support/text.h"
#include "core/views/compare/scene_compare.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

Json rowJson(const ScoredMethod& method, const Score& score) {
  Json row{{"name", methodText(method)},
           {"pairs", orNull(score.pairs)},
           {"captured_mass", orNull(score.capturedMass)},
           {"output_error",
            {{"relative_frobenius", orNull(relativeError(score))},
             {"max_abs", orNull(largestError(score))}}},
           {"topk_recall", jsonNumber(score.recall)},
           {"entropy", orNull(score.entropy)},
           {"flops", jsonNumber(score.flops)},
           {"bytes", jsonNumber(score.bytes)},
           {"seconds", jsonNumber(score.seconds)},
           {"prepare_seconds", jsonNumber(score.prepareSeconds)},
           {"base", name(score.base)},
           {"own_keys", score.ownKeys},
           {"flagged_rows", score.flaggedRows},
           {"seed", orNull(seedOf(method))}};
  if (const auto* pattern = std::get_if<Pattern>(&method))
    row["pattern"] = toJson(*pattern);
  return row;
}

std::string cell(const std::optional<double>& value) {
  return !value || std::isnan(*value) ? "-" : textNumber(*value);
}

Cells cellsOf(const ScoredMethod& method, const Score& score) {
  const auto seed = seedOf(method);
  return {methodText(method),
          score.pairs ? std::to_string(*score.pairs) : "-",
          cell(score.capturedMass),
          cell(relativeError(score)),
          cell(score.recall),
          cell(score.entropy),
          cell(score.flops),
          cell(score.bytes),
          cell(score.prepareSeconds),
          cell(score.seconds),
          seed ? std::to_string(*seed) : "-",
          std::string(name(score.base)) + (score.ownKeys ? " (own keys)" : "")};
}

std::optional<ChoiceScore> choiceOf(const ScoreReport& report, std::size_t k) {
  return k < report.choices.size() ? report.choices[k] : std::nullopt;
}

// Where scores have a sink, what is captured of all weight.
void printMasses(std::ostream& out, const ScoreReport& report) {
  for (std::size_t k = 0; k < report.scores.size(); ++k)
    if (const auto mass = report.scores[k].massOfAll)
      out << methodText(report.methods[k]) << ": captured mass, with sink " << textNumber(*mass)
          << '\n';
}

Json choiceJson(const std::optional<ChoiceScore>& choice) {
  if (!choice)
    return nullptr;
  Json json = Json::object();
  for (const ChoiceColumn& column : choiceColumns())
    json[column.name] = jsonNumber(column.of(*choice));
  return json;
}

std::string withSpaces(std::string words) {
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

// What is kept beside the best choice of as many blocks or keys, in a table of its own.
void printChoices(std::ostream& out, const ScoreReport& report) {
  std::vector<Cells> lines{{"against the best choice"}};
  for (const ChoiceColumn& column : choiceColumns())
    lines.front().push_back(withSpaces(column.name));
  for (std::size_t k = 0; k < report.scores.size(); ++k)
    if (const auto choice = choiceOf(report, k)) {
      lines.push_back({methodText(report.methods[k])});
      for (const ChoiceColumn& column : choiceColumns())
        lines.back().push_back(textNumber(column.of(*choice)));
    }
  if (lines.size() > 1) {
    out << '\n';
    printAligned(out, lines);
  }
}

CsvTable tableOf(const ScoreReport& report) {
  std::vector<ScoreLine> lines;
  for (std::size_t k = 0; k < report.scores.size(); ++k)
    lines.push_back({methodText(report.methods[k]), std::nullopt, report.scores[k],
                     seedOf(report.methods[k]), std::nullopt, choiceOf(report, k)});
  return scoreTable(lines);
}

} // namespace

Json json(const ScoreReport& report) {
  Json object{{"rows", Json::array()}};
  for (std::size_t k = 0; k < report.scores.size(); ++k) {
    object["rows"].push_back(rowJson(report.methods[k], report.scores[k]));
    Json& row = object["rows"].back();
    row["choice"] = choiceJson(choiceOf(report, k));
    if (const auto mass = report.scores[k].massOfAll)
      row["mass"] = jsonNumber(*mass);
  }
  object["heads"] = report.heads;
  object["recall_keys"] = report.options.recallKeys;
  object["threads"] = resolvedThreads(report.options.threads);
  object["dtype"] = report.dtype;
  return object;
}

void printTable(std::ostream& out, const ScoreReport& report) {
  std::vector<Cells> lines{{"mechanism", "pairs", "mass", "error",
                            "recall@" + std::to_string(report.options.recallKeys), "entropy",
                            "FLOPs", "bytes", "prepare s", "seconds", "seed", "against"}};
  for (std::size_t k = 0; k < report.scores.size(); ++k)
    lines.push_back(cellsOf(report.methods[k], report.scores[k]));
  printAligned(out, lines);
  printMasses(out, report);
  printChoices(out, report);
  for (std::size_t k = 0; k < report.scores.size(); ++k)
    if (report.scores[k].flaggedRows > 0)
      out << methodText(report.methods[k]) << ": " << countText(report.scores[k].flaggedRows, "row")
          << " without keys or a positive denominator\n";
}

void write(const ScoreReport& report, const std::string& path) {
  if (endingOf(path) == ".json")
    writeJson(path, json(report));
  else
    writeCsv(path, tableOf(report));
}

} // namespace attention::cli
