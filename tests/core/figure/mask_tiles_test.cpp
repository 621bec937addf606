// Tiles, ranks and the check of a Scene's mask in words and figures.
#include "core/pattern/mechanism/local.h"
#include "core/plot/figure.h"
#include "core/scene/scene_json.h"
#include "core/support/number_text.h"
#include "core/views/mask/checked_mask.h"
#include "core/views/mask/mask_words.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

#include <nlohmann/json.hpp>

using namespace attention;

namespace {

Scene tiledScene() {
  Scene scene;
  scene.pattern = patternNamed("causal");
  scene.length.n = 64;
  scene.mask.tiles = {true, 16, 16};
  return scene;
}

CheckedMask checkedOf(const Pattern& pattern, Index n, const CheckSpec& spec = {true, "", 0}) {
  return checkedMask(prepare(pattern, squareLengths(n)), spec);
}

} // namespace

TEST_CASE("the figure of a mask shows its tiles and counts them") {
  const Figure figure = figureOfScene(tiledScene());
  REQUIRE(figure.panels.size() == 1);
  const auto& mark = std::get<MaskMark>(figure.panels.front().plots.front().mark);
  REQUIRE(mark.tiles);
  CHECK(mark.tiles->grid.block == BlockSize{16, 16});
  CHECK(std::count(mark.tiles->kinds.begin(), mark.tiles->kinds.end(), TileKind::Full) == 6);
  CHECK(figure.caption.find("With 16 × 16 tiles, 6 are full, 4 are partial and 6 are empty; 18.8 % "
                            "of the computed pairs are masked out.") != std::string::npos);
  Scene plain = tiledScene();
  plain.mask.tiles.shown = false;
  const Figure without = figureOfScene(plain);
  CHECK_FALSE(std::get<MaskMark>(without.panels.front().plots.front().mark).tiles);
}

TEST_CASE("tiles of a thin mask are all partial, in words") {
  Local window;
  window.window = 4;
  window.causal = true;
  const auto thin = prepare(window, squareLengths(64));
  CHECK(tilesSentence(countTiles(*thin, {16, 16}), {16, 16}) ==
        "With 16 × 16 tiles, none is full, 7 are partial and 9 are empty; 86 % of the computed "
        "pairs are masked out.");
}

TEST_CASE("tiles, ranks and check are saved with the Scene, and bounds hold") {
  Scene scene = tiledScene();
  scene.mask.ranks = {true, 6, RankScheme::Sorted, 4};
  scene.mask.check = {true, "gemma-3-1b", 5};
  CHECK(sceneFromText(toText(scene)).scene == scene);
  scene.mask.tiles.queries = 0;
  CHECK(messageOf([&] { figureOfScene(scene); }) ==
        "mask.tiles.queries is 0; it must be an integer from 1 to 1073741824");
  scene = tiledScene();
  scene.mask.ranks = {true, 0, RankScheme::Sorted, 4};
  CHECK(messageOf([&] { figureOfScene(scene); }).starts_with("mask.ranks.ranks is 0; "));
  scene.mask.ranks.shown = false; // nothing reads it
  CHECK_NOTHROW(figureOfScene(scene));
  scene.mask.check = {true, "gemma-3-1b", -2};
  CHECK(messageOf([&] { figureOfScene(scene); }).starts_with("mask.check.layer is -2; "));
}

TEST_CASE("blocks of a short mask are made small enough to be told apart") {
  const TilesSpec usual{true, 128, 128};
  CHECK(withSeveralTiles(usual, squareLengths(128)).queries == 16);
  CHECK(withSeveralTiles(usual, squareLengths(5)).queries == 1);
  CHECK(withSeveralTiles(usual, squareLengths(512)) == usual);
  CHECK(withSeveralTiles(usual, Lengths{}) == usual); // while the input is being read
  CHECK(withSeveralTiles({true, 4, 8}, squareLengths(64)) == TilesSpec{true, 4, 8});
}

TEST_CASE("how even a split is, in words") {
  const auto causal = prepare(patternNamed("causal"), squareLengths(24));
  CHECK(
      ranksSentence(rankWork(*causal, {4, RankScheme::Contiguous, 1})) ==
      "The busiest rank has 1.72 times the mean, so the others wait: 41.9 % of all ranks' time is "
      "idle.");
  CHECK(ranksSentence(rankWork(*causal, {4, RankScheme::Zigzag, 1})) ==
        "Every rank has the same number of pairs, or nearly so: none waits for another.");
}

TEST_CASE("a checked mask is named, with the models that have it") {
  Local window;
  window.window = 4096;
  window.causal = true;
  const CheckedMask checked = checkedOf(window, 4100);
  CHECK(nameText(checked) == "local, window 4096, causal");
  REQUIRE_FALSE(checked.models.empty());
  CHECK(modelText(checked.models.front()) == "Mistral 7B v0.1 (every layer)");
  CHECK(readingOf(checked).front() ==
        "This is local, window 4096, causal: as in Mistral 7B v0.1 (every layer).");
  CHECK(readingOf(checked)[1] == "No query attends to a later key.");
  CHECK(answerOf(checked) == "equals local, window 4096, causal, as in Mistral 7B v0.1 (every "
                             "layer) and " +
                                 counted(checked.models.size() - 1, "other model") +
                                 " · no key in the future");
  CHECK(checkedOf(patternNamed("causal"), 32).models.empty()); // as most models have
}

TEST_CASE("a checked mask is compared with a layer of a model") {
  const CheckedMask same = checkedOf(patternNamed("causal"), 600, {true, "gemma-3-1b", 5});
  CHECK(same.against == "layer 5 of Gemma 3 1B");
  CHECK(readingOf(same).back() == "It equals layer 5 of Gemma 3 1B.");
  CHECK(answerOf(same) == "equals causal · no key in the future · equal to layer 5 of Gemma 3 1B");
  const CheckedMask other = checkedOf(patternNamed("causal"), 600, {true, "gemma-3-1b", 0});
  REQUIRE(other.check.against);
  CHECK(other.check.against->firstRow == 512);
  CHECK(readingOf(other).back() == "It differs from layer 0 of Gemma 3 1B first at (512, 0).");
  const std::string only = counted(Index{88 * 89 / 2}, "cell"); // of queries 512 … 599
  CHECK(answerOf(other) == "equals causal · no key in the future · differs from layer 0 of Gemma 3 "
                           "1B: " +
                               only +
                               " only in this mask, 0 only in the model, first "
                               "(512, 0)");
  CHECK(messageOf([&] {
          checkedOf(patternNamed("causal"), 8, {true, "gemma-3-1b", 26});
        }).find("26") != std::string::npos);
  CHECK(messageOf([&] { checkedOf(patternNamed("causal"), kMostCheckedTokens + 1); }) ==
        "n is 16385; it must be at most 16384 for a check");
}

TEST_CASE("what is wrong with a mask is said with its first cell") {
  const auto mask = preparedFrom("expr", R"({"expr": "j <= i + 1 && i != 3"})", 6);
  const CheckedMask checked = checkedMask(mask, {true, "", 0});
  const std::vector<std::string> said = readingOf(checked);
  CHECK(said[1] == "4 cells lie in the future; the first is query 0, key 1.");
  CHECK(said[2] == "Query 3 is the first that attends to nothing.");
  CHECK(countedFrom(checked.check.report.futureCells, checked.check.report.firstFuture) ==
        "4, the first (0, 1)");
  CHECK(answerOf(checked) == "equals none of the known patterns · 4 keys in the future, first "
                             "(0, 1) · 1 query without a key, first 3");
  CHECK(indicesText({3, 5}) == "2: 3, 5");
  CHECK(indicesText({}) == "none");
}
