// What moves a picture of the Kernels view is seen in it, words apart.
#include "core/figure/figure_file.h"
#include "core/figure/kernels_figure.h"
#include "core/scene/animation.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/small_kernels.h"

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
  for (const std::string& name : sweepsOf(scene)) {
    INFO(kKernelsPictureNames.at(static_cast<std::size_t>(scene.kernels.picture)) << " " << name);
    const Frames frames = framesOf(scene, {name}, 24);
    REQUIRE(frames.scenes.size() > 1);
    CHECK(drawnOf(frames.scenes.front()) != drawnOf(frames.scenes.back()));
  }
}

TEST_CASE("normalisers are told to be cut where some are, and how many", "[kernels]") {
  Scene scene = smallKernels(KernelsPicture::Normalisers);
  KernelMatrices matrices;
  matrices.n = 8;
  matrices.normalisers = {0.9, 1, 1.1, 0.8, 1.2, 1, 0.95, 1.05};
  const auto captionOf = [&] {
    KernelsAnswer answer;
    answer.matrices = std::make_shared<const KernelMatrices>(matrices);
    return kernelsCaption(scene.kernels, answer);
  };
  CHECK(captionOf() == "A bar for each of 8 query rows.");
  matrices.normalisers[3] = 500;
  CHECK(captionOf() == "A bar for each of 8 query rows; 1 far out is cut at the axis.");
  matrices.normalisers[4] = -70;
  CHECK(captionOf() == "A bar for each of 8 query rows; 2 far out are cut at the axis.");
}
