#include "core/analysis/tiles/best_block.h"

#include "core/support/part_of_run.h"

#include <algorithm>

namespace attention {
namespace {

Index areaOf(const BlockSize& block) {
  return block.queries * block.keys;
}

bool isBetter(const BlockCandidate& a, const BlockCandidate& b) {
  if (areaOf(a.block) != areaOf(b.block))
    return areaOf(a.block) > areaOf(b.block);
  return a.counts.computedPairs < b.counts.computedPairs;
}

} // namespace

BlockChoice bestBlock(const Prepared& pattern, int threads, const Run& run) {
  BlockChoice choice;
  const auto steps = static_cast<Index>(kKernelBlocks.size());
  for (Index k = 0; k < steps; ++k) {
    const BlockSize& block = kKernelBlocks[static_cast<std::size_t>(k)];
    choice.candidates.push_back(
        {block, countTiles(pattern, block, threads, stepOf(run, k, steps))});
    run.report(static_cast<double>(k + 1) / static_cast<double>(steps));
  }
  const auto fewest = std::min_element(choice.candidates.begin(), choice.candidates.end(),
                                       [](const BlockCandidate& a, const BlockCandidate& b) {
                                         return a.counts.computedPairs < b.counts.computedPairs;
                                       });
  choice.best = static_cast<std::size_t>(fewest - choice.candidates.begin());
  const double most = (1 + kFairPrice) * static_cast<double>(fewest->counts.computedPairs);
  for (std::size_t k = 0; k < choice.candidates.size(); ++k)
    if (static_cast<double>(choice.candidates[k].counts.computedPairs) <= most &&
        isBetter(choice.candidates[k], choice.chosen()))
      choice.best = k;
  return choice;
}

} // namespace attention
