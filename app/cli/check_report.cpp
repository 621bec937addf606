#include "app/cli/check_report.h"

#include "core/analysis/stack/stack.h"
#include "core/support/number_text.h"

#include <ostream>

namespace attention::cli {
namespace {

std::string seesText(const IndexPair& cell) {
  return "query " + std::to_string(cell.first) + " attends to key " + std::to_string(cell.second);
}

std::string cellText(const IndexPair& cell) {
  return "(" + std::to_string(cell.first) + ", " + std::to_string(cell.second) + ")";
}

// "3, the first (1, 0)".
std::string countedFrom(Index count, const std::optional<IndexPair>& first) {
  return count == 0 || !first ? "none" : std::to_string(count) + ", the first " + cellText(*first);
}

// "2: 6, 7".
std::string indicesText(const std::vector<Index>& indices) {
  if (indices.empty())
    return "none";
  std::vector<std::string> names;
  constexpr std::size_t kEnough = 16; // of which someOf shows some
  for (std::size_t k = 0; k < std::min(indices.size(), kEnough); ++k)
    names.push_back(std::to_string(indices[k]));
  const bool all = names.size() == indices.size();
  return std::to_string(indices.size()) + ": " +
         (all ? someOf(names) : names[0] + ", " + names[1] + ", " + names[2] + ", …");
}

std::string matchText(const Match& match) {
  return mechanismText({{"mechanism", match.mechanism}, {"params", match.params}});
}

void addMatches(Lines& lines, const std::vector<Match>& matches) {
  lines.emplace_back("is", matches.empty() ? "none of the known patterns" : matchText(matches[0]));
  for (std::size_t k = 1; k < matches.size(); ++k)
    lines.emplace_back(k == 1 ? "also" : "", matchText(matches[k]));
}

std::string differenceText(const Difference& difference) {
  if (!difference.firstRow)
    return "equal";
  return std::to_string(difference.onlyFirst) + " cells only in this mask, " +
         std::to_string(difference.onlySecond) + " only in the other; the first " +
         cellText({*difference.firstRow, difference.firstKey.value_or(0)});
}

} // namespace

std::vector<BrokenPromise> brokenPromises(const Promises& promises, const MaskCheck& check,
                                          const Prepared& mask) {
  const MaskReport& report = check.report;
  std::vector<BrokenPromise> broken;
  if (promises.noFuture && report.firstFuture)
    broken.push_back({"no-future", seesText(*report.firstFuture) +
                                       ", which lies in its future; no-future promises that no "
                                       "query does so"});
  if (promises.noEmpty && !report.emptyRows.empty())
    broken.push_back({"no-empty", "query " + std::to_string(report.emptyRows.front()) +
                                      " attends to no key; no-empty promises that every query "
                                      "attends to one"});
  if (check.against && check.against->firstRow) {
    const IndexPair cell{*check.against->firstRow, check.against->firstKey.value_or(0)};
    const bool here = mask.contains(cell.first, cell.second);
    broken.push_back({promises.against, seesText(cell) +
                                            (here ? ", but not in the other mask; "
                                                  : " in the other mask, but not in this one; ") +
                                            promises.against + " promises that they are equal"});
  }
  if (check.padding && check.padding->firstSeen)
    broken.push_back({"padding", seesText(*check.padding->firstSeen) +
                                     ", which is padding; padding promises that no query of "
                                     "another token does so"});
  return broken;
}

Json checkJson(const MaskCheck& check, const std::vector<BrokenPromise>& broken) {
  Json json = toJson(check);
  json["broken"] = Json::array();
  for (const BrokenPromise& promise : broken)
    json["broken"].push_back(promise.flag);
  return json;
}

void printCheck(std::ostream& out, const MaskCheck& check) {
  const MaskReport& report = check.report;
  Lines lines{{"mask", std::to_string(report.queries) + " × " + std::to_string(report.keys) + ", " +
                           countText(report.pairs, "pair")}};
  if (check.matches)
    addMatches(lines, *check.matches);
  lines.emplace_back("cells in the future", countedFrom(report.futureCells, report.firstFuture));
  lines.emplace_back("empty rows", indicesText(report.emptyRows));
  lines.emplace_back("unused keys", indicesText(report.unusedKeys));
  lines.emplace_back("queries that do not see themselves", indicesText(report.rowsWithoutSelf));
  const std::string tile = std::to_string(report.constantTile);
  lines.emplace_back("constant tiles",
                     report.constantTile > 1 ? "of " + tile + " × " + tile : "none");
  if (report.asymmetricPairs)
    lines.emplace_back("asymmetric pairs",
                       countedFrom(*report.asymmetricPairs, report.firstAsymmetric));
  if (check.against)
    lines.emplace_back("against the other", differenceText(*check.against));
  if (check.padding) {
    lines.emplace_back("padded keys seen",
                       countedFrom(check.padding->seenCells, check.padding->firstSeen));
    lines.emplace_back("active padded rows", indicesText(check.padding->activeRows));
  }
  print(out, lines);
}

} // namespace attention::cli
