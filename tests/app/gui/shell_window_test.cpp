// The window by script: choosing, dragging, typing, undoing.
#include "app/gui/frame/bars.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/views/reach/reach_results.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

Index strideOf(const Scene& scene) {
  return scene.pattern.as<Strided>()->stride.value_or(0);
}

TEST_CASE("A click on a recent pattern shows it and undo brings the last one back", "[shell]") {
  TestWindow window;
  window.play("click \"recent/Causal\"\nwait\n"
              "check scene.pattern.mechanism == \"causal\"\n"
              "check \"pairs\" contains \"of causal\"\n"
              "key Ctrl+Z\ncheck scene.pattern.mechanism == \"strided\"\n"
              "key Ctrl+Shift+Z\ncheck scene.pattern.mechanism == \"causal\"\n");
  CHECK(window.results().counts->rows.pairs == 64 * 65 / 2);
}

TEST_CASE("A drag of the stride is one undo step and changes mask and counts", "[shell]") {
  TestWindow window;
  const Index before = window.results().counts->rows.pairs;
  window.play("drag \"stride ℓ\" 60 0\nwait\n");
  const Index dragged = strideOf(window.scene());
  CHECK(dragged > 8);
  CHECK(window.results().counts->rows.pairs != before);
  CHECK_FALSE(window.results().masks.stale);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(strideOf(window.scene()) == 0);
  CHECK_FALSE(window.bench().document.canUndo());
  CHECK(window.results().counts->rows.pairs == before);
}

TEST_CASE("Two drags are two undo steps", "[shell]") {
  TestWindow window;
  window.play("drag \"stride ℓ\" 40 0\nframes 30\n");
  const Index first = strideOf(window.scene());
  window.play("drag \"stride ℓ\" 40 0\nframes 30\n");
  CHECK(strideOf(window.scene()) > first);
  window.play("key Ctrl+Z\n");
  CHECK(strideOf(window.scene()) == first);
}

TEST_CASE("A typed value out of range is an error in place and the last good picture stays",
          "[shell]") {
  TestWindow window;
  const auto good = window.results().masks.value;
  window.play("set \"stride ℓ\" 0\nwait\ncheck scene.pattern.params.stride == 0\n");
  CHECK(window.says("stride is 0"));
  CHECK(window.results().masks.value == good);
  CHECK(window.results().masks.stale);
  window.play("set \"stride ℓ\" 5\nwait\n");
  CHECK_FALSE(window.says("stride is 0"));
  CHECK_FALSE(window.results().masks.stale);
}

TEST_CASE("Dragging c of fixed attention past the stride pulls the stride along", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = patternNamed("fixed");
  TestWindow window(scene);
  window.play("drag \"c\" 120 0\nwait\n");
  const auto& fixed = *window.scene().pattern.as<Fixed>();
  REQUIRE(fixed.columns.has_value());
  CHECK(*fixed.columns > 8);
  CHECK(fixed.stride.value_or(8) >= *fixed.columns);
  CHECK_FALSE(window.results().masks.problem.has_value());
}

TEST_CASE("The link beside the stride brings the square root of n back", "[shell]") {
  TestWindow window;
  window.play("set \"stride ℓ\" 5\nclick \"snap √n\"\nframes 3\n");
  CHECK_FALSE(window.scene().pattern.as<Strided>()->stride.has_value());
}

TEST_CASE("The gallery finds patterns by a part of their name", "[shell]") {
  TestWindow window;
  window.play("key G\nframes 3\ntype \"fix\"\nframes 3\n"
              "check \"Gallery/Fixed\" exists\ncheck \"Gallery/Causal\" missing\n"
              "key Enter\nframes 3\ncheck scene.pattern.mechanism == \"fixed\"\n"
              "check \"Gallery/search\" missing\n");
}

TEST_CASE("The gallery shows every pattern and Escape closes it", "[shell]") {
  TestWindow window;
  window.play("key G\nwait\n");
  for (const Pattern& p : allMechanisms())
    CHECK(window.shows("Gallery/" + description(p).title));
  window.play("key Esc\nframes 3\ncheck \"Gallery/search\" missing\n");
}

TEST_CASE("The palette runs actions and chooses patterns with only the keyboard", "[shell]") {
  TestWindow window;
  window.play("key Ctrl+K\nframes 3\ntype \"light theme\"\nframes 2\nkey Enter\nframes 3\n");
  CHECK(window.bench().ui.theme == ThemeKind::Light);
  window.play("key Ctrl+K\nframes 3\ntype \"causal\"\nframes 2\nkey Down\nkey Up\nkey Enter\n"
              "frames 3\ncheck scene.pattern.mechanism == \"causal\"\n");
}

TEST_CASE("The palette lists exact matches first", "[shell]") {
  TestWindow window;
  const auto first = [&](const std::string& typed) {
    window.play("key Ctrl+K\nframes 3\ntype \"" + typed + "\"\nframes 3\nkey Enter\nframes 3\n");
    return window.scene().title;
  };
  CHECK(first("sparse trans").starts_with("Sparse Transformer: "));
  CHECK(first("child fig3").starts_with("Sparse Transformer: two factorized"));
  CHECK(first("longformer").empty()); // the pattern, before the figures of its paper
  CHECK(window.scene().pattern.is<Longformer>());
}

TEST_CASE("The keys overlay lists the table of actions", "[shell]") {
  TestWindow window;
  window.play("key ?\nframes 3\ncheck \"Keys/Ctrl+K\" exists\nclick \"Keys/Close\"\nframes 3\n"
              "check \"Keys/Close\" missing\n");
}

TEST_CASE("Folding gives the view the room of the sidebars", "[shell]") {
  TestWindow window;
  window.play("key \\\nframes 3\ncheck \"stride ℓ\" missing\ncheck \"Definition\" missing\n"
              "key \\\nframes 3\ncheck \"stride ℓ\" exists\ncheck \"Definition\" exists\n");
}

TEST_CASE("The inspector folds in a narrow window and opens on request", "[shell]") {
  TestWindow window(smallScene(), {}, {}, 1024, 640);
  window.play("check \"Definition\" missing\nkey ]\nframes 3\ncheck \"Definition\" exists\n");
}

TEST_CASE("A name that is typed in full is found first", "[shell]") {
  TestWindow window(smallScene());
  window.play("key 2\nframes 2\nkey Ctrl+K\nframes 3\ntype \"mask\"\nframes 2\nkey Enter\nwait\n");
  CHECK(window.scene().view == View::Mask);
  CHECK(window.scene().pattern == smallScene().pattern);
  window.play("key Ctrl+K\nframes 3\ntype \"sparse \"\nframes 2\nkey Enter\nwait\n");
  CHECK(window.scene().title.starts_with("Sparse"));
}

TEST_CASE("A window that is narrow for its type size unfolds one sidebar at a time", "[shell]") {
  TestWindow window(smallScene(), {}, {}, 1024, 640);
  window.bench().ui.scale = 2;
  window.play("frames 3\ncheck \"stride ℓ\" missing\ncheck \"Definition\" missing\n"
              "key [\nframes 3\ncheck \"stride ℓ\" exists\n"
              "key ]\nframes 3\ncheck \"stride ℓ\" missing\ncheck \"Definition\" exists\n"
              "click \"Menu/Fold sidebar\"\nframes 3\ncheck \"stride ℓ\" exists\n"
              "check \"Definition\" missing\n"
              "key \\\nframes 3\ncheck \"stride ℓ\" missing\n");
  window.bench().actions.run("view.figures", window.bench());
  window.play("frames 3\ncheck \"Sidebar/Figures\" exists\n");
  CHECK(window.bench().ui.sidebar); // as in wider windows
}

TEST_CASE("A narrow window unfolds only one side, whatever wider ones had unfolded", "[shell]") {
  TestWindow window(smallScene(), {}, {}, 600, 640);
  window.play("frames 3\nkey [\nframes 3\ncheck \"stride ℓ\" exists\n"
              "resize 1000 640\nframes 3\nkey ]\nframes 3\ncheck \"Definition\" exists\n"
              "resize 600 640\nframes 3\ncheck \"stride ℓ\" exists\n"
              "check \"Definition\" missing\n"
              "key ]\nframes 3\ncheck \"stride ℓ\" missing\ncheck \"Definition\" exists\n"
              "key ]\nframes 3\ncheck \"stride ℓ\" missing\ncheck \"Definition\" missing\n");
}

TEST_CASE("Large type never leaves a sliver of the view between two sidebars", "[shell]") {
  const auto [width, scale] = GENERATE(std::pair(1440, 2.0F), std::pair(1024, 1.3F),
                                       std::pair(800, 1.0F), std::pair(1024, 1.0F));
  TestWindow window(smallScene(), {}, {}, width, 900);
  window.bench().ui.scale = scale;
  const auto check = [&](bool sidebar, bool inspector) {
    window.play("frames 4\n");
    CHECK(window.shows("Sidebar/Patterns") == sidebar);
    CHECK(window.shows("Definition") == inspector);
    const Widget* mask = window.app().log().find("View/Mask");
    REQUIRE(mask);
    CHECK(mask->rect.x1 - mask->rect.x0 >= 100 * scale);
  };
  INFO(width << " at " << scale);
  const bool both = width == 1024 && scale == 1;
  check(true, false);
  window.play("key ]\n");
  check(both, true);
  window.play(both ? "key ]\n" : "key [\n");
  check(true, false);
  window.play("key ]\nframes 3\nkey ]\n");
  check(true, false); // folding the inspector brings the sidebar back
}

TEST_CASE("Type grows and shrinks by the keyboard", "[shell]") {
  TestWindow window;
  window.play("key Ctrl+=\nframes 2\n");
  CHECK(window.bench().ui.scale > 1);
  window.play("key Ctrl+-\nkey Ctrl+-\nframes 2\n");
  CHECK(window.bench().ui.scale < 1);
  window.play("key Ctrl+0\nframes 2\n");
  CHECK(window.bench().ui.scale == 1);
}

TEST_CASE("Operands of a composition are edited in cards of their own", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = Compose(Operation::Union, {patternNamed("strided"), patternNamed("full")});
  TestWindow window(scene);
  window.play("set \"operand 1/stride ℓ\" 5\nwait\n");
  const auto& compose = *window.scene().pattern.as<Compose>();
  CHECK(compose.of[0].as<Strided>()->stride.value_or(0) == 5);
  window.play("click \"operand 2/remove operand\"\nframes 3\n");
  CHECK(window.scene().pattern.as<Compose>()->of.size() == 1);
  window.play("click \"Add operand\"\nframes 3\n");
  CHECK(window.scene().pattern.as<Compose>()->of.size() == 2);
}

TEST_CASE("Patterns that need first values get them", "[shell]") {
  TestWindow window;
  window.play("key G\nframes 3\nclick \"Gallery/Compose\"\nwait\n");
  const auto& compose = *window.scene().pattern.as<Compose>();
  REQUIRE(compose.of.size() == 2);
  CHECK(compose.of[0] == smallScene().pattern);
  CHECK_FALSE(window.results().masks.problem);
  window.play("key Ctrl+K\nframes 3\ntype \"formula\"\nkey Enter\nframes 2\nwait\n");
  CHECK(description(window.scene().pattern).name == "expr");
  CHECK_FALSE(window.results().masks.problem);
}

TEST_CASE("A mask longer than the input is shown without it and says so", "[shell]") {
  Scene scene = aliceScene();
  TestWindow window(scene);
  REQUIRE(window.results().input);
  CHECK(window.results().lengths.keys == 144);
  CHECK(window.results().metrics);
  window.play("set \"length n\" 200\nwait\n");
  CHECK_FALSE(window.results().metrics);
  CHECK(window.says("only the mask"));
  window.play("click \"from input\"\nwait\n");
  CHECK(window.results().lengths.keys == 144);
}

TEST_CASE("The head of the model is chosen by its number", "[shell]") {
  TestWindow window(aliceScene());
  const double before = window.results().metrics->capturedMass;
  window.play("click \"model head/7\"\nwait\ncheck scene.input.head == 7\n");
  CHECK(window.results().metrics->capturedMass != before);
}

TEST_CASE("A pinned cell says whether it attends and why", "[shell]") {
  Scene scene = smallScene();
  scene.pins = {Index{37}, Index{29}};
  TestWindow window(scene);
  CHECK(window.shows("✓ attends"));
  CHECK(window.says("37 − 29"));
}

TEST_CASE("Export is in sight in a small window and keys scroll what is above it", "[shell]") {
  TestWindow window(aliceScene(), {}, {}, 1024, 640);
  window.play("key ]\nframes 3\nwait\n");
  const auto shown = [&](const char* address) {
    const Widget* widget = window.app().log().find(address);
    return widget != nullptr && widget->visible;
  };
  for (const char* address : {"Export/PNG", "Export/Code", "Copy data", "Copy command"}) {
    INFO(address);
    REQUIRE(shown(address));
    CHECK(window.app().log().find(address)->rect.y1 < 640 - kStatusHeight);
  }
  CHECK(shown("Inspector/Cost"));
  CHECK_FALSE(shown("Child et al. 2019, §4.3"));
  window.play("key PageDown\nframes 3\n");
  CHECK(shown("Child et al. 2019, §4.3"));
  CHECK(shown("Export/PNG"));
  window.play("key PageUp\nframes 3\n");
  CHECK(shown("Inspector/Cost"));
}

TEST_CASE("Notes go by themselves after their time and errors stay", "[shell]") {
  TestWindow window;
  window.bench().notices = Notices(0.5F);
  window.bench().notices.add(NoteKind::Good, "saved");
  window.bench().notices.add(NoteKind::Error, "lost");
  for (int k = 0; k < 3; ++k) // a new card is laid out before it is seen
    window.frame();
  CHECK(window.says("saved"));
  for (int k = 0; k < 60; ++k)
    window.frame();
  CHECK_FALSE(window.says("saved"));
  CHECK(window.says("lost"));
}

TEST_CASE("Without a display notes stay however many frames are drawn", "[shell]") {
  TestWindow window;
  window.bench().notices.add(NoteKind::Good, "saved");
  for (int k = 0; k < 60 * 7; ++k)
    window.frame();
  CHECK(window.says("saved"));
}

TEST_CASE("The bar folds what does not fit and covers nothing", "[shell]") {
  const int width = GENERATE(480, 700, 800, 900, 1024, 1100, 1200, 1440);
  TestWindow window(smallScene(), {}, {}, width, 640);
  const Widget* fold = window.app().log().find("Menu/Fold sidebar");
  REQUIRE(fold);
  float right = 0; // of what lies to its left
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "Menu" && widget.label.rfind("Fold", 0) != 0)
      right = std::max(right, widget.rect.x1);
  CHECK(right > 0);
  CHECK(right <= fold->rect.x0);
  const bool folded = window.shows("Menu/Menu");
  CHECK(folded != window.shows("Menu/File"));
  CHECK(window.shows("Menu/Views") != window.shows("Menu/Kernels"));
  const std::string tabs = window.shows("Menu/Views") ? "click \"Menu/Views\"\nframes 2\nclick "
                                                        "\"Views/Kernels\"\nframes 2\n"
                                                      : "click \"Menu/Kernels\"\nframes 2\n";
  window.play(tabs);
  CHECK(window.scene().view == View::Kernels);
  window.play(folded ? "click \"Menu/Menu\"\nframes 2\nclick \"Menu/Help\"\nframes 2\n"
                     : "click \"Menu/Help\"\nframes 2\n");
  CHECK(window.shows("Help/Keys"));
}

TEST_CASE("What is below the tabs of the sidebar stands close to them in every view", "[shell]") {
  Scene scene = smallScene();
  TestWindow window(scene);
  for (const WindowView& view : windowViews()) {
    scene.view = view.view;
    window.bench().document.open(scene, "view");
    window.settle();
    const Widget* figures = window.app().log().find("Sidebar/Figures");
    REQUIRE(figures);
    const float tabs = figures->rect.y1;
    float next = 900;
    for (const Widget& widget : window.app().log().widgets())
      if (widget.scope.rfind("Sidebar", 0) == 0 && widget.rect.y0 > tabs)
        next = std::min(next, widget.rect.y0);
    INFO(view.label);
    CHECK(next - tabs < 30);
  }
}

TEST_CASE("In large type no words of a view overlap", "[shell]") {
  UiState habits;
  habits.scale = GENERATE(1.0F, 1.5F, 2.0F);
  Scene scene = aliceScene();
  scene.kernels = smallScene().kernels;
  scene.timings = smallScene().timings;
  TestWindow window(scene, {}, habits, 1024, 640);
  for (const WindowView& view : windowViews()) {
    window.bench().actions.run(view.action, window.bench());
    window.settle();
    INFO(view.label << " at scale " << habits.scale);
    CHECK(overlappingWords(window) == std::vector<std::string>());
  }
}

TEST_CASE("In a low window the views scroll to what does not fit", "[shell]") {
  Scene scene = smallScene();
  scene.length.n = 24;
  scene.view = View::Reach;
  TestWindow window(scene, {}, {}, 1024, 340);
  const auto hops = [&] { return *window.app().log().find("View/Hops"); };
  const float before = hops().rect.y0;
  CHECK(hops().rect.y1 > 340 - kStatusHeight);
  CHECK(hops().rect.y1 - hops().rect.y0 > 100); // as large as it needs to be
  window.play("move \"View/Growth\" at 0.5 0.1\nscroll \"View/Layers\" -20\nframes 6\n");
  CHECK(hops().rect.y0 < before - 50);
  CHECK(hops().rect.y1 <= 340 - kStatusHeight);
  // The wheel zooms a matrix and scrolls nothing.
  scene.view = View::Attention;
  RandomInput random;
  random.n = 24;
  scene.input.source = random;
  window.bench().document.open(scene, "view");
  window.settle();
  const Rect map = window.app().log().find("View/Map 1")->rect;
  window.play("scroll \"View/Map 1\" 2\nwait\nframes 3\n");
  CHECK(window.scene().camera);
  CHECK(window.app().log().find("View/Map 1")->rect == map);
}

TEST_CASE("Without a matrix of hops the growth has the whole view", "[shell]") {
  Scene scene = smallScene();
  scene.length.n = 5000;
  scene.view = View::Reach;
  TestWindow window(scene, {}, {}, 1440, 900);
  CHECK_FALSE(window.shows("View/Hops"));
  CHECK(window.says("The graph shows up to 256 tokens, the matrix of hops up to 4\u2009096"));
  const Widget* growth = window.app().log().find("View/Growth");
  REQUIRE(growth);
  CHECK(growth->rect.x1 - growth->rect.x0 > 650);
  CHECK(growth->rect.y1 - growth->rect.y0 > 650);
}

TEST_CASE("The wheel over the matrix of hops redraws nothing else", "[shell]") {
  Scene scene = smallScene();
  scene.length.n = 24;
  scene.view = View::Reach;
  TestWindow window(scene);
  const auto token = window.results().part<ReachResults>().token.value;
  const auto hops = window.results().part<ReachResults>().hops.value;
  REQUIRE((token && hops));
  window.play("scroll \"View/Hops\" 5\nwait\nframes 3\n");
  CHECK(window.scene().camera);
  CHECK(window.results().part<ReachResults>().token.value == token);
  CHECK(window.results().part<ReachResults>().hops.value != hops);
}

TEST_CASE("A menu of figures opens beside the list of papers", "[shell]") {
  const int width = GENERATE(900, 1024, 1440);
  TestWindow window(smallScene(), {}, {}, width, 640);
  const bool folded = window.shows("Menu/Menu");
  const std::string paper = "BERT's heads (Kovaleva et al. 2019)"; // of a long title
  const std::string title = "Look-alikes of the five kinds of self-attention maps of BERT's heads";
  window.play((folded ? "click \"Menu/Menu\"\nframes 4\n" : std::string()) +
              "click \"Menu/Figures\"\nframes 4\nclick " + quoted("Figures/" + paper) +
              "\nframes 4\n");
  const Widget* list = window.app().log().find("Figures/" + paper);
  const Widget* item = window.app().log().find(paper + "/" + title);
  REQUIRE((list && item));
  CHECK(item->rect.x0 >= list->rect.x0 + 100);
  CHECK(item->rect.x1 <= static_cast<float>(width));
  window.play("click " + quoted(paper + "/" + title) + "\nwait\n");
  CHECK(window.scene().paper == paper);
}

TEST_CASE("The list of figures moves once to a figure that was chosen elsewhere", "[shell]") {
  TestWindow window(smallScene());
  window.play("click \"Sidebar/Figures\"\nframes 3\n");
  const ShownFigure last = window.bench().figures.back();
  const auto inSight = [&] {
    const Widget* tile = window.app().log().find("Figures/" + last.title);
    return tile && tile->visible && tile->grip.y1 - tile->grip.y0 == tile->rect.y1 - tile->rect.y0;
  };
  REQUIRE_FALSE(inSight());
  window.bench().document.open(last.scene, "figure");
  window.play("frames 4\n");
  CHECK(inSight());
  CHECK(window.shows("Figure/PNG"));
  window.play("scroll \"Figures/" + last.title + "\" 40\nframes 3\n");
  CHECK_FALSE(inSight());
}

TEST_CASE("The status bar counts pairs only where the view reads the pattern", "[shell]") {
  Scene scene = smallScene();
  TestWindow window(scene);
  const auto counts = [&](View view) {
    scene.view = view;
    window.bench().document.open(scene, "view");
    window.settle();
    return window.app().log().find("Status/counts")->value;
  };
  CHECK(counts(View::Mask).find("pairs") != std::string::npos);
  CHECK(counts(View::Reach).find("pairs") != std::string::npos);
  for (const View view : {View::Kernels, View::Timings, View::Encodings})
    CHECK(counts(view).find("pairs") == std::string::npos);
  CHECK(counts(View::Encodings).find("16 × 16") != std::string::npos);
}

} // namespace
} // namespace attention::gui
