#include "app/cli/steps_report.h"

#include "core/views/steps/board_words.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

constexpr std::size_t kPrintedNumbers = 16; // of an output

Json numbersJson(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers)
    list.push_back(jsonNumber(number));
  return list;
}

Json maskedJson(const std::vector<double>& masked) {
  Json list = Json::array();
  for (const double s : masked)
    list.push_back(std::isfinite(s) ? jsonNumber(s) : Json(nullptr));
  return list;
}

// Of each key the rule that forbids it, null where it is visible.
Json rulesJson(const StepsAnswer& answer, const Prepared& pattern) {
  Json list = Json::array();
  for (std::size_t j = 0; j < answer.softmax.masked.size(); ++j)
    list.push_back(std::isfinite(answer.softmax.masked[j])
                       ? Json(nullptr)
                       : Json(pattern.why(answer.query, static_cast<Index>(j)).text));
  return list;
}

void addSoftmax(Json& json, const SoftmaxSteps& steps) {
  json["dot"] = numbersJson(steps.dot);
  json["scaled"] = numbersJson(steps.scaled);
  json["masked"] = maskedJson(steps.masked);
  json["max"] = orNull(steps.max);
  json["exp"] = steps.exp.empty() ? Json(nullptr) : numbersJson(steps.exp);
  json["sum"] = orNull(steps.sum);
  json["p"] = steps.p.empty() && !steps.dot.empty() ? Json(nullptr) : numbersJson(steps.p);
  if (steps.parts.empty())
    return;
  json["parts"] = Json::array();
  for (const SoftmaxPart& part : steps.parts)
    json["parts"].push_back({{"keys", part.keys},
                             {"max", jsonNumber(part.max)},
                             {"sum", jsonNumber(part.sum)},
                             {"share", jsonNumber(part.share)}});
}

void addOnline(Json& json, const OnlineSteps& steps) {
  json["tiles"] = Json::array();
  for (const OnlineTile& tile : steps.tiles)
    json["tiles"].push_back({{"keys", {tile.begin, tile.end}},
                             {"max", jsonNumber(tile.max)},
                             {"sum", jsonNumber(tile.sum)},
                             {"correction", jsonNumber(tile.correction)},
                             {"output", numbersJson(tile.output)}});
}

void addFeatures(Json& json, const FeatureSteps& steps) {
  json["phi_q"] = numbersJson(steps.phiQ);
  json["numerator"] = numbersJson(steps.numerator);
  json["denominator"] = jsonNumber(steps.denominator);
  json["exact"] = numbersJson(steps.exact);
}

// What the sink takes of the softmax.
std::optional<double> sinkMass(const SoftmaxSteps& steps) {
  return steps.sinkExp ? std::optional(*steps.sinkExp / *steps.sum) : std::nullopt;
}

void addWay(Json& json, const StepsAnswer& answer) {
  if (answer.online)
    addOnline(json, *answer.online);
  else if (answer.features)
    addFeatures(json, *answer.features);
  else
    addSoftmax(json, answer.softmax);
}

Json outputJson(const StepsAnswer& answer) {
  return answer.output().empty() ? Json(nullptr) : numbersJson(answer.output());
}

// Each softmax of several with gates, over keys of its own; compressed ones have block and stride.
Json branchJson(const BranchAnswer& branch) {
  const bool compressed = branch.block > 0;
  Json json{{"name", branch.name},
            {"gate", jsonNumber(branch.gate)},
            {"block", compressed ? Json(branch.block) : Json(nullptr)},
            {"stride", compressed ? Json(branch.stride) : Json(nullptr)},
            {"sink_mass", orNull(sinkMass(branch.steps.softmax))},
            {"visible", branch.steps.softmax.visible}};
  addWay(json, branch.steps);
  json["output"] = outputJson(branch.steps);
  return json;
}

// A line with nothing but a name above those of a branch.
bool namesBranch(const BoardLine& line) {
  return line.ruled && std::all_of(line.cells.begin() + 1, line.cells.end(), [](const auto& cell) {
           return cell.text.empty() && cell.strip.empty();
         });
}

} // namespace

Json stepsJson(const StepsAnswer& answer, const Prepared& pattern) {
  Json json{{"query", answer.query},
            {"by", name(answer.by)},
            {"scale", jsonNumber(answer.scoring.scale)},
            {"softcap", orNull(answer.scoring.softcap)},
            {"temperature", jsonNumber(answer.scoring.temperature)},
            {"sink", orNull(answer.scoring.sink)},
            {"sink_mass", orNull(sinkMass(answer.softmax))},
            {"visible", answer.softmax.visible}};
  addWay(json, answer);
  if (answer.by == StepsBy::Softmax)
    json["rules"] = rulesJson(answer, pattern);
  for (const BranchAnswer& branch : answer.branches)
    json["branches"].push_back(branchJson(branch));
  json["output"] = outputJson(answer);
  return json;
}

void printSteps(std::ostream& out, const StepsAnswer& answer, std::span<const std::string> tokens) {
  const Board board = stepsBoard(answer, tokens);
  out << board.title << '\n';
  std::vector<Cells> lines(1);
  for (const BoardColumn& column : board.columns)
    if (!column.strip)
      lines.front().push_back(column.heading);
  for (const BoardLine& line : board.lines) {
    Cells cells;
    bool numbers = false; // beside the name of the line
    for (std::size_t c = 0; c < line.cells.size(); ++c) {
      if (board.columns[c].strip)
        continue;
      numbers = numbers || (c > 0 && !line.cells[c].text.empty());
      cells.push_back(line.cells[c].text);
    }
    if (numbers || namesBranch(line))
      lines.push_back(std::move(cells));
  }
  printAligned(out, lines);
  out << board.formula << '\n';
  if (answer.by == StepsBy::Softmax && answer.hidden && !isListed(answer, answer.hidden->key))
    out << hiddenText(answer, tokens) << '\n';
  for (const BranchAnswer& branch : answer.branches)
    if (!branch.steps.output().empty())
      out << branch.name << ": " << numbersText(branch.steps.output(), kPrintedNumbers) << '\n';
  if (!answer.output().empty())
    out << "output: " << numbersText(answer.output(), kPrintedNumbers) << '\n';
}

} // namespace attention::cli
