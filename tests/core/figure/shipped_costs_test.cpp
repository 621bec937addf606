// The results that come with the program, and their file.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/sinks.h"
#include "core/pattern/mechanism/strided.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/model_sweep.h"
#include "core/views/model/scene_model.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/figure/tiny_model.h"

#include <nlohmann/json.hpp>

namespace attention {
namespace {

ModelVariant everywhere(const std::string& name, const Pattern& pattern) {
  return {name, {{std::nullopt, std::nullopt, pattern}}};
}

} // namespace

TEST_CASE("the shipped results have the rows that the issue's table has", "[model]") {
  const auto shipped = readShippedCosts();
  CHECK(shipped->model->layers.size() == 30);
  CHECK_FALSE(hasWeights(*shipped->model));
  CHECK(shipped->costs.tokens == 1024);
  CHECK(shipped->costs.shipped.starts_with("attnx "));
  const std::vector<ModelVariant> asked{
      everywhere("window", Local{128, true}), everywhere("sinks", Sinks{4, 124}),
      everywhere("strided", Strided{}), everywhere("other", Local{127, true})};
  const MeasuredCosts costs = measuredOf(*shipped, asked);
  REQUIRE(costs.rows.size() == 4);
  // transformers 5.24 in float32, by golden/models/smollm2/losses.json.
  CHECK(costs.rows[0].row.loss == Approx(2.8803).margin(2e-3));
  CHECK(costs.rows[1].row.loss == Approx(3.7550).margin(2e-3));
  CHECK(costs.rows[2].row.loss == Approx(2.9504).margin(2e-3));
  CHECK(costs.rows[3].row.loss == Approx(4.6702).margin(2e-3));
  CHECK(costs.rows[1].row.name == "window");
  CHECK(costs.rows[1].loss.size() == 1023);
  CHECK(costs.rows[1].expected.size() == 1023);
  CHECK(costs.lacking == std::vector<std::string>{"other"});
  CHECK(captionOf(costs).ends_with("They do not include other."));
}

TEST_CASE("masks that are the model's own need no shipped row", "[model]") {
  const auto shipped = readShippedCosts();
  const std::vector<ModelVariant> asked{
      everywhere("causal", Causal{}),
      everywhere("full", Compose(Operation::Intersection, {Pattern(Full{}), Causal{}})),
      everywhere("all keys", Local{2000, true}), everywhere("fewer", Local{1023, true})};
  const MeasuredCosts costs = measuredOf(*shipped, asked);
  REQUIRE(costs.rows.size() == 4);
  for (std::size_t k = 1; k < 4; ++k) {
    CHECK(costs.rows[k].row.name == asked[k - 1].name);
    CHECK(costs.rows[k].hue == k);
    CHECK(costs.rows[k].row.loss == costs.rows[0].row.loss);
    CHECK(costs.rows[k].row.pairs == costs.rows[0].row.pairs);
    CHECK(costs.rows[k].expected == costs.rows[0].expected);
  }
  CHECK(costs.lacking == std::vector<std::string>{"fewer"});
}

TEST_CASE("the sweeps that a first start leads to are shipped, others say why not", "[model]") {
  const auto shipped = readShippedCosts();
  ModelSpec spec;
  const auto swept = [&](const Pattern& pattern) {
    SweepAnswer answer{sweepPlan(spec, pattern, *shipped->model, 1024), {}};
    answer.costs = measuredOf(*shipped, variantsOf(answer.plan));
    return answer;
  };
  for (const Pattern& pattern : {Pattern(Strided{}), Pattern(Local{128, true})})
    for (const auto& [over, others] :
         {std::pair(ModelSweep::Layers, false), std::pair(ModelSweep::Layers, true),
          std::pair(ModelSweep::Parameter, false)}) {
      spec.sweep.over = over;
      spec.sweep.others = others;
      const SweepAnswer answer = swept(pattern);
      INFO(titleOf(answer.plan, answer.costs));
      CHECK(answer.costs.lacking.empty());
      CHECK(lackingSentence(answer.plan, answer.costs).empty());
      CHECK(sweepTable(answer.plan, answer.costs).rows.size() ==
            answer.plan.series[0].steps.size());
    }
  spec.sweep = {};
  SweepAnswer other = swept(Local{127, true});
  const std::string why = lackingSentence(other.plan, other.costs);
  CHECK(why.starts_with("This sweep is not among the results that come with the program"));
  CHECK(readingOf(other.plan, other.costs).empty());
  CHECK(captionOf(other.plan, other.costs).ends_with(why));
  other.costs.partly = true; // while the model computes
  other.costs.lacking.clear();
  CHECK(lackingSentence(other.plan, other.costs).ends_with("; the model computes it."));
  CHECK_FALSE(hasPoints(other.plan, other.costs));
}

TEST_CASE("a sweep of which the shipped results have a part says what they lack", "[model]") {
  const auto shipped = readShippedCosts();
  ModelSpec spec;
  spec.sweep.over = ModelSweep::Parameter;
  spec.sweep.parameter = "sinks";
  SweepAnswer answer{sweepPlan(spec, Pattern(Sinks{4, 124}), *shipped->model, 1024), {}};
  answer.costs = measuredOf(*shipped, variantsOf(answer.plan));
  REQUIRE(hasPoints(answer.plan, answer.costs)); // all tokens as sinks: the model's own masks
  REQUIRE_FALSE(answer.costs.lacking.empty());
  const std::string why = lackingSentence(answer.plan, answer.costs);
  CHECK(why.find("They do not include sinks 16; sinks 32; sinks 64 and 3 more.") !=
        std::string::npos);
  CHECK(why.ends_with("The model itself, which could compute them, is not on this machine."));
  CHECK(captionOf(answer.plan, answer.costs).ends_with(why));
  CHECK(captionOf(answer.plan, answer.costs, false).find("not include") == std::string::npos);
  for (const std::string& sentence : readingOf(answer.plan, answer.costs)) {
    CHECK(sentence.find("comes within") == std::string::npos);
    CHECK(sentence.find("on, the loss is within") == std::string::npos);
  }
}

TEST_CASE("shipped results stand for a model only where nothing else is asked", "[model]") {
  ModelSource source;
  CHECK(isShipped(source));
  source.text = textFile(source).string();
  CHECK(isShipped(source));
  source.text = "some/folder/pride_and_prejudice_1.txt";
  CHECK_FALSE(isShipped(source));
  source.text = "mine.txt";
  CHECK_FALSE(isShipped(source));
  source.text.clear();
  source.typed = "a text";
  CHECK_FALSE(isShipped(source));
  source.typed.clear();
  source.ids = {1};
  CHECK_FALSE(isShipped(source));
  source.ids.clear();
  source.model = "mine.gguf";
  CHECK_FALSE(isShipped(source));
}

TEST_CASE("shipped results may stand for a model before it is read, by its name", "[model]") {
  CHECK(std::ssize(readShippedCosts()->ids) == kShippedTokens);
  ModelSource source;
  source.n = kShippedTokens;
  CHECK_FALSE(mayBeShipped(source)); // no model is named
  for (const char* model : {kShippedModel, "some/where/SmolLM2-135M-Instruct.Q4_1.gguf"}) {
    source.model = model;
    CHECK(mayBeShipped(source));
    source.n = kShippedTokens - 1;
    CHECK_FALSE(mayBeShipped(source));
    source.n = kShippedTokens;
    source.typed = "a text";
    CHECK_FALSE(mayBeShipped(source));
    source.typed.clear();
  }
  source.model = "SmolLM2-135M-Instruct.Q4_1.old.gguf";
  CHECK_FALSE(mayBeShipped(source));
}

TEST_CASE("results are read as they were written", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.variants = {{"low", {{"0,2", "1", patternNamed("strided")}}}};
  const ModelSource source = modelSource(scene.model);
  const auto model = openedModel(source);
  ShippedCosts results{model, modelTokens(*model, source).ids,
                       variantsOf(scene.model, scene.pattern, *model), measuredCostsOf(scene)};
  results.costs.shipped = "attnx 9";
  const auto json = nlohmann::json::parse(toJson(results).dump());
  const ShippedCosts read = shippedFromJson(json, "f.json");
  CHECK(read.ids == results.ids);
  CHECK(read.variants == results.variants);
  CHECK(read.model->heads == model->heads);
  CHECK(read.model->layers[1].pattern == model->layers[1].pattern);
  CHECK(read.costs.pieces == results.costs.pieces);
  CHECK(read.costs.from == results.costs.from);
  CHECK(read.costs.given == results.costs.given);
  REQUIRE(read.costs.rows.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(read.costs.rows[k].row.loss == results.costs.rows[k].row.loss);
    CHECK(read.costs.rows[k].row.kvBytes == results.costs.rows[k].row.kvBytes);
    CHECK(read.costs.rows[k].loss == results.costs.rows[k].loss);
    CHECK(read.costs.rows[k].expected == results.costs.rows[k].expected);
  }
}

TEST_CASE("wrong results are refused by the field", "[model]") {
  const TinyModel tiny;
  const Scene scene = tiny.scene();
  const ModelSource source = modelSource(scene.model);
  const auto model = openedModel(source);
  const ShippedCosts results{model, modelTokens(*model, source).ids,
                             variantsOf(scene.model, scene.pattern, *model),
                             measuredCostsOf(scene)};
  const auto good = nlohmann::json::parse(toJson(results).dump());
  const auto refused = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    return codeAndSubject([&] { shippedFromJson(bad, "f"); });
  };
  CHECK(refused("/type", "a scene").starts_with("E_"));
  CHECK(refused("/version", 2).starts_with("E_"));
  CHECK(refused("/rows", nlohmann::json::array()) == "E_RANGE f: rows");
  CHECK(refused("/rows/0/loss_by_position", {1, 2}) == "E_RANGE f: rows");
  CHECK(refused("/rows/0/loss", "none").starts_with("E_TYPE"));
  CHECK(refused("/rows/0/loss_by_position", nlohmann::json::array()) == "E_RANGE f: rows");
  CHECK(refused("/text/pieces", {"a"}) == "E_RANGE f: text.pieces");
  CHECK(refused("/variants/0/rules/0/layers", "7").starts_with("E_RANGE"));
}

TEST_CASE("without the model figures are drawn of the shipped results", "[model]") {
  Scene scene;
  scene.view = View::Model;
  scene.pattern = Local{128, true};
  for (const ModelPicture picture :
       {ModelPicture::Costs, ModelPicture::Text, ModelPicture::Sweep, ModelPicture::Layers}) {
    scene.model.picture = picture;
    const Figure figure = figureOfScene(scene);
    INFO(figure.title);
    CHECK_FALSE(figure.panels.empty());
    CHECK(figure.caption.find(picture == ModelPicture::Layers
                                  ? "The model itself is not on this machine"
                                  : "Results that come with the program") != std::string::npos);
  }
}

} // namespace attention
