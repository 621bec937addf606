// The score board as a table, as JSON and as a file.
#pragma once

#include "app/cli/report.h"
#include "core/analysis/score/choice_scores.h"

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace attention::cli {

struct ScoreReport {
  std::span<const ScoredMethod> methods;
  ScoreOptions options;
  std::string dtype;
  Index heads = 1; // model heads and batch items that the scores cover
  std::vector<Score> scores;
  std::vector<std::optional<ChoiceScore>> choices = {}; // S31; empty: nothing chooses
};

// rows with the keys of cli.md; null if a mechanism has no such number.
Json json(const ScoreReport& report);

void printTable(std::ostream& out, const ScoreReport& report);

// .csv or .json. E_IO.
void write(const ScoreReport& report, const std::string& path);

} // namespace attention::cli
