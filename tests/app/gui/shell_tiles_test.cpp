// Tiles, ranks and the check of a mask in the window.
#include "app/gui/files/command_text.h"
#include "app/gui/views/mask/mask_view.h"
#include "core/pattern/mechanism/expr.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

const MaskFindings& foundIn(TestWindow& window) {
  return window.results().part<MaskFindings>();
}

std::string commandOf(TestWindow& window) {
  return commandText(window.scene(), window.results().lengths, window.results().input.value.get());
}

void drop(TestWindow& window, const std::filesystem::path& file) {
  window.play("drop " + quoted(file) + "\nframes 3\nwait\n");
}

TEST_CASE("The tile layer counts tiles, lists block sizes and takes the best", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  TestWindow window(scene);
  window.play("click \"View options/tiles\"\nwait\n");
  CHECK(window.scene().mask.tiles == TilesSpec{true, 8, 8}); // as 128 × 128 would be one tile
  REQUIRE(foundIn(window).tiles);
  CHECK(foundIn(window).tiles->counts.full == 28);
  CHECK(foundIn(window).tiles->counts.partial == 8);
  CHECK(window.says("With 8 × 8 tiles, 28 are full, 8 are partial and 28 are empty"));
  CHECK(window.says("16 × 16, best"));
  CHECK(commandOf(window).find("attnx tiles --block 8x8 causal --n 64") == 0);
  window.play("click \"best block size\"\nwait\n");
  CHECK(window.scene().mask.tiles == TilesSpec{true, 16, 16});
  window.play("click \"View options/tiles\"\nwait\n");
  CHECK_FALSE(window.says("of the computed pairs are masked out"));
  CHECK_FALSE(foundIn(window).tiles);
}

TEST_CASE("Tiles of a long mask are grouped and counted all the same", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  scene.length.n = Index{1} << 24;
  scene.mask.tiles = {true, 128, 128};
  TestWindow window(scene);
  REQUIRE(foundIn(window).tiles);
  CHECK(foundIn(window).tiles->counts.partial == 131072);
  CHECK(foundIn(window).tiles->counts.exact);
  CHECK(window.says("a square is"));
}

TEST_CASE("Ranks show the pairs of each for the scheme", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  scene.length.n = 24;
  scene.mask.ranks = {true, 4, RankScheme::Contiguous, 1};
  TestWindow window(scene);
  CHECK(foundIn(window).ranks->work.pairs == std::vector<Index>{21, 57, 93, 129});
  CHECK(window.says("The busiest rank has 1.72 times the mean"));
  CHECK(commandOf(window).find("attnx ranks --ranks 4 --scheme contiguous causal --n 24") == 0);
  window.play("click \"scheme/zigzag\"\nwait\n");
  CHECK(foundIn(window).ranks->work.imbalance == 1);
}

TEST_CASE("A mask that is dropped is checked", "[shell]") {
  const TemporaryFolder folder;
  std::string cells = "i,j\n";
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j <= i + 1 && j < 8; ++j)
      if (i != 5)
        cells += std::to_string(i) + "," + std::to_string(j) + "\n";
  writeText(folder / "mask.csv", cells);
  TestWindow window;
  window.bench().document.apply({"length", [](Scene& s) { s.length.n = 8; }});
  drop(window, folder / "mask.csv");
  CHECK(window.scene().mask.check.shown);
  REQUIRE(foundIn(window).check);
  CHECK(window.says("6, the first (0, 1)"));
  CHECK(window.says("Query 5 is the first that attends to nothing."));
  CHECK(window.says("This mask equals none of the known patterns."));
}

TEST_CASE("The answer of a check stands above the mask at every size", "[shell]") {
  const auto [width, height] = GENERATE(std::pair(1440, 900), std::pair(1024, 640));
  Scene scene = smallScene();
  scene.pattern = Expr{"j <= i + 1 && i != 5", {}, false};
  scene.length.n = 24;
  scene.mask.check = {true, "gemma-3-1b", 5};
  TestWindow window(scene, {}, {}, width, height);
  const std::string answer = answerOf(*foundIn(window).check);
  CHECK(answer.find("differs from layer 5 of Gemma 3 1B") != std::string::npos);
  const Widget* words = window.app().log().find("View/" + answer);
  const Widget* mask = window.app().log().find("View/Mask");
  const Widget* first = window.app().log().find("View/first key in the future: (0, 1)");
  REQUIRE(words);
  REQUIRE(mask);
  REQUIRE(first);
  CHECK(words->rect.y1 <= mask->rect.y0);
  CHECK(words->rect.x1 <= mask->sight.x1);
  CHECK(first->rect.y0 >= mask->rect.y0); // beside its cell, in the first row
  CHECK(first->rect.y0 < mask->rect.y0 + (mask->rect.y1 - mask->rect.y0) / 8);
  CHECK(overlappingWords(window).empty());
  window.play("click \"View options/check\"\nwait\n");
  CHECK_FALSE(window.shows("View/" + answer));
  CHECK_FALSE(window.shows("View/first key in the future: (0, 1)"));
}

TEST_CASE("A mask is compared with a layer of a model, whose name is checked", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  scene.length.n = 600;
  scene.mask.check = {true, "", 0};
  TestWindow window(scene);
  CHECK(window.says("This is causal."));
  window.play("set \"compare with\" \"gemma-3-1x\"\nwait\n");
  CHECK(window.scene().mask.check.model.empty());
  CHECK(window.says("gemma-3-1b"));
  window.play("set \"compare with\" \"gemma-3-1b\"\nwait\n");
  CHECK(window.says("It differs from layer 0 of Gemma 3 1B first at (512, 0)."));
  window.play("set \"model layer\" 5\nwait\n");
  CHECK(window.says("It equals layer 5 of Gemma 3 1B."));
  CHECK(commandOf(window).find(
            "attnx check --against-model 'gemma-3-1b' --layer 5 causal --n 600") == 0);
  window.play("set \"model layer\" 0\nwait\nclick \"draw the difference\"\nwait\n");
  CHECK(window.scene().view == View::Compare);
  REQUIRE(window.scene().compare.patterns.size() == 2);
  CHECK(window.scene().compare.patterns[0].pattern == scene.pattern);
  CHECK(window.scene().compare.patterns[1].title == "layer 0 of Gemma 3 1B");
}

TEST_CASE("Long masks are not checked, and the inspector says so", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = patternNamed("causal");
  scene.length.n = 20000;
  scene.mask.check = {true, "", 0};
  TestWindow window(scene);
  CHECK(window.says("n is 20000; it must be at most 16384 for a check"));
}

} // namespace
} // namespace attention::gui
