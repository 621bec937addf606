#include "app/gui/results/make_results.h"

namespace attention::gui {
namespace {

constexpr Index kMostCounted = Index{1} << 16; // cells of a row or column without a closed form

std::optional<Index> keysOf(const Prepared& prepared, Index query, const Run& run) {
  const Lengths& lengths = prepared.lengths();
  if (!prepared.closedForm() && lengths.keys > kMostCounted)
    return std::nullopt;
  return prepared.count({query, query + 1, 0, lengths.keys}, run);
}

// Tables know their rows; a column must be searched in each of them.
std::optional<Index> queriesOf(const Prepared& prepared, Index key, const Run& run) {
  const Lengths& lengths = prepared.lengths();
  if ((!prepared.closedForm() || prepared.hasTables()) && lengths.queries > kMostCounted)
    return std::nullopt;
  return prepared.count({0, lengths.queries, key, key + 1}, run);
}

} // namespace

TokenCounts makeTokenCounts(const Masks& masks, std::optional<Index> query,
                            std::optional<Index> key, const Run& run) {
  TokenCounts counts{query, key, {}, {}};
  for (const ShownMask& tile : masks.tiles) {
    if (query)
      counts.keysOfQuery.push_back(keysOf(*tile.prepared, *query, run));
    if (key)
      counts.queriesOfKey.push_back(queriesOf(*tile.prepared, *key, run));
  }
  return counts;
}

} // namespace attention::gui
