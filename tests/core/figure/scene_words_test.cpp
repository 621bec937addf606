#include "core/views/scene_words.h"

#include "core/pattern/mechanism/all.h"
#include "core/scene/figures.h"
#include "core/scene/lessons.h"
#include "core/scene/scene_json.h"
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

TEST_CASE("captions are dropped if an edit changes what their view reads") {
  const View view = GENERATE(View::Kernels, View::Timings, View::Choosing, View::Reach);
  Scene figure = figureOf(view);
  figure.caption = GENERATE("16 numbers.", "Words without any.");
  figure.kernels.loaded = true;
  figure.timings.mechanisms = {TimedMechanism()}; // the Scene's own pattern
  figure.choosing.picture = ChoosingPicture::Matrices;
  const Scene back = backAt(triedElsewhere(figure), view);
  CHECK(wordsOf(back).caption.empty());
}

TEST_CASE("marked numbers in titles and labels are those of the pattern") {
  Scene figure = figureOf(GENERATE(View::Mask, View::Reach));
  figure.title = "What a window of [4](window) means";
  figure.mask.panels = figure.reach.stack = {
      {"(a) one source of 4 tokens", Causal{}},
      {"(b) W = [4](window)", Local{4, true}, {{"last [4](window) keys", 3}}}};
  Scene edited = figure;
  edited.mask.panels[1].pattern = edited.reach.stack[1].pattern = Local{1000, true};
  dropStaleWords(edited, figure);
  CHECK(wordsOf(figure).title == "What a window of 4 means");
  CHECK(wordsOf(edited).title == "What a window of 1\u2009000 means");
  CHECK(writtenTitle(edited) == figure.title);
  CHECK(titlesOf(drawnPatterns(edited)) ==
        std::vector<std::string>{"(a) one source of 4 tokens", "(b) W = 1\u2009000"});
  CHECK(looksOf(edited.mask.panels[1]) == std::vector<PartLook>{{"last 1\u2009000 keys", 3}});
}

TEST_CASE("words of a panel stay with its mechanism and go with another one") {
  const auto after = [](const Pattern& own, const Pattern& now) {
    Scene scene;
    scene.mask.panels = {{"my 4 keys, W", own, {{"A of 7", 3}}}, {"(b)", Full{}}};
    Scene edited = scene;
    edited.mask.panels[0].pattern = now;
    std::reverse(edited.mask.panels.begin(), edited.mask.panels.end());
    dropStaleWords(edited, scene);
    CHECK(edited.mask.panels[0] == scene.mask.panels[1]); // the other one keeps its own
    return edited.mask.panels[1].title.empty() + edited.mask.panels[1].parts.empty();
  };
  const auto both = [](const Pattern& a) { return Compose(Operation::Union, {a, Full{}}); };
  const auto segments = [](Index w) { return DilatedSegments{IndexList({w}), IndexList({1})}; };
  CHECK(after(Local{4}, Local{5}) == 0);
  CHECK(after(both(Local{4}), both(Local{5})) == 0);
  CHECK(after(segments(4), segments(8)) == 0);
  CHECK(after(Local{4}, Causal{}) == 2);
  CHECK(after(Local{4}, Local{4, true}) == 2);
  CHECK(after(both(Local{4}), both(Causal{})) == 2);
}

TEST_CASE("a title without a source goes with the pattern that its numbers are of") {
  Scene own;
  own.title = GENERATE("Mine", "Mine, W = [4](window)");
  own.pattern = Local{4};
  Scene edited = own;
  edited.pattern = Causal{};
  dropStaleWords(edited, own);
  CHECK(edited.title.empty() == (own.title != "Mine"));
}

TEST_CASE("every marked number of shipped Scenes is that of its pattern") {
  const std::filesystem::path assets = std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets";
  std::vector<Scene> scenes;
  for (const ShippedFigure& figure : listFigures(assets))
    scenes.push_back(readScene(figure.path).scene);
  for (const Lesson& lesson : readLessons(assets))
    for (const LessonStep& step : lesson.steps)
      scenes.push_back(step.scene);
  std::size_t marked = 0;
  const auto check = [&](const std::string& words, const std::string& now) {
    INFO(words);
    CHECK(now == plainWords(words));
    marked += numbersIn(words).size();
  };
  for (const Scene& scene : scenes) {
    check(scene.title, wordsOf(scene).title);
    for (const auto* panels :
         {&scene.mask.panels, &scene.reach.stack, &scene.reach.beside, &scene.compare.patterns})
      for (const Panel& panel : *panels) {
        check(panel.title, ownTitle(panel));
        for (std::size_t k = 0; k < panel.parts.size(); ++k)
          check(panel.parts[k].label, looksOf(panel)[k].label);
      }
    for (const TimedMechanism& mechanism : scene.compare.scored)
      check(mechanism.title, wordsNow(mechanism.title, mechanism.pattern));
  }
  CHECK(marked > 70);
}

TEST_CASE("the titles of a default comparison follow its numbers") {
  Scene scene;
  scene.view = View::Compare;
  Scene edited = scene;
  set(*drawnPatternsIn(edited).front(), "window", Value(Index{8}));
  dropStaleWords(edited, scene);
  CHECK(titlesOf(drawnPatterns(edited)) ==
        std::vector<std::string>{"window 8: i − j < 8", "window 6: i − j ≤ 6"});
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

TEST_CASE("other rotations of the circle drop its caption, other projections do not") {
  Scene figure = figureOf(GENERATE(View::Choosing, View::Kernels));
  figure.caption = "Near points share a quarter.";
  Scene edited = figure;
  ++edited.choosing.circle.redraws;
  ++edited.kernels.redraws;
  dropStaleWords(edited, figure);
  CHECK(edited.caption.empty() == (figure.view == View::Choosing));
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
