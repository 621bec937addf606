#include "core/views/mask/mask_words.h"

#include "core/support/number_text.h"

#include <algorithm>

namespace attention {

BlockSize blockOf(const TilesSpec& spec) {
  return {spec.queries, spec.keys};
}

std::string blockText(const BlockSize& block) {
  return groupedDigits(block.queries) + " × " + groupedDigits(block.keys);
}

std::string tilesSentence(const TileCounts& counts, const BlockSize& block) {
  const std::string about = counts.exact ? "" : "about ";
  const auto some = [&about](Index count) {
    return count == 0 ? "none is" : about + groupedDigits(count) + agreeing(count, " is", " are");
  };
  return "With " + blockText(block) + " tiles, " + some(counts.full) + " full, " +
         some(counts.partial) + " partial and " + some(counts.empty) + " empty; " +
         (counts.computedPairs == 0 ? "nothing is computed."
                                    : about + readableNumber(100 * counts.waste()) +
                                          " % of the computed pairs are masked out.");
}

std::string bestBlockSentence() {
  return "Best: the largest block that computes at most " + readableNumber(100 * kFairPrice) +
         " %" + " more pairs than the one that computes fewest.";
}

std::string ranksSentence(const RankWork& work) {
  constexpr double kEven = 1.005;
  if (work.imbalance < kEven)
    return "Every rank has the same number of pairs, or nearly so: none waits for another.";
  return "The busiest rank has " + readableNumber(work.imbalance) +
         " times the mean, so the others wait: " + readableNumber(100 * (1 - 1 / work.imbalance)) +
         " % of all ranks' time is idle.";
}

TilesSpec withSeveralTiles(TilesSpec spec, const Lengths& lengths) {
  constexpr Index kEnough = 4;
  constexpr Index kWanted = 8;
  const Index shorter = std::min(lengths.queries, lengths.keys);
  if (shorter == 0 || std::max(spec.queries, spec.keys) <= shorter / kEnough)
    return spec;
  Index side = 1;
  while (2 * side * kWanted <= shorter)
    side *= 2;
  spec.queries = spec.keys = side;
  return spec;
}

} // namespace attention
