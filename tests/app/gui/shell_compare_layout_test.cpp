// Where Compare places its masks, plots and names.
#include "app/gui/views/compare/compare_view.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/compared_scene.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace attention::gui {

TEST_CASE("Long names on the score board wrap and stay whole", "[shell]") {
  Scene scene = comparing();
  scene.compare.patterns = comparedOf(scene.compare);
  scene.compare.patterns.front().title =
      "a name of so many words that the inspector has no room for them in fewer than three lines";
  TestWindow window(scene);
  const auto height = [&](const std::string& name) {
    for (const Widget& widget : window.app().log().widgets())
      if (widget.scope == "Inspector/Scores" && widget.label == name && !widget.value.empty())
        return widget.rect.y1 - widget.rect.y0;
    FAIL(name << " is not on the board");
    return 0.0F;
  };
  const auto& lines = window.results().part<CompareResults>().scores->lines;
  const auto shorter = [](const ScoreLine& a, const ScoreLine& b) {
    return a.name.size() < b.name.size();
  };
  const auto [least, most] = std::minmax_element(lines.begin(), lines.end(), shorter);
  CHECK(height(most->name) > 1.4F * height(least->name)); // of at least two lines of numbers
}

TEST_CASE("Many masks of a comparison stand in the rows that leave them largest", "[shell]") {
  struct Case {
    const char* size;
    float share; // smallest side of a matrix as a share of the root of the whole area; one row gave
                 // half of it
  };
  const Case c = GENERATE(Case{"resize 1440 900\n", 0.15F}, Case{"resize 1024 640\n", 0.09F},
                          Case{"key F5\n", 0.09F});
  Scene scene = comparing();
  scene.compare.patterns = comparedOf(scene.compare);
  while (scene.compare.patterns.size() < kMostCompared)
    scene.compare.patterns.push_back(scene.compare.patterns.front());
  TestWindow window(scene);
  window.play(std::string(c.size) + "wait\nframes 4\n");
  std::vector<Rect> masks;
  for (const char* label : {"1", "2", "3", "4", "5"}) {
    const Widget* widget = window.app().log().find(std::string("View/Mask ") + label);
    REQUIRE(widget);
    masks.push_back(widget->rect);
  }
  const float wide = masks.front().x1 - masks.front().x0;
  const ImVec2 all = ImGui::GetIO().DisplaySize;
  INFO(wide << " points in " << all.x << " by " << all.y);
  CHECK(wide >= c.share * std::sqrt(all.x * all.y));
  for (std::size_t a = 0; a < masks.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      CHECK((masks[a].x0 >= masks[b].x1 || masks[b].x0 >= masks[a].x1 ||
             masks[a].y0 >= masks[b].y1 || masks[b].y0 >= masks[a].y1));
}

TEST_CASE("A comparison divides its area between matrices and plots", "[shell]") {
  struct Case {
    const char* size;
    std::size_t patterns;
    float matrix; // points of its width at least
    float plot;
  };
  const Case c =
      GENERATE(Case{"resize 1440 900\n", 2, 200, 330}, Case{"resize 1440 900\n", 3, 190, 330},
               Case{"resize 1440 900\n", 4, 190, 330}, Case{"key F5\n", 2, 235, 360},
               Case{"key F5\n", 4, 190, 350});
  Scene scene = comparing();
  scene.compare.patterns = comparedOf(scene.compare);
  for (const Pattern& more : {Pattern(Strided{}), Pattern(Causal{})})
    if (scene.compare.patterns.size() < c.patterns)
      scene.compare.patterns.push_back({"", more});
  TestWindow window(scene, {}, {}, 1440, 900);
  window.play(std::string(c.size) + "wait\nframes 4\n");
  const auto rectOf = [&](const char* label) {
    const Widget* widget = window.app().log().find(label);
    REQUIRE(widget);
    return widget->rect;
  };
  const Rect mask = rectOf("View/Mask 1");
  INFO(c.patterns << " patterns, " << c.size);
  CHECK(mask.x1 - mask.x0 >= c.matrix);
  for (const char* plot : {"View/Mass", "View/Error"})
    CHECK(rectOf(plot).x1 - rectOf(plot).x0 >= c.plot);
  // The lines below begin where the matrices do.
  std::size_t lines = 0;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.label.starts_with("scroll zooms") || widget.label.starts_with("query 97")) {
      CHECK(widget.rect.x0 == mask.x0);
      ++lines;
    }
  CHECK((lines > 0 || window.bench().present));
}

TEST_CASE("The legend of a comparison that opens zoomed in lies over no cells", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Compare;
  scene.length.n = 256;
  scene.compare.patterns = {{"", Local{6, true}}, {"", Local{7, true}}};
  TestWindow window(scene);
  for (const char* play :
       {"frames 1\n", "resize 1024 640\nframes 4\n", "key F5\nwait\nframes 4\n"}) {
    window.play(play);
    const Widget* both = nullptr;
    for (const Widget& widget : window.app().log().widgets())
      if (widget.label == "in both")
        both = &widget;
    REQUIRE(both);
    int matrices = 0;
    for (const Widget& widget : window.app().log().widgets())
      if (widget.kind == WidgetKind::Canvas && widget.label.starts_with("Mask")) {
        ++matrices;
        INFO(play << widget.label);
        CHECK((both->rect.x0 >= widget.rect.x1 || both->rect.x1 <= widget.rect.x0 ||
               both->rect.y0 >= widget.rect.y1 || both->rect.y1 <= widget.rect.y0));
      }
    CHECK(matrices > 0);
  }
}

TEST_CASE("A comparison is laid out again when tokens gain or lose labels", "[shell]") {
  const Scene bare = comparing(12);
  Scene worded = bare;
  worded.labels = std::vector<std::string>(12, "conversation");
  const auto places = [](TestWindow& window) {
    std::vector<Rect> rects;
    for (const char* label : {"View/Mask 1", "View/Mask 3", "View/Mass", "View/Error"}) {
      const Widget* widget = window.app().log().find(label);
      REQUIRE(widget);
      rects.push_back(widget->rect);
    }
    return rects;
  };
  TestWindow first(bare);
  const std::vector<Rect> without = places(first);
  TestWindow second(worded);
  const std::vector<Rect> with = places(second);
  CHECK(with != without);
  TestWindow window(bare);
  for (const auto& [scene, expected] : {std::pair(worded, with), std::pair(bare, without)}) {
    window.bench().document.open(scene, "scene");
    window.settle();
    CHECK(places(window) == expected);
  }
}

} // namespace attention::gui
