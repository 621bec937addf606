// What plots of the Kernels view have on their axes and beside them, and what they refuse.
#include "core/analysis/feature_ratio.h"
#include "core/plot/diagram.h"
#include "core/plot/layout.h"
#include "core/views/kernels/kernels_figure.h"
#include "core/views/kernels/scene_kernels.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/small_kernels.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace attention;

namespace {

KernelsAnswer answerOf(const Scene& scene) {
  return kernelsAnswer(scene, {}, {});
}

const CurvesMark& curvesOf(const Plot& plot) {
  return std::get<CurvesMark>(plot.mark);
}

} // namespace

TEST_CASE("normalisers far below the exact ones are told by their median") {
  KernelMatrices made;
  made.overExact = true;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  made.normalisers = {1e-9, 3e-9, 0.5, 0, kInfinity, std::nan("")};
  CHECK(vanishingNormaliser(made) == Approx(3e-9));
  CHECK(vanishingNormaliser(made) == medianNormaliser(made));
  made.normalisers = {0, 0, 1e-9}; // rows at zero have words of their own
  CHECK_FALSE(vanishingNormaliser(made));
  made.normalisers = {0.9, 1.1, 1e-9};
  CHECK_FALSE(vanishingNormaliser(made));
  made.normalisers = {1e-9};
  made.overExact = false; // over their own mean size
  CHECK_FALSE(vanishingNormaliser(made));
}

TEST_CASE("d ln d of one dimension, which is 0, is not marked") {
  Scene scene = smallKernels(KernelsPicture::Error);
  scene.kernels.d = 1;
  const auto output = kernelsPanels(scene.kernels, answerOf(scene)).front().plots.front();
  REQUIRE(curvesOf(output).uprights.size() == 1);
  CHECK(curvesOf(output).uprights.front().label == "m = 8");
}

TEST_CASE("errors of entries that overflow are refused, and no other error stands for them") {
  Scene scene = smallKernels(KernelsPicture::Error);
  scene.kernels.sigma = 20;
  const KernelsAnswer output = answerOf(scene);
  CHECK(complete(scene.kernels, output));
  scene.kernels.errorOf = KernelsErrorOf::Entries;
  CHECK_FALSE(complete(scene.kernels, output));
  CHECK(messageOf([&] { answerOf(scene); }) ==
        "errors of the kernel's entries overflow at sigma 20: squares of exp(q·k / √d) are beyond "
        "10³⁰⁸; they must be finite (use the error of the output, or a smaller sigma)");
  scene.kernels.sigma = 0.7;
  CHECK(complete(scene.kernels, answerOf(scene)));
}

TEST_CASE("the exact normaliser is on the axis, however far the estimates are below") {
  KernelMatrices made;
  made.n = 40;
  made.overExact = true;
  made.normalisers.assign(40, 0.01);
  made.normalisers.back() = 0.4;
  const Plot plot = normaliserPlot(made);
  const NumberAxis& axis = curvesOf(plot).y;
  CHECK(axis.begin <= 0);
  CHECK(axis.end >= 1);
  CHECK(cutNormalisers(made) == 0);
  made.overExact = false; // nothing is exact there
  CHECK(curvesOf(normaliserPlot(made)).y.end < 0.5);
}

TEST_CASE("bars that are not cut end below the edge of the axis") {
  for (const double most : {0.97, 1.0, 1.19, 1.999, 2.0, 2.9914}) {
    KernelMatrices made;
    made.n = 40;
    for (int k = 0; k < 40; ++k)
      made.normalisers.push_back(most * (0.5 + 0.5 * k / 39));
    made.normalisers[3] = -most * 0.999;
    made.overExact = most > 1;
    CHECK(cutNormalisers(made) == 0);
    const PlacedPlot placed = layoutPlot(normaliserPlot(made), {600, 600}, {13}, kMeasure);
    CAPTURE(most);
    for (const FillBoxes& boxes : all<FillBoxes>(placed.list))
      for (const Box& bar : boxes.boxes) {
        CHECK(bar.y > placed.box.y + 4);
        CHECK(bar.bottom() < placed.box.bottom() - 4);
      }
  }
}

TEST_CASE("every bar that ends at the edge of the axis is counted as cut") {
  KernelMatrices made;
  made.n = 40;
  made.normalisers.assign(40, 1);
  for (std::size_t k = 0; k < 20; ++k)
    made.normalisers[k] = 1 + 0.01 * static_cast<double>(k);
  made.normalisers[3] = 50;
  made.normalisers[5] = std::numeric_limits<double>::infinity();
  made.normalisers[7] = std::numeric_limits<double>::quiet_NaN(); // has no bar
  CHECK(cutNormalisers(made) == 2);
  const PlacedPlot placed = layoutPlot(normaliserPlot(made), {600, 300}, {13}, kMeasure);
  std::size_t atEdge = 0;
  for (const FillBoxes& boxes : all<FillBoxes>(placed.list))
    for (const Box& bar : boxes.boxes)
      atEdge += bar.y <= placed.box.y + 0.01 ? 1U : 0U;
  CHECK(atEdge == 2);
}

TEST_CASE("the two errors of a slice have trig features and the crossing on their axis") {
  const double slice = GENERATE(0.05, 1.0, 2.0);
  const NumberAxis axis = curvesOf(sliceErrorsPlot(slice, 64)).y;
  const double equal = errorsAt(equalAngle(slice), slice, 64).trig;
  double trig = 0;
  for (int k = 0; k <= 180; ++k)
    trig = std::max(trig, errorsAt(k * std::numbers::pi / 180, slice, 64).trig);
  for (const double error : {equal, trig, errorsAt(0, slice, 64).positive})
    CHECK((axis.begin < error && error <= axis.end));
}

TEST_CASE("factors of any shape do not cover the counts beside them") {
  const Index length = GENERATE(1, 2, 8, 16, 24, 64, 4096);
  const Index features = GENERATE(1, 2, 64, 512);
  const Index dv = GENERATE(1, 16, 128);
  const Plot plot = orderDiagram({length, features, dv, GENERATE(false, true)});
  const auto& mark = std::get<DiagramMark>(plot.mark);
  double right = 0;
  for (const DiagramBox& of : mark.boxes)
    right = std::max(right, of.box.right());
  for (const DiagramText& text : mark.texts)
    if (text.yields && text.at.x > 0) // the note stands at 0
      CHECK(text.at.x >= right + 3);
  // The longest side is that of the largest number.
  const DiagramBox& q = mark.boxes.front(); // L × m
  CHECK((q.box.width >= q.box.height) == (features >= length || q.box.width == q.box.height));
}
