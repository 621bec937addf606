// An input of queries and keys without values: weights and captured mass are shown, and what
// compares outputs says what it needs.
#include "core/support/error.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/kernels/kernels_figure.h"
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
         " compares outputs; open V too, or use another view; those work without V";
}

TEST_CASE("weights without values equal those with values") {
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

TEST_CASE("without values the score board has all but the errors") {
  const Scene attended = smallAttention(AttentionPicture::Maps);
  Scene scene;
  scene.view = View::Compare;
  const ScoresQuestion question = scoresQuestion(scene, squareLengths(24));
  const auto with = scoresOf(question, {loadInput(attended.input), 0, 0});
  const auto without = scoresOf(question, {withoutValues(attended.input), 0, 0});
  REQUIRE(without.size() == with.size());
  REQUIRE_FALSE(with.empty());
  for (std::size_t k = 0; k < with.size(); ++k) {
    CHECK(with[k].score.error);
    CHECK_FALSE(without[k].score.error);
    CHECK(without[k].score.capturedMass == with[k].score.capturedMass);
    CHECK(without[k].score.recall == with[k].score.recall);
    CHECK(without[k].score.flops == with[k].score.flops);
  }
}

TEST_CASE("the errors of features say that they need values") {
  const Scene attended = smallAttention(AttentionPicture::Maps);
  const auto input = withoutValues(attended.input);
  const Lengths lengths = squareLengths(24);
  Scene kernels = smallKernels(KernelsPicture::Error);
  kernels.kernels.loaded = true;
  CHECK_THROWS_WITH(kernelsAnswer(kernels, lengths, {input, 0, 0}), saidBy("this view"));
}

} // namespace
} // namespace attention
