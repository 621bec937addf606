// Masks and inputs whose queries are those of the first or the last tokens, as in decoding.
#include "core/input/assets.h"
#include "core/pattern/mechanism/strided.h"
#include "core/plot/layout.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/views/attention/attention_figure.h"
#include "core/views/moving.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/pattern/pattern_text.h"

using namespace attention;

namespace {

Scene sceneOf(Index n, std::optional<Index> queries, Align align = Align::TopLeft) {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = Strided{};
  scene.input.source = AssetInput{"minilm_alice"};
  scene.length = {n, queries, align};
  scene.attention.base = AttentionBase::Causal;
  return scene;
}

SceneFigureOptions withSample() {
  SceneFigureOptions options;
  options.input = loadInput(sceneOf(1, {}).input, samplePath);
  return options;
}

// With queries of six of its ten tokens, the first or the last ones.
Scene fewQueries() {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = Strided{};
  RandomInput random;
  random.n = 6;
  random.keys = 10;
  random.d = 4;
  scene.input.source = random;
  return scene;
}

Matrix<float> weightsOf(const Scene& scene, const std::shared_ptr<const Input>& input) {
  const Lengths lengths = lengthsOf(scene.length, input->keys);
  const ModelHead head = modelHead(scene, input);
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

TEST_CASE("labels of keys above a single query stay apart or give way to numbers") {
  const Figure figure = figureOfScene(sceneOf(36, 1), withSample());
  for (const Size size : {Size{640, 480}, Size{1500, 900}})
    checkWords(layout(figure, size, kMeasure));
}

TEST_CASE("an input of only the last queries has no others") {
  Input input; // as in a step of decoding
  input.queries = 2;
  input.keys = 24;
  const auto row = [&](Index queries, Index keys, Align align) {
    return firstQueryRow(input, alignedLengths(queries, keys, align), align);
  };
  const auto has = [&](Index queries, Index keys, Align align) {
    return covers(input, alignedLengths(queries, keys, align), align);
  };
  CHECK(row(2, 24, Align::BottomRight) == 0);
  CHECK(row(1, 24, Align::BottomRight) == 1);
  CHECK(has(1, 24, Align::BottomRight));
  CHECK(has(2, 24, Align::TopLeft));
  CHECK_FALSE(has(2, 20, Align::BottomRight)); // of tokens 18 and 19
  CHECK_FALSE(has(3, 24, Align::BottomRight));
  CHECK_FALSE(has(2, 2, Align::BottomRight)); // of tokens 0 and 1
  CHECK(has(2, 2, Align::TopLeft));
  input.queries = 24;
  CHECK(row(2, 20, Align::BottomRight) == 18);
  CHECK_FALSE(has(24, 20, Align::BottomRight)); // four before the first
  input.keys = 10;
  CHECK(row(10, 10, Align::BottomRight) == 14); // the first rows are of tokens before the keys
  CHECK(row(10, 10, Align::TopLeft) == 0);
}

TEST_CASE("a square crop takes the queries of its tokens or none") {
  Scene scene = fewQueries();
  scene.length.n = 6;
  const auto input = loadInput(scene.input);
  const Matrix<float> crop = weightsOf(scene, input);
  scene.length = {10, 6, Align::TopLeft};
  scene.attention.base = AttentionBase::Causal; // which the square one has by itself
  const Matrix<float> whole = weightsOf(scene, input);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j)
      CHECK(crop(i, j) == whole(i, j));
  scene.length = {GENERATE(6, 8), {}, Align::BottomRight};
  CHECK_THROWS_AS(weightsOf(scene, input), Error);
}

TEST_CASE("an error names what the input lacks: keys or queries") {
  Scene scene = fewQueries();
  const auto message = [&](const LengthSpec& length) {
    scene.length = length;
    return messageOf([&] { figureOfScene(scene, optionsWithInput(scene)); });
  };
  CHECK(message({11, 6}) == "n is 11; it must be at most 10, the length of the input");
  CHECK(message({11, {}}) == "n is 11; it must be at most 10, the length of the input");
  CHECK(message({8, {}}) ==
        "the queries are those of tokens 0 to 7; they must be within the input, tokens 0 to 5");
  CHECK(message({10, 7, Align::BottomRight}) ==
        "the queries are those of tokens 3 to 9; they must be within the input, tokens 4 to 9");
  CHECK(message({6, {}, Align::BottomRight}) ==
        "the queries are those of tokens 0 to 5; they must be within the input, tokens 4 to 9");
}

TEST_CASE("weights over a mask are those of its own tokens") {
  Scene scene = fewQueries();
  scene.view = View::Mask;
  scene.mask.weights = WeightsShown::Maximum;
  scene.length = {6, {}, Align::TopLeft};
  const auto showsWeights = [](const Scene& of) {
    const Figure figure = figureOfScene(of, optionsWithInput(of));
    return std::holds_alternative<ValuesMark>(figure.panels.front().plots.back().mark);
  };
  CHECK(showsWeights(scene));
  scene.length.align = Align::BottomRight;
  CHECK_FALSE(showsWeights(scene));
  scene.length = {10, 6, Align::BottomRight};
  CHECK(showsWeights(scene));
}

TEST_CASE("a scene without lengths has the queries and keys of its input") {
  Scene scene = fewQueries();
  const auto input = loadInput(scene.input);
  CHECK(currentLengths({}, nullptr) == squareLengths(kDefaultLength));
  CHECK(currentLengths({}, input.get()) == alignedLengths(6, 10, Align::TopLeft));
  CHECK(currentLengths({{}, {}, Align::BottomRight}, input.get()).offset == 4);
  CHECK(currentLengths({6, {}}, input.get()) == squareLengths(6));
  CHECK(currentLengths({{}, 5}, input.get()) == alignedLengths(5, 10, Align::TopLeft));
  CHECK_NOTHROW(figureOfScene(scene, optionsWithInput(scene)));
  scene.view = View::Mask;
  const TestFolder folder;
  writeSceneData(scene, optionsWithInput(scene), folder / "mask.npy");
  CHECK(textOf(folder / "mask.npy").find("'shape': (6, 10)") != std::string::npos);
}
