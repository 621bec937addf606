// Where controls stand, how far they reach and when they can be used.
#include "tests/app/gui/control_tally.h"

#include "app/gui/files/figure_list.h"
#include "app/gui/interface/window_view.h"
#include "core/input/assets.h"
#include "core/pattern/mechanism/all.h"
#include "core/views/mask/mask_figure.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace attention::gui {
namespace {

Rect rectOf(TestWindow& window, const std::string& address) {
  INFO(address);
  const Widget* widget = window.app().log().find(address);
  REQUIRE(widget);
  return widget->rect;
}

Scene sceneOf(View view) {
  Scene scene = smallScene();
  scene.view = view;
  return scene;
}

TEST_CASE("A box over the window is as wide as it asks for, or as the window", "[shell]") {
  const int width = GENERATE(1440, 480);
  TestWindow window(smallScene(), {}, {}, width, 700);
  const auto [key, scope, most] =
      GENERATE(std::tuple("G", "Gallery/", 940), std::tuple("Ctrl+K", "Palette/", 620),
               std::tuple("Ctrl+O", "File dialog/", 720));
  window.play(std::string("key ") + key + "\nframes 4\n");
  const float half = std::min(static_cast<float>(most), static_cast<float>(width) - 32) / 2;
  const float middle = static_cast<float>(width) / 2;
  float widest = 0;
  for (const Widget& widget : window.app().log().widgets())
    if ((widget.scope + "/").rfind(scope, 0) == 0) {
      INFO(addressOf(widget));
      CHECK(widget.rect.x0 >= middle - half);
      CHECK(widget.rect.x1 <= middle + half);
      widest = std::max(widest, widget.rect.x1 - widget.rect.x0);
    }
  CHECK(widest > half);
}

TEST_CASE("The palette lists what it finds below its field", "[shell]") {
  TestWindow window;
  window.play("key Ctrl+K\nframes 4\n");
  const Rect field = rectOf(window, "Palette/search");
  int entries = 0;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "Palette" && widget.kind == WidgetKind::Item) {
      CHECK(std::abs(widget.rect.x0 - field.x0) <= 5); // half of what is between items
      ++entries;
    }
  CHECK(entries > 5);
}

TEST_CASE("The words of a lesson begin where its name does", "[shell]") {
  TestWindow window;
  window.bench().actions.run("lesson.open.1", window.bench());
  window.settle();
  const LessonStep* step = lessonStep(window.bench());
  REQUIRE(step);
  const Rect title = rectOf(window, "Lesson/" + step->title);
  const Rect place = rectOf(window, "Lesson/" + window.bench().lessons[1].title + " · 1 of " +
                                        std::to_string(window.bench().lessons[1].steps.size()));
  CHECK(title.x0 == place.x0);
}

TEST_CASE("The menu ticks the answer of a step only while it is revealed", "[shell]") {
  TestWindow window;
  const auto ticked = [&] {
    window.play("click \"Menu/Lessons\"\nframes 3\n");
    const Widget* item = window.app().log().find("Lessons/Reveal the answer");
    const bool is = item && item->checked;
    window.play("key Escape\nframes 3\n");
    return is;
  };
  CHECK_FALSE(ticked());
  window.bench().actions.run("lesson.open.1", window.bench());
  window.settle();
  CHECK_FALSE(ticked());
  window.play("key Alt+Down\nframes 3\n");
  CHECK(ticked());
}

TEST_CASE("The input stands below the options of every view", "[shell]") {
  for (const WindowView& view : windowViews()) {
    TestWindow window(sceneOf(view.view));
    if (!window.shows("Input/Sample"))
      continue;
    INFO(view.label);
    const float input = rectOf(window, "Input/Sample").y0;
    for (const Widget& widget : window.app().log().widgets())
      if (widget.kind != WidgetKind::Text && widget.scope == "Sidebar/View options")
        CHECK(widget.rect.y0 < input);
  }
}

TEST_CASE("The list of figures names each paper once", "[shell]") {
  UiState habits;
  habits.tab = SidebarTab::Figures;
  TestWindow window(smallScene(), {}, habits);
  std::set<std::string> papers;
  for (const ShownFigure& figure : readFigures(assetFolder()))
    papers.insert(figure.paper);
  REQUIRE(papers.size() > 5);
  for (const std::string& paper : papers) {
    INFO(paper);
    const auto of = [&](const Widget& widget) {
      return widget.kind == WidgetKind::Text && widget.label == paper;
    };
    const auto widgets = window.app().log().widgets();
    CHECK(std::count_if(widgets.begin(), widgets.end(), of) == 1);
  }
}

// Whether they stand side by side from the left.
void checkRow(TestWindow& window, const std::string& scope, const std::vector<std::string>& row) {
  for (std::size_t k = 1; k < row.size(); ++k) {
    INFO(scope << row[k]);
    CHECK(rectOf(window, scope + row[k]).y0 == rectOf(window, scope + row[k - 1]).y0);
    CHECK(rectOf(window, scope + row[k]).x0 > rectOf(window, scope + row[k - 1]).x1);
  }
}

TEST_CASE("Buttons that belong together stand in a row", "[shell]") {
  UiState habits;
  habits.tab = SidebarTab::Figures;
  Scene figure = readFigures(assetFolder()).front().scene;
  TestWindow figures(figure, {}, habits);
  checkRow(figures, "Figure/", {"PNG", "SVG", "HTML", "PDF", "TikZ"});
  TestWindow maps(sceneOf(View::Attention));
  checkRow(maps, "Maps/", {"dense", "pattern", "difference"});
}

TEST_CASE("The link back to a default is centred in the space beside a slider's name", "[shell]") {
  TestWindow window;
  window.play("set \"stride ℓ\" 20\nwait\nframes 2\n");
  const Rect slider = rectOf(window, "Parameters/stride ℓ");
  const Rect link = rectOf(window, "stride ℓ/snap √n");
  CHECK(link.centerX() == Approx(slider.x0 + 0.6F * (slider.x1 - slider.x0)).margin(2));
}

TEST_CASE("A pair can be chosen when more than two patterns are compared", "[shell]") {
  Scene scene = sceneOf(View::Compare);
  TestWindow window(scene);
  CHECK_FALSE(window.shows("first/a"));
  window.play("click \"+ add a pattern\"\nwait\n");
  CHECK(window.shows("first/a"));
}

TEST_CASE("Before the first group is sorted there is no step back", "[shell]") {
  Scene scene = sceneOf(View::Choosing);
  scene.pattern = Lsh{};
  scene.input.source = RandomInput{};
  scene.choosing.moment = 0;
  TestWindow window(scene);
  window.play("check \"View/step back\" disabled\ncheck \"View/step\" enabled\n");
  window.play("click \"View/step\"\nwait\ncheck \"View/step back\" enabled\n");
}

TEST_CASE("A pin beyond the tokens of hashing marks no token", "[shell]") {
  Scene scene = sceneOf(View::Choosing);
  scene.pattern = Lsh{};
  RandomInput random;
  random.n = 32;
  scene.input.source = random;
  scene.length.n = 32;
  scene.pins.query = GENERATE(31, 32);
  TestWindow window(scene);
  CHECK(window.says("Point at a token to see its") == (scene.pins.query == Index{32}));
}

TEST_CASE("The animation begins with no layer if all are lit", "[shell]") {
  TestWindow window(sceneOf(View::Reach));
  window.bench().actions.run("reach.play", window.bench());
  CHECK(window.bench().playing);
  CHECK(window.scene().reach.shown == Index{0});
}

TEST_CASE("Arrows move a pin no further than to the last token", "[shell]") {
  Scene scene = smallScene();
  scene.pins = {63, 63};
  TestWindow window(scene);
  window.play("click \"View/Mask\" at 0.999 0.999\nframes 2\n");
  window.bench().document.apply({"pins", [](Scene& s) { s.pins = {63, 63}; }});
  window.play("key Down\nkey Right\nframes 2\n");
  CHECK(window.scene().pins == Pins{63, 63});
}

TEST_CASE("Pointing at the image of tokens pins none", "[shell]") {
  TestWindow window;
  window.play("click \"View options/image\"\nwait\nframes 2\nmove \"View/Image\" at 0.3 0.3\n"
              "frames 3\n");
  CHECK(window.bench().hover.query);
  CHECK(window.scene().pins == smallScene().pins);
}

TEST_CASE("An image is not blank before a query is pinned", "[shell]") {
  Scene scene = smallScene();
  scene.pins = {};
  TestWindow window(scene);
  window.play("click \"View options/image\"\nwait\nframes 2\n");
  const auto [rows, columns] = imageShape(window.scene().mask.image, window.results().lengths.keys);
  CHECK(middleToken({rows, columns}) == rows / 2 * columns + columns / 2);
  CHECK(window.says("row " + std::to_string(rows / 2) + ", column " + std::to_string(columns / 2)));
  const Widget* image = window.app().log().find("View/Image");
  REQUIRE(image);
  window.frame();
  const gl::Pixels pixels = window.host().pixels();
  std::set<std::uint32_t> colors; // ground and gaps, keys, the query
  for (int y = static_cast<int>(image->rect.y0); y < static_cast<int>(image->rect.y1); ++y)
    for (int x = static_cast<int>(image->rect.x0); x < static_cast<int>(image->rect.x1); ++x) {
      const auto at = 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) +
                           static_cast<std::size_t>(x));
      colors.insert(static_cast<std::uint32_t>(pixels.rgba[at]) << 16U |
                    static_cast<std::uint32_t>(pixels.rgba[at + 1]) << 8U | pixels.rgba[at + 2]);
    }
  CHECK(colors.size() > 3);
}

TEST_CASE("The factor has no control while every head has its own", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = Strided{};
  TestWindow window(scene);
  CHECK(window.shows("Parameters/A¹"));
  window.play("click \"View options/heads\"\nwait\nframes 2\n");
  CHECK_FALSE(window.shows("Parameters/A¹"));
  CHECK(window.shows("Parameters/stride ℓ"));
  scene.pattern = Drawn{scene.pattern, {}};
  TestWindow drawn(scene);
  REQUIRE(drawn.shows("A¹"));
  drawn.play("click \"View options/heads\"\nwait\nframes 2\n");
  CHECK_FALSE(drawn.shows("A¹"));
}

TEST_CASE("The View menu lists what the shown view offers, and Quit ends the File menu",
          "[shell]") {
  TestWindow window;
  window.play("click \"Menu/View\"\nframes 3\n");
  CHECK(window.shows("View/Draw a mask"));
  CHECK_FALSE(window.shows("View/Lines between tokens"));
  window.play("key Esc\nframes 2\nkey 3\nwait\nclick \"Menu/View\"\nframes 3\n");
  CHECK_FALSE(window.shows("View/Draw a mask"));
  CHECK(window.shows("View/Lines between tokens"));
  window.play("key Esc\nframes 2\nclick \"Menu/File\"\nframes 3\n");
  float quit = 0;
  float others = 0;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "File" || widget.scope.ends_with("/File"))
      (widget.label == "Quit" ? quit : others) =
          std::max(widget.label == "Quit" ? quit : others, widget.rect.y0);
  CHECK(others > 0);
  CHECK(quit > others);
}

TEST_CASE("The first head is named under the pointer like every other one", "[shell]") {
  Scene scene = aliceScene();
  scene.view = View::Attention;
  scene.attention.picture = AttentionPicture::Heads;
  TestWindow window(scene);
  window.play("move \"View/Heads\" at 0.12 0.1\nframes 4\n");
  const auto tooltips = window.app().log().tooltips();
  CHECK(std::any_of(tooltips.begin(), tooltips.end(), [](const TooltipWords& tip) {
    return tip.words.find("layer 0, head 0: captured mass ") != std::string::npos;
  }));
}

} // namespace
} // namespace attention::gui
