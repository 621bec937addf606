#include "core/views/panel_words.h"

#include "core/pattern/mechanism/all.h"
#include "tests/catch.h"

using namespace attention;

namespace {

Panel windowOf(const std::string& title, Index window, const std::string& label) {
  Panel panel{title, patternNamed("local"), {{label, 3}}};
  set(panel.pattern, "window", Value(window));
  return panel;
}

// Title and label of the only panel, after a change of its window.
std::string wordsAfter(const std::string& title, const std::string& label) {
  std::vector<Panel> panels{windowOf(title, 5, label)};
  dropStaleWords(panels, {windowOf(title, 4, label)});
  CHECK(panels[0].parts[0].hue == 3);
  return panels[0].title + "|" + panels[0].parts[0].label;
}

} // namespace

TEST_CASE("text of a panel is dropped with the numbers that it states") {
  CHECK(wordsAfter("window 4", "recent keys") == "|recent keys");
  CHECK(wordsAfter("(b) Local", "last 4 tokens") == "(b) Local|");
  CHECK(wordsAfter("(b) W keys", "last W tokens") == "|");
  CHECK(wordsAfter("A-shape, every j of (a)", "n keys") == "A-shape, every j of (a)|n keys");
}

TEST_CASE("text of a panel is dropped when its mechanism or rule changes") {
  const std::vector<Panel> own{windowOf("Local", 4, "recent")};
  std::vector<Panel> panels = own;
  panels[0].pattern = Causal{};
  dropStaleWords(panels, own);
  CHECK(panels[0].title.empty());
  CHECK(panels[0].parts.empty());
  panels = own;
  set(panels[0].pattern, "causal", Value(true));
  dropStaleWords(panels, own);
  CHECK(panels[0].title.empty());
}

TEST_CASE("text of panels beside a changed one stays, except letters without a value") {
  const std::vector<Panel> own{windowOf("first", 4, "w = 4"), windowOf("window 7", 7, "w = 7"),
                               windowOf("W + 1 keys", 8, "keys")};
  std::vector<Panel> panels = own;
  set(panels[0].pattern, "window", Value(Index{5}));
  dropStaleWords(panels, own);
  CHECK(panels[0].title == "first");
  CHECK(panels[0].parts[0].label.empty());
  CHECK(panels[1] == own[1]);
  CHECK(panels[2].title.empty());
  CHECK(panels[2].parts == own[2].parts);
}

TEST_CASE("panels that are new or change places keep their text") {
  const std::vector<Panel> own{windowOf("window 4", 4, "4 keys"), windowOf("window 7", 7, "7")};
  const std::vector<Panel> panels{own[1], own[0], windowOf("window 9", 9, "9 keys")};
  std::vector<Panel> edited = panels;
  dropStaleWords(edited, own);
  CHECK(edited == panels);
}

TEST_CASE("a number that changed is found as a whole") {
  const Pattern four = windowOf("", 4, "").pattern;
  const Pattern five = windowOf("", 5, "").pattern;
  CHECK(tellsChanged("What a window of 4 means", four, five));
  CHECK_FALSE(tellsChanged("What a window of 4 means", four, four));
  CHECK_FALSE(tellsChanged("A network of 14 or 40 layers", four, five));
  for (const char* name : {"GPT-4, local", "A 4-gram", "Size 4B", "4.5 times", "0.4 of it"})
    CHECK_FALSE(tellsChanged(name, four, five));
  for (const char* said : {"W=4", "w = 4.", "(4)", "4 × 4", "4, 8"})
    CHECK(tellsChanged(said, four, five));
}
