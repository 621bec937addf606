// The Kernels view in the whole window: curves that grow, facts and words of each picture, redraws.
#include "app/gui/files/command_text.h"
#include "app/gui/files/exporting.h"
#include "app/gui/views/kernels/kernels_view.h"
#include "core/support/number_text.h"
#include "core/views/kernels/kernels_figure.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

Scene kernelsScene(KernelsPicture picture) {
  Scene scene = smallScene();
  scene.view = View::Kernels;
  scene.kernels.picture = picture;
  return scene;
}

std::string plotValue(TestWindow& window) {
  const Widget* plot = window.app().log().find("View/Plot 1");
  return plot ? plot->value : "";
}

// What the plot says about itself, frame by frame, until the whole sweep of the Scene is there.
std::set<std::string> seenWhileSweeping(TestWindow& window, Index length) {
  Scene scene = kernelsScene(KernelsPicture::Error);
  scene.kernels.length = length;
  scene.kernels.projections = {16, 32, 64, 128, 256};
  window.bench().document.open(scene, "longer");
  std::set<std::string> parts;
  do {
    window.frame();
    if (!window.results().part<KernelsResults>().sweep.stale)
      parts.insert(plotValue(window));
  } while (window.app().busy());
  window.frame();
  parts.insert(plotValue(window));
  return parts;
}

TEST_CASE("Curves of errors grow point by point on the screen", "[shell]") {
  TestWindow window(kernelsScene(KernelsPicture::Error));
  CHECK(plotValue(window) == "8 of 8 points");
  // If a frame takes longer than a part of the sweep, a longer sweep has longer parts.
  std::set<std::string> parts;
  for (Index length = 250; parts.size() < 3 && length <= 8000; length *= 2) {
    parts = seenWhileSweeping(window, length);
    parts.erase("8 of 8 points");
    CHECK(parts.count("20 of 20 points") == 1);
  }
  CHECK(parts.size() >= 3); // the whole, and at least two parts before it
}

TEST_CASE("No features win over a single key, where errors are rounding", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Error);
  scene.kernels.length = GENERATE(1, 2);
  TestWindow window(scene);
  CHECK(window.says("Only rounding errors are left: all features are exact here.") ==
        (scene.kernels.length == 1));
  CHECK(window.says("than an all-zero output") == (scene.kernels.length == 2));
}

TEST_CASE("Every picture of kernels has facts and words of its own", "[shell]") {
  TestWindow window(kernelsScene(KernelsPicture::Error));
  std::set<std::string> headings;
  for (std::size_t k = 0; k < settingNamed(kernelsSettings(), "picture").choices.size(); ++k) {
    window.bench().document.open(kernelsScene(static_cast<KernelsPicture>(k)), "picture");
    window.settle();
    INFO(settingNamed(kernelsSettings(), "picture").choices[k].value);
    const auto& shown = window.results().part<KernelsResults>().shown;
    REQUIRE(shown);
    CHECK(shown->spec.picture == static_cast<KernelsPicture>(k));
    CHECK(!shown->facts.lines.empty());
    CHECK(!shown->reading.empty());
    CHECK(window.says(shown->title));
    CHECK(window.says("Definition"));
    headings.insert(shown->title);
  }
  CHECK(headings.size() == settingNamed(kernelsSettings(), "picture").choices.size());
}

std::string readingOf(TestWindow& window) {
  std::string text;
  for (const std::string& sentence : window.results().part<KernelsResults>().shown->reading)
    text += sentence + " ";
  return text;
}

TEST_CASE("No features win against the theory where redraws miss the tail", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Error);
  scene.kernels.errorOf = KernelsErrorOf::Entries;
  scene.kernels.d = 16;
  scene.kernels.sigma = 1.5;
  scene.kernels.length = 64;
  TestWindow window(scene);
  std::string text = readingOf(window);
  CHECK(text.find("misses rare large errors") != std::string::npos);
  CHECK(text.find("features have the lowest error") == std::string::npos);
  CHECK(text.find("orthogonal trig features are expected to have the lowest error") !=
        std::string::npos);
  scene.kernels.sigma = 0.1;
  scene.kernels.kernel = Kernel::Elu1;
  window.bench().document.open(scene, "short");
  window.settle();
  text = readingOf(window);
  CHECK(text.find("misses") == std::string::npos);
  CHECK(text.find(" features have the lowest error") != std::string::npos);
  CHECK(text.find("elu1 appears only in the matrices") != std::string::npos);
}

TEST_CASE("Errors of entries that overflow give a note, and never pass for errors of the output",
          "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Error);
  scene.kernels.sigma = 20;
  TestWindow window(scene);
  CHECK(window.says("Error of the attention output"));
  window.play("click \"error of/entries\"\nwait\n");
  CHECK(window.says("errors of the kernel's entries overflow at sigma 20"));
  CHECK_FALSE(window.says("Error of the attention output"));
  window.play("click \"error of/output\"\nwait\n");
  CHECK(window.says("Error of the attention output"));
  CHECK_FALSE(window.says("overflow at sigma"));
}

TEST_CASE("Orders that cost nearly the same are said to", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Order);
  scene.kernels.length = 2;
  scene.kernels.d = 1;
  scene.kernels.chosen = 64; // 260 multiplications against 256
  TestWindow window(scene);
  CHECK(readingOf(window).find(
            "Multiplying K′ᵀ by V first takes nearly as many multiplications and never") == 0);
  scene.kernels.length = 200;
  window.bench().document.open(scene, "longer");
  window.settle();
  CHECK(readingOf(window).find(
            "Multiplying K′ᵀ by V first takes 100 times fewer multiplications") == 0);
}

TEST_CASE("The median of two normalisers lies between them", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Normalisers);
  scene.kernels.length = 2;
  TestWindow window(scene);
  const KernelsShown& shown = *window.results().part<KernelsResults>().shown;
  const std::vector<double>& of = shown.answer.matrices->normalisers;
  REQUIRE(of.size() == 2);
  const auto median = std::find_if(shown.facts.lines.begin(), shown.facts.lines.end(),
                                   [](const Fact& fact) { return fact.label == "median"; });
  REQUIRE(median != shown.facts.lines.end());
  CHECK(median->value == readableNumber((of[0] + of[1]) / 2, 3));
}

TEST_CASE("A slice that is not a length gives a note", "[shell]") {
  TestWindow window(kernelsScene(KernelsPicture::Ratio));
  window.play("set \"Features/slice at ℓ\" 0\nwait\n");
  CHECK(window.says("slice is 0; it must be a number above 0 and at most 2"));
}

TEST_CASE("Controls that a kernel does not read are not shown", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Matrices);
  TestWindow window(scene);
  const auto shows = [&](const char* id) { return window.app().log().find(id) != nullptr; };
  for (const char* id : {"Features/projections m", "Features/eps", "Features/↻ Redraw"})
    CHECK(shows(id));
  scene.kernels.kernel = Kernel::Elu1;
  window.bench().document.open(scene, "elu");
  window.settle();
  for (const char* id : {"Features/projections m", "Features/eps", "Features/↻ Redraw"})
    CHECK_FALSE(shows(id));
  CHECK(shows("Features/cells shown"));
  scene.kernels.picture = KernelsPicture::Order; // of the kernel's own features
  window.bench().document.open(scene, "order");
  window.settle();
  CHECK_FALSE(shows("Features/projections m"));
  CHECK_FALSE(window.says(" · m 8"));
  window.play("key Right\nframes 2\n");
  CHECK(window.scene().kernels.chosen == scene.kernels.chosen);
  scene.kernels.kernel = Kernel::Gaussian;
  window.bench().document.open(scene, "gauss");
  window.settle();
  CHECK(shows("Features/projections m"));
}

TEST_CASE("The formula of an estimate is that of the chosen kernel and its features", "[shell]") {
  struct Chosen {
    Kernel kernel;
    FeatureMap map;
    const char* matrix;
    const char* normaliser; // exact, if there is one
    const char* features;
    const char* signs;
  };
  constexpr const char* kShare = "shown: dᵢ over the mean";
  const auto of = GENERATE_REF(
      Chosen{Kernel::Softmax, FeatureMap::Trig, "softmax(Q Kᵀ", "exp(qᵢ·kⱼ / √d)", "exp(|x|²/2)",
             "not positive"},
      Chosen{Kernel::Softmax, FeatureMap::Positive, "softmax(Q Kᵀ", "exp(qᵢ·kⱼ / √d)", "exp(Wx",
             "Exponentials are positive"},
      Chosen{Kernel::Softmax, FeatureMap::Hyperbolic, "softmax(Q Kᵀ", "exp(qᵢ·kⱼ / √d)", "exp(±Wx",
             "Exponentials are positive"},
      Chosen{Kernel::Gaussian, FeatureMap::Positive, "A = D⁻¹ exp(−|qᵢ−kⱼ|² / (2√d))",
             "exact: Σⱼ exp(−|qᵢ−kⱼ|² / (2√d))", "∝ (cos Wx", "not positive"},
      Chosen{Kernel::Elu1, FeatureMap::Trig, "softmax(Q Kᵀ", kShare, "elu(x) + 1",
             "elu + 1 is positive"},
      Chosen{Kernel::Relu, FeatureMap::Trig, "softmax(Q Kᵀ", kShare, "max(x, 0)", "is below zero"});
  Scene scene = kernelsScene(KernelsPicture::Matrices);
  scene.kernels.kernel = of.kernel;
  scene.kernels.map = of.map;
  TestWindow window(scene);
  for (const char* words : {of.matrix, of.features})
    CHECK(window.says(words));
  const bool estimates = of.kernel == Kernel::Softmax || of.kernel == Kernel::Gaussian;
  CHECK(window.says("does not estimate A") == !estimates);
  CHECK(window.says("Attention and its estimate: Gaussian, trig") ==
        (of.kernel == Kernel::Gaussian));
  scene.kernels.picture = KernelsPicture::Normalisers;
  window.bench().document.open(scene, "normalisers");
  window.settle();
  for (const char* words : {of.normaliser, of.features, of.signs})
    CHECK(window.says(words));
  CHECK(window.results().part<KernelsResults>().shown->answer.matrices->overExact == estimates);
  CHECK(window.says("exact: ") == estimates);
}

TEST_CASE("The Kernels view has no input while it draws its own Q, K and V", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Error);
  scene.input = aliceScene().input;
  TestWindow window(scene);
  CHECK_FALSE(window.shows("Input/Sample"));
  CHECK_FALSE(window.shows("model head/0"));
  scene.kernels.loaded = true;
  window.bench().document.open(scene, "loaded");
  window.settle();
  CHECK(window.shows("Input/Sample"));
  CHECK(window.shows("model head/0"));
  scene.input = InputSpec();
  window.bench().document.open(scene, "without an input");
  window.settle();
  CHECK(window.says("there are no Q, K and V to use"));
  CHECK_FALSE(window.says("only the mask"));
}

TEST_CASE("The facts of kernels are the numbers of the picture", "[shell]") {
  TestWindow window(kernelsScene(KernelsPicture::Order));
  CHECK(window.says("(Q′ K′ᵀ) V"));
  const auto& facts = window.results().part<KernelsResults>().shown->facts.lines;
  const ProductShapes shapes = window.results().part<KernelsResults>().shown->answer.shapes;
  CHECK(shapes.length == 32);
  CHECK(shapes.features == 8);
  CHECK(facts.back().value == std::to_string(breakEvenLength(shapes)));
}

TEST_CASE("The command of a picture of kernels draws the same data", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Error);
  scene.kernels.causal = true;
  const std::string data = " --random 'gaussian' --n 32 --d 16 --sigma '0.5'";
  CHECK(commandText(scene, squareLengths(64)) ==
        "attnx kernel-error" + data + " --m 4,8 --repeats 2 --features trig,positive --causal");
  scene.kernels.redraws = 3;
  CHECK(commandText(scene, squareLengths(64)).find(" --redraws 3") != std::string::npos);
  scene.kernels.errorOf = KernelsErrorOf::Layers;
  CHECK(commandText(scene, squareLengths(64)).rfind("attnx figure '{", 0) == 0);
  for (const auto picture : {KernelsPicture::Matrices, KernelsPicture::Normalisers,
                             KernelsPicture::Ratio, KernelsPicture::Order}) {
    scene.kernels.picture = picture;
    CHECK(commandText(scene, squareLengths(64)).rfind("attnx figure '{", 0) == 0);
  }
  scene.kernels.picture = KernelsPicture::Spectrum;
  CHECK(commandText(scene, squareLengths(64)) == "attnx lowrank" + data + " --ranks 8 --causal");
  CHECK(exportName(scene, squareLengths(64), ".csv") == "kernels-spectrum.csv");
}

TEST_CASE("Without an input a message says that none is loaded", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Matrices);
  scene.kernels.loaded = true;
  TestWindow window(scene);
  CHECK(window.says("No input loaded"));
  window.play("click \"Q, K, V/drawn\"\nwait\n");
  CHECK(window.shows("View/Plot 1"));
}

TEST_CASE("A picture that the input cannot give offers drawn numbers", "[kernels]") {
  const TemporaryFolder folder;
  Scene scene = kernelsScene(KernelsPicture::Matrices);
  scene.kernels.loaded = true;
  const bool stack = GENERATE(true, false);
  if (stack) {
    scene.kernels.picture = KernelsPicture::Error;
    scene.kernels.errorOf = KernelsErrorOf::Layers;
    RandomInput random;
    random.n = 32;
    random.d = 8;
    scene.input.source = random;
    scene.length = {};
  } else {
    const std::vector<float> weights(16 * 16, 1.0F / 16);
    writeNpy<float>(folder / "weights.npy", std::array<Index, 2>{16, 16}, weights);
    FileInput files;
    files.attention = (folder / "weights.npy").string();
    scene.input.source = files;
    scene.length = {};
  }
  TestWindow window(scene);
  CHECK(window.says(stack ? "a stack of layers needs the weights of its next layers"
                          : "the input has only attention weights"));
  CHECK_FALSE(window.says("allowed is false"));
  CHECK(window.shows("View/draw a random input") != stack);
  window.play("click \"View/draw Q, K and V\"\nwait\nframes 2\n");
  CHECK_FALSE(window.scene().kernels.loaded);
  CHECK(window.shows("View/Plot 1"));
}

TEST_CASE("Without an input of Q, K and V a random one is offered", "[kernels]") {
  Scene scene = kernelsScene(KernelsPicture::Spectrum);
  scene.kernels.loaded = true;
  TestWindow window(scene);
  CHECK(window.says("No input loaded"));
  window.play("click \"View/draw a random input\"\nwait\nframes 2\n");
  CHECK(window.scene().kernels.loaded);
  CHECK(window.shows("View/Plot 1"));
}

TEST_CASE("The low rank picture gives every curve at its rank or near it", "[kernels]") {
  Scene scene = kernelsScene(KernelsPicture::Spectrum);
  scene.kernels.projections = {4, 8};
  scene.kernels.chosen = 4; // trig has 8 features of 4 projections, and no fewer
  TestWindow window(scene);
  CHECK(window.shows("Features/rank m"));
  CHECK_FALSE(window.shows("Features/projections m"));
  const auto told = [&] {
    std::set<std::string> labels;
    for (const Fact& fact : window.results().part<KernelsResults>().shown->facts.lines)
      labels.insert(fact.label);
    return labels;
  };
  const auto near = told();
  for (const char* label : {"trig, iid, m = 8", "trig, orthogonal, m = 8", "positive, iid",
                            "positive, orthogonal", "Linformer"})
    CHECK(near.count(label) == 1);
  window.play("set \"Features/rank m\" 8\nwait\nframes 2\n");
  const auto at = told();
  for (const char* label : {"trig, iid", "trig, orthogonal", "positive, iid", "Linformer"})
    CHECK(at.count(label) == 1);
}

TEST_CASE("Redraws during an animation are one undo step", "[shell]") {
  TestWindow window(kernelsScene(KernelsPicture::Matrices));
  window.play("key Space\nframes 3\n");
  CHECK(window.bench().playing);
  while (window.scene().kernels.redraws < 2)
    window.frame();
  window.play("key Space\nframes 2\nkey Ctrl+Z\nwait\n");
  CHECK_FALSE(window.bench().playing);
  CHECK(window.scene().kernels.redraws == 0);
}

TEST_CASE("Pictures without drawn projections are not redrawn", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Matrices);
  TestWindow window(scene);
  window.play("key R\nframes 2\nkey Space\nframes 3\n");
  CHECK(window.scene().kernels.redraws > 0);
  CHECK(window.bench().playing);
  scene.kernels.kernel = Kernel::Relu; // in the middle of an animation
  window.bench().document.open(scene, "relu");
  window.settle();
  CHECK_FALSE(window.bench().playing);
  for (const KernelsPicture picture :
       {KernelsPicture::Matrices, KernelsPicture::Order, KernelsPicture::Ratio}) {
    scene.kernels.picture = picture;
    window.bench().document.open(scene, "another picture");
    window.settle();
    window.play("key R\nframes 2\nkey Space\nframes 3\n");
    CHECK(window.scene().kernels.redraws == 0);
    CHECK_FALSE(window.bench().playing);
  }
}

TEST_CASE("Formulas of causal sums say over which keys they run", "[shell]") {
  Scene scene = kernelsScene(KernelsPicture::Normalisers);
  TestWindow window(scene);
  CHECK_FALSE(window.says("only keys j ≤ i"));
  scene.kernels.causal = true;
  for (const KernelsPicture picture : {KernelsPicture::Normalisers, KernelsPicture::Matrices,
                                       KernelsPicture::Order, KernelsPicture::Ratio}) {
    scene.kernels.picture = picture;
    window.bench().document.open(scene, "causal");
    window.settle();
    const bool sums = picture == KernelsPicture::Normalisers || picture == KernelsPicture::Matrices;
    CHECK(window.says("only keys j ≤ i") == sums);
  }
}

TEST_CASE("The cell under the pointer is framed in every matrix and described below", "[shell]") {
  TestWindow window(kernelsScene(KernelsPicture::Matrices));
  window.play("move \"View/Plot 2\" at 0.5 0.6\nframes 3\n");
  REQUIRE(window.bench().hover.query);
  CHECK(window.says("query " + std::to_string(*window.bench().hover.query) + ", key"));
  window.play("move 600 60\nframes 3\n");
  CHECK_FALSE(window.bench().hover.query);
}

} // namespace
} // namespace attention::gui
