// The numbers behind the pictures of choices, for files (choice_figure.h).
#include "core/input/npy_writer.h"
#include "core/support/error.h"
#include "core/views/choosing/choice_figure.h"

#include <array>
#include <cmath>

namespace attention {
namespace {

constexpr Index kMostLines = 1'000'000;
constexpr Index kMostWritten = Index{1} << 26; // scores

const char* nameOf(Taken taken) {
  switch (taken) {
  case Taken::Never:
    return "";
  case Taken::Ranked:
    return "no";
  case Taken::Chosen:
    return "chosen";
  case Taken::Forced:
    break;
  }
  return "forced";
}

CsvTable scoresTable(const ChosenKeys& of) {
  const ChosenBlocks blocks(*of.prepared);
  if (blocks.queryBlocks() * blocks.keyBlocks() > kMostLines)
    throwRange("pairs", std::to_string(blocks.queryBlocks() * blocks.keyBlocks()),
               "at most 1000000 in a table");
  CsvTable table{{"query_block", "key_block", "score", "taken"}, {}};
  for (Index a = 0; a < blocks.queryBlocks(); ++a) {
    const ChoiceRow row = choiceRow(of, a * of.choice().queryBlock);
    for (Index c = 0; c < blocks.candidates(a); ++c) {
      const auto at = static_cast<std::size_t>(c);
      table.rows.push_back({csvNumber(a), csvNumber(c),
                            std::isnan(row.scores[at]) ? "" : csvNumber(row.scores[at]),
                            nameOf(row.taken[at])});
    }
  }
  return table;
}

CsvTable cacheTable(const ChosenKeys& of, const ChoiceLook& look) {
  const CacheStep at = cacheStep(of, look.query);
  CsvTable table{{"key", "label", "evicted_at", "step", "part", "weight"}, {}};
  std::size_t next = 0;
  for (Index j = 0; j < of.n(); ++j) {
    const auto key = static_cast<std::size_t>(j);
    const bool in = next < at.keys.size() && at.keys[next] == j;
    table.rows.push_back({csvNumber(j), look.labels.empty() ? "" : look.labels[key],
                          csvNumber(of.evictedAt[key]), csvNumber(at.step),
                          in ? of.prepared->parts()[at.parts[next]].name : "",
                          in && !at.weights.empty() ? csvNumber(at.weights[next]) : ""});
    next += in ? 1 : 0;
  }
  return table;
}

} // namespace

CsvTable choiceTable(const ChosenKeys& of, const ChoiceLook& look) {
  return of.isCache() ? cacheTable(of, look) : scoresTable(of);
}

CsvTable budgetTable(const BudgetCurves& curves) {
  CsvTable table{{"parameter", "value", "pairs", "keys_per_query", "recall", "oracle_blocks_recall",
                  "oracle_keys_recall", "window_recall"},
                 {}};
  for (const BudgetPoint& of : curves.points)
    table.rows.push_back({curves.parameter, csvNumber(of.value), csvNumber(of.pairs),
                          csvNumber(of.keys), csvNumber(of.recall), csvNumber(of.oracleBlocks),
                          csvNumber(of.oracleKeys), csvNumber(of.window)});
  return table;
}

void writeChoiceNpy(const ChosenKeys& of, const std::filesystem::path& path) {
  if (of.isCache()) {
    const std::vector<std::int64_t> gone(of.evictedAt.begin(), of.evictedAt.end());
    return writeNpy<std::int64_t>(path, std::array{of.n()}, gone);
  }
  const ChosenBlocks blocks(*of.prepared);
  const std::array shape{blocks.queryBlocks(), blocks.keyBlocks()};
  if (shape[0] * shape[1] > kMostWritten)
    throwRange("scores", std::to_string(shape[0] * shape[1]),
               "at most " + std::to_string(kMostWritten) + " in a file");
  std::vector<double> scores;
  for (Index a = 0; a < shape[0]; ++a) {
    std::vector<double> row(static_cast<std::size_t>(shape[1]));
    of.choice().scores->row(a, row);
    scores.insert(scores.end(), row.begin(), row.end());
  }
  writeNpy<double>(path, shape, scores);
}

void writeBudgetNpy(const BudgetCurves& curves, const std::filesystem::path& path) {
  std::vector<double> values;
  for (const BudgetPoint& of : curves.points)
    values.insert(values.end(),
                  {of.value, of.keys, of.recall, of.oracleBlocks, of.oracleKeys, of.window});
  const std::array shape{static_cast<Index>(curves.points.size()), Index{6}};
  writeNpy<double>(path, shape, values);
}

} // namespace attention
