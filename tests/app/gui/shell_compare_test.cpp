// The Compare view in the whole window: masks under one camera, each in its own hue, the pair that
// differs, the score board, and what it says where something is missing.
#include "app/gui/views/compare/compare_view.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/plot/color.h"
#include "core/support/text.h"
#include "tests/app/gui/compared_scene.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace attention::gui {
namespace {

std::string valueOf(TestWindow& window, const std::string& label) {
  const Widget* widget = window.app().log().find(label);
  return widget ? widget->value : "";
}

// Rows of the score board from the top, by the names that they stand for.
std::vector<std::string> board(TestWindow& window) {
  std::vector<std::string> names;
  const auto& lines = window.results().part<CompareResults>().scores->lines;
  for (const Widget& widget : window.app().log().widgets())
    if (std::any_of(lines.begin(), lines.end(), [&](const ScoreLine& line) {
          return widget.scope == "Inspector/Scores" && widget.label == line.name &&
                 !widget.value.empty();
        }))
      names.push_back(widget.label);
  return names;
}

// Pixels of exactly that colour within a widget.
int pixelsOf(TestWindow& window, const std::string& label, const Color& wanted) {
  const Widget* widget = window.app().log().find(label);
  REQUIRE(widget);
  const gl::Pixels pixels = window.host().pixels();
  int found = 0;
  for (int y = static_cast<int>(widget->rect.y0); y < static_cast<int>(widget->rect.y1); ++y)
    for (int x = static_cast<int>(widget->rect.x0); x < static_cast<int>(widget->rect.x1); ++x) {
      const auto* p = pixels.at(x, y);
      found += p[0] == wanted.r && p[1] == wanted.g && p[2] == wanted.b ? 1 : 0;
    }
  return found;
}

} // namespace

TEST_CASE("One list names all mechanisms for both plots", "[shell]") {
  const char* size = GENERATE("resize 1440 900\n", "resize 1024 640\n", "key F5\n");
  TestWindow window(comparing());
  window.play(std::string(size) + "wait\nframes 4\n");
  const auto& lines = window.results().part<CompareResults>().scores->lines;
  REQUIRE(lines.size() > 5);
  std::set<std::string> names;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    const std::string shown = valueOf(window, "View/point " + number);
    const std::string whole = number + " " + lines[k].name;
    INFO(shown << " of " << whole);
    if (std::string_view(size) == "resize 1440 900\n")
      CHECK(shown == whole);
    else // a narrow list, or large type: names lose their ends
      CHECK((shown == whole || whole.starts_with(shown + ",")));
    CHECK(names.insert(shown).second);
  }
  for (const Plot* plot : {&window.results().part<CompareResults>().scores->mass,
                           &window.results().part<CompareResults>().scores->error})
    CHECK(std::get<CurvesMark>(plot->mark).named.size() == lines.size()); // with their numbers
}

TEST_CASE("Names that do not fit drop the words that they share and stay distinct", "[shell]") {
  TestWindow window(comparing(), {}, {}, 700, 500);
  window.play("wait\nframes 4\n");
  const auto& lines = window.results().part<CompareResults>().scores->lines;
  std::set<std::string> shown;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    const std::string words = valueOf(window, "View/point " + number);
    if (words.empty())
      continue; // one of "and … more"
    CHECK(words.starts_with(number + " "));
    shown.insert(words.substr(number.size()));
  }
  CHECK(shown.size() > 3);
  for (const std::string& one : shown)
    for (const std::string& other : shown)
      CHECK((one == other || one.substr(0, one.find("…")) != other));
}

TEST_CASE("Two readings of a window are compared cell by cell", "[shell]") {
  TestWindow window(comparing());
  CHECK(valueOf(window, "Scores/only in (a)") == "0");
  CHECK(valueOf(window, "Scores/only in (b)") == "26");
  CHECK(valueOf(window, "Scores/in both") == "177");
  CHECK(valueOf(window, "Scores/first row that differs") == "6");
  CHECK(window.says("query 6 is the first that differs"));
  CHECK(window.shows("View/Mask 3"));
  CHECK_FALSE(window.shows("View/Mask 4"));
  window.play("move \"View/Mask 1\" at 0.5 0.9\nwait\nframes 4\n");
  CHECK(window.says(" attends to 6 and 7 keys")); // and not those of the difference
}

TEST_CASE("The inspector describes the cell under the pointer in every compared pattern",
          "[shell]") {
  TestWindow window(comparing());
  const Masks& masks = *window.results().masks;
  REQUIRE(masks.tiles.size() == 3);
  window.play("move \"View/Mask 2\" at 0.3 0.42\nframes 4\n");
  const auto& cells = window.results().part<CompareResults>().cells;
  REQUIRE(cells.size() == 2); // without the difference
  for (std::size_t k = 0; k < cells.size(); ++k) {
    CHECK(cells[k].query == *window.bench().hover.query);
    CHECK(cells[k].key == *window.bench().hover.key);
    const bool attends = masks.tiles[k].prepared->contains(cells[k].query, cells[k].key);
    CHECK(cells[k].why.attends == attends);
    const std::string letter = k == 0 ? "(a)" : "(b)";
    CHECK(window.says(letter + (attends ? " ✓ attends" : " ✗ does not attend")));
    CHECK(window.says(cells[k].why.text));
  }
  window.play("key 1\nwait\nframes 3\n");
  CHECK(window.results().part<CompareResults>().cells.empty());
}

TEST_CASE("The inspector describes only the compared masks", "[shell]") {
  Scene scene = comparing();
  scene.view = View::Mask;
  scene.mask.panels = {
      {"(x)", Pattern(Causal{})}, {"(y)", Pattern(Full{})}, {"(z)", Pattern(Full{})}};
  scene.pins = {5, 3};
  TestWindow window(scene);
  REQUIRE(window.results().masks->tiles.size() == 3);
  // A comparison that cannot be prepared leaves the previous masks on the screen.
  scene.view = View::Compare;
  scene.compare.patterns = {{"", patternNamed("given")}, {"", patternNamed("causal")}};
  window.bench().document.open(scene, "scene");
  window.play("wait\nframes 4\n");
  REQUIRE(window.results().masks.problem);
  CHECK(window.results().part<CompareResults>().cells.empty());
}

TEST_CASE("The score board is sorted by the column that is pressed, and back", "[shell]") {
  TestWindow window(comparing());
  const auto& lines = window.results().part<CompareResults>().scores->lines;
  const std::vector<std::string> byMass = board(window);
  CHECK(byMass.size() == lines.size());
  window.play("click \"Scores/name\"\nframes 2\n");
  std::vector<std::string> byName = board(window);
  CHECK(std::is_sorted(byName.begin(), byName.end()));
  window.play("click \"Scores/name\"\nframes 2\n");
  std::reverse(byName.begin(), byName.end());
  CHECK(board(window) == byName);
  window.play("key Ctrl+Z\nframes 2\nkey Ctrl+Z\nframes 2\n");
  CHECK(board(window) == byMass);
}

TEST_CASE("The score board has one column for each of its nine numbers", "[shell]") {
  TestWindow window(comparing());
  const auto widgetOf = [&](const std::string& label) {
    for (const Widget& widget : window.app().log().widgets())
      if (widget.scope == "Inspector/Scores" && widget.label == label)
        return widget.rect;
    FAIL(label << " is not on the board");
    return Rect{};
  };
  const ScoreLine& line = window.results().part<CompareResults>().scores->lines.front();
  std::set<std::string> seen;
  for (const auto& [group, labels] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"kept", {"mass", "error", "pairs"}},
           {"weights", {"recall", "entropy"}},
           {"cost", {"FLOPs", "bytes"}},
           {"time", {"prepare", "attention"}}}) {
    window.play("click \"columns/" + group + "\"\nframes 2\n");
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const Rect at = widgetOf(labels[k]);
      CHECK(at.y0 == widgetOf(labels.front()).y0); // in one line
      CHECK((k == 0 || at.x0 > widgetOf(labels[k - 1]).x1));
      seen.insert(labels[k]);
    }
    // The line of a mechanism has its name and as many numbers.
    const std::string value = valueOf(window, "Scores/" + line.name);
    const auto dots = [](const std::string& of) {
      std::size_t count = 0;
      for (auto at = of.find(" · "); at != std::string::npos; at = of.find(" · ", at + 1))
        ++count;
      return count;
    };
    CHECK(dots(value) == labels.size());
  }
  CHECK(seen.size() == 9);
}

TEST_CASE("A score board has the numbers of choosing where a pattern chooses", "[shell]") {
  TestWindow window(comparing());
  const auto& compare = window.results().part<CompareResults>();
  REQUIRE(anyChooses(compare.scores->lines)); // top-k
  CHECK_FALSE(compare.choices);               // which nothing shows yet
  window.play("click \"columns/oracle\"\nwait\nframes 2\nclick \"Scores/best keys\"\nframes 2\n");
  const std::vector<ScoreLine> lines = compare.board().lines;
  CHECK(window.scene().compare.sortedBy == ScoreColumn::OracleKeys);
  CHECK(board(window).front() == sorted(lines, ScoreColumn::OracleKeys, false).front().name);
  const auto topk = std::find_if(lines.begin(), lines.end(), [](const ScoreLine& line) {
    return line.choice && line.choice->chooses;
  });
  REQUIRE(topk != lines.end());
  CHECK(valueOf(window, "Scores/" + topk->name) ==
        topk->name + " · " + fixed(topk->choice->recall, 2) + " · " +
            fixed(topk->choice->oracleBlocksRecall, 2) + " · " +
            fixed(topk->choice->oracleKeysRecall, 2));
  window.play("click \"columns/choice\"\nframes 2\n");
  for (const char* label : {"overlap", "density", "choosing"})
    CHECK(window.shows(std::string("Scores/") + label));
}

TEST_CASE("The sidebar edits the pattern that is pressed", "[shell]") {
  TestWindow window(comparing());
  const Pattern own = window.scene().pattern;
  CHECK(window.says("Parameters of (a)"));
  CHECK(window.shows("Parameters/window ℓ"));
  window.play("set \"Parameters/window ℓ\" 9\nwait\nframes 3\n");
  CHECK(window.results().masks->tiles[0].prepared->pairs() > 203);
  CHECK(window.results().masks->tiles[0].title == "window 9: i − j < 9"); // of the drawn mask
  CHECK(window.shows("compared 1/(a) window 9: i − j < 9"));
  CHECK(window.scene().compare.patterns[1] == usualCompared()[1]);
  window.play("click \"compared 2/(b) window 6: i − j ≤ 6\"\nwait\nframes 3\n");
  CHECK(window.shows("Parameters/left a"));
  CHECK_FALSE(window.shows("Parameters/window ℓ"));
  window.play("set \"Parameters/left a\" 3\nwait\nframes 3\n");
  CHECK(window.results().masks->tiles[1].prepared->pairs() < 203);
  // A click on a matrix chooses its pattern too; on the difference it chooses none.
  window.play("click \"View/Mask 3\" at 0.5 0.5\nframes 3\n");
  CHECK(window.scene().compare.chosen == 1);
  window.play("click \"View/Mask 1\" at 0.5 0.5\nframes 3\n");
  CHECK(window.scene().compare.chosen == 0);
  // The strip replaces it, and undo brings it back.
  const Pattern before = window.scene().compare.patterns[0].pattern;
  window.play("click \"recent/Causal\"\nwait\n");
  CHECK(window.scene().compare.patterns[0].pattern == Pattern(Causal{}));
  CHECK(window.scene().compare.patterns[0].title.empty());
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().compare.patterns[0].pattern == before);
  CHECK(window.scene().pattern == own); // of the other views
}

TEST_CASE("A convention keeps its name when its numbers are edited", "[shell]") {
  TestWindow window(comparing());
  window.play("set \"Compared/add a preset\" \"Mistral 7B, the text\"\nwait\nframes 3\n");
  REQUIRE(window.scene().compare.chosen == 2);
  CHECK(window.says("(c) Mistral 7B, the text"));
  REQUIRE(window.shows("Parameters/left a"));
  window.play("set \"Parameters/left a\" 5\nwait\nframes 3\n");
  CHECK(window.scene().compare.patterns[2].title == "Mistral 7B, the text");
  CHECK(window.says("left 5"));
}

TEST_CASE("Matched patterns follow the pairs of the one that is edited", "[shell]") {
  TestWindow window(comparing());
  const auto pairs = [&](std::size_t k) {
    return window.results().masks->tiles[k].prepared->pairs();
  };
  REQUIRE(pairs(0) != pairs(1));
  window.play("click \"Compared/match pairs\"\nwait\nframes 3\n");
  CHECK(pairs(0) == 177);
  CHECK(pairs(1) == 177);
  window.play("set \"Parameters/window ℓ\" 10\nwait\nframes 3\n");
  CHECK(pairs(0) > 177);
  CHECK(pairs(1) == pairs(0));
  window.play("set \"Parameters/length n\" 20\nwait\nframes 3\n");
  CHECK(pairs(1) == pairs(0));
  window.play("key Ctrl+Z\nwait\nkey Ctrl+Z\nwait\nframes 3\n"); // each in one step
  CHECK(pairs(0) == 177);
  CHECK(pairs(1) == 177);
}

TEST_CASE("A comparison opens on the first difference, and F shows the whole mask", "[shell]") {
  Scene scene = comparing(200);
  TestWindow window(scene);
  CHECK_FALSE(window.scene().camera);
  CHECK(window.results().lengths.keys == 200); // the camera, not n
  for (const char* mask : {"View/Mask 1", "View/Mask 2", "View/Mask 3"})
    CHECK(valueOf(window, mask) == "queries 0–32, keys 0–32");
  window.play("key F\nwait\n");
  CHECK(valueOf(window, "View/Mask 1") == "queries 0–200, keys 0–200");
  window.play("scroll \"View/Mask 1\" 4\nwait\nscroll \"View/Mask 1\" -30\nwait\n");
  CHECK(valueOf(window, "View/Mask 1") == "queries 0–200, keys 0–200"); // and not back
  window.play("click \"Scores/show the first difference\"\nwait\n");
  CHECK(valueOf(window, "View/Mask 1") == "queries 0–32, keys 0–32");
}

TEST_CASE("All masks of a comparison have one camera", "[shell]") {
  TestWindow window(comparing());
  window.play("scroll \"View/Mask 1\" 3\nwait\n");
  REQUIRE(window.scene().camera);
  CHECK(valueOf(window, "View/Mask 1") != "queries 0–32, keys 0–32");
  CHECK(valueOf(window, "View/Mask 1") == valueOf(window, "View/Mask 2"));
  CHECK(valueOf(window, "View/Mask 1") == valueOf(window, "View/Mask 3"));
}

TEST_CASE("Each compared pattern keeps its hue in the difference", "[shell]") {
  TestWindow window(comparing());
  const auto& series = figureColors(FigureTheme::Dark).series;
  CHECK(pixelsOf(window, "View/Mask 1", series[0]) > 1000);
  CHECK(pixelsOf(window, "View/Mask 1", series[1]) == 0);
  CHECK(pixelsOf(window, "View/Mask 2", series[1]) > 1000);
  CHECK(pixelsOf(window, "View/Mask 2", series[0]) == 0);
  // Nothing is only in the first: its hue is only in the legend.
  CHECK(pixelsOf(window, "View/Mask 3", series[0]) < 200);
  CHECK(pixelsOf(window, "View/Mask 3", series[1]) > 500);
}

TEST_CASE("A comparison without an input shows its masks and says what the score board needs",
          "[shell]") {
  Scene scene = comparing();
  scene.input.source = NoInput{};
  scene.length.n = 32;
  TestWindow window(scene);
  CHECK(valueOf(window, "Scores/in both") == "177");
  CHECK(window.says("No input loaded"));
  CHECK_FALSE(window.shows("View/Mass"));
}

TEST_CASE("The chosen pair stays the same when another pattern is removed", "[shell]") {
  Scene scene = comparing();
  scene.compare.patterns = {
      {"w", Causal{}}, {"x", Local{.window = 3}}, {"y", Strided{}}, {"z", Full{}}};
  scene.compare.first = 1;
  scene.compare.second = 2;
  TestWindow window(scene);
  window.play("click \"compared 1/remove\"\nwait\n");
  CHECK(window.scene().compare.first == 0);
  CHECK(window.scene().compare.second == 1);
  window.play("click \"compared 1/remove\"\nwait\n");
  CHECK(window.scene().compare.patterns.front().title == "y");
  CHECK(window.scene().compare.first == 0);
  CHECK(window.scene().compare.second == 1);
}

TEST_CASE("An impossible comparison says so and the window goes on", "[shell]") {
  Scene scene = comparing();
  scene.compare.first = 9;
  scene.compare.patterns.assign(40, {"", Causal{}});
  TestWindow window(scene);
  window.play("check \"Export/Copy command\" disabled\nkey Ctrl+Shift+C\nframes 3\n");
  CHECK(window.says("compare.patterns is 40"));
  CHECK(window.shows("compared 4/remove"));
  CHECK_FALSE(window.shows("compared 5/remove"));
}

TEST_CASE("Weights over the mask are not shown while patterns are compared", "[shell]") {
  Scene scene = comparing();
  scene.mask.weights = WeightsShown::Maximum;
  TestWindow window(scene);
  CHECK(pixelsOf(window, "View/Mask 1", figureColors(FigureTheme::Dark).series[0]) > 1000);
}

TEST_CASE("The score board describes the loaded head", "[shell]") {
  Scene scene = comparing();
  std::get<RandomInput>(scene.input.source).heads = 2;
  TestWindow window(scene);
  const auto before =
      window.results().part<CompareResults>().scores->lines.front().score.error->relativeFrobenius;
  scene.input.head = 1;
  window.bench().document.open(scene, "head");
  window.settle();
  CHECK(window.results()
            .part<CompareResults>()
            .scores->lines.front()
            .score.error->relativeFrobenius != before);
}

} // namespace attention::gui
