// The Attention view in the whole window: linked matrices, the query's facts, heads and lines, what
// it says where something is missing, and its pixels.
#include "app/gui/files/command_text.h"
#include "app/gui/files/exporting.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/views/attention/weights_view.h"
#include "tests/app/gui/shell_window.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace attention::gui {
namespace {

Scene attentionScene(AttentionPicture picture, Index n = 48, Index heads = 3) {
  Scene scene = smallScene();
  scene.view = View::Attention;
  scene.attention.picture = picture;
  RandomInput random;
  random.n = n;
  random.d = 8;
  random.heads = heads;
  random.parameters["sigma"] = {2};
  scene.input.source = random;
  scene.length = LengthSpec();
  return scene;
}

const AttentionResults& view(TestWindow& window) {
  return window.results().part<AttentionResults>();
}

std::string valueOf(TestWindow& window, const char* label) {
  const Widget* widget = window.app().log().find(label);
  return widget ? widget->value : "";
}

TEST_CASE("Every picture of attention has facts and words of its own", "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Maps));
  std::set<std::string> titles;
  constexpr std::size_t kOfWeights = 3; // the others have tests of their own
  for (std::size_t k = 0; k < kOfWeights; ++k) {
    window.bench().document.open(attentionScene(static_cast<AttentionPicture>(k)), "picture");
    window.settle();
    INFO(settingNamed(attentionSettings(), "picture").choices[k].value);
    const auto& shown = view(window).shown;
    REQUIRE(shown);
    CHECK(shown->spec.picture == static_cast<AttentionPicture>(k));
    CHECK(!shown->facts.lines.empty());
    CHECK(!shown->reading.empty());
    CHECK(window.says(shown->facts.heading));
    CHECK(window.says("Definition"));
    titles.insert(shown->title);
  }
  CHECK(titles.size() == kOfWeights);
}

TEST_CASE("Between pictures no room is left for the facts of the last one", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Maps);
  scene.pins.query = 20;
  TestWindow window(scene);
  const auto definition = [&] { return window.app().log().find("Definition")->rect.y0; };
  window.play("move \"View/Map 1\" at 0.3 0.6\nframes 3\nkey X\nwait\nframes 3\n");
  REQUIRE(window.scene().attention.picture == AttentionPicture::Text);
  const float after = definition();
  window.play("move 2 2\nframes 4\nwait\n");
  CHECK(after == Approx(definition()).margin(40)); // but for a line of words
}

TEST_CASE("A head that was opened from the list leads back to it", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Heads);
  scene.attention.list.shown = true;
  TestWindow window(scene);
  window.play("check \"Heads/what heads do\" checked\nclick \"View/Head list\" at 0.3 0.5\nwait\n");
  CHECK(window.scene().attention.picture == AttentionPicture::Maps);
  window.play("click \"Heads/◀ back to the list\"\nwait\n");
  CHECK(window.scene().attention.picture == AttentionPicture::Heads);
  window.play("click \"Heads/grid\"\nwait\ncheck \"Heads/grid\" checked\n");
  CHECK_FALSE(window.scene().attention.list.shown);
  window.play("key M\nwait\ncheck \"Heads/◀ back to the list\" missing\n");
}

TEST_CASE("A narrow list of heads says which columns it leaves out", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Heads);
  scene.attention.list.shown = true;
  const auto leavesOut = [&](int width) {
    TestWindow window(scene, {}, {}, width, 640);
    window.play("frames 3\n");
    return window.says("A wider picture adds “");
  };
  CHECK(leavesOut(1024));
  CHECK_FALSE(leavesOut(1920));
}

TEST_CASE("In Present the list of heads is paged and names no pattern as its source", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Heads, 16, 40);
  scene.attention.list.shown = true;
  TestWindow window(scene);
  window.play("key F5\nwait\nframes 3\nkey Right\nwait\n");
  CHECK(window.scene().attention.list.from == 10);
  CHECK(window.scene().input.head == scene.input.head);
  window.play("key Left\nwait\n");
  CHECK(window.scene().attention.list.from == 0);
  CHECK_FALSE(window.says("Child et al. 2019")); // what heads attend to is of no pattern
}

TEST_CASE("Logits of heads are given from the smallest to the largest", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Heads);
  scene.attention.of = WeightsOf::Logits;
  TestWindow window(scene);
  const auto& shown = view(window).shown;
  REQUIRE(shown);
  CHECK(shown->title == "Attention logits of every head");
  CHECK(shown->reading.front().rfind("The logits shown range from −", 0) == 0);
  CHECK(window.says(shown->reading.front()));
}

TEST_CASE("A cell is highlighted in all matrices and its weights are shown", "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Maps));
  window.play("move \"View/Map 2\" at 0.5 0.6\nframes 3\nwait\nframes 2\n");
  const Hover hover = window.bench().hover;
  REQUIRE(hover.query);
  REQUIRE(hover.key);
  const auto& row = view(window).row;
  REQUIRE(row);
  CHECK(row->query == *hover.query);
  CHECK(window.says("query " + std::to_string(*hover.query)));
  CHECK(window.says("weight, pattern"));
  CHECK(row->top.size() == kTopKeys);
  window.play("move 600 60\nframes 3\n");
  CHECK_FALSE(window.bench().hover.query);
}

TEST_CASE("Captured mass on the screen equals that of the Mask view and the score board",
          "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Maps));
  const MeasureSummary mass = measureSummary(view(window).head->measures.captured);
  REQUIRE(window.results().metrics);
  CHECK(mass.mean == Approx(window.results().metrics->capturedMass));
  CHECK(view(window).head->measures.outputError->relativeFrobenius ==
        Approx(window.results().metrics->outputError->relativeFrobenius));
}

TEST_CASE("Matrices zoom together over whole cells", "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Maps));
  window.play("scroll \"View/Map 1\" 2\nwait\n");
  const auto& camera = window.scene().camera;
  REQUIRE(camera);
  CHECK(camera->cells == std::round(camera->cells));
  CHECK(camera->cells < 48);
  const std::string value = valueOf(window, "View/Map 1");
  CHECK(value == valueOf(window, "View/Map 3"));
  CHECK(value != "queries 0–48, keys 0–48");
  window.play("scroll \"View/Map 1\" -30\nwait\n");
  CHECK_FALSE(window.scene().camera);
}

TEST_CASE("A camera over whole cells moves by at least one cell and stays in the mask", "[shell]") {
  const Lengths lengths = squareLengths(20);
  const attention::Rect before{4, 12, 4, 12};
  CHECK(wholeCells(Camera{8, 8, 7.9}, before, lengths)->cells == 7);
  CHECK(wholeCells(Camera{8, 8, 8.1}, before, lengths)->cells == 9);
  CHECK(wholeCells(Camera{8, 8, 8}, before, lengths) == Camera{8, 8, 8});
  CHECK_FALSE(wholeCells(Camera{8, 8, 40}, before, lengths));
  CHECK(wholeCells(Camera{-50, 90, 8}, before, lengths) == Camera{4, 16, 8});
}

TEST_CASE("A click on a small head opens it", "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Heads));
  CHECK(valueOf(window, "View/Heads") == "3 heads");
  window.play("click \"View/Heads\" at 0.7 0.2\nwait\n");
  CHECK(window.scene().attention.picture == AttentionPicture::Maps);
  CHECK(window.scene().input.head > 0);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().attention.picture == AttentionPicture::Heads);
  CHECK(window.scene().input.head == 0);
}

TEST_CASE("Heads follow one another through all layers and wrap around", "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Maps));
  window.play("key N\nwait\nkey N\nwait\n");
  CHECK(window.scene().input.head == 2);
  window.play("key N\nwait\n");
  CHECK(window.scene().input.head == 0);
  window.play("key P\nwait\n");
  CHECK(window.scene().input.head == 2);
}

TEST_CASE("Pointing at a token shows only its lines", "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Lines));
  const auto linesOf = [&] {
    return std::get<LinksMark>(view(window).shown->panels.front().plots.front().mark).links;
  };
  const std::size_t all = linesOf().size();
  window.play("move \"View/Token lines\" at 0.2 0.5\nframes 3\nwait\nframes 3\n");
  REQUIRE(window.bench().hover.query);
  const std::vector<Link> links = linesOf();
  CHECK(links.size() < all);
  for (const Link& link : links)
    CHECK(link.query == *window.bench().hover.query);
}

TEST_CASE("Lines of many tokens show a part that the wheel moves and a click keeps", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Lines, 100, 1);
  scene.pins = {};
  TestWindow window(scene);
  const auto cells = [&] { return view(window).shown->look.cells; };
  CHECK(window.says("Only part of the 100 tokens is shown"));
  CHECK(window.says("scroll moves along the tokens"));
  const Index page = cells().rowEnd;
  const auto isPageFrom = [&](Index begin) {
    return cells() == attention::Rect{begin, begin + page, begin, begin + page};
  };
  REQUIRE(isPageFrom(0));
  CHECK(page < 100);
  window.play("scroll \"View/Token lines\" -3\nwait\nframes 3\n");
  const Index moved = cells().rowBegin;
  CHECK(moved > 0);
  CHECK(isPageFrom(moved));
  for (int k = 0; k < 20; ++k) // of a trackpad
    window.play("scroll \"View/Token lines\" -0.1\nframes 2\n");
  window.settle();
  CHECK(cells().rowBegin > moved);
  window.play("scroll \"View/Token lines\" -30\nwait\nframes 3\n");
  CHECK(cells().rowEnd == 100);
  window.play("key F\nwait\nclick \"View/Token lines\" at 0.2 0.9\nwait\nframes 3\n");
  REQUIRE(window.scene().pins.query);
  CHECK(isPageFrom(0));
  CHECK(window.says("falls on the keys shown"));
  window.play("key F\nwait\nmove 5 5\nframes 3\nwait\n"); // around the pin
  CHECK(cells().rowBegin <= *window.scene().pins.query);
  CHECK(cells().rowEnd > *window.scene().pins.query);
}

TEST_CASE("Pointing at lines moves no token, and a key at the edge can be pinned", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Lines, 100, 1);
  scene.pins = {};
  scene.pattern = patternNamed("causal");
  scene.camera = Camera{70, 70, 20};
  TestWindow window(scene, {}, {}, 1024, 640);
  const auto mark = [&] {
    return std::get<LinksMark>(view(window).shown->panels.front().plots.front().mark);
  };
  const LinksMark before = mark();
  const attention::Rect page = view(window).shown->look.cells;
  REQUIRE(page.rowBegin == 60);
  REQUIRE(page.rowEnd >= 75); // 20 where all have room for words
  REQUIRE(page.keyBegin == page.rowBegin);
  REQUIRE(page.keyEnd == page.rowEnd);
  REQUIRE(before.pageBegin > 2); // keys before the page
  for (const char* place : {"0.2 0.5", "0.2 0.8", "0.8 0.4", "0.8 0.9"}) {
    window.play("move \"View/Token lines\" at " + std::string(place) + "\nwait\nframes 3\n");
    CHECK(mark().keys == before.keys);
    CHECK(mark().pageBegin == before.pageBegin);
    CHECK(mark().links.size() < before.links.size());
  }
  window.play("click \"View/Token lines\" at 0.8 0.09\nwait\nframes 3\n");
  REQUIRE(window.scene().pins.key);
  CHECK(*window.scene().pins.key < 60);                          // off the page
  const attention::Rect pinned = view(window).shown->look.cells; // what was in sight
  CHECK(pinned == attention::Rect{60, pinned.rowEnd, 60, pinned.rowEnd});
  CHECK(pinned.rowEnd >= 75);
  CHECK(pinned.rowEnd <= page.rowEnd);
  for (const Link& link : mark().links)
    CHECK(mark().keys[static_cast<std::size_t>(link.key)].token == *window.scene().pins.key);
}

TEST_CASE("The sink of the sample is seen: most of its map is background, its column is not",
          "[shell]") {
  Scene scene = aliceScene();
  scene.view = View::Attention;
  scene.input.source = AssetInput{"minilm_alice"};
  scene.input.batch = 2;
  scene.input.head = 3;
  scene.attention.maps = {true, false, false};
  scene.attention.curves = false;
  scene.pins = {};
  const ThemeKind theme = GENERATE(ThemeKind::Dark, ThemeKind::Light);
  UiState habits;
  habits.theme = theme;
  TestWindow window(scene, {}, habits, 1440, 900);
  window.play("move 5 5\nwait\nframes 4\n");
  const auto& mark = std::get<ValuesMark>(view(window).shown->panels.front().plots.front().mark);
  REQUIRE(!mark.sums->labels.empty());
  CHECK(mark.sums->labels.front().text.find("[CLS]") != std::string::npos);
  const gl::Pixels picture = window.host().pixels();
  const Widget* map = window.app().log().find("View/Map 1");
  REQUIRE(map);
  const Color& ground =
      figureColors(theme == ThemeKind::Dark ? FigureTheme::Dark : FigureTheme::Light).ground;
  // In the lower left of the matrix, by columns of pixels: the first ones are of [CLS].
  std::map<int, int> marked;
  const int top = static_cast<int>(map->rect.y0 + 0.6F * (map->rect.y1 - map->rect.y0));
  const int bottom = static_cast<int>(map->rect.y0 + 0.9F * (map->rect.y1 - map->rect.y0));
  const int left = static_cast<int>(map->rect.x0);
  const int right = static_cast<int>(map->rect.centerX());
  for (int x = left; x < right; ++x)
    for (int y = top; y < bottom; ++y) {
      const auto* at = picture.at(x, y);
      const Color here{at[0], at[1], at[2]};
      marked[x] += contrast(here, ground) > 2 ? 1 : 0;
    }
  int strong = 0;
  int all = 0;
  for (const auto& [x, count] : marked) {
    strong += 10 * count > 8 * (bottom - top) ? 1 : 0;
    all += 10 * count > 5 * (bottom - top) ? 1 : 0;
  }
  CHECK(strong >= 2); // pixels of its column, with the axis
  CHECK(all < 40);
}

TEST_CASE("A long text opens where the query is, and stays where it is scrolled to", "[shell]") {
  Scene scene = aliceScene();
  scene.input = decoderSample();
  scene.view = View::Attention;
  scene.attention.picture = AttentionPicture::Text;
  scene.pins = {Index{800}, {}};
  TestWindow window(scene);
  // At the left edge every line has a token.
  window.play("click \"View/Running text\" at 0.004 0.5\nwait\n");
  REQUIRE(window.scene().pins.query);
  CHECK(*window.scene().pins.query > 500);
  CHECK(*window.scene().pins.query < 800);
  window.play("scroll \"View/Running text\" 100\nframes 3\n"
              "click \"View/Running text\" at 0.004 0.02\nwait\n");
  CHECK(window.scene().pins.query == 0);
  window.play("move 3 3\nframes 3\nwait\n"); // a word under the pointer comes before the pinned one
  window.bench().document.setPins({Index{800}, {}}, "pin");
  window.play("wait\nkey F5\nframes 5\nwait\n"
              "click \"View/Running text\" at 0.5 0.6\nwait\n");
  CHECK(*window.scene().pins.query > 750); // in larger type
}

// Query 800 of a long text under a pattern whose strongest hidden word is at its beginning.
Scene hiddenScene() {
  Scene scene = defaultScene();
  scene.input = decoderSample();
  scene.view = View::Attention;
  scene.attention.picture = AttentionPicture::Text;
  scene.pins = {Index{800}, {}};
  return scene;
}

TEST_CASE("A link leads to the hidden word with the most weight", "[shell]") {
  TestWindow window(hiddenScene());
  REQUIRE(window.says("“¶” (key 1) is further above · "));
  window.play("click \"View/show it\"\nwait\n");
  CHECK_FALSE(window.says("is further"));
  CHECK(window.scene().pins.query == 800); // out of sight now, and it stays so
  window.play("click \"View/Running text\" at 0.1 0.15\nwait\n");
  REQUIRE(window.scene().pins.query);
  CHECK(*window.scene().pins.query < 30);
}

TEST_CASE("In a presentation the caption says where the hidden word is", "[shell]") {
  TestWindow window(hiddenScene());
  window.play("key F5\nwait\nframes 3\ncheck \"View/show it\" missing\n");
  CHECK(window.says("“¶” (key 1). It is further above."));
}

TEST_CASE("The last page of a long text fills its room", "[shell]") {
  TestWindow window(hiddenScene());
  const auto tokenAt = [&](const std::string& height) {
    window.play("click \"View/Running text\" at 0.004 " + height + "\nwait\nframes 3\n");
    return window.scene().pins.query.value_or(0);
  };
  window.play("scroll \"View/Running text\" -300\nframes 3\n"); // far beyond its end
  CHECK(tokenAt("0.95") > 990);
  const Index top = tokenAt("0.02");
  CHECK(top > 500);
  CHECK(top < 950);
}

TEST_CASE("Over lines of all tokens the wheel scrolls a low view", "[shell]") {
  TestWindow window(attentionScene(AttentionPicture::Lines, 8, 1), {}, {}, 1024, 380);
  const auto top = [&] { return window.app().log().find("View/Token lines")->rect.y0; };
  REQUIRE(window.shows("View/Token lines"));
  const float before = top();
  window.play("scroll \"View/Token lines\" -20\nframes 3\n");
  CHECK(top() < before - 50);
}

TEST_CASE("In a presentation arrows step through heads and move no pin", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Maps, 24, 4);
  scene.pins = {5, 3};
  TestWindow window(scene);
  window.play("click \"View/Map 1\" at 0.5 0.5\nframes 3\nkey F5\nwait\n");
  const Pins pins = window.scene().pins;
  for (const char* key : {"Right", "Down", "Up"}) {
    window.play("key " + std::string(key) + "\nwait\nframes 3\n");
    CHECK(window.scene().pins == pins);
  }
  CHECK(window.scene().input.head > 0);
}

TEST_CASE("Ready weights are shown, and that their output error is unknown", "[shell]") {
  const TemporaryFolder folder;
  Matrix<float> weights(12, 12);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j)
      weights(i, j) = 1.0F / 12;
  writeNpy<float>(folder / "w.npy", weights);
  Scene scene = attentionScene(AttentionPicture::Maps);
  FileInput file;
  file.attention = (folder / "w.npy").string();
  scene.input.source = file;
  TestWindow window(scene);
  REQUIRE(view(window).shown);
  CHECK(window.says("the output error is unknown"));
  CHECK_FALSE(window.shows("View/Curve 3")); // only captured mass and entropy
  window.play("click \"Copy command\"\nwait\nframes 3\n");
  CHECK(window.host().clipboard().find(" --measure --attention '") != std::string::npos);
}

TEST_CASE("The command of the Attention view gives the numbers on the screen", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Maps);
  scene.input.head = 2;
  scene.attention.base = AttentionBase::Full;
  const auto input = loadInput(scene.input);
  const std::string command = commandText(scene, squareLengths(40), input.get());
  CHECK(command.find("attnx info --measure --base full --random 'gaussian' --n 40 --d 8 --heads "
                     "3") == 0);
  CHECK(command.find(" --head-index 2 strided") != std::string::npos);
  scene.attention.picture = AttentionPicture::Heads;
  CHECK(commandText(scene, squareLengths(40), input.get()).ends_with(" -o attention.csv"));
  CHECK(exportName(scene, squareLengths(40), ".csv") == "attention-heads.csv");
}

TEST_CASE("Hostile values of the Attention view give sentences, not crashes", "[shell]") {
  const auto hostile = GENERATE(std::numeric_limits<double>::quiet_NaN(), -1.0, 1e300);
  Scene scene = attentionScene(AttentionPicture::Lines);
  scene.attention.least = hostile;
  TestWindow window(scene);
  CHECK(window.says("it must be a number from 0 to 1"));
  scene.attention.least = 0.1;
  scene.camera = Camera{hostile, hostile, hostile};
  scene.pins = {-7, 1'000'000};
  window.bench().document.open(scene, "hostile");
  window.settle();
  scene.attention.picture = AttentionPicture::Maps;
  scene.attention.maps = {false, false, false};
  window.bench().document.open(scene, "hostile");
  window.settle();
  CHECK(window.says("a list of at least one of full, pattern and difference"));
}

TEST_CASE("The pattern's map is background where the pattern has no key", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Maps, 16, 1);
  scene.pattern = patternNamed("causal");
  TestWindow window(scene);
  const auto& panels = view(window).shown->panels;
  const auto& mark = std::get<ValuesMark>(panels[1].plots.front().mark);
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 16; ++j)
      CHECK(((*mark.values)(i, j) > 0) == (j <= i));
  const gl::Pixels picture = window.host().pixels();
  const Widget* map = window.app().log().find("View/Map 2");
  REQUIRE(map);
  std::set<std::array<int, 3>> colors;
  for (float x = map->rect.x0; x < map->rect.x1; x += 3)
    for (float y = map->rect.y0; y < map->rect.y1; y += 3) {
      const std::uint8_t* at = picture.at(static_cast<int>(x), static_cast<int>(y));
      colors.insert({at[0], at[1], at[2]});
    }
  CHECK(colors.size() > 20); // weights of many sizes
}

TEST_CASE("A square crop shows no queries at other tokens", "[shell]") {
  Scene scene = attentionScene(AttentionPicture::Maps);
  std::get<RandomInput>(scene.input.source).n = 6;
  std::get<RandomInput>(scene.input.source).keys = 10;
  scene.length = {6, {}, GENERATE(Align::TopLeft, Align::BottomRight)};
  const bool own = scene.length.align == Align::TopLeft; // else queries are tokens 4 to 9
  TestWindow window(scene);
  CHECK(window.results().inputCovers == own);
  CHECK((view(window).shown.value != nullptr) == own);
  CHECK((window.results().attention.value != nullptr) == own);
  scene.view = View::Mask;
  scene.length = {10, 5, scene.length.align};
  window.bench().document.open(scene, "rectangle");
  window.settle();
  const auto& attention = window.results().attention;
  REQUIRE(attention);
  const Matrix<float> all = window.results().input->q<float>(0, 0);
  for (Index c = 0; c < all.cols(); ++c)
    CHECK(attention->q(0, c) == all(own ? 0 : 1, c));
}

} // namespace
} // namespace attention::gui
