#include "core/views/steps/steps_lists.h"

#include <cmath>

namespace attention {
namespace {

std::string tokenOf(std::span<const std::string> tokens, Index key) {
  return tokens.empty() ? "" : tokens[static_cast<std::size_t>(key)];
}

CsvTable softmaxTable(const SoftmaxSteps& steps, std::span<const std::string> tokens) {
  CsvTable table{{"key", "token", "dot", "scaled", "masked", "exp", "p"}, {}};
  for (std::size_t j = 0; j < steps.dot.size(); ++j) {
    const auto key = static_cast<Index>(j);
    const bool visible = std::isfinite(steps.masked[j]);
    table.rows.push_back({csvNumber(key), tokenOf(tokens, key), csvNumber(steps.dot[j]),
                          csvNumber(steps.scaled[j]), visible ? csvNumber(steps.masked[j]) : "",
                          steps.exp.empty() ? "" : csvNumber(steps.exp[j]), csvNumber(steps.p[j])});
  }
  return table;
}

CsvTable onlineTable(const OnlineSteps& steps) {
  CsvTable table{{"begin", "end", "visible", "max", "sum", "correction"}, {}};
  for (std::size_t c = 0; c < steps.output.size(); ++c)
    table.headings.push_back("output_" + std::to_string(c));
  for (const OnlineTile& tile : steps.tiles) {
    std::vector<std::string> row{
        csvNumber(tile.begin), csvNumber(tile.end), std::to_string(tile.keys.size()),
        csvNumber(tile.max),   csvNumber(tile.sum), csvNumber(tile.correction)};
    for (const double o : tile.output)
      row.push_back(csvNumber(o));
    table.rows.push_back(std::move(row));
  }
  return table;
}

CsvTable featureTable(const StepsAnswer& answer, std::span<const std::string> tokens) {
  const FeatureSteps& steps = *answer.features;
  CsvTable table{{"key", "token", "kernel", "share", "p"}, {}};
  for (std::size_t t = 0; t < steps.visible.size(); ++t) {
    const Index key = steps.visible[t];
    table.rows.push_back({csvNumber(key), tokenOf(tokens, key), csvNumber(steps.kernel[t]),
                          csvNumber(steps.kernel[t] / steps.denominator),
                          csvNumber(answer.softmax.p[static_cast<std::size_t>(key)])});
  }
  return table;
}

// The table of each branch, its name and gate first; keys and tiles are its own: a compressed key
// is the mean of `block` keys, and the next one begins `stride` keys later.
CsvTable gatedTable(const StepsAnswer& answer, std::span<const std::string> tokens) {
  CsvTable table;
  for (const BranchAnswer& branch : answer.branches) {
    const bool compressed = branch.block > 0;
    CsvTable of = stepsTable(branch.steps, compressed ? std::span<const std::string>() : tokens);
    if (table.headings.empty() && !of.rows.empty()) {
      table.headings = of.headings;
      table.headings.insert(table.headings.begin(), {"branch", "gate", "block", "stride"});
    }
    for (std::vector<std::string>& row : of.rows) {
      row.insert(row.begin(),
                 {branch.name, csvNumber(branch.gate), compressed ? csvNumber(branch.block) : "",
                  compressed ? csvNumber(branch.stride) : ""});
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

} // namespace

CsvTable stepsTable(const StepsAnswer& answer, std::span<const std::string> tokens) {
  if (!answer.branches.empty())
    return gatedTable(answer, tokens);
  if (answer.online)
    return onlineTable(*answer.online);
  return answer.features ? featureTable(answer, tokens) : softmaxTable(answer.softmax, tokens);
}

CsvTable matrixTable(const MatrixSteps& steps, std::span<const std::string> tokens) {
  CsvTable table{{"query", "key", "token", "dot", "scaled", "masked", "p"}, {}};
  for (Index i = 0; i < steps.p.rows(); ++i)
    for (Index j = 0; j < steps.p.cols(); ++j)
      table.rows.push_back({csvNumber(i), csvNumber(j), tokenOf(tokens, j),
                            csvNumber(steps.dot(i, j)), csvNumber(steps.scaled(i, j)),
                            std::isfinite(steps.masked(i, j)) ? csvNumber(steps.masked(i, j)) : "",
                            csvNumber(steps.p(i, j))});
  return table;
}

} // namespace attention
