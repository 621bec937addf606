// Kinds about what kernels and devices make of a mask: tiles (T9) and ranks (T10).
#include "core/verify/kinds.h"

#include "core/analysis/tiles/rank_work.h"
#include "core/analysis/tiles/tile_counts.h"
#include "core/support/error.h"

#include <algorithm>
#include <map>

namespace attention {
namespace {

// A pattern, its parameters left out where it has none; or the band [a, b], −b ≤ i − j ≤ a.
CaseJson patternOf(const CaseJson& item) {
  if (!isGiven(item, "band"))
    return {{"mechanism", field(item, "mechanism")},
            {"params", isGiven(item, "params") ? field(item, "params") : CaseJson::object()}};
  const CaseJson& sides = listField(item, "band");
  const Index last = integerField(item, "n") - 1;
  return {{"mechanism", "sliding_window"},
          {"params",
           {{"left", std::min(sides.at(0).get<Index>(), last)},
            {"right", std::min(sides.at(1).get<Index>(), last)}}}};
}

std::shared_ptr<const Prepared> maskOf(const CaseJson& item, const CaseFile& file) {
  return prepare(file.pattern(patternOf(item)), lengthsOf(item), file.run());
}

void compareTiles(const TileCounts& counts, const CaseJson& expected, Comparison& compare) {
  const std::map<std::string, Index> integers{{"full", counts.full},
                                              {"partial", counts.partial},
                                              {"empty", counts.empty},
                                              {"full_cut", counts.fullCut},
                                              {"wanted_pairs", counts.wantedPairs},
                                              {"computed_pairs", counts.computedPairs},
                                              {"computed_pairs_cut", counts.computedPairsCut},
                                              {"wasted_pairs", counts.wastedPairs()}};
  for (const auto& [name, value] : expected.items()) {
    if (const auto at = integers.find(name); at != integers.end())
      compare.integer(name, at->second, value);
    else if (name == "waste")
      compare.number(name, counts.waste(), value);
    else if (name == "block_density")
      compare.number(name, counts.blockDensity(), value);
    else
      throw Error(ErrorCode::Unknown, name,
                  "the case expects " + name + ", which nothing is compared with");
  }
}

void compareRanks(const RankWork& work, const CaseJson& expected, Comparison& compare) {
  for (const auto& [name, value] : expected.items()) {
    if (name == "pairs")
      compare.integers(name, work.pairs, value);
    else if (name == "rows")
      compare.integers(name, work.rows, value);
    else if (name == "owner")
      compare.integers(name, work.owner, value);
    else if (name == "imbalance")
      compare.number(name, work.imbalance, value);
    else
      throw Error(ErrorCode::Unknown, name,
                  "the case expects " + name + ", which nothing is compared with");
  }
}

} // namespace

void verifyTiles(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : listField(file.json(), "items"))
    compareTiles(countTiles(*maskOf(item, file),
                            {integerField(item, "b_q"), integerField(item, "b_k")}, 0, file.run()),
                 field(item, "expected"), compare);
}

void verifyRanks(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : listField(file.json(), "items")) {
    const RankQuestion question{integerField(item, "ranks"),
                                rankSchemeNamed(textField(item, "scheme")),
                                isGiven(item, "chunk") ? integerField(item, "chunk") : 1};
    compareRanks(rankWork(*maskOf(item, file), question, 0, file.run()), field(item, "expected"),
                 compare);
  }
}

} // namespace attention
