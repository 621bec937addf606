#include "app/gui/results/compare_results.h"

namespace attention::gui {
namespace {

std::shared_ptr<const ScoresShown> shownOf(const ScoresKey& key,
                                           const std::vector<ScoreLine>& lines) {
  return std::make_shared<const ScoresShown>(ScoresShown{
      lines, massPlot(lines), errorPlot(lines), readingOf(key.question, key.input, lines)});
}

} // namespace

Difference makeDifference(const DifferenceKey& key, const Run& run) {
  const auto& tiles = key.masks->tiles;
  return difference(tiles.at(static_cast<std::size_t>(key.first)).prepared,
                    tiles.at(static_cast<std::size_t>(key.second)).prepared, run.threads, run);
}

std::shared_ptr<const ScoresShown> makeScores(const ScoresKey& key, const Run& run,
                                              Parts<ScoresShown>& parts) {
  return shownOf(
      key,
      scoresOf(
          key.question, key.input,
          [&](const std::vector<ScoreLine>& lines) { parts.publish(shownOf(key, lines)); }, run));
}

} // namespace attention::gui
