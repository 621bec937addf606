// Which mechanisms the figures of newer papers are made of, and what they choose there.
#include "core/pattern/mechanism/composed.h"
#include "core/scene/figures.h"
#include "core/views/mask/shown_masks.h"
#include "tests/catch.h"
#include "tests/core/figure/scene_input.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace attention;

namespace {

const std::filesystem::path kAssets = std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets";

std::vector<Index> keysOf(const Prepared& prepared, Index query) {
  std::vector<Index> keys;
  for (Index j = 0; j < prepared.lengths().keys; ++j)
    if (prepared.contains(query, j))
      keys.push_back(j);
  return keys;
}

} // namespace

TEST_CASE("Published figures are drawn by the mechanisms that they are about") {
  const std::map<std::string, std::pair<std::size_t, std::string>> made{
      {"attention-gym-tree", {0, "tree"}},
      {"bd3lm-2025", {0, "block_diffusion"}},
      {"h2o-2023-fig1", {3, "cache"}},
      {"longnet-2023-fig2", {3, "dilated_segments"}},
      {"longnet-2023-fig3", {0, "dilated_segments"}},
      {"minference-2024-fig3", {2, "block_topk"}},
      {"moba-2025", {0, "moba"}},
      {"natten-2022-viz", {1, "neighborhood"}},
      {"nsa-2025-fig2", {1, "nsa"}},
      {"streamingllm-2023-fig1", {3, "sinks"}}};
  for (const auto& [name, panel] : made) {
    INFO(name);
    const Scene scene = findFigure(kAssets, name);
    const Pattern& pattern = scene.mask.panels.at(panel.first).pattern;
    const auto* composed = pattern.as<Compose>(); // of one: what it reads key by key, alone
    CHECK(description(composed ? composed->of.front() : pattern).name == panel.second);
  }
}

TEST_CASE("Heavy hitters are evicted where their column ends, and one takes their place") {
  const Scene scene = findFigure(kAssets, "h2o-2023-fig1");
  const auto input = loadedInput(scene);
  const auto cache =
      shownMasks(scene, lengthsOf(scene.length, 0), input.get()).masks.at(3).prepared;
  CHECK(keysOf(*cache, 9) == std::vector<Index>{0, 1, 3, 6, 7, 8, 9});
  CHECK(keysOf(*cache, 23) == std::vector<Index>{0, 3, 11, 20, 21, 22, 23});
}
