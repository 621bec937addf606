// What the Compare view says of the part of the masks that is in sight: pins, numbers on axes, and
// the names on its board.
#include "app/gui/views/compare/compare_view.h"
#include "app/gui/views/mask/mask_marks.h"
#include "app/gui/widgets/theme.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

TEST_CASE("Words are about cells that are in sight, not about pins beyond the page", "[shell]") {
  Scene scene = aliceScene(); // query 97 and key 61 are pinned
  scene.view = View::Compare;
  TestWindow window(scene);
  REQUIRE(window.results().part<CompareResults>().difference);
  CHECK(window.says("queries 0–31, keys 0–31 of 144"));
  CHECK_FALSE(window.says("Query 97"));
  CHECK(window.results().part<CompareResults>().cells.empty());
  CHECK(window.scene().pins.query == Index{97}); // other views show it
  window.bench().document.setPins({Index{9}, Index{3}});
  window.settle();
  CHECK(window.says("Query 9 → key 3"));
  window.play("key F\nwait\nframes 3\n"); // all cells are in sight
  window.bench().document.setPins({Index{97}, Index{61}});
  window.settle();
  CHECK(window.says("Query 97 → key 61"));
}

TEST_CASE("The board names patterns with their main number", "[shell]") {
  Scene scene = aliceScene();
  scene.view = View::Compare;
  TestWindow window(scene);
  const auto& scores = window.results().part<CompareResults>().scores;
  REQUIRE(scores);
  for (const ScoreLine& line : scores->lines) {
    CHECK(line.name != "Local, causal");
    CHECK(line.name != "Top-k, causal");
  }
}

TEST_CASE("Numbers on an axis are as close as those in sight allow", "[shell]") {
  TestWindow window;
  const Theme theme = makeTheme(ThemeKind::Dark);
  const Ui ui{window.app().log(), theme, window.host().fonts(), 1};
  const Lengths lengths = squareLengths(1024);
  const MaskFrame first = frameOf(lengths, Camera{16, 16, 32}, {0, 0, 160, 160});
  CHECK(numberedKeys(ui, first, lengths) == std::vector<Index>{0, 8, 16, 24});
  const MaskFrame last = frameOf(lengths, Camera{1008, 1008, 32}, {0, 0, 160, 160});
  CHECK(numberedKeys(ui, last, lengths) == std::vector<Index>{992, 1008, 1023});
}

} // namespace
} // namespace attention::gui
