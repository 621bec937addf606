// Steps as a picture of the Attention view: what they read of a Scene, their figure and numbers.
#include "core/plot/layout.h"
#include "core/scene/scene_json.h"
#include "core/views/animation.h"
#include "core/views/scene_figure.h"
#include "core/views/scene_thumbnail.h"
#include "core/views/steps/scene_steps.h"
#include "tests/catch.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/pattern/pattern_text.h"

using namespace attention;

namespace {

Scene typedScene() {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = patternNamed("causal");
  scene.input.source = exampleOfTyped();
  scene.attention.picture = AttentionPicture::Steps;
  return scene;
}

} // namespace

TEST_CASE("steps are of the pinned query, else of the last of few and the middle of many",
          "[figure]") {
  Scene scene = typedScene();
  CHECK(stepsQuery(scene, squareLengths(4)) == 3);
  CHECK(stepsQuery(scene, squareLengths(16)) == 15);
  CHECK(stepsQuery(scene, squareLengths(17)) == 8);
  scene.pins.query = 2;
  CHECK(stepsQuery(scene, squareLengths(4)) == 2);
  CHECK(stepsQuery(scene, squareLengths(2)) == 1);
}

TEST_CASE("the question of steps holds what is read and nothing else", "[figure]") {
  Scene scene = typedScene();
  const Lengths lengths = squareLengths(4);
  const SceneStepsQuestion asked = sceneStepsQuestion(scene, lengths);
  scene.attention.steps.m = 7;
  scene.attention.steps.seed = 5;
  scene.attention.steps.keyTile = 3;
  scene.attention.steps.step = 2;
  CHECK(sceneStepsQuestion(scene, lengths) == asked);
  scene.attention.steps.by = StepsBy::Features;
  CHECK(sceneStepsQuestion(scene, lengths).m == 7);
  CHECK(sceneStepsQuestion(scene, lengths).seed == 5);
  scene.attention.steps.by = StepsBy::Online;
  CHECK(sceneStepsQuestion(scene, lengths).keyTile == 3);
  scene.attention.steps.keyTile = 0;
  CHECK(messageOf([&] { sceneStepsQuestion(scene, lengths); }).find("steps.key_tile is 0") !=
        std::string::npos);
}

TEST_CASE("the whole matrix takes up to 16 tokens", "[figure]") {
  Scene scene = typedScene();
  scene.attention.steps.whole = true;
  CHECK(sceneStepsQuestion(scene, squareLengths(16)).whole);
  CHECK(messageOf([&] { sceneStepsQuestion(scene, squareLengths(17)); }) ==
        "n is 17; it must be at most 16 tokens for the whole matrix");
  scene.attention.steps.by = StepsBy::Online;
  CHECK_FALSE(sceneStepsQuestion(scene, squareLengths(17)).whole);
}

TEST_CASE("a scene of steps is written and read again", "[figure]") {
  Scene scene = typedScene();
  scene.attention.steps = {StepsBy::Features, true, 3, 5, 9, 11, false};
  CHECK(sceneFromText(toText(scene), "scene").scene == scene);
}

TEST_CASE("the figure of a scene of steps has its numbers", "[figure]") {
  Scene scene = typedScene();
  scene.pins.query = 2; // "sat", of which "cat" gets exp(0) of exp(0) + exp(−√2) + exp(−2√2)
  const SceneFigureOptions options = optionsWithInput(scene);
  const Figure figure = figureOfScene(scene, options);
  CHECK(figure.title == "Query 2 “sat”: softmax attention over 3 of 4 keys");
  const DisplayList list = layout(figure, std::nullopt, kMeasure);
  const auto words = wordsOf(list);
  for (const char* word : {"0.768", "2.83", "−1.41", "1 “cat”", "output"})
    CHECK(std::find(words.begin(), words.end(), word) != words.end());
  const std::string table = sceneDataText(scene, options);
  CHECK(table.starts_with("key,token,dot,scaled,masked,exp,p\n0,the,0,0,0,"));
  CHECK(table.find("\n3,down,0,0,,0,0\n") != std::string::npos);
}

TEST_CASE("a scene of matrices has a line per pair in its table", "[figure]") {
  Scene scene = typedScene();
  scene.attention.steps.whole = true;
  const SceneFigureOptions options = optionsWithInput(scene);
  CHECK(figureOfScene(scene, options).panels.size() == 5);
  const std::string table = sceneDataText(scene, options);
  CHECK(std::count(table.begin(), table.end(), '\n') == 17);
  CHECK(table.starts_with("query,key,token,dot,scaled,masked,p\n0,0,the,0,0,0,1\n0,1,cat,2,"));
}

TEST_CASE("a query is named by its number or by how its word begins", "[figure]") {
  const std::vector<std::string> tokens{"The", "cat", "saw", "the", "car"};
  const Lengths lengths = squareLengths(5);
  CHECK(queryText(1, tokens, lengths) == "1 cat");
  CHECK(queryText(1, {}, lengths) == "1");
  CHECK(queryNamed("3", tokens, lengths, 0) == 3);
  CHECK(queryNamed(" 1 cat ", tokens, lengths, 0) == 1);
  CHECK(queryNamed("ca", tokens, lengths, 0) == 1);
  CHECK(queryNamed("ca", tokens, lengths, 2) == 4);
  CHECK(queryNamed("THE", tokens, lengths, 4) == 0);
  CHECK(messageOf([&] { queryNamed("5", tokens, lengths, 0); }) ==
        "query is 5; it must be an integer from 0 to 4");
  CHECK(messageOf([&] { queryNamed("dog", tokens, lengths, 0); }) ==
        "query is \"dog\"; it must be a number or the beginning of a word of the input");
  CHECK(queryNamed("ca", tokens, alignedLengths(2, 5, Align::BottomRight), 0) == 1);
}

TEST_CASE("a title names the model head where there are several", "[figure]") {
  auto input = std::make_shared<Input>();
  input->batches = 2;
  input->heads = 3;
  input->batchName = "layer";
  CHECK(titleWithHead("Query 1", {input, 1, 2}) == "Query 1, layer 1, head 2");
  input->batches = input->heads = 1;
  CHECK(titleWithHead("Query 1", {input, 0, 0}) == "Query 1");
}

TEST_CASE("steps need queries and keys", "[figure]") {
  Scene scene = typedScene();
  CHECK(messageOf([&] {
          sceneSteps(sceneStepsQuestion(scene, squareLengths(4)), {nullptr, 0, 0});
        }) == "No input loaded. Open Q, K and V.");
}

TEST_CASE("a small picture in which words are read keeps them", "[figure]") {
  const Scene scene = typedScene();
  const Figure figure = figureOfScene(scene, optionsWithInput(scene));
  const auto pixels = [](const Figure& of, const Size& size) {
    return thumbnailOf(of, size, 1).pixels;
  };
  const Figure bare = withoutWords(figure);
  CHECK(pixels(figure, {280, 132}) == pixels(bare, {280, 132}));
  CHECK(pixels(figure, {560, 240}) != pixels(bare, {560, 240}));
}

TEST_CASE("steps move through as many as there are, of the whole matrix too", "[animation]") {
  Scene scene = typedScene();
  const auto input = loadedInput(scene);
  StepsSpec& spec = scene.attention.steps;
  spec.keyTile = 1;
  for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online, StepsBy::Linear, StepsBy::Features})
    for (const bool whole : {false, true}) {
      spec.by = by;
      spec.whole = whole && by == StepsBy::Softmax;
      const SceneSteps steps = sceneSteps(sceneStepsQuestion(scene, squareLengths(4)), {input});
      const Frames frames = framesOf(scene, {"step"}, 4);
      CHECK(frames.values.front() == 1);
      CHECK(frames.values.back() == static_cast<double>(countSteps(steps, {})));
      CHECK(frames.scenes.back().attention.steps.step == countSteps(steps, {}));
      CHECK(frames.scenes.back().caption.empty()); // the picture counts them
      const bool queries = !spec.whole;
      CHECK((sweepsOf(scene, 4)[1] == "query") == queries);
    }
  spec.by = StepsBy::Online;
  CHECK(framesOf(scene, {"step", 2, 3}, 4).scenes[1].attention.steps.step == 3);
  scene.caption = "By hand.";
  CHECK(framesOf(scene, {"step"}, 4).scenes[1].caption == "step = 2. By hand.");
  CHECK(framesOf(scene, {"step"}, 100).values.back() == 12); // 11 of 100 tiles have lines
}
