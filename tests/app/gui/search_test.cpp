// What the palette and the lists of figures and patterns find.
#include "app/gui/overlays/search.h"
#include "tests/app/gui/shell_window.h"
#include "tests/catch.h"

namespace attention::gui {
namespace {

TEST_CASE("Synonyms are found", "[search]") {
  CHECK(found("gif", "Export animation…"));
  CHECK(found("vid", "Export animation…")); // the beginning of one
  CHECK_FALSE(found("vi", "Export animation…"));
  CHECK(found("dark", "Light or dark theme"));
  CHECK(found("DARK", "Light or dark theme"));
  CHECK(found("dark attention", "attention with a light theme"));
  CHECK_FALSE(found("dark fixed", "Light or dark theme"));
  CHECK_FALSE(found("sheep", "Light or dark theme"));
  CHECK(found("dark mode", "Light or dark theme"));
  CHECK(found("heat map", "attention weights"));
  CHECK(found("kv", "Attention sinks")); // short ones as a whole
  CHECK_FALSE(found("kv fixed", "Attention sinks"));
  CHECK(nearness("full screen", "Full screen") == Nearness::Same);
  CHECK(nearness("fullscreen", "Full screen") == Nearness::Called);
  CHECK(nearness("fullscreen", "Present") == Nearness::Other);
  CHECK(synonymsOf("strided").empty());
}

TEST_CASE("Figures are found by their numbers, however these are written", "[search]") {
  const char* name = "child-2019-fig3";
  for (const char* typed : {"fig3", "fig 3", "fig. 3", "figure 3", "Figure 3", "child fig. 3"}) {
    INFO(typed);
    CHECK(found(typed, name));
    CHECK(foundTogether("figure 3", "arXiv:1904.10509, figure 3; redrawn"));
  }
  CHECK_FALSE(found("figure 4", name));
  CHECK_FALSE(foundTogether("figure 3", "3 figures"));
}

TEST_CASE("The palette knows the usual names of things", "[search]") {
  TestWindow window;
  const auto first = [&](const std::string& typed, const std::string& entry) {
    INFO(typed << " for " << entry);
    window.play("key Ctrl+K\nframes 3\ntype \"" + typed + "\"\nframes 3\n");
    CHECK(window.shows("Palette/" + entry));
    CHECK_FALSE(window.says("No match"));
    window.play("key Esc\nframes 3\n");
  };
  first("gif", "Export animation…");
  first("drop", "Open…");
  first("reset", "Fit");
  first("quiz", "Kernels and random features");
  first("dark", "Light or dark theme");
  first("softmax", "Attention");
  first("figure 3", "Sparse Transformer: two factorized attention schemes beside full attention");
  first("1904.10509", "Sparse Transformer: two factorized attention schemes beside full attention");
  first("latex", "Export TikZ…");
  first("speed", "Timings");
  first("shortcuts", "Keys");
  for (const char* typed : {"dark mode", "light mode", "night", "night mode", "colour"})
    first(typed, "Light or dark theme");
  for (const char* typed : {"fullscreen", "full-screen"})
    first(typed, "Full screen");
  for (const char* typed : {"zoom", "zoom in", "fit"})
    first(typed, "Fit");
  for (const char* typed : {"causal mask", "causal attention", "causal lm", "triangular"})
    first(typed, "Causal");
  for (const char* typed : {"sliding window", "sliding window attention", "local attention"})
    first(typed, "Local");
  first("heat map", "Mask");
  first("heatmap", "Mask");
  first("kv cache", "Attention sinks");
  first("entropy", "Attention");
  first("complexity", "Timings");
  first("pytorch", "Copy code: FlexAttention (PyTorch)");
  first("settings", "Light or dark theme");
  first("receptive field", "Reach");
}

TEST_CASE("What is called so comes before what only speaks of it", "[search]") {
  TestWindow window;
  window.play("key Ctrl+K\nframes 3\ntype \"softmax\"\nframes 3\n");
  std::vector<std::string> labels;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope == "Palette" && widget.kind != WidgetKind::Text)
      labels.push_back(widget.label);
  const auto placeOf = [&](const std::string& label) {
    return std::find(labels.begin(), labels.end(), label) - labels.begin();
  };
  REQUIRE(placeOf("NSA") < std::ssize(labels));
  CHECK(placeOf("Attention") < placeOf("NSA"));
  CHECK(placeOf("Steps of one query") < placeOf("NSA"));
  CHECK(nearness("softmax", "Attention") == Nearness::Called);
  CHECK(nearness("softmax", "NSA") == Nearness::Other);
}

TEST_CASE("The palette tells what is not possible now from what there is not", "[search]") {
  TestWindow window;
  window.play("key Ctrl+K\nframes 3\ntype \"undo\"\nframes 3\n");
  CHECK(window.says("“Undo” is not possible now."));
  window.play("key Esc\nframes 3\nset \"stride ℓ\" 5\nwait\nkey Ctrl+K\nframes 3\n"
              "type \"undo\"\nframes 3\n");
  CHECK(window.shows("Palette/Undo"));
  window.play("key Esc\nframes 3\nkey Ctrl+K\nframes 3\ntype \"sheep\"\nframes 3\n");
  CHECK(window.says("No match"));
}

} // namespace
} // namespace attention::gui
