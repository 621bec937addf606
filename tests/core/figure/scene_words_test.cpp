#include "core/views/scene_words.h"

#include "core/pattern/mechanism/all.h"
#include "core/views/shown_patterns.h"
#include "tests/catch.h"

#include <algorithm>
#include <utility>

using namespace attention;

namespace {

// A figure of that view, whose picture reads neither pattern nor input.
Scene figureOf(View view) {
  Scene scene;
  scene.title = "Title";
  scene.caption = "16 numbers.";
  scene.source = "Author 2020, figure 1";
  scene.paper = "Author 2020";
  scene.view = view;
  scene.choosing.picture = ChoosingPicture::Circle;
  TimedMechanism timed;
  timed.kind = TimedMechanism::Kind::Features;
  scene.timings.mechanisms = {timed};
  return scene;
}

// The user goes to the Mask view and tries other patterns, lengths and inputs there.
Scene triedElsewhere(const Scene& figure) {
  Scene scene = figure;
  scene.view = View::Mask;
  dropStaleWords(scene, figure);
  Scene edited = scene;
  edited.pattern = patternNamed("fixed");
  edited.length.n = 77;
  edited.input.source = RandomInput();
  edited.mask.image.shown = true;
  dropStaleWords(edited, scene);
  return edited;
}

Scene backAt(const Scene& edited, View view) {
  Scene back = edited;
  back.view = view;
  dropStaleWords(back, edited);
  return back;
}

} // namespace

TEST_CASE("words stay if an edit changes only what their view does not read") {
  const View view = GENERATE(View::Kernels, View::Timings, View::Encodings, View::Choosing);
  const Scene figure = figureOf(view);
  const Scene tried = triedElsewhere(figure);
  CHECK(wordsOf(tried).title.empty()); // which the Mask view does not show
  const Scene back = backAt(tried, view);
  CHECK(wordsOf(back).title == figure.title);
  CHECK(wordsOf(back).caption == figure.caption);
  CHECK(wordsOf(back).source == figure.source);
}

TEST_CASE("words stay if another pattern is tried that the picture leaves out") {
  Scene figure = figureOf(GENERATE(View::Mask, View::Reach, View::Compare));
  figure.mask.panels = {{"", patternNamed("causal")}};
  figure.reach.stack = {{"", patternNamed("strided")}};
  Scene edited = figure;
  edited.pattern = patternNamed("bigbird");
  dropStaleWords(edited, figure);
  CHECK(edited.title == figure.title);
  CHECK(edited.caption == figure.caption);
  CHECK(edited.source == figure.source);
}

TEST_CASE("captions with numbers are dropped if an edit changes what their view reads") {
  const View view = GENERATE(View::Kernels, View::Timings, View::Choosing, View::Reach);
  Scene figure = figureOf(view);
  figure.kernels.loaded = true;
  figure.timings.mechanisms = {TimedMechanism()}; // the Scene's own pattern
  figure.choosing.picture = ChoosingPicture::Matrices;
  const Scene back = backAt(triedElsewhere(figure), view);
  CHECK(wordsOf(back).caption.empty());
}

TEST_CASE("a title is dropped with the pattern's number that it names") {
  Scene figure = figureOf(GENERATE(View::Mask, View::Reach));
  figure.title = "What a window of 4 means";
  Local window;
  window.window = 4;
  figure.mask.panels = figure.reach.stack = {{"(a) one source", window}};
  Scene edited = figure;
  window.window = 6;
  edited.mask.panels[0].pattern = edited.reach.stack[0].pattern = window;
  dropStaleWords(edited, figure);
  CHECK(edited.title.empty());
  CHECK(edited.source == figure.source);
  CHECK(edited.mask.panels[0].title == "(a) one source");
}

TEST_CASE("a default comparison loses its words with its numbers") {
  Scene scene;
  scene.view = View::Compare;
  Scene edited = scene;
  set(*drawnPatternsIn(edited).front(), "window", Value(Index{8}));
  dropStaleWords(edited, scene);
  CHECK(edited.compare.patterns[0].title.empty());
  CHECK(edited.compare.patterns[1].title == usualCompared()[1].title);
}

TEST_CASE("a figure of a comparison keeps its source while its mechanisms are compared") {
  Scene figure = figureOf(View::Compare);
  figure.caption = "Two windows.";
  Scene edited = figure;
  edited.compare.patterns = comparedOf(figure.compare); // what it compares by default
  dropStaleWords(edited, figure);
  CHECK(edited.source == figure.source);
  CHECK(edited.paper == figure.paper);
  edited.compare.patterns.front().pattern = patternNamed("strided");
  dropStaleWords(edited, figure);
  CHECK(edited.source.empty());
  CHECK(edited.paper.empty());
}

TEST_CASE("a caption stays if Q and K change, because the map of errors reads neither") {
  Scene figure = figureOf(View::Kernels);
  figure.kernels.loaded = true;
  figure.input.source = RandomInput();
  figure.kernels.picture = GENERATE(KernelsPicture::Ratio, KernelsPicture::Matrices);
  Scene edited = figure;
  edited.length.n = 40;
  dropStaleWords(edited, figure);
  CHECK(edited.caption.empty() == (figure.kernels.picture == KernelsPicture::Matrices));
}

TEST_CASE("a figure that replaces another keeps words that both have") {
  Scene own;
  own.title = "One figure";
  own.view = View::Reach;
  own.reach.stack = {{"6 keys", patternNamed("strided")}};
  Scene figure = own;
  figure.title = "Another one";
  figure.reach.stack.front().pattern = patternNamed("fixed");
  Scene shown = figure;
  dropStaleWords(shown, own);
  CHECK(shown == figure);
  shown.title = own.title; // an edit
  dropStaleWords(shown, own);
  CHECK(shown.reach.stack.front().title.empty());
}

TEST_CASE("a redraw drops the caption that describes one draw") {
  const auto redrawn = [](const Scene& figure) {
    Scene edited = figure;
    ++edited.choosing.circle.redraws;
    ++edited.kernels.redraws;
    dropStaleWords(edited, figure);
    return edited.caption;
  };
  Scene circle = figureOf(View::Choosing);
  circle.caption = "Near points share a quarter in all 3 rotations.";
  CHECK(redrawn(circle).empty());
  circle.caption = "Near points share a quarter more often.";
  CHECK(redrawn(circle) == circle.caption);
  Scene kernels = figureOf(View::Kernels);
  kernels.caption = "The median over 15 draws, m = 64.";
  CHECK(redrawn(kernels) == kernels.caption);
  kernels.caption = "One draw of 64 projections, seed 3.";
  CHECK(redrawn(kernels).empty());
}

TEST_CASE("what is said about a picture is about the patterns that it draws") {
  Scene scene;
  scene.pattern = patternNamed("fixed");
  scene.mask.panels = {{"", patternNamed("causal")}};
  const auto namesIn = [&](View view) {
    scene.view = view;
    std::string names;
    for (const Panel& panel : drawnPatterns(scene))
      names += description(panel.pattern).name + " ";
    return names;
  };
  CHECK(namesIn(View::Mask) == "causal ");
  CHECK(namesIn(View::Reach) == "fixed "); // its layers have no panels
  CHECK(namesIn(View::Attention) == "fixed ");
  CHECK(namesIn(View::Kernels).empty());
  scene.reach.stack = {{"", patternNamed("strided")}, {"", patternNamed("local")}};
  CHECK(namesIn(View::Reach) == "strided local ");
  CHECK(namesIn(View::Compare) == "local sliding_window ");
}

TEST_CASE("the patterns that a picture draws can be changed in place in the Scene") {
  for (const View view : {View::Mask, View::Reach, View::Attention, View::Choosing, View::Kernels,
                          View::Timings, View::Encodings, View::Compare})
    for (const bool panels : {false, true}) {
      Scene scene;
      scene.pattern = patternNamed("fixed");
      if (panels) {
        scene.mask.panels = {{"", patternNamed("causal")}, {"", patternNamed("full")}};
        scene.reach.stack = {{"", patternNamed("strided")}};
        scene.compare.patterns = {{"", patternNamed("causal")}, {"", patternNamed("full")}};
      }
      scene.view = view;
      const std::vector<Panel> drawn = drawnPatterns(scene);
      std::vector<Pattern> inScene;
      for (Pattern* pattern : drawnPatternsIn(scene))
        inScene.push_back(std::exchange(*pattern, patternNamed("local")));
      CHECK(std::equal(drawn.begin(), drawn.end(), inScene.begin(), inScene.end(),
                       [](const Panel& a, const Pattern& b) { return a.pattern == b; }));
      for (const Panel& panel : drawnPatterns(scene))
        CHECK(panel.pattern == patternNamed("local"));
    }
}

TEST_CASE("titles side by side name defaults for which another has its own value") {
  const std::vector<Panel> panels{{"", Pattern(Dilated{})}, {"", patternNamed("causal")}};
  Dilated wide;
  wide.dilation = 8;
  CHECK(titlesOf(panels) == std::vector<std::string>{"Dilated", "Causal"});
  CHECK(titlesOf({panels[0], {"", wide}}) ==
        std::vector<std::string>{"Dilated, dilation 2", "Dilated, dilation 8"});
  CHECK(titlesOf({{"mine", wide}}) == std::vector<std::string>{"mine"});
}
