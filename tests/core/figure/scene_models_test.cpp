// Real models in the Reach view.
#include "core/views/reach/scene_models.h"

#include "core/pattern/pattern_json.h"
#include "core/pattern/prepared.h"
#include "core/scene/scene_json.h"
#include "core/support/number_text.h"
#include "core/views/reach/scene_reach.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

#include <nlohmann/json.hpp>

using namespace attention;

namespace {

ModelFacts factsOf(const std::string& name, Index n) {
  ReachSpec spec;
  spec.models = {{name, ""}};
  return modelsAnswer(spec, n).models.front();
}

} // namespace

TEST_CASE("every model of the table is stacked, or has a layer without a mask") {
  for (const ModelRow& row : modelTable()) {
    INFO(row.name);
    Scene scene;
    const StackedModel model{std::string(row.name), ""};
    if (!canStack(row)) {
      CHECK_THROWS(stackModel(scene, model));
      continue;
    }
    stackModel(scene, model);
    const Stack stack = stackOf(row);
    CHECK(scene.view == View::Reach);
    CHECK(scene.reach.layers == row.layers);
    std::vector<Pattern> inTurn;
    for (const Panel& panel : scene.reach.stack)
      inTurn.push_back(panel.pattern);
    CHECK(isStacked(row.layers, inTurn, stack));
    CHECK_FALSE(isStacked(row.layers + 1, inTurn, stack));
    for (Index layer = 0; layer < row.layers; ++layer)
      CHECK(scene.reach.stack[static_cast<std::size_t>(layer) % scene.reach.stack.size()].pattern ==
            patternOfLayer(stack, layer));
    CHECK(sceneFromText(toText(scene)).scene == scene);
  }
}

TEST_CASE("the length of a stacked model shows its windows") {
  Scene scene;
  stackModel(scene, {"mistral-7b-v0.1", ""});
  CHECK(scene.length.n == 16384);
  CHECK(scene.reach.stack.size() == 1);
  CHECK(scene.reach.layers == 32);
  stackModel(scene, {"gemma-3-1b", ""});
  CHECK(scene.length.n == 2048);
  CHECK(scene.reach.stack.size() == 6);
  CHECK(scene.reach.layers == 26);
}

TEST_CASE("pairs and caches of models are those of their layers") {
  const ModelFacts gemma = factsOf("gemma-3-1b", 2048);
  CHECK(gemma.kinds == "22 sliding, window 512; 4 full");
  Index pairs = 0;
  for (Index layer = 0; layer < 26; ++layer)
    pairs += prepare(patternOfLayer(gemma.stack, layer), squareLengths(2048))->pairs();
  CHECK(gemma.pairs == pairs);
  CHECK(gemma.cache == (22 * 512 + 4 * 2048) * 2 * 256 * 2);
  CHECK_FALSE(gemma.stacked);
  CHECK(factsOf("kimi-linear-48b", 1024).pairs == std::nullopt);
  CHECK(bytesText(*factsOf("mistral-7b-v0.1", 4096).cache) == "512 MiB");
}

TEST_CASE("a config.json gives a stack by its rule, or says in a sentence what is wrong") {
  const StackedModel model = modelOfConfig(
      R"({"model_type": "gemma2", "num_hidden_layers": 4, "sliding_window": 64,
          "num_key_value_heads": 2, "head_dim": 8})",
      "config.json");
  Scene scene;
  stackModel(scene, model);
  CHECK(scene.reach.layers == 4);
  CHECK(scene.reach.stack.size() == 2);
  CHECK(scene.length.n == 256);
  CHECK(messageOf([] {
          modelOfConfig(R"({"num_hidden_layers": 4})", "a/config.json");
        }).starts_with("a/config.json: model_type"));
  CHECK(messageOf([&] {
          stackModel(scene, {"", R"({"model_type": "minimax", "num_hidden_layers": 2})"});
        }) == "minimax has linear attention in layer 1, which has no mask; every layer of a stack "
              "must have one");
}

TEST_CASE("the figure of a stacked model has the curves of its cache") {
  Scene scene;
  stackModel(scene, {"gemma-3-1b", ""});
  scene.reach.models.push_back({"mistral-7b-v0.1", ""});
  scene.length.n = 64;
  const ModelsAnswer answer = modelsAnswer(scene.reach, 64);
  REQUIRE(answer.cache);
  CHECK(std::get<CurvesMark>(answer.cache->mark).curves.size() == 2);
  const std::vector<std::string> said = readingOf(answer);
  REQUIRE(said.size() == 2);
  CHECK(said.front() == "Gemma 3 1B keeps 1.62 MiB at n = 64, as much as without windows.");
  Scene plain = scene;
  plain.reach.models.clear();
  CHECK(figureOfScene(scene).panels.size() == figureOfScene(plain).panels.size() + 1);
}

TEST_CASE("caches are drawn in the unit of the largest, as the tables write them") {
  ReachSpec spec;
  spec.models = {{"gemma-3-27b", ""}, {"mistral-7b-v0.1", ""}};
  const auto markOf = [&] { return std::get<CurvesMark>(modelsAnswer(spec, 64).cache->mark); };
  const CurvesMark mark = markOf();
  CHECK(mark.y.label == "KV cache in GiB");
  CHECK(mark.curves.at(0).points.back().x == 131072);
  CHECK(plainNumber(mark.curves.at(0).points.back().y, 3) + " GiB" ==
        bytesText(kvBytes(stackOfModel(spec.models[0]), {131072}).value()));
  CHECK(mark.curves.at(1).points.back().y == 0.5);
  for (const NumberTick& tick : ticksOf(mark.y, 300, 40))
    CHECK(tick.text.find("10\u207b") == std::string::npos); // 0.1, and not a power of ten
}

TEST_CASE("a model alone is drawn beside itself without its windows") {
  ReachSpec spec;
  spec.models = {{"mistral-7b-v0.1", ""}};
  const auto curvesOf = [&] {
    return std::get<CurvesMark>(modelsAnswer(spec, 64).cache->mark).curves;
  };
  const std::vector<Curve> curves = curvesOf();
  REQUIRE(curves.size() == 2);
  CHECK(curves[1].label == "without windows");
  for (std::size_t k = 0; k < curves[0].points.size(); ++k) // a window of 4 096 tokens
    CHECK(curves[1].points[k].y ==
          curves[0].points[k].y * std::max(curves[0].points[k].x / 4096, 1.0));
  spec.models = {{"qwen2.5-72b", ""}}; // which has none
  CHECK(curvesOf().size() == 1);
}

TEST_CASE("bytes are written in powers of 1 024") {
  CHECK(bytesText(0) == "0 bytes");
  CHECK(bytesText(1023) == "1023 bytes");
  CHECK(bytesText(1024) == "1 KiB");
  CHECK(bytesText(Index{3} << 29) == "1.5 GiB");
  CHECK(byteUnitFor(1).name == std::string("KiB"));
  CHECK(byteUnitFor((1 << 20) - 1).name == std::string("KiB"));
  CHECK(byteUnitFor(1 << 20).name == std::string("MiB"));
  CHECK(byteUnitFor(0x1p52).name == std::string("TiB"));
  CHECK(byteUnitFor(0x1p52).bytes == 0x1p40);
}

TEST_CASE("models grow beside the stacked one, each with its own layers") {
  Scene scene;
  stackModel(scene, {"gemma-3-1b", ""});
  scene.length.n = 2048;
  scene.reach.models.push_back({"mistral-7b-v0.1", ""});
  scene.reach.models.push_back({"kimi-linear-48b", ""}); // linear layers have no mask
  const ReachAnswer answer = reachOfScene(scene, nullptr, 1);
  REQUIRE(answer.growth.size() == 2);
  CHECK(answer.growth[0].label == "Gemma 3 1B");
  CHECK(answer.growth[0].layers.size() == 26);
  CHECK(answer.growth[1].label == "Mistral 7B v0.1");
  CHECK(answer.growth[1].layers.size() == 32);
  // Its window of 4 096 keys is longer than the text: one layer reaches the whole past.
  CHECK(answer.growth[1].layers.front().ofCausal == 1);
  // One hue per model, in both plots.
  const ModelsAnswer models = modelsAnswer(scene.reach, 2048);
  CHECK(answer.growth[0].hue == models.models[0].hue);
  CHECK(answer.growth[1].hue == models.models[1].hue);
  scene.reach.stack.clear(); // then none of them is the stack
  scene.pattern = Pattern();
  const ReachAnswer all = reachOfScene(scene, nullptr, 1);
  REQUIRE(all.growth.size() == 3);
  CHECK(all.growth[1].hue == 1);
  CHECK(modelsAnswer(scene.reach, 2048).models[1].hue == all.growth[2].hue);
  REQUIRE(answer.leftOut.size() == 1);
  CHECK(answer.leftOut.front().ends_with("has no curve: some of its layers have no mask."));
}
