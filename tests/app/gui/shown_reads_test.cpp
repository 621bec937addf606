// The window shows the controls that its picture reads, exports what is on the screen, and calls
// one thing by one name and one number.
#include "app/gui/actions/file_dialogs.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/views/compare/matching.h"
#include "core/export/embedded_scene.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/mechanism/topk.h"
#include "tests/app/gui/held_jobs.h"
#include "tests/app/gui/shell_window.h"
#include "tests/app/gui/shown_things.h"

#include <numeric>

namespace attention::gui {
namespace {

Scene withRandomInput(View view, Index n = 24) {
  Scene scene = smallScene();
  scene.view = view;
  RandomInput random;
  random.n = n;
  random.d = 8;
  scene.input.source = random;
  scene.length = LengthSpec();
  scene.pins = {};
  return scene;
}

bool isEnabled(TestWindow& window, const std::string& label) {
  const Widget* widget = window.app().log().find(label);
  REQUIRE(widget);
  return widget->enabled;
}

std::string valueOf(TestWindow& window, const std::string& label) {
  for (const Widget& widget : window.app().log().widgets())
    if (widget.label == label && !widget.value.empty())
      return withPlainSpaces(widget.value);
  return "";
}

void writeCausalMasks(const std::filesystem::path& file, const std::vector<Index>& shape) {
  const Index n = shape.back();
  const Index count = std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
  std::vector<float> cells;
  for (Index k = 0; k < count; ++k)
    cells.push_back(k % n + k / (n * n) <= k / n % n ? 1.0F : 0.0F);
  writeNpy<float>(file, shape, std::span<const float>(cells));
}

TEST_CASE("While Choosing offers patterns it shows no control of a pattern that it does not draw",
          "[shown]") {
  Scene scene = withRandomInput(View::Choosing);
  scene.choosing.picture = ChoosingPicture::Sorting;
  scene.pattern = Strided{};
  TestWindow window(scene);
  REQUIRE(window.shows("Way out/Clusters"));
  CHECK(window.shows("Parameters/length n")); // of the offers
  for (const char* control : {"Parameters/stride ℓ", "reading/paper ℓ+1", "Parameters/queries"})
    CHECK_FALSE(window.shows(control));
  CHECK_FALSE(window.says("Child et al. 2019"));
  CHECK(countsOf(window) == "n 24");
  window.play("click \"Way out/Clusters\"\nwait\n");
  CHECK(window.shows("Parameters/queries"));
}

TEST_CASE("The offers on the screen are exported as they are shown", "[shown]") {
  const TemporaryFolder folder;
  Scene scene = withRandomInput(View::Choosing);
  scene.choosing.picture = ChoosingPicture::Sorting;
  scene.pattern = Strided{};
  TestWindow window(scene);
  for (const char* picture :
       {"Export/PNG", "Export/SVG", "Export/HTML", "Export/PDF", "Export/TikZ"})
    CHECK(isEnabled(window, picture));
  for (const char* numbers : {"Export/csv", "Export/Copy data", "Export/Copy command"})
    CHECK_FALSE(isEnabled(window, numbers)); // pictures have none
  exportWhenReady(window.bench(), folder / "offers.png");
  window.settle();
  const Scene written = sceneOfPicture(folder / "offers.png").scene;
  REQUIRE(written.mask.panels.size() == 3);
  CHECK(written.mask.panels[0].title == "Clusters");
  CHECK(written.mask.panels[2].title == "LSH (Reformer)");
  CHECK(window.scene().view == View::Choosing);
}

TEST_CASE("A tooltip covers no control beside its own", "[shown]") {
  TestWindow window;
  const auto tipOver = [&](const std::string& label) {
    window.play("move " + quoted(label) + "\nframes 60\n");
    REQUIRE(window.app().log().tip());
    return *window.app().log().tip();
  };
  for (const WindowView& view : windowViews()) {
    const Rect tip = tipOver(std::string("Menu/") + view.label);
    INFO(view.label);
    for (const WindowView& other : windowViews()) {
      const Widget* tab = window.app().log().find(std::string("Menu/") + other.label);
      REQUIRE(tab);
      CHECK(tip.y0 >= tab->rect.y1);
    }
    CHECK(tip.x0 >= 0);
    CHECK(tip.x1 <= 1440);
  }
  const Rect tip = tipOver("Export/Copy command"); // at the lower edge: above it
  CHECK(tip.y1 <= window.app().log().find("Export/Copy command")->rect.y0);
}

TEST_CASE("A mask over other tokens closes the sample, and the window says so", "[shown][mask]") {
  const TemporaryFolder folder;
  writeCausalMasks(folder / "mask.npy", {24, 24});
  TestWindow window(aliceScene());
  REQUIRE(window.results().input);
  window.play("drop " + quoted(folder / "mask.npy") + "\nframes 3\nwait\n");
  CHECK(std::holds_alternative<NoInput>(window.scene().input.source));
  CHECK(window.results().lengths.keys == 24);
  CHECK(window.says("The sample was closed: it has 144 tokens, and the mask is of 24."));
  CHECK_FALSE(window.says("of the input's 144 tokens"));
  window.play("key Ctrl+Z\nwait\n");
  CHECK(std::holds_alternative<AssetInput>(window.scene().input.source));
  writeCausalMasks(folder / "same.npy", {144, 144});
  window.play("drop " + quoted(folder / "same.npy") + "\nframes 3\nwait\n");
  CHECK(std::holds_alternative<AssetInput>(window.scene().input.source));
}

TEST_CASE("With several masks in a file, layer and head are chosen without an input",
          "[shown][mask]") {
  const TemporaryFolder folder;
  writeCausalMasks(folder / "planes.npy", {2, 3, 24, 24});
  TestWindow window(aliceScene());
  window.play("drop " + quoted(folder / "planes.npy") + "\nframes 3\nwait\n");
  REQUIRE(std::holds_alternative<NoInput>(window.scene().input.source));
  CHECK(window.says("planes.npy, layer 0, head 0"));
  CHECK(window.results().counts->rows.pairs == 300);
  window.play("click \"layer/1\"\nwait\nclick \"model head/2\"\nwait\nframes 3\n");
  CHECK(window.says("planes.npy, layer 1, head 2"));
  CHECK_FALSE(window.says("[batch="));
  CHECK(window.results().counts->rows.pairs == 19 * 20 / 2);
}

TEST_CASE("One number has the same digits in every view", "[shown]") {
  TestWindow window(withRandomInput(View::Mask));
  const std::string inMask = valueOf(window, "output error, relative");
  CHECK(inMask.size() >= 4); // three digits
  window.play("key 3\nwait\nframes 3\n");
  CHECK(valueOf(window, "output error") == inMask);
}

TEST_CASE("The input's card writes its lengths in groups of digits", "[shown]") {
  Scene scene = withRandomInput(View::Mask, 2000);
  TestWindow window(scene);
  CHECK(window.says("n 2\u2009000"));
  CHECK_FALSE(window.says("n 2000"));
  window.play("set \"Parameters/length n\" 3000\nwait\nframes 3\n");
  CHECK(window.says("Longer than the input: only the mask is shown."));
}

TEST_CASE("Where an input has fewer queries than keys, their place can be chosen", "[shown]") {
  Scene scene = withRandomInput(View::Mask, 5);
  std::get<RandomInput>(scene.input.source).keys = 12;
  scene.pattern = Causal{};
  TestWindow window(scene);
  const Widget* top = window.app().log().find("align/top left");
  REQUIRE(top);
  CHECK(countsOf(window) == "n 12 · 15 pairs · 100.0 % of causal"); // 1 + 2 + … + 5
  window.play("click \"align/bottom right\"\nwait\nframes 3\n");
  CHECK(countsOf(window) == "n 12 · 50 pairs · 100.0 % of causal"); // 8 + 9 + … + 12
}

TEST_CASE("Full attention over earlier keys is called causal", "[shown]") {
  Scene scene = withRandomInput(View::Attention);
  scene.pattern = Full{};
  TestWindow window(scene);
  CHECK(window.shows("recent/Full"));
  CHECK_FALSE(window.says("Full causal"));
  window.play("click \"Parameters/causal (j ≤ i)\"\nwait\nframes 3\n");
  CHECK(window.says("Full causal"));
  CHECK_FALSE(window.says("through the pattern")); // it is full attention itself
}

TEST_CASE("Pairs are matched by a job, in the undo step of the edit", "[shown]") {
  Scene scene = withRandomInput(View::Compare);
  scene.compare.patterns = {{"", Local{4, true}}, {"", Strided{}}};
  TestWindow window(scene);
  const auto pairs = [&](std::size_t k) {
    return window.results().masks->tiles[k].prepared->pairs();
  };
  const Pattern before = window.scene().compare.patterns[1].pattern;
  const auto go = std::make_shared<std::atomic<bool>>(false);
  hold(window, go);
  window.play("click \"Compared/match pairs\"\nframes 4\n");
  CHECK(window.scene().compare.matchPairs);
  CHECK(window.scene().compare.patterns[1].pattern == before); // the window goes on meanwhile
  CHECK(window.bench().engine.pending());
  *go = true;
  window.settle();
  CHECK_FALSE(window.bench().engine.pending());
  CHECK(window.scene().compare.patterns[1].pattern != before);
  CHECK(pairs(0) > 0);
  window.play("key Ctrl+Z\nwait\nframes 3\n"); // both in one step
  CHECK_FALSE(window.scene().compare.matchPairs);
  CHECK(window.scene().compare.patterns[1].pattern == before);
}

TEST_CASE("Pairs are matched to those of a data-dependent pattern", "[shown]") {
  Scene scene = withRandomInput(View::Compare);
  scene.compare.patterns = {{"", TopK{3}}, {"", Local{9, true}}};
  TestWindow window(scene);
  window.play("click \"Compared/match pairs\"\nwait\nframes 4\n");
  CHECK(window.scene().compare.patterns[0].pattern == Pattern(TopK{3}));
  // Each of 24 tokens attends to 3 by their products, and as many as these have 3 keys with the
  // previous ones.
  CHECK(window.scene().compare.patterns[1].pattern != Pattern(Local{9, true}));
}

TEST_CASE("Matching pairs ends when nothing asks for it any more", "[shown]") {
  Scene scene = smallScene();
  scene.view = View::Compare;
  scene.compare.matchPairs = true;
  JobPool pool({}, 1);
  const auto go = std::make_shared<std::atomic<bool>>(false);
  pool.submit("what is long", [go](const Run&) {
    while (!*go)
      std::this_thread::yield();
  });
  PairMatching matching;
  matching.want();
  CHECK_FALSE(matching.found({pool, scene, {}, true, Deadline::min()}, nullptr));
  REQUIRE(pool.active().size() == 2);
  scene.compare.matchPairs = false;
  CHECK_FALSE(matching.found({pool, scene, {}, true, Deadline::min()}, nullptr));
  CHECK_FALSE(matching.pending());
  CHECK(pool.active().size() <= 1); // what waits for its turn is not begun
  *go = true;
}

} // namespace
} // namespace attention::gui
