// The Attention view of masks whose queries are those of the last tokens, as in decoding.
#include "core/figure/attention_figure.h"
#include "core/figure/layout.h"
#include "core/figure/scene_figure.h"
#include "core/input/assets.h"
#include "core/scene/input_data.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"

using namespace attention;

namespace {

Scene sceneOf(Index n, std::optional<Index> queries, Align align = Align::TopLeft) {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = Strided{};
  scene.input.source = AssetInput{"minilm_alice"};
  scene.length = {n, queries, align};
  return scene;
}

SceneFigureOptions withSample() {
  SceneFigureOptions options;
  options.input = loadInput(sceneOf(1, {}).input, samplePath);
  return options;
}

Matrix<float> weightsOf(const Scene& scene, const std::shared_ptr<const Input>& input) {
  const Lengths lengths = lengthsOf(scene.length, input->keys);
  const ModelHead head{input, scene.input.batch, scene.input.head};
  return attentionAnswer(scene, lengths, head).maps->dense;
}

} // namespace

TEST_CASE("queries aligned with the last keys are those of the same tokens") {
  const auto input = withSample().input;
  const Matrix<float> whole = weightsOf(sceneOf(24, {}), input);
  for (const Align align : {Align::TopLeft, Align::BottomRight}) {
    const Index token = align == Align::TopLeft ? 0 : 22;
    Scene scene = sceneOf(24, 2, align);
    scene.attention.base = AttentionBase::Causal;
    const Matrix<float> two = weightsOf(scene, input);
    REQUIRE(two.rows() == 2);
    for (Index i = 0; i < 2; ++i)
      for (Index j = 0; j < 24; ++j)
        CHECK(two(i, j) == whole(token + i, j));
  }
}

TEST_CASE("words of keys above a single query keep apart or give way to numbers") {
  const Figure figure = figureOfScene(sceneOf(36, 1), withSample());
  for (const Size size : {Size{640, 480}, Size{1500, 900}})
    checkWords(layout(figure, size, kMeasure));
}

TEST_CASE("an input of the last queries alone has no others") {
  Input input; // as of a step of decoding
  input.queries = 2;
  input.keys = 24;
  CHECK(firstQueryRow(input, alignedLengths(2, 24, Align::BottomRight)) == 0);
  CHECK(firstQueryRow(input, alignedLengths(1, 24, Align::BottomRight)) == 1);
  CHECK(covers(input, alignedLengths(1, 24, Align::BottomRight)));
  CHECK(covers(input, alignedLengths(2, 24, Align::TopLeft)));
  CHECK_FALSE(covers(input, alignedLengths(2, 20, Align::BottomRight))); // of tokens 18 and 19
  CHECK_FALSE(covers(input, alignedLengths(3, 24, Align::BottomRight)));
  input.queries = 24;
  CHECK(firstQueryRow(input, alignedLengths(2, 20, Align::BottomRight)) == 18);
  CHECK_FALSE(covers(input, alignedLengths(24, 20, Align::BottomRight))); // four before the first
}
