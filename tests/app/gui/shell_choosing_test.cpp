// The Choosing view in the whole window: moving tokens, growing curves, what the pointer finds in
// strip and matrices, words and commands, and the way from patterns that group nothing.
#include "app/gui/files/command_text.h"
#include "app/gui/files/exporting.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "core/pattern/beginning.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/shell_window.h"
#include "tests/app/gui/sorted_scene.h"

namespace attention::gui {
namespace {

std::string valueOf(TestWindow& window, const char* label) {
  const Widget* widget = window.app().log().find(label);
  return widget ? widget->value : "";
}

// How much of a rectangle of the window has roughly this colour.
double shareOf(TestWindow& window, const Rect& area, const Color& wanted) {
  const gl::Pixels image = window.host().pixels();
  int found = 0;
  int all = 0;
  for (int y = static_cast<int>(area.y0); y < static_cast<int>(area.y1); ++y)
    for (int x = static_cast<int>(area.x0); x < static_cast<int>(area.x1); ++x) {
      const auto pixel = image.at(x, y);
      const auto near = [](int a, int b) { return std::abs(a - b) < 12; };
      ++all;
      found += near(pixel[0], wanted.r) && near(pixel[1], wanted.g) && near(pixel[2], wanted.b);
    }
  return all > 0 ? static_cast<double>(found) / all : 0;
}

Rect areaOf(TestWindow& window, const char* label) {
  const Widget* widget = window.app().log().find(label);
  REQUIRE(widget);
  return widget->rect;
}

// Whether a tooltip has these words.
bool tells(TestWindow& window, const std::string& words) {
  const auto tips = window.app().log().tooltips();
  return std::any_of(tips.begin(), tips.end(), [&](const TooltipWords& tip) {
    return tip.words.find(words) != std::string::npos;
  });
}

TEST_CASE("Patterns to choose from come with words, and the copies say why they wait", "[shell]") {
  Scene scene = aliceScene();
  scene.view = View::Choosing;
  scene.choosing.picture = ChoosingPicture::Scores;
  TestWindow window(scene);
  window.play("check \"Copy command\" disabled\n");
  CHECK(window.says("With Strided, the keys that a query reads depend only on positions."));
  CHECK(tells(window, "click one first"));
  window.play("key 1\nwait\nframes 3\n");
  CHECK_FALSE(tells(window, "click one first"));
}

TEST_CASE("The circle gives the closed form of rotations and a count for Gaussian matrices",
          "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Circle);
  scene.choosing.circle.near = 20;
  TestWindow window(scene);
  CHECK(window.says("expected per round"));
  CHECK(window.says("77.8\u2009%")); // 1 − 2 · 20 / 180
  scene.choosing.circle.draw = AngularDraw::Gaussian;
  window.bench().document.open(scene, "gaussian");
  window.settle();
  CHECK_FALSE(window.says("expected per round"));
  CHECK(window.says("over 512 rounds"));
}

TEST_CASE("Captured mass stands beside the matrices in windows of every usual size", "[shell]") {
  const auto [width, height] = GENERATE(std::pair(1024, 640), std::pair(1440, 900));
  UiState habits;
  habits.scale = GENERATE(1.0F, 1.1F, 1.21F, 1.331F, 1.5F, 2.0F);
  INFO(width << " wide at scale " << habits.scale);
  TestWindow window(sortedScene(ChoosingPicture::Sorting), {}, habits, width, height);
  CHECK(window.says("what is kept of attention"));
  CHECK((window.says("original order") || window.says("unsorted")));
  const Rect strip = areaOf(window, "View/Token strip");
  const Rect matrix = areaOf(window, "View/Plot 2");
  const Rect curves = areaOf(window, "View/small captured");
  CHECK(matrix.y1 - matrix.y0 >= 85 * habits.scale);
  CHECK(matrix.y0 >= strip.y1);
  CHECK((curves.x0 >= matrix.x1 || curves.y0 >= matrix.y1));
  CHECK(strip.y1 - strip.y0 >= 150 * habits.scale);
}

TEST_CASE("Pairs are shares of the same base in the facts and in the status bar", "[shell]") {
  const auto [tokens, causal] =
      GENERATE(std::pair(32, false), std::pair(32, true), std::pair(1, false));
  const auto picture = GENERATE(ChoosingPicture::Sorting, ChoosingPicture::Captured);
  Scene scene = sortedScene(picture);
  set(scene.pattern, "causal", Value{causal});
  std::get<RandomInput>(scene.input.source).n = tokens;
  TestWindow window(scene);
  const ChoosingResults& choosing = window.results().part<ChoosingResults>();
  REQUIRE(choosing.shown);
  const auto grouped = groupedPairs(choosing.tokens.value.get(), choosing.curves.value.get());
  REQUIRE(grouped);
  const std::string& share = grouped->share;
  CHECK(share.find(causal ? " of causal" : " of full") != std::string::npos);
  CHECK(valueOf(window, "Status/counts").find(share) != std::string::npos);
  const auto fact =
      std::find_if(choosing.shown->facts.lines.begin(), choosing.shown->facts.lines.end(),
                   [](const Fact& of) { return of.label == "pairs"; });
  REQUIRE(fact != choosing.shown->facts.lines.end());
  CHECK(fact->value.find(share) != std::string::npos);
}

TEST_CASE("Headings of small matrices use shorter words and are not cut", "[shell]") {
  TestWindow window(sortedScene(ChoosingPicture::Sorting));
  CHECK(window.says("sorted by bucket, round 0"));
  window.host().resize(1024, 640);
  window.settle();
  CHECK(window.says("by bucket"));
  CHECK_FALSE(window.says("sorted by bucket, round 0"));
}

TEST_CASE("Tokens move while the sorting plays and stop when all are sorted", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  TestWindow window(scene);
  CHECK(valueOf(window, "View/Token strip") == "round 0, moment 1.00");
  const auto before = window.bench().document.scene();
  window.play("key Space\nframes 2\n");
  CHECK(window.bench().playing);
  CHECK(window.scene().choosing.moment < 1);
  std::set<std::string> moments;
  while (window.bench().playing) {
    window.frame();
    moments.insert(valueOf(window, "View/Token strip"));
  }
  CHECK(window.scene().choosing.moment == 1);
  CHECK(moments.size() > 3);
  CHECK(before == window.scene());
  CHECK_FALSE(window.bench().document.canUndo()); // it is back where it began
}

TEST_CASE("A step forward sorts one bucket more and a step back one less", "[shell]") {
  TestWindow window(sortedScene(ChoosingPicture::Sorting));
  const Index used = window.results().part<ChoosingResults>().tokens->groups().used(0);
  window.play("key Left\nwait\n");
  CHECK(window.scene().choosing.moment == Approx(1 - 1.0 / static_cast<double>(used)));
  window.play("key Right\nwait\n");
  CHECK(window.scene().choosing.moment == 1);
}

TEST_CASE("Buckets have the same colours in the original and in the sorted order", "[shell]") {
  TestWindow window(sortedScene(ChoosingPicture::Sorting));
  const ChoosingShown& shown = *window.results().part<ChoosingResults>().shown;
  const auto& groups = shown.answer.tokens->groups().rounds[0].queries.group;
  const auto& hues = figureColors(FigureTheme::Dark).series;
  const Rect strip = areaOf(window, "View/Token strip");
  for (Index bucket = 0; bucket < 4; ++bucket) {
    INFO(bucket);
    const bool used = std::count(groups.begin(), groups.end(), bucket) > 0;
    CHECK((shareOf(window, strip, hues[static_cast<std::size_t>(bucket)]) > 0.003) == used);
  }
  // The matrices below hold attended cells, mostly empty.
  const Rect matrix = areaOf(window, "View/Plot 1");
  double filled = 0;
  for (std::size_t hue = 0; hue < 4; ++hue)
    filled += shareOf(window, matrix, hues[hue]);
  CHECK(filled > 0.02);
  CHECK(filled < 0.7);
}

TEST_CASE("Curves of captured mass grow point by point", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Circle);
  std::get<RandomInput>(scene.input.source).n = 512;
  scene.choosing.most = 16;
  TestWindow window(scene);
  scene.choosing.picture = ChoosingPicture::Captured;
  window.bench().document.open(scene, "curves");
  std::set<std::size_t> counts; // of the points on the screen, before all are there
  do {
    window.frame();
    if (const auto& curves = window.results().part<ChoosingResults>().curves)
      counts.insert(curves->points.size());
  } while (window.app().busy());
  CHECK(counts.size() > 2);
  CHECK(*counts.begin() < 16);
  CHECK(*counts.rbegin() == 16);
  window.settle();
  CHECK(valueOf(window, "View/Plot 1") == "16 of 16 points");
  CHECK(window.says("captured mass"));
}

TEST_CASE("The token under the pointer is shown in strip and inspector and framed in the matrices",
          "[shell]") {
  TestWindow window(sortedScene(ChoosingPicture::Sorting));
  window.play("move \"View/Token strip\" at 0.2 0.15\nframes 3\n");
  REQUIRE(window.bench().hover.query);
  const Index token = *window.bench().hover.query;
  CHECK(window.says("Token " + std::to_string(token)));
  CHECK(window.says("bucket"));
  window.play("move \"View/Plot 2\" at 0.5 0.5\nframes 3\n");
  REQUIRE(window.bench().hover.key);
  // The middle of the sorted matrix is the token of that rank.
  const auto& of = window.results().part<ChoosingResults>().tokens->groups().rounds[0].queries;
  const Index rank = of.rank[static_cast<std::size_t>(*window.bench().hover.query)];
  CHECK(std::abs(static_cast<double>(rank) - 16) <= 3);
  window.play("move 600 60\nframes 3\n");
  CHECK_FALSE(window.bench().hover.query);
}

TEST_CASE("Every picture of hashing has facts and words of its own", "[shell]") {
  for (const char* name :
       {"lsh", "cluster", "routing", "moba", "nsa", "dsa", "sparge", "topk", "cache"}) {
    TestWindow window(sortedScene(ChoosingPicture::Sorting));
    for (std::size_t k = 0; k < settingNamed(choosingSettings(), "picture").choices.size(); ++k) {
      Scene scene = sortedScene(static_cast<ChoosingPicture>(k));
      if (std::string(name) != "lsh")
        scene.pattern = beginning(patternNamed(name), 32);
      if (!suits(scene.choosing.picture, scene.pattern))
        continue;
      window.bench().document.open(scene, "picture");
      window.settle();
      INFO(name << " " << settingNamed(choosingSettings(), "picture").choices[k].value);
      const auto& shown = window.results().part<ChoosingResults>().shown;
      REQUIRE(shown);
      CHECK(static_cast<std::size_t>(shown->spec.picture) == k);
      CHECK(!shown->facts.lines.empty());
      CHECK(!shown->reading.empty());
      CHECK(window.says("Definition"));
    }
  }
}

TEST_CASE("For a rectangular mask only a square one is offered, no other pattern", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  scene.length.queries = 5;
  const bool groups = GENERATE(false, true);
  if (!groups)
    scene.pattern = Strided{};
  TestWindow window(scene);
  CHECK(window.says("the mask has 5 queries and "));
  CHECK_FALSE(window.shows("Way out/LSH (Reformer)"));
  window.play("click \"Way out/use as many queries as keys\"\nwait\n");
  CHECK_FALSE(window.scene().length.queries);
  CHECK(window.shows("View/Token strip") == groups);
}

TEST_CASE("For an input with unequal numbers of queries and keys one with equal numbers is offered",
          "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  std::get<RandomInput>(scene.input.source).keys = 40;
  TestWindow window(scene);
  CHECK(window.says("the mask has 32 queries and 40 keys"));
  window.play("click \"Way out/draw random tokens\"\nwait\n");
  CHECK(window.shows("View/Token strip"));
}

TEST_CASE("A pattern that groups no tokens is named and others are offered", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  scene.pattern = Strided{};
  TestWindow window(scene);
  CHECK(window.says("Strided does not put tokens into groups"));
  window.play("click \"Way out/LSH (Reformer)\"\nwait\n");
  CHECK(window.scene().pattern.is<Lsh>());
  CHECK(window.shows("View/Token strip"));
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().pattern.is<Strided>());
}

TEST_CASE("Patterns are offered below the words that say why, in a presentation too", "[shell]") {
  const char* how = GENERATE("frames 2\n", "resize 1024 640\nframes 2\n", "key F5\nframes 4\n");
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  scene.pattern = Strided{};
  TestWindow window(scene);
  window.play(std::string(how) + "wait\n");
  const auto& widgets = window.app().log().widgets();
  const auto why = std::find_if(widgets.begin(), widgets.end(), [](const Widget& widget) {
    return (widget.label + widget.value).find("does not put tokens into groups") !=
           std::string::npos;
  });
  REQUIRE(why != widgets.end());
  for (const char* name : {"Clusters", "Routing", "LSH (Reformer)"}) {
    const Widget* offer = window.app().log().find(std::string("Way out/") + name);
    REQUIRE(offer);
    CHECK(offer->rect.y0 >= why->rect.y1);
    CHECK(offer->rect.x0 >= why->rect.x0 - 1);
    CHECK(offer->enabled != std::string(how).starts_with("key"));
  }
}

TEST_CASE("All patterns that the picture suits are offered in a small window", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Scores);
  scene.pattern = Strided{};
  TestWindow window(scene);
  window.play("resize 1024 640\nframes 2\nwait\n");
  for (const char* name : {"MoBA", "NSA", "DSA (DeepSeek)", "MSA (MiniMax)", "Quest", "XAttention",
                           "FlexPrefill", "SpargeAttn"}) {
    INFO(name);
    const Widget* offer = window.app().log().find(std::string("Way out/") + name);
    REQUIRE(offer);
    CHECK(offer->rect.y1 < 610); // above the status bar
    CHECK(offer->rect.y1 - offer->rect.y0 >= 96);
  }
}

TEST_CASE("Without an input one is offered, and too many tokens are reported", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  scene.input = InputSpec();
  TestWindow window(scene);
  window.play("click \"Way out/draw random tokens\"\nwait\n");
  CHECK(window.shows("View/Token strip"));
  RandomInput large;
  large.n = kMostHashedTokens + 1;
  large.d = 2;
  scene.input.source = large;
  window.bench().document.open(scene, "large");
  window.settle();
  CHECK(window.says("tokens in this view"));
}

TEST_CASE("If more tokens are asked for than the input has, its number is offered", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  const Index n = std::get<RandomInput>(scene.input.source).n;
  scene.length.n = n + 1;
  TestWindow window(scene);
  CHECK_FALSE(window.shows("View/Token strip"));
  window.play("click \"Way out/use the input's " + std::to_string(n) + " tokens\"\nwait\n");
  CHECK_FALSE(window.scene().length.n);
  CHECK(window.shows("View/Token strip"));
}

TEST_CASE("The command of hashing gives the numbers of the view", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  const auto input = loadInput(scene.input);
  CHECK(commandText(scene, squareLengths(32), input.get()) ==
        "attnx lsh --random 'clustered' --n 32 --d 8 --p.n-buckets 4, --p.n-rounds 2 --p.chunk 8");
  scene.choosing.recallKeys = 7;
  CHECK(
      commandText(scene, squareLengths(32), input.get()).ends_with(" --p.chunk 8 --recall-keys 7"));
  scene.choosing.picture = ChoosingPicture::Captured;
  CHECK(commandText(scene, squareLengths(32), input.get()).ends_with(" -o choosing.csv"));
  scene.choosing.picture = ChoosingPicture::Sorting;
  scene.pattern = Cluster{};
  CHECK(commandText(scene, squareLengths(32), input.get()).rfind("attnx figure '{", 0) == 0);
  scene.choosing.picture = ChoosingPicture::Circle;
  CHECK(commandText(scene, squareLengths(32)).rfind("attnx figure '{", 0) == 0);
  CHECK(exportName(scene, squareLengths(32), ".csv") == "choosing-circle.csv");
}

TEST_CASE("A redraw of the circle and a new seed are undo steps", "[shell]") {
  TestWindow window(sortedScene(ChoosingPicture::Circle));
  window.play("key R\nwait\nkey R\nwait\n");
  CHECK(window.scene().choosing.circle.redraws == 2);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().choosing.circle.redraws == 1);
  window.bench().document.open(sortedScene(ChoosingPicture::Matrices), "matrices");
  window.settle();
  window.play("key R\nwait\n");
  CHECK(window.scene().pattern.as<Lsh>()->seed == 1);
}

} // namespace
} // namespace attention::gui
