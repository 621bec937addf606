// Exact attention in the Kernels view is the softmax of q·k / √d, for drawn numbers and for a
// loaded head, whatever its scale.
#include "core/support/philox.h"
#include "core/views/kernels/kernels_figure.h"
#include "core/views/kernels/scene_kernels.h"
#include "tests/catch.h"
#include "tests/core/figure/small_kernels.h"

#include <cmath>

using namespace attention;

namespace {

// Number (i, c) of Q or K of repeat 0 (S7.6).
double drawn(const KernelsSpec& spec, std::uint32_t sub, Index i, Index c) {
  const philox::Stream stream{static_cast<std::uint64_t>(spec.seed), philox::Purpose::Data, sub};
  return spec.sigma * philox::normal(stream, static_cast<std::uint64_t>(i * spec.d + c));
}

// Row i of the softmax of `scale` times q·k over n keys.
std::vector<double> softmaxRow(const KernelsSpec& spec, Index i, double scale) {
  std::vector<double> row;
  double sum = 0;
  for (Index j = 0; j < spec.length; ++j) {
    double score = 0;
    for (Index c = 0; c < spec.d; ++c)
      score += drawn(spec, 0, i, c) * drawn(spec, 1, j, c);
    row.push_back(std::exp(scale * score));
    sum += row.back();
  }
  for (double& p : row)
    p /= sum;
  return row;
}

void checkExact(const KernelMatrices& matrices, const KernelsSpec& spec, double scale) {
  double top = 0;
  REQUIRE(matrices.exact->rows() == spec.cells);
  for (Index i = 0; i < spec.cells; ++i) {
    const auto row = softmaxRow(spec, i, scale);
    for (Index j = 0; j < spec.cells; ++j) {
      const double p = row[static_cast<std::size_t>(j)];
      top = std::max(top, p);
      CHECK(static_cast<double>((*matrices.exact)(i, j)) == Approx(p).epsilon(1e-5));
    }
  }
  CHECK(static_cast<double>(matrices.top) == Approx(top).epsilon(1e-5));
}

} // namespace

TEST_CASE("exact attention of drawn numbers has the usual scale") {
  const Scene scene = smallKernels(KernelsPicture::Matrices);
  const KernelsAnswer answer = kernelsAnswer(scene, lengthsOf(scene.length, 0), {});
  checkExact(*answer.matrices, scene.kernels, 0.5); // 1 / √4
  CHECK(answer.matrices->n == 24);
  CHECK(answer.matrices->d == 4);
}

TEST_CASE("exact attention of a loaded head has the head's scale") {
  const double scale = GENERATE(0.5, 0.125, 1.0);
  Scene scene = smallKernels(KernelsPicture::Matrices);
  RandomInput random;
  random.n = scene.kernels.length;
  random.d = scene.kernels.d;
  random.seed = static_cast<std::uint64_t>(scene.kernels.seed);
  random.parameters["sigma"] = {scene.kernels.sigma};
  scene.input.source = random;
  scene.kernels.loaded = true;
  auto input = std::make_shared<Input>(*loadInput(scene.input));
  input->modifiers.scale = scale;
  const KernelsAnswer answer = kernelsAnswer(scene, lengthsOf(scene.length, 24), {input, 0, 0});
  checkExact(*answer.matrices, scene.kernels, scale);
}

TEST_CASE("singular values of the spectrum are those of the softmax rows of the usual scale") {
  Scene scene = smallKernels(KernelsPicture::Spectrum);
  const KernelsAnswer answer = kernelsAnswer(scene, lengthsOf(scene.length, 0), {});
  double squares = 0; // |A|² in the Frobenius norm is the sum of the squared singular values
  for (Index i = 0; i < scene.kernels.length; ++i)
    for (const double p : softmaxRow(scene.kernels, i, 0.5))
      squares += p * p;
  double sum = 0;
  for (const double value : answer.spectrum->values)
    sum += value * value;
  CHECK(sum == Approx(squares).epsilon(1e-9));
}
