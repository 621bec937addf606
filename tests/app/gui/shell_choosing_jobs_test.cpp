// The Choosing view while jobs run and where there is little room: a picture never shows half a
// change, no job is left waiting, and nothing leaves the view.
#include "app/gui/views/choosing/choosing_layout.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/held_jobs.h"
#include "tests/app/gui/sorted_scene.h"

namespace attention::gui {
namespace {

// Real tokens with labels, in clusters that take more than a frame to find.
Scene labelledScene(ChoosingPicture picture) {
  Scene scene = sortedScene(picture);
  AssetInput sample;
  sample.name = "minilm_alice";
  scene.input.source = sample;
  Cluster cluster;
  cluster.k = 32;
  cluster.iterations = 20;
  scene.pattern = cluster;
  return scene;
}

void openIn(TestWindow& window, const Scene& scene) {
  window.bench().document.open(scene, "another");
}

// Frames until no job runs or follows, whatever the stages say about themselves.
void drain(TestWindow& window) {
  for (int quiet = 0; quiet < 5;) {
    window.frame();
    quiet = window.bench().pool.active().empty() ? quiet + 1 : 0;
    std::this_thread::yield();
  }
}

TEST_CASE("Labels for another length never meet older tokens", "[shell]") {
  const auto picture = GENERATE(ChoosingPicture::Sorting, ChoosingPicture::Matrices);
  Scene scene = labelledScene(picture);
  TestWindow window(scene);
  bool older = false;
  for (const Index n : {90, 40, 120}) {
    scene.length.n = n;
    const auto go = std::make_shared<std::atomic<bool>>(false);
    hold(window, go);
    openIn(window, scene);
    do {
      window.frame();
      const ChoosingResults& choosing = window.results().part<ChoosingResults>();
      REQUIRE(choosing.shown);
      const ChoosingAnswer& answer = choosing.shown->answer;
      REQUIRE(answer.tokens);
      REQUIRE(static_cast<Index>(answer.labels.size()) == answer.tokens->n());
      older = older || (choosing.shown.stale && answer.tokens->n() != n);
      *go = true;
    } while (window.app().busy());
    CHECK(window.results().part<ChoosingResults>().shown->answer.tokens->n() == n);
  }
  CHECK(older); // the old picture stays until the new one is there
}

TEST_CASE("A script may crop labelled tokens and change tabs before the jobs end", "[shell]") {
  TestWindow window(labelledScene(ChoosingPicture::Sorting));
  window.play("wait\nset \"length n\" 90\nframes 4\nclick \"Pictures/Matrices\"\nframes 2\n"
              "set \"length n\" 60\nframes 2\nclick \"Pictures/Captured\"\nframes 3\n"
              "set \"length n\" 100\nframes 1\nclick \"Pictures/Sorting\"\nframes 2\n"
              "click \"Pictures/Circle\"\nframes 2\nclick \"Pictures/Matrices\"\nwait\n"
              "check scene.length.n == 100\ncheck scene.choosing.picture == \"matrices\"\n");
  const ChoosingResults& choosing = window.results().part<ChoosingResults>();
  REQUIRE(choosing.shown);
  REQUIRE(choosing.shown->answer.tokens);
  CHECK(choosing.shown->answer.tokens->n() == 100);
}

TEST_CASE("A job for another tab is dropped with what it reads", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Circle, 512);
  TestWindow window(scene);
  scene.choosing.picture = ChoosingPicture::Captured;
  scene.choosing.most = 32;
  openIn(window, scene);
  window.frame();
  REQUIRE(window.results().part<ChoosingResults>().curves.pending);
  scene.choosing.picture = ChoosingPicture::Matrices;
  openIn(window, scene);
  drain(window);
  CHECK_FALSE(window.app().busy());
  CHECK_FALSE(window.results().part<ChoosingResults>().curves);
  CHECK(window.results().part<ChoosingResults>().shown->spec.picture == ChoosingPicture::Matrices);
  scene.choosing.picture = ChoosingPicture::Circle;
  openIn(window, scene);
  drain(window);
  CHECK_FALSE(window.app().busy());
  CHECK_FALSE(window.results().part<ChoosingResults>().tokens);
}

TEST_CASE("No job is left if its question fails or loses its length while it runs", "[shell]") {
  const auto spoil = GENERATE(0, 1, 2);
  Scene scene = sortedScene(ChoosingPicture::Circle, 512);
  TestWindow window(scene);
  scene.choosing.picture = ChoosingPicture::Sorting;
  scene.choosing.most = 32;
  openIn(window, scene);
  window.frame();
  REQUIRE(window.results().part<ChoosingResults>().curves.pending);
  if (spoil == 0)
    scene.pattern = Strided{};
  else if (spoil == 1)
    scene.length.n = 5000; // longer than the input
  else
    scene.input.source = FileInput{};
  openIn(window, scene);
  drain(window);
  INFO(spoil);
  CHECK_FALSE(window.app().busy());
  CHECK_FALSE(window.results().part<ChoosingResults>().pending());
  CHECK(window.results().part<ChoosingResults>().problem);
  openIn(window, sortedScene(ChoosingPicture::Sorting));
  window.settle();
  CHECK_FALSE(window.results().part<ChoosingResults>().problem);
  CHECK(window.shows("View/Token strip"));
}

TEST_CASE("A picture is not made again for numbers that it does not read", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting);
  TestWindow window(scene);
  const auto before = window.results().part<ChoosingResults>().shown.value;
  scene.choosing.recallKeys = 7;
  scene.choosing.circle.far = 90;
  openIn(window, scene);
  window.settle();
  CHECK(window.results().part<ChoosingResults>().shown.value == before);
  CHECK(window.results().part<ChoosingResults>().curves->recallKeys == 7);
  scene.choosing.round = 1;
  openIn(window, scene);
  window.settle();
  CHECK(window.results().part<ChoosingResults>().shown.value != before);
}

TEST_CASE("The animation ends when its tab is left", "[shell]") {
  TestWindow window(sortedScene(ChoosingPicture::Circle));
  window.play("click \"Groups/every 2 s\"\nframes 2\n");
  CHECK(window.bench().playing);
  window.play("click \"Pictures/Sorting\"\nframes 2\n");
  CHECK_FALSE(window.bench().playing);
  CHECK(window.scene().choosing.moment == 1);
  window.play("key Space\nframes 2\n");
  CHECK(window.bench().playing);
  window.play("click \"Pictures/Circle\"\nframes 2\n");
  CHECK_FALSE(window.bench().playing);
  CHECK(window.scene().choosing.circle.redraws ==
        1); // the one with which the first animation began
}

TEST_CASE("A seed is offered only where it is used", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Sorting, 8);
  Cluster given;
  given.labels = IndexList({0, 1, 0, 1, 2, 2, 0, 1});
  scene.pattern = given;
  TestWindow window(scene);
  const Widget* seed = window.app().log().find("Groups/↻ New seed");
  REQUIRE(seed);
  CHECK_FALSE(seed->enabled);
  window.play("key R\nframes 2\n");
  CHECK(window.scene().pattern == scene.pattern);
  scene.pattern = Cluster{};
  openIn(window, scene);
  window.settle();
  seed = window.app().log().find("Groups/↻ New seed");
  REQUIRE(seed);
  CHECK(seed->enabled);
}

TEST_CASE("An error of the circle offers no other pattern", "[shell]") {
  Scene scene = sortedScene(ChoosingPicture::Circle);
  scene.pattern = Strided{};
  scene.choosing.circle.far = 200;
  TestWindow window(scene);
  CHECK(window.says("an angle from 0 to 180 degrees"));
  CHECK_FALSE(window.shows("Way out/LSH (Reformer)"));
}

TEST_CASE("The font of verdicts has their characters", "[shell]") {
  TestWindow window(sortedScene(ChoosingPicture::Circle));
  const Fonts& fonts = window.host().fonts();
  for (ImFont* font : {fonts.small, fonts.smallBold})
    for (const char32_t sign : {U'✓', U'✗'})
      CHECK(fontHasGlyph(font, sign));
}

bool meet(const Rect& a, const Rect& b) {
  constexpr float kSlack = 0.5F;
  return a.x0 + kSlack < b.x1 && b.x0 + kSlack < a.x1 && a.y0 + kSlack < b.y1 &&
         b.y0 + kSlack < a.y1;
}

TEST_CASE("Tabs of pictures stay inside the view and apart at every scale", "[shell]") {
  const View view = GENERATE(View::Kernels, View::Attention, View::Choosing);
  Scene scene = sortedScene(ChoosingPicture::Circle);
  scene.view = view;
  TestWindow window(scene, {}, {}, 1024, 640);
  for (const float scale : {1.0F, 1.5F, 2.0F}) {
    window.host().setUiScale(scale);
    window.settle();
    INFO(kViewNames[static_cast<std::size_t>(view)] << " " << scale);
    std::vector<Rect> tabs;
    for (const Widget& widget : window.app().log().widgets())
      if (widget.kind == WidgetKind::Tab && widget.scope.find("Pictures") != std::string::npos)
        tabs.push_back(widget.rect);
    REQUIRE(tabs.size() > 1);
    for (std::size_t k = 0; k < tabs.size(); ++k) {
      CHECK(tabs[k].x1 <= 1024);
      CHECK(tabs[k].y1 < 640);
      for (std::size_t other = k + 1; other < tabs.size(); ++other)
        CHECK_FALSE(meet(tabs[k], tabs[other]));
    }
  }
}

TEST_CASE("Parts of the Choosing view lie inside it and apart at every scale", "[shell]") {
  const auto picture = GENERATE(ChoosingPicture::Sorting, ChoosingPicture::Matrices);
  TestWindow window(sortedScene(picture), {}, {}, 1024, 640);
  const ChoosingShown& shown = *window.results().part<ChoosingResults>().shown;
  const Theme theme = makeTheme(ThemeKind::Dark);
  for (const float scale : {1.0F, 1.5F, 2.0F})
    for (const Rect& area : {Rect{320, 44, 1024, 610}, Rect{640, 88, 1024, 580},
                             Rect{640, 88, 1440, 840}, Rect{320, 44, 1100, 870}}) {
      const Ui ui{window.app().log(), theme, window.host().fonts(), scale};
      const ChoosingAreas areas =
          choosingAreas(ui, area, shown, {shown.title, shown.caption}, true);
      std::vector<Rect> parts{areas.frame.tabs, areas.frame.title, areas.sorting,
                              areas.controls,   areas.captured,    areas.frame.caption};
      parts.insert(parts.end(), areas.panels.begin(), areas.panels.end());
      parts.insert(parts.end(), areas.small.begin(), areas.small.end());
      INFO(scale << " " << area.x1 << " " << area.y1);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        CHECK(parts[k].x1 <= area.x1);
        CHECK(parts[k].y1 <= area.y1);
        for (std::size_t other = k + 1; other < parts.size(); ++other) {
          INFO(k << " " << other);
          CHECK_FALSE(meet(parts[k], parts[other]));
        }
      }
    }
}

} // namespace
} // namespace attention::gui
