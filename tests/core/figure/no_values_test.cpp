// An input of queries and keys without values: weights and what is captured are shown, and what
// compares outputs says what it needs.
#include "core/figure/kernels_figure.h"
#include "core/figure/scene_compare.h"
#include "core/figure/scene_kernels.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/figure/small_attention.h"
#include "tests/core/figure/small_kernels.h"

namespace attention {
namespace {

std::shared_ptr<const Input> withoutValues(const InputSpec& spec) {
  auto input = std::make_shared<Input>(*loadInput(spec));
  input->dv = 0;
  return input;
}

std::string saidBy(const std::string& what) {
  return "the input has Q and K, but no V, and " + what +
         " compares outputs; open V too, or use Mask, Reach, Attention or Hashing, which work "
         "without V";
}

TEST_CASE("weights of queries and keys without values are those with values") {
  const Scene scene = smallAttention(AttentionPicture::Maps);
  const Lengths lengths = squareLengths(24);
  const AttentionAnswer with = attentionAnswer(scene, lengths, {loadInput(scene.input), 0, 1});
  const auto input = withoutValues(scene.input);
  const AttentionAnswer without = attentionAnswer(scene, lengths, {input, 0, 1});
  CHECK(without.maps->dense == with.maps->dense);
  CHECK(without.maps->pattern == with.maps->pattern);
  CHECK(without.head->measures.captured == with.head->measures.captured);
  CHECK(without.head->measures.denseEntropy == with.head->measures.denseEntropy);
  CHECK(with.head->measures.outputError);
  CHECK_FALSE(without.head->measures.outputError);
  CHECK(without.head->measures.error.empty());
  SceneFigureOptions options;
  options.input = input;
  CHECK_FALSE(figureOfScene(scene, options).panels.empty());
  Scene all = smallAttention(AttentionPicture::Heads);
  CHECK_FALSE(figureOfScene(all, options).panels.empty());
}

TEST_CASE("the score board and the errors of features say that they need values") {
  const Scene attended = smallAttention(AttentionPicture::Maps);
  const auto input = withoutValues(attended.input);
  Scene scene;
  scene.view = View::Compare;
  const Lengths lengths = squareLengths(24);
  CHECK_THROWS_WITH(scoresOf(scoresQuestion(scene, lengths), {input, 0, 0}),
                    saidBy("the score board"));
  Scene kernels = smallKernels(KernelsPicture::Error);
  kernels.kernels.loaded = true;
  CHECK_THROWS_WITH(kernelsAnswer(kernels, lengths, {input, 0, 0}), saidBy("this view"));
}

} // namespace
} // namespace attention
