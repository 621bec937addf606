// A sweep of a Kernels picture changes more than its words; and its words stay true.
#include "core/export/figure_file.h"
#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/views/animation.h"
#include "core/views/kernels/kernels_figure.h"
#include "core/views/kernels/scene_kernels.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/small_kernels.h"

#include <algorithm>
#include <cmath>

using namespace attention;

namespace {

// The picture as SVG, without title and caption.
std::string drawnOf(const Scene& scene) {
  const KernelsAnswer answer = kernelsAnswer(scene, lengthsOf(scene.length, 0), {});
  Figure figure = kernelsFigure(scene.kernels, answer, FigureTheme::Light);
  figure.title.clear();
  figure.caption.clear();
  const TestFolder folder;
  writeFigure(figure, folder / "drawn.svg");
  return textOf(folder / "drawn.svg");
}

} // namespace

TEST_CASE("every sweep of a picture of kernels is seen in it", "[kernels][animation]") {
  Scene scene = smallKernels(GENERATE(KernelsPicture::Error, KernelsPicture::Matrices,
                                      KernelsPicture::Normalisers, KernelsPicture::Ratio,
                                      KernelsPicture::Order, KernelsPicture::Spectrum));
  const auto errorOf =
      GENERATE(KernelsErrorOf::Output, KernelsErrorOf::Entries, KernelsErrorOf::Layers);
  const bool error = scene.kernels.picture == KernelsPicture::Error;
  if (!error && errorOf != KernelsErrorOf::Output)
    return;
  scene.kernels.errorOf = errorOf;
  for (const std::string& name : sweepsOf(scene, 24)) {
    INFO(settingNamed(kernelsSettings(), "picture")
             .choices.at(static_cast<std::size_t>(scene.kernels.picture))
             .value
         << " " << name);
    const Frames frames = framesOf(scene, {name}, 24);
    REQUIRE(frames.scenes.size() > 1);
    CHECK(drawnOf(frames.scenes.front()) != drawnOf(frames.scenes.back()));
  }
}

TEST_CASE("a caption says how many normalisers are cut, if any", "[kernels]") {
  Scene scene = smallKernels(KernelsPicture::Normalisers);
  KernelMatrices matrices;
  matrices.n = 8;
  matrices.normalisers = {0.9, 1, 1.1, 0.8, 1.2, 1, 0.95, 1.05};
  const auto captionOf = [&] {
    KernelsAnswer answer;
    answer.matrices = std::make_shared<const KernelMatrices>(matrices);
    return kernelsCaption(scene.kernels, answer);
  };
  CHECK(captionOf() == "One bar for each of 8 query rows.");
  matrices.normalisers[3] = 500;
  CHECK(captionOf() == "One bar for each of 8 query rows; 1 is longer than the axis and cut off.");
  matrices.normalisers[4] = -70;
  CHECK(captionOf() == "One bar for each of 8 query rows; 2 are longer than the axis and cut off.");
}

TEST_CASE("rows that share a column of pixels hide none of each other", "[kernels]") {
  KernelMatrices matrices;
  matrices.n = 4096;
  matrices.overExact = true;
  matrices.normalisers.assign(4096, 1);
  std::fill(matrices.normalisers.begin() + 2048, matrices.normalisers.end(), 1.25);
  matrices.normalisers[1000] = 0.5;
  matrices.normalisers[2000] = 1.5;
  matrices.normalisers[3000] = -0.25;
  const Plot plot = normaliserPlot(matrices);
  const double width = GENERATE(300, 600);
  const PlacedPlot placed = layoutPlot(plot, {width, width}, {}, kMeasure);
  const auto fills = all<FillBoxes>(placed.list);
  REQUIRE(fills.size() == 3); // above zero: solid and light; below zero
  const NumberAxis& y = std::get<CurvesMark>(plot.mark).y;
  const double unit = placed.box.height / (y.end - y.begin); // pixels
  const auto bars = [&](std::size_t of, double high) {
    return std::count_if(fills[of].boxes.begin(), fills[of].boxes.end(),
                         [&](const Box& box) { return box.height == Approx(high * unit); });
  };
  for (const Box& box : fills[0].boxes) {
    CHECK(box.width > 1 - 1e-9);
    CHECK(box.right() <= placed.box.right() + 1e-9);
  }
  CHECK(bars(0, 0.5) == 1);
  CHECK(bars(0, 1.5) == 0);
  CHECK(bars(1, 0.5) == 2); // 0.5 … 1 and 1 … 1.5
  CHECK(bars(2, 0.25) == 1);
  CHECK(fills[2].boxes.size() == 1);
  const auto rows = static_cast<Index>(std::ceil(4096 / placed.box.width));
  const auto texts = all<Text>(placed.list);
  CHECK(std::any_of(texts.begin(), texts.end(), [&](const Text& text) {
    return text.text == "query i, " + std::to_string(rows) + " per column";
  }));
  matrices.exact = std::make_shared<const Matrix<float>>(4, 4);
  KernelsAnswer answer;
  answer.matrices = std::make_shared<const KernelMatrices>(matrices);
  for (const auto picture : {KernelsPicture::Normalisers, KernelsPicture::Matrices})
    CHECK(kernelsCaption(smallKernels(picture).kernels, answer).find("light up to the farthest") !=
          std::string::npos);
}

TEST_CASE("a kernel that does not estimate softmax is not called an estimate", "[kernels]") {
  Scene scene = smallKernels(KernelsPicture::Matrices);
  scene.kernels.kernel = GENERATE(Kernel::Softmax, Kernel::Gaussian, Kernel::Elu1, Kernel::Relu);
  const KernelsAnswer answer = kernelsAnswer(scene, lengthsOf(scene.length, 0), {});
  const bool own = scene.kernels.kernel == Kernel::Elu1 || scene.kernels.kernel == Kernel::Relu;
  const Figure figure = kernelsFigure(scene.kernels, answer, FigureTheme::Light);
  std::string words = figure.title;
  for (const FigurePanel& panel : figure.panels)
    words += " " + panel.title;
  for (const LegendEntry& entry : figure.legend)
    words += " " + entry.label;
  CHECK((words.find("estimate") == std::string::npos) == own);
  CHECK((words.find("error") == std::string::npos) == own);
  CHECK((words.find("Gaussian") != std::string::npos) ==
        (scene.kernels.kernel == Kernel::Gaussian));
  CHECK(hasExactNormalisers(scene.kernels) == answer.matrices->overExact);
}

TEST_CASE("the label of a bound that ends early stands beside its last square", "[kernels]") {
  Scene scene = smallKernels(KernelsPicture::Error); // d = 4: the bound exists only for m = 4
  scene.kernels.errorOf = KernelsErrorOf::Entries;
  const KernelsAnswer answer = kernelsAnswer(scene, lengthsOf(scene.length, 0), {});
  const Plot plot = kernelsPanels(scene.kernels, answer).front().plots.front();
  const double width = GENERATE(600, 1200);
  const PlacedPlot placed = layoutPlot(plot, {width, 0.7 * width}, {}, kMeasure);
  const auto texts = all<Text>(placed.list);
  const auto bound = std::find_if(texts.begin(), texts.end(), [](const Text& text) {
    return text.text == "bound (Theorem 2)";
  });
  REQUIRE(bound != texts.end());
  CHECK(boxOf(*bound).right() < placed.box.right());
  for (const Text& text : texts)
    CHECK((text.text == bound->text || !overlap(boxOf(text), boxOf(*bound))));
  CHECK(boxOf(*bound).x <
        placed.box.x + placed.box.width / 2); // m = 4 is the beginning of the axis
}

TEST_CASE("the ratio of errors is limited only by what it reads") {
  Scene scene;
  scene.view = View::Kernels;
  scene.kernels.picture = KernelsPicture::Ratio;
  scene.kernels.length = scene.kernels.d = scene.kernels.cells = 0;
  scene.kernels.sigma = -1;
  CHECK_NOTHROW(figureOfScene(scene));
  scene.kernels.chosen = 0;
  CHECK_THROWS_AS(figureOfScene(scene), Error);
  scene.kernels.chosen = 64;
  scene.kernels.slice = 3;
  CHECK_THROWS_AS(figureOfScene(scene), Error);
}
