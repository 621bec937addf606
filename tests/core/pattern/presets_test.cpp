// Libraries' conventions of "window" and "causal" against their formulas, cell by cell.
#include "core/pattern/presets.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace attention;

namespace {

using Rule = std::function<bool(Index i, Index j)>;

void checkPreset(const std::string& name, const std::vector<Index>& values, const Rule& rule,
                 const Lengths& lengths = squareLengths(24)) {
  const auto p = prepare(presetNamed(name).pattern(values), lengths);
  INFO(name);
  for (Index i = 0; i < lengths.queries; ++i)
    for (Index j = 0; j < lengths.keys; ++j)
      REQUIRE(p->contains(i, j) == rule(i, j));
}

Index pairsOf(const std::string& name, const std::vector<Index>& values, Index n) {
  return prepare(presetNamed(name).pattern(values), squareLengths(n))->pairs();
}

} // namespace

TEST_CASE("presets hold the keys that their sources state", "[presets]") {
  const Index w = 4;
  const Rule withItself = [=](Index i, Index j) { return 0 <= i - j && i - j < w; };
  const Rule andItself = [=](Index i, Index j) { return 0 <= i - j && i - j <= w; };
  for (const char* name : {"openai-sparse-attention", "transformers", "mistral-figure"})
    checkPreset(name, {w}, withItself);
  for (const char* name :
       {"child-paper", "attention-gym", "flash-attention", "mistral-paper", "axlearn"})
    checkPreset(name, {w}, andItself);
  const auto side = [](Index r) { return [=](Index i, Index j) { return std::abs(i - j) <= r; }; };
  checkPreset("longformer-allenai", {w}, side(w));
  checkPreset("longformer-transformers", {w}, side(w / 2));
  checkPreset("xformers-local", {w + 1}, side(w / 2));
  checkPreset("sliding-window-viz", {w}, side(w));
  checkPreset("longformer-dilated", {w, 3},
              [=](Index i, Index j) { return (i - j) % 3 == 0 && std::abs(i - j) <= 3 * w; });
  checkPreset("attention-gym-dilated", {w, 3},
              [=](Index i, Index j) { return (i - j) % 3 == 0 && std::abs(i - j) <= w; });
  for (const auto& [queries, keys] : {std::pair<Index, Index>(5, 9), {9, 5}, {6, 6}}) {
    const Lengths lengths = alignedLengths(queries, keys, Align::TopLeft);
    const Index more = keys - queries;
    checkPreset(
        "causal-top-left", {}, [](Index i, Index j) { return j <= i; }, lengths);
    checkPreset(
        "causal-bottom-right", {queries, keys}, [=](Index i, Index j) { return j <= i + more; },
        lengths);
  }
}

TEST_CASE("windows and dilations have the published numbers", "[presets]") {
  CHECK(pairsOf("mistral-figure", {3}, 5) == 12);
  CHECK(pairsOf("mistral-paper", {3}, 5) == 14);
  CHECK(pairsOf("sliding-window-viz", {3}, 24) == 156);
  CHECK(pairsOf("longformer-dilated", {3, 2}, 24) == 144);
  CHECK(pairsOf("attention-gym-dilated", {3, 2}, 24) == 68);
  CHECK(pairsOf("child-paper", {6}, 36) == 231);
  CHECK(pairsOf("openai-sparse-attention", {6}, 36) == 201);
}

TEST_CASE("global blocks stand at both ends or at the start", "[presets]") {
  const auto google =
      prepare(presetNamed("bigbird-google").pattern(std::vector<Index>{2, 1}), squareLengths(20));
  const auto deepspeed = prepare(presetNamed("bigbird-deepspeed").pattern(std::vector<Index>{2, 1}),
                                 squareLengths(20));
  CHECK(google->contains(9, 19));
  CHECK_FALSE(deepspeed->contains(9, 19));
  CHECK(google->contains(9, 0));
  CHECK(deepspeed->contains(9, 0));
}

TEST_CASE("presets of images, videos and drafts hold the keys that their sources state",
          "[presets]") {
  checkPreset(
      "swin", {8, 8, 4},
      [](Index i, Index j) { return i / 32 == j / 32 && i % 8 / 4 == j % 8 / 4; },
      squareLengths(64));
  checkPreset("natten-2d", {3, 8, 3}, [](Index i, Index j) { // three rows: every row is near
    return std::abs(std::clamp<Index>(i % 8, 1, 6) - j % 8) <= 1;
  });
  checkPreset("llama4-chunks", {5}, [](Index i, Index j) { return j <= i && i / 5 == j / 5; });
  checkPreset("gemma3-image", {4, 6},
              [](Index i, Index j) { return j <= i || (4 <= i && i < 10 && 4 <= j && j < 10); });
  checkPreset("gemma3-image-window", {4, 6, 3}, [](Index i, Index j) {
    return i - j < 3 && (j <= i || (4 <= i && i < 10 && 4 <= j && j < 10));
  });
  checkPreset("svg-spatial", {4, 5, 2, 4, 5}, [](Index i, Index j) {
    return i < 4 || j < 4 + 5 || std::abs(i - j) < 2 * 5 / 4 * 4;
  });
  checkPreset("svg-spatial-original", {5, 2, 4},
              [](Index i, Index j) { return j < 5 || std::abs(i - j) <= 12; });
  checkPreset("llama4-chunks-padded", {6, 4},
              [](Index i, Index j) { return 4 <= j && j <= i && (i - 4) / 6 == (j - 4) / 6; });
  checkPreset("svg-temporal", {4, 4, 5, 2}, [](Index i, Index j) {
    const auto place = [](Index token) { return ((token - 4) % 5 + 5) % 5; };
    return i < 4 || j < 4 || std::abs(place(i) - place(j)) < 2 * 5 / 4;
  });
  // The prefix, two drafts and three behind each of them: 9 nodes, depths 1, 2 · 2 and 6 · 3.
  CHECK(pairsOf("medusa", {2, 3, 55}, 64) == 55 * 56 / 2 + 9 * 55 + 1 + 4 + 18);
  CHECK(pairsOf("sliding-tiles", {4, 4, 4, 2, 1}, 64) == 8 * 8 * 8);
  CHECK(pairsOf("longnet", {4, 3}, 16) == 88);
  CHECK(pairsOf("bd3-lm", {4}, 16) == 2 * (2 * 16 + 16));
}

TEST_CASE("every preset has its own name and defaults that can be prepared", "[presets]") {
  std::set<std::string> names;
  for (const Preset& preset : allPresets()) {
    CHECK(names.insert(preset.name).second);
    CHECK(codeOf([&] { patternNamed(preset.name); }) == "E_UNKNOWN"); // not a mechanism's name
    CHECK_FALSE(preset.source.empty());
    CHECK(prepare(preset.pattern(), squareLengths(64))->pairs() > 0);
  }
  CHECK(names.size() == 32);
}

TEST_CASE("presets refuse what their sources refuse and unknown names", "[presets]") {
  const auto message = [](const std::string& name, std::vector<Index> values) {
    return messageOf([&] { presetNamed(name).pattern(values); });
  };
  CHECK(message("xformers-local", {4}) == "window is 4; it must be an odd integer of at least 1");
  CHECK(message("longformer-transformers", {5}) ==
        "window is 5; it must be an even integer of at least 0");
  CHECK(message("mistral-paper", {-1}) == "window is -1; it must be an integer of at least 0");
  CHECK(messageOf([] { presetNamed("mistral-papr"); }) ==
        "preset \"mistral-papr\" is unknown; the nearest is mistral-paper");
}
