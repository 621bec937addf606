// Kinds about what kernels and devices make of a mask: tiles (T9) and ranks (T10).
#include "core/verify/kinds.h"

#include <algorithm>
#include <map>

namespace attention {
namespace {

void compareTiles(const TileCounts& counts, const CaseJson& expected, Comparison& compare) {
  const std::map<std::string, Index> integers{{"full", counts.full},
                                              {"partial", counts.partial},
                                              {"empty", counts.empty},
                                              {"full_cut", counts.fullCut},
                                              {"wanted_pairs", counts.wantedPairs},
                                              {"computed_pairs", counts.computedPairs},
                                              {"computed_pairs_cut", counts.computedPairsCut},
                                              {"wasted_pairs", counts.wastedPairs()}};
  forEachMember(expected, [&](const std::string& name, const CaseJson& value) {
    if (const auto at = integers.find(name); at != integers.end())
      compare.integer(name, at->second, value);
    else if (name == "waste")
      compare.number(name, counts.waste(), value);
    else if (name == "block_density")
      compare.number(name, counts.blockDensity(), value);
    else
      return false;
    return true;
  });
}

void compareRanks(const RankWork& work, const CaseJson& expected, Comparison& compare) {
  forEachMember(expected, [&](const std::string& name, const CaseJson& value) {
    if (name == "pairs")
      compare.integers(name, work.pairs, value);
    else if (name == "rows")
      compare.integers(name, work.rows, value);
    else if (name == "owner")
      compare.integers(name, work.owner, value);
    else if (name == "imbalance")
      compare.number(name, work.imbalance, value);
    else
      return false;
    return true;
  });
}

// As the item describes it; or the band [a, b], −b ≤ i − j ≤ a.
std::shared_ptr<const Prepared> maskOf(const CaseJson& item, const CaseFile& file) {
  CaseJson described = item;
  if (isGiven(item, "band")) {
    const CaseJson& sides = listField(item, "band");
    const Index last = integerField(item, "n") - 1;
    described = {{"n", item["n"]},
                 {"mechanism", "sliding_window"},
                 {"params",
                  {{"left", std::min(sides.at(0).get<Index>(), last)},
                   {"right", std::min(sides.at(1).get<Index>(), last)}}}};
  }
  return prepare(file.pattern(described), lengthsOfItem(described), file.run());
}

} // namespace

Lengths lengthsOfItem(const CaseJson& item) {
  if (isGiven(item, "n") || !item.contains("rows"))
    return lengthsOf(item);
  const CaseJson& rows = listField(item, "rows");
  const bool texts = !rows.empty() && rows[0].is_string();
  CaseJson lengths = item;
  lengths["n"] = texts ? rows[0].get_ref<const std::string&>().size() : 0;
  lengths["n_q"] = rows.size();
  return lengthsOf(lengths);
}

TileCounts tilesOf(const CaseJson& item, const CaseFile& file) {
  return countTiles(*maskOf(item, file), {integerField(item, "b_q"), integerField(item, "b_k")}, 0,
                    file.run());
}

RankWork ranksOf(const CaseJson& item, const CaseFile& file) {
  const RankQuestion question{integerField(item, "ranks"),
                              rankSchemeNamed(textField(item, "scheme")),
                              isGiven(item, "chunk") ? integerField(item, "chunk") : 1};
  return rankWork(*maskOf(item, file), question, 0, file.run());
}

void verifyTiles(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare,
                    [&] { compareTiles(tilesOf(item, file), field(item, "expected"), compare); });
}

void verifyRanks(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare,
                    [&] { compareRanks(ranksOf(item, file), field(item, "expected"), compare); });
}

} // namespace attention
