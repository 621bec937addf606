// Scenes that move: what may change, from where to where.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/views/animation.h"
#include "core/views/moving.h"
#include "core/views/scene_figure.h"
#include "core/views/scene_page.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

#include <algorithm>
#include <cmath>

using namespace attention;

namespace {

Scene strided() {
  Scene scene;
  scene.pattern = patternNamed("strided");
  set(scene.pattern, "stride", Value(Index{6}));
  return scene;
}

} // namespace

TEST_CASE("layers light up one by one", "[animation]") {
  Scene scene = strided();
  scene.view = View::Reach;
  scene.reach.layers = 3;
  const Frames frames = framesOf(scene, {}, 24);
  CHECK(frames.of == "layers");
  REQUIRE(frames.scenes.size() == 4);
  for (Index k = 0; k < 4; ++k) {
    CHECK(frames.scenes[static_cast<std::size_t>(k)].reach.shown.value_or(3) == k); // absent: all
    CHECK(frames.scenes[static_cast<std::size_t>(k)].pattern == scene.pattern);
  }
}

TEST_CASE("tokens move from their original places to the sorted order", "[animation]") {
  Scene scene;
  scene.view = View::Choosing;
  scene.pattern = Lsh{};
  const Frames frames = framesOf(scene, {}, 24);
  CHECK(frames.of == "moment");
  CHECK(frames.scenes.front().choosing.moment == 0);
  CHECK(frames.scenes.back().choosing.moment == Approx(1));
  for (const Scene& frame : frames.scenes)
    CHECK(frame.choosing.moment <= 1); // anything beyond is not a moment
  scene.choosing.picture = ChoosingPicture::Circle;
  CHECK(framesOf(scene, {}, 24).of == "redraws");
}

TEST_CASE("a parameter sweeps in either direction and shows its value", "[animation]") {
  Scene scene = strided();
  const Frames up = framesOf(scene, {"stride", 2, 9, 3}, 36);
  CHECK(up.values == std::vector<double>{2, 5, 8});
  CHECK(up.scenes[1].caption == "stride = 5.");
  Scene expected = strided();
  set(expected.pattern, "stride", Value(Index{5}));
  CHECK(up.scenes[1].pattern == expected.pattern);
  CHECK(framesOf(scene, {"stride", 9, 2, 3}, 36).values == std::vector<double>{9, 6, 3});
  CHECK(framesOf(scene, {"stride", 4, 4}, 36).values == std::vector<double>{4});
}

TEST_CASE("a swept Scene drops a caption that is about another one", "[animation]") {
  Scene scene = strided();
  scene.caption = "Strided with ℓ = 6, 291 cells.";
  const Frames frames = framesOf(scene, {"stride", 5, 6}, 36);
  CHECK(frames.scenes[0].caption == "stride = 5.");
  CHECK(frames.scenes[1].caption == "stride = 6."); // its own, but all frames have as many lines
  CHECK(framesOf(scene, {"stride", 6, 6}, 36).scenes[0].caption ==
        "stride = 6. Strided with ℓ = 6, 291 cells.");
  for (const Scene& frame : framesOf(scene, {"query", 0, 3}, 36).scenes)
    CHECK(frame.caption.find("291 cells") != std::string::npos); // only read elsewhere
}

TEST_CASE("a parameter sweeps in every panel that has it", "[animation]") {
  Scene scene;
  scene.mask.panels = {
      {"full", Causal{}}, {"strided", strided().pattern}, {"fixed", patternNamed("fixed")}};
  const Frames frames = framesOf(scene, {"stride", 3, 4}, 36);
  REQUIRE(frames.scenes.size() == 2);
  const std::vector<Panel>& panels = frames.scenes[1].mask.panels;
  CHECK(panels[0].pattern == scene.mask.panels[0].pattern);
  for (const std::size_t k : {1U, 2U}) {
    Pattern expected = scene.mask.panels[k].pattern;
    set(expected, "stride", Value(Index{4}));
    CHECK(panels[k].pattern == expected);
  }
}

TEST_CASE("every frame of a sweep draws its own numbers in titles and legends", "[animation]") {
  Scene scene;
  scene.title = "Every [6th](stride) key";
  scene.length.n = 36;
  scene.mask.panels = {{"stride [6](stride)", strided().pattern, {{"ℓ = [6](stride)", 0}}},
                       {"6 by hand", Causal{}}};
  const std::vector<Scene> frames = framesOf(scene, {"stride", 5, 7}, 36).scenes;
  const PageFigure page = pageOfScene(scene, {}, Sweep{"stride", 5, 7});
  REQUIRE(frames.size() == 3);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const std::string number = std::to_string(k + 5);
    const Figure figure = figureOfScene(frames[k], {});
    CHECK(figure.title == "Every " + number + "th key");
    CHECK(figure.panels.at(0).title == "(a) stride " + number);
    CHECK(figure.panels.at(0).legend.at(0).label == "ℓ = " + number);
    CHECK(figure.panels.at(1).title == "(b) 6 by hand");
    CHECK(page.frames.at(k).figure.title == figure.title);
  }
}

TEST_CASE("without a step there are at most sixty frames", "[animation]") {
  const Index n = GENERATE(1, 59, 60, 61, 1000, 100000);
  const Frames frames = framesOf(strided(), {"query"}, n);
  CHECK(frames.scenes.size() <= 60);
  CHECK(frames.values.front() == 0);
  CHECK(frames.values.back() <= static_cast<double>(n - 1));
  CHECK(*frames.scenes.back().pins.query == static_cast<Index>(frames.values.back()));
}

TEST_CASE("every sweep of every view changes the Scene and stays true to its name", "[animation]") {
  const View view = GENERATE(View::Mask, View::Reach, View::Attention, View::Kernels,
                             View::Choosing, View::Encodings, View::Compare);
  Scene scene = strided();
  scene.view = view;
  for (const std::string& name : sweepsOf(scene, 24)) {
    INFO(name);
    const Frames frames = framesOf(scene, {name}, 24);
    CHECK(frames.of == name);
    REQUIRE(frames.scenes.size() > 1);
    Scene first = frames.scenes[0];
    first.caption = frames.scenes[1].caption;
    CHECK_FALSE(first == frames.scenes[1]);
  }
}

TEST_CASE("an automatic sweep uses the values that all patterns allow", "[animation]") {
  using Values = std::vector<double>;
  Scene scene;
  scene.pattern = patternNamed("longformer");
  set(scene.pattern, "window", Value(Index{4}));
  const auto valuesOf = [&](const Sweep& sweep) { return framesOf(scene, sweep, 24).values; };
  CHECK(valuesOf({"window"}) == Values{0, 2, 4, 6, 8});
  CHECK(valuesOf({"window", 2}) == Values{2, 4, 6, 8});
  CHECK(valuesOf({"window", {}, {}, 4}) == Values{0, 4, 8});
  set(scene.pattern, "globals", Value(IndexList{3, 20}));
  CHECK(valuesOf({"n"}) == Values{21, 22, 23, 24});
  CHECK(codeAndSubject([&] { valuesOf({"window", 1}); }) == "E_RANGE window");
  CHECK(codeAndSubject([&] { valuesOf({"window", 0, 9}); }) == "E_RANGE window");
  CHECK(codeAndSubject([&] { valuesOf({"window", 0, 8, 1}); }) == "E_RANGE window");
  Pattern local = patternNamed("local");
  set(local, "window", Value(Index{3}));
  scene.mask.panels = {{"a", local}, {"b", scene.pattern}};
  CHECK(valuesOf({"window"}) == Values{0, 2, 4, 6});
  Scene fixed;
  fixed.pattern = patternNamed("fixed");
  set(fixed.pattern, "stride", Value(Index{8}));
  set(fixed.pattern, "c", Value(Index{6}));
  CHECK(framesOf(fixed, {"stride"}, 24).values.front() == 6);
  CHECK(framesOf(fixed, {"c"}, 24).values.back() == 8);
}

TEST_CASE("A number moves even if a coarse grid of values misses the allowed ones", "[animation]") {
  Scene scene = strided();
  scene.mask.image = {true, 2, {}};
  const std::vector<std::string> names = sweepsOf(scene, 1024);
  CHECK(std::find(names.begin(), names.end(), "n") != names.end());
  const std::vector<double> values = framesOf(scene, {"n"}, 1024).values; // of 512 even ones
  REQUIRE(values.size() > 50);
  CHECK(values.size() <= 60);
  for (const double value : values)
    CHECK(std::fmod(value, 2) == 0);
  CHECK(framesOf(scene, {"n", 6, 12}, 1024).values == std::vector<double>{6, 8, 10, 12});
}

TEST_CASE("A number that has no automatic range moves in its own range", "[animation]") {
  Scene scene = strided();
  scene.mask.image = {true, 20000, {}}; // one in 20000 lengths, few of them are tried
  const Index n = 60001;
  CHECK(codeAndSubject([&] { framesOf(scene, {"n"}, n); }) == "E_UNKNOWN sweep");
  CHECK(framesOf(scene, {"n", 20000, 60000, 20000}, n).values ==
        std::vector<double>{20000, 40000, 60000});
  CHECK(codeAndSubject([&] { framesOf(scene, {"n", 1}, n); }) == "E_RANGE image");
  CHECK(codeAndSubject([&] { framesOf(scene, {"hops", 1, 2}, n); }) == "E_UNKNOWN sweep");
}

TEST_CASE("The values of a sweep are those of its frames", "[animation]") {
  for (const Sweep& sweep :
       {Sweep{}, Sweep{"stride"}, Sweep{"n", 3, 12}, Sweep{"query", 0, 9, 2}}) {
    const Frames frames = framesOf(strided(), sweep, 24);
    const Swept swept = sweptBy(strided(), sweep, 24);
    CHECK(swept.of == frames.of);
    CHECK(swept.values == frames.values);
  }
  CHECK(codeAndSubject([&] { sweptBy(strided(), {"hops"}, 24); }) == "E_UNKNOWN sweep");
  Scene timings;
  timings.view = View::Timings;
  CHECK(codeAndSubject([&] { sweptBy(timings, {}, 24); }) == "E_UNSUPPORTED view");
}

TEST_CASE("Trials read only the outermost cells of a given mask", "[animation]") {
  std::vector<IndexPair> cells;
  for (Index i = 0; i < 100; ++i)
    cells.emplace_back(i, 99 - i);
  MaskSource mask;
  mask.pairs = PairList(cells);
  Scene scene;
  scene.mask.panels = {{"", Compose(Operation::Union, {Causal{}, GivenMask{mask}})},
                       {"", GivenMask{mask}}};
  const Scene tried = forTrials(scene);
  const auto& operands = tried.mask.panels[0].pattern.as<Compose>()->of;
  for (const Pattern& pattern : {operands[1], tried.mask.panels[1].pattern})
    CHECK(pattern.as<GivenMask>()->mask->pairs.size() <= 4);
  CHECK(operands[0] == Pattern(Causal{}));
  const std::vector<double> values = framesOf(scene, {"n", 100, 102}, 120).values;
  CHECK(values == std::vector<double>{100, 101, 102});
  CHECK(codeAndSubject([&] { framesOf(scene, {"n", 99}, 120); }) == "E_RANGE mask");
}

TEST_CASE("n moves only where nothing holds a value for every token", "[animation]") {
  const auto movesN = [](const Scene& scene) {
    const std::vector<std::string> names = sweepsOf(scene, 4);
    return std::find(names.begin(), names.end(), "n") != names.end();
  };
  Scene scene;
  CHECK(movesN(scene));
  scene.mask.image = {true, 2, 2};
  CHECK_FALSE(movesN(scene));
  scene.mask.image = {true, {}, {}};
  CHECK(movesN(scene)); // in another shape
  scene.mask.image = {};
  const auto movesWith = [&](const char* mechanism, const char* parameter, const Value& value) {
    scene.pattern = patternNamed(mechanism);
    set(scene.pattern, parameter, value);
    return movesN(scene);
  };
  CHECK_FALSE(movesWith("cluster", "labels", IndexList{0, 1, 0, 1}));
  CHECK_FALSE(movesWith("document", "lengths", IndexList{1, 3}));
  CHECK_FALSE(movesWith("document", "ids", IndexList{0, 1, 1, 1}));
  CHECK_FALSE(movesWith("given", "mask", MaskSource{"", 4, 4, {}, {}}));
  scene.pattern = Compose(Operation::Union, {Causal{}, scene.pattern});
  CHECK_FALSE(movesN(scene));
  CHECK(codeAndSubject([&] { framesOf(scene, {"n"}, 4); }) == "E_UNKNOWN sweep");
}

TEST_CASE("pictures of kernels move what they read, by default the first of it", "[animation]") {
  using Names = std::vector<std::string>;
  Scene scene;
  scene.view = View::Kernels;
  KernelsSpec& kernels = scene.kernels;
  const auto sweeps = [&](KernelsPicture picture) {
    kernels.picture = picture;
    return sweepsOf(scene, 24);
  };
  CHECK(sweeps(KernelsPicture::Error) == Names{"redraws", "m", "sigma", "L", "d"});
  kernels.errorOf = KernelsErrorOf::Layers;
  CHECK(sweeps(KernelsPicture::Error) == Names{"redraws", "m", "layers", "sigma", "L", "d"});
  CHECK(sweeps(KernelsPicture::Matrices) == Names{"redraws", "m", "sigma", "L", "d"});
  CHECK(sweeps(KernelsPicture::Ratio) == Names{"slice", "m"});  // Lemma 2 draws nothing
  CHECK(sweeps(KernelsPicture::Order) == Names{"m", "L", "d"}); // only shapes
  CHECK(sweeps(KernelsPicture::Spectrum) == Names{"redraws", "sigma", "L", "d"});
  kernels.kernel = Kernel::Elu1; // its features are not drawn
  CHECK(sweeps(KernelsPicture::Normalisers) == Names{"sigma", "L", "d"});
  CHECK(sweeps(KernelsPicture::Order) == Names{"L", "d"});
  kernels.loaded = true;
  CHECK(sweeps(KernelsPicture::Normalisers) == Names{"n"});
  CHECK(sweeps(KernelsPicture::Ratio) == Names{"slice", "m"});
}

TEST_CASE("impossible sweeps are refused by name", "[animation]") {
  const auto refused = [](const Sweep& sweep) {
    return codeAndSubject([&] { framesOf(strided(), sweep, 24); });
  };
  CHECK(refused({"strides"}) == "E_UNKNOWN sweep");
  CHECK(refused({"stride", 1.5}) == "E_RANGE from");
  CHECK(refused({"stride", 1, 9, 0}) == "E_RANGE step");
  CHECK(refused({"query", 0, 1e9, 1}) == "E_RANGE step");
  CHECK(refused({"stride", 1, std::numeric_limits<double>::infinity()}) == "E_RANGE to");
  Scene encodings;
  encodings.view = View::Encodings;
  encodings.encodings.l1 = 0;
  CHECK(codeAndSubject([&] { framesOf(encodings, {}, 24); }) == "E_RANGE encodings.l1");
  Scene timings;
  timings.view = View::Timings;
  CHECK(codeAndSubject([&] { framesOf(timings, {}, 24); }) == "E_UNSUPPORTED view");
}
