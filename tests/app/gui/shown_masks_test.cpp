// Everything that Mask, Reach and Compare show of strided attention over ten tokens, counted by
// hand: query i attends to the 3 keys before it, itself, and every third one.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/nsa.h"
#include "core/pattern/mechanism/strided.h"
#include "core/plot/color.h"
#include "core/scene/scene_json.h"
#include "tests/app/gui/shown_things.h"

#include <array>
#include <set>
#include <tuple>

namespace attention::gui {
namespace {

Scene tenTokens(View view) {
  Scene scene = smallScene();
  scene.view = view;
  scene.pattern = Strided{3};
  scene.length.n = 10;
  scene.pins = {7, 4};
  return scene;
}

TEST_CASE("Mask shows these facts of ten strided tokens and no others", "[shown]") {
  TestWindow window(tenTokens(View::Mask));
  // Queries 0 … 9 have 1 2 3 4 4 4 5 5 5 6 keys: 39 of 55. Of them 1 + 2 + 3 + 7 · 4 are near ones.
  // FLOPs: (4 · 64 + 5) · 39 + 64 · 10 = 10819, of causal (4 · 64 + 5) · 55 + 640 = 14995.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Query 7 → key 4", "✓ attends", "through A¹", "0 ≤ 7 − 4 = 3 ≤ 3", "Read this",
              "Query 7 sees keys 4–7 and 1 of the 4 earlier keys. Key 0 is seen by 6 of 10 "
              "queries, key 5 by 4. Of the 39 pairs A¹ gives 34, and A² adds 5.",
              "Cost: O(n √n d)", "pairs: 39  70.9 % of causal", "FLOPs: 10.8 k  72.2 % of causal",
              "keys per query: 1 … 6, mean 3.9"});
  CHECK(wordsIn(window, "View") ==
        Words{"Mask: queries 0–10, keys 0–10", "A¹ previous ℓ", "A² every ℓ-th",
              "query 7 attends to 5 keys · key 4 is seen by 4 queries",
              "scroll zooms · drag pans · F fits · click pins a query, Shift+click a key"});
  CHECK(countsOf(window) == "n 10 · 39 pairs · 70.9 % of causal");
  checkBoxes(window, {{"Mask", {390, 98, 1064, 772}}});
}

TEST_CASE("Of several heads Mask says which one its words are about", "[shown]") {
  Scene scene = tenTokens(View::Mask);
  scene.mask.heads = {HeadsShown::SideBySide, 2, true, 1, {}};
  TestWindow window(scene);
  const Words words = wordsIn(window, "Inspector");
  CHECK(std::count(words.begin(), words.end(), "of head 0") == 2);
  CHECK(countsOf(window) == "n 10 · 34 pairs · 61.8 % of causal · head 0");
  scene.mask.heads = {};
  scene.mask.panels = {{"", Strided{3}}, {"", Local{4, true}}};
  TestWindow panels(scene);
  CHECK(countsOf(panels) == "n 10 · 39 pairs · 70.9 % of causal · (a)");
}

TEST_CASE("Mask says why a key is not attended to", "[shown]") {
  Scene scene = tenTokens(View::Mask);
  scene.pins = {7, 2};
  TestWindow window(scene);
  const Words words = wordsIn(window, "Inspector", "Read this");
  CHECK(words == Words{"Query 7 → key 2", "✗ does not attend",
                       "7 − 2 = 5 > 3 (A¹); (7 − 2) mod 3 = 2 (A²)"});
}

TEST_CASE("Mask says which keys NSA reads only within compressed ones", "[shown]") {
  Scene scene = tenTokens(View::Mask);
  scene.pattern = Nsa{2, 2, 2, 1, 0, 1, 2}; // the query's own block and the last two keys
  RandomInput random;
  random.n = 10;
  scene.input.source = random;
  scene.pins = {7, 2};
  TestWindow window(scene);
  CHECK(window.says("compressed keys"));
  const Words words = wordsIn(window, "Inspector", "Read this");
  REQUIRE(words.size() > 3);
  CHECK(words[1] == "✗ not on its own");
  CHECK(words[2] == "only as part of a mean: compressed");
  CHECK(words[3].starts_with("query 7 sees 4 compressed keys, one of which stands for key 2; not "
                             "by itself: 7 − 2 = 5 ≥ 2 (window); "));
  // Counts are of what is read key by key: twice a block's first query, which sees the key before.
  Index pairs = 0;
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j <= i; ++j)
      pairs += i - j < 2 || i / 2 == j / 2 ? 1 : 0;
  CHECK(countsOf(window).starts_with("n 10 · " + std::to_string(pairs) + " pairs"));
}

TEST_CASE("Mask hides and shows the layers of NSA", "[shown]") {
  Scene scene = tenTokens(View::Mask);
  scene.pattern = Nsa{2, 2, 2, 1, 0, 1, 2};
  RandomInput random;
  random.n = 10;
  scene.input.source = random;
  TestWindow window(scene);
  const std::string counts = countsOf(window);
  const auto pixels = [&window] {
    const Widget* mask = window.app().log().find("View/Mask");
    REQUIRE(mask);
    const gl::Pixels all = window.host().pixels();
    std::set<std::tuple<int, int, int>> colours;
    for (int y = static_cast<int>(mask->rect.y0); y < static_cast<int>(mask->rect.y1); ++y)
      for (int x = static_cast<int>(mask->rect.x0); x < static_cast<int>(mask->rect.x1); ++x)
        colours.emplace(all.at(x, y)[0], all.at(x, y)[1], all.at(x, y)[2]);
    return colours;
  };
  const auto seen = [&](std::size_t hue) {
    const Color& c = figureColors(FigureTheme::Dark).series[hue];
    return pixels().contains({c.r, c.g, c.b});
  };
  CHECK(seen(0)); // window, before selected and compressed
  CHECK(seen(2));
  window.play("click \"View options/compressed\"\nwait\nframes 3\n");
  CHECK(window.scene().mask.hidden == std::vector<std::string>{"compressed"});
  CHECK(seen(0));
  CHECK_FALSE(seen(2));
  window.play("click \"View options/window\"\nwait\nframes 3\n");
  CHECK(seen(1)); // the own block, which the window covered
  CHECK_FALSE(seen(0));
  const Widget* last = window.app().log().find("View options/selected");
  REQUIRE(last);
  CHECK_FALSE(last->enabled);
  CHECK(countsOf(window) == counts); // which the layers do not change
  window.play("click \"View options/compressed\"\nwait\nframes 3\n");
  CHECK(window.scene().mask.hidden == std::vector<std::string>{"window"});
  CHECK(seen(2));
  scene.mask.hidden = {"compressed"};
  CHECK(sceneFromJson(toJson(scene)).scene.mask.hidden == scene.mask.hidden);
}

TEST_CASE("Reach shows these facts of two strided layers and no others", "[shown]") {
  Scene scene = tenTokens(View::Reach);
  scene.reach.layers = 2;
  TestWindow window(scene);
  // Token 7 sees 4 … 7 and 1, and through these all of 0 … 7.
  CHECK(wordsIn(window, "Inspector", "Closed form") ==
        Words{"Token 7", "sees after 2 layers: 8 of 8", "reaches token 0 in: 2 layers",
              "As in Vaswani 2017, table 1", "complexity per layer: O(n √n d)",
              "longest path: 2 layers", "A shortest path 7 → 4", "layer 2: stays at 7",
              "layer 1: 7 → 4", "Read this",
              "After 2 layers every token reaches every earlier token. This also holds without the "
              "residual connection."});
  CHECK(wordsIn(window, "View") ==
        Words{"What token 7 sees through 2 layers of Strided, stride 3", "Layers: token 7",
              "share of visible tokens reached", "Growth", "layers until key j reaches query i",
              "Hops",
              "Space plays · ← → step layers · click a token, Shift+click another for a path to "
              "it · scroll zooms the matrix"});
  CHECK(countsOf(window) == "n 10 · 39 pairs · 70.9 % of causal");
  // Of 728 points the growth plot has 0.54, less half of the gap of 34; the matrix is square apart
  // from its legend.
  checkBoxes(window, {{"Layers", {346, 94, 1074, 480}},
                      {"Growth", {346, 558, 722, 836}},
                      {"Hops", {756, 558, 1018, 836}}});
}

TEST_CASE("Reach says how far one layer goes", "[shown]") {
  Scene scene = tenTokens(View::Reach);
  scene.pattern = Local{3, true};
  scene.reach.layers = 3;
  scene.pins = {7, 2};
  TestWindow window(scene);
  // Two tokens back in each layer: 7 sees 1 … 7 after three, and 9 sees 0 after five. After three
  // 1 + 2 + … + 6 + 4 · 7 = 49 of 55 pairs.
  CHECK(wordsIn(window, "Inspector", "Closed form") ==
        Words{"Token 7", "sees after 3 layers: 7 of 8", "reaches token 0 in: more than 3 layers",
              "As in Vaswani 2017, table 1", "complexity per layer: O(n ℓ d)",
              "longest path: 5 layers", "A shortest path 7 → 2", "layer 3: 7 → 5", "layer 2: 5 → 3",
              "layer 1: 3 → 2", "Read this",
              "After 3 layers tokens reach 89.1 % of their past. Without the residual connection "
              "the share is the same."});
  CHECK(window.says("Sliding window, left 6, right 0")); // the closed form
  CHECK_FALSE(window.says("sliding_window, left"));
}

TEST_CASE("Reach says what is followed and where the token stays in place", "[shown]") {
  Scene scene = tenTokens(View::Reach);
  scene.reach.layers = 4;
  scene.reach.shown = 1;
  TestWindow window(scene);
  // One layer from the top: 4 … 7 and 1. The path to 4 takes only the lowest layer.
  const Words words = wordsIn(window, "Inspector", "Read this");
  CHECK(words == Words{"Token 7", "sees after 1 of 4 layers: 5 of 8",
                       "reaches token 0 in: 2 layers", "As in Vaswani 2017, table 1",
                       "complexity per layer: O(n √n d)", "longest path: 2 layers",
                       "A shortest path 7 → 4", "layers 4 – 2: stays at 7", "layer 1: 7 → 4"});
  scene.pins = {4, 7};
  TestWindow upwards(scene);
  const Words none = wordsIn(upwards, "Inspector", "Read this");
  CHECK(none.back() == "none: every layer is causal, and that token comes later");
}

TEST_CASE("Compare shows these facts of a window beside strided attention and no others",
          "[shown]") {
  Scene scene = tenTokens(View::Compare);
  scene.compare.patterns = {{"", Local{3, true}}, {"", Strided{3}}};
  TestWindow window(scene);
  // 1 + 2 + 8 · 3 = 27 pairs, all of them among the 39; query 3 is the first that sees a fourth
  // key.
  CHECK(wordsIn(window, "Inspector/Scores") ==
        Words{"Query 7 → key 4", "(a) ✗ does not attend", "7 − 4 = 3 > 2", "(b) ✓ attends",
              "through A¹", "0 ≤ 7 − 4 = 3 ≤ 3", "(a) against (b)", "only in (a): 0",
              "only in (b): 12", "in both: 27", "first row that differs: 3",
              "intersection over union: 0.692", "Score board", "No input loaded. Open Q, K and V.",
              "Read this",
              "No pair is only in the first, 12 only in the second, 27 in both; query 3 is the "
              "first that differs."});
  CHECK(wordsIn(window, "View") ==
        Words{"Mask 1: queries 0–10, keys 0–10", "Mask 2: queries 0–10, keys 0–10",
              "Mask 3: queries 0–10, keys 0–10", "Local, window 3, causal", "Strided, stride 3",
              "in both", "only in (a)", "only in (b)", "difference",
              "query 7 attends to 3 and 5 keys · key 4 is seen by 3 and 4 queries",
              "scroll zooms · drag pans · F fits · click pins a query, Shift+click a key",
              "Score board: No input loaded. Open Q, K and V."});
  CHECK(countsOf(window) == "n 10 · 27 pairs · 49.1 % of causal · (a)");
  checkBoxes(window, {{"Mask 1", {391, 98, 605, 312}},
                      {"Mask 2", {627, 98, 841, 312}},
                      {"Mask 3", {863, 98, 1077, 312}}});
}

// Queries and keys of zeros: all weights of a row are equal. Values are 1, 2, 3, 4.
Scene scoredScene(const TemporaryFolder& folder) {
  const std::vector<double> zeros(8, 0.0);
  const std::vector<double> values{1, 2, 3, 4};
  writeNpy<double>(folder / "z.npy", std::array<Index, 2>{4, 2}, std::span<const double>(zeros));
  writeNpy<double>(folder / "v.npy", std::array<Index, 2>{4, 1}, std::span<const double>(values));
  Scene scene = smallScene();
  scene.view = View::Compare;
  FileInput files;
  files.qk = (folder / "z.npy").string();
  files.v = (folder / "v.npy").string();
  scene.input.source = files;
  scene.length = {};
  scene.compare.patterns = {{"near", Local{2, true}}, {"all", Causal{}}};
  TimedMechanism full;
  full.kind = TimedMechanism::Kind::Pattern;
  full.pattern = Full{};
  scene.compare.scored = {full};
  return scene;
}

// The lines of the score board; times are left out.
Words scoreLines(TestWindow& window) {
  Words lines;
  for (const std::string& line : wordsIn(window, "Inspector/Scores", "Read this"))
    if (line.find(" · ") != std::string::npos)
      lines.push_back(line.substr(line.find(": ") + 2));
  return lines;
}

TEST_CASE("The score board has these numbers for equal weights", "[shown]") {
  const TemporaryFolder folder;
  TestWindow window(scoredScene(folder));
  // Of 1, 2, 3, 4 equal keys two keep 1, 1, 2/3, 1/2: 0.79. Outputs 1, 1.5, 2, 2.5 become 1, 1.5,
  // 2.5, 3.5: √(0.25 + 1) / √(1 + 2.25 + 4 + 6.25) = 0.30. Full has 2.5 everywhere: √(2.25 + 1 +
  // 0.25) / 3.67 = 0.51.
  CHECK(scoreLines(window) ==
        Words{"all · 1.00 · 0.00 · 10", "Full · 1.00 · 0.51 · 16", "near · 0.79 · 0.30 · 7"});
  window.play("click \"weights\"\nframes 3\n");
  // Recall of ten keys is that of all; entropies are means of ln 1, ln 2, ln 3, ln 4, of ln 4 and
  // of ln 1, ln 2.
  CHECK(scoreLines(window) ==
        Words{"all · 1.00 · 0.79", "Full · 1.00 · 1.39", "near · 0.79 · 0.52"});
  window.play("click \"cost\"\nframes 3\n");
  // P (2 · 2 + 5 + 2) + 4 operations and 4 (P + 24) bytes.
  CHECK(scoreLines(window) == Words{"all · 114 · 136", "Full · 180 · 160", "near · 81 · 124"});
}

TEST_CASE("Compare says which cells of large masks it shows, to an audience too", "[shown]") {
  Scene scene = tenTokens(View::Compare);
  scene.length.n = 256;
  scene.pins = {};
  scene.compare.patterns = {{"", Local{96, true}}, {"", Local{97, true}}};
  TestWindow window(scene);
  const std::string part = "queries 80–111, keys 0–31 of 256";
  CHECK(window.says(part + " · scroll zooms"));
  window.play("key F5\nwait\nframes 4\n");
  CHECK(window.says(part));
  CHECK(overlappingWords(window) == Words{});
  window.play("key Esc\nframes 3\nkey F\nwait\nframes 3\n");
  CHECK_FALSE(window.says("of 256"));
}

} // namespace
} // namespace attention::gui
