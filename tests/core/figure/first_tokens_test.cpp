// What is shown of a variant while it is computed: its first tokens, as they will be in the whole.
#include "core/pattern/mechanism/local.h"
#include "core/views/model/first_tokens.h"
#include "core/views/model/hurt_text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/scene_model.h"
#include "tests/catch.h"
#include "tests/core/figure/tiny_model.h"

namespace attention {
namespace {

// 320 letters.
Scene longText(const TinyModel& tiny) {
  Scene scene = tiny.scene();
  scene.model.typed.clear();
  for (int k = 0; k < 8; ++k)
    scene.model.typed += "itisatruthuniversallyacknowledgedthatasi";
  scene.model.n = 320;
  return scene;
}

std::shared_ptr<const ModelAsItIs> asItIsOf(const Scene& scene) {
  const ModelSource source = modelSource(scene.model);
  const auto model = openedModel(source);
  return std::make_shared<const ModelAsItIs>(
      modelAsItIs(model, std::make_shared<const ModelTokens>(modelTokens(*model, source))));
}

ModelVariant everywhere(const char* mechanism) {
  return {mechanism, {{{}, {}, patternNamed(mechanism)}}};
}

} // namespace

TEST_CASE("the first tokens are as many as show other masks", "[model]") {
  const TinyModel tiny;
  const auto model = openedModel(modelSource(tiny.scene().model));
  const auto first = [&](const ModelVariant& variant, Index n) {
    return firstTokensOf(*model, variant, n);
  };
  const auto window = [](Index keys) {
    return ModelVariant{"window", {{{}, {}, Local{keys, true}}}};
  };
  CHECK(first(window(4), 1024) == 128);
  CHECK(first(window(100), 1024) == 200); // of the first 100 nothing is to be seen
  CHECK(first(window(200), 1024) == 256); // no more than a quarter
  CHECK_FALSE(first(window(256), 1024));
  CHECK(first(window(4), 320) == 64); // no fewer
  CHECK_FALSE(first(window(4), 255));
  CHECK_FALSE(first({"nothing", {}}, 1024));
  CHECK(first({"last", {{std::vector<Index>{2}, std::vector<Index>{3}, Local{4, true}}}}, 1024) ==
        128);
  // Keys that are chosen by the data, drawn at random or behind the query differ.
  for (const char* other : {"topk", "bigbird", "full"})
    CHECK_FALSE(first(everywhere(other), 1024));
  const TinyModel bert("bert");
  CHECK_FALSE(firstTokensOf(*openedModel(modelSource(bert.scene().model)), window(4), 1024));
}

TEST_CASE("the first tokens lose what they lose in the whole text", "[model]") {
  const TinyModel tiny;
  const Scene scene = longText(tiny);
  const auto base = asItIsOf(scene);
  const auto variants = variantsOf(scene.model, scene.pattern, *base->model);
  std::vector<ModelCosts> begun;
  const ModelCosts costs = modelCosts(base, variants, nullptr,
                                      {[&](const ModelCosts& part) {
                                         if (part.begun)
                                           begun.push_back(part);
                                       },
                                       true});
  REQUIRE(begun.size() == 1);
  CHECK_FALSE(costs.begun);
  const FirstTokens& first = *begun[0].begun;
  CHECK(first.name == "Local, window 4");
  CHECK(first.tokens == 64);
  const Predictions& whole = costs.variants[0]->predictions;
  REQUIRE(first.predictions.loss.size() == 63);
  double sum = 0;
  for (std::size_t i = 0; i < 63; ++i) {
    CHECK(first.predictions.loss[i] == Approx(whole.loss[i]).margin(1e-4));
    sum += first.predictions.loss[i];
  }
  // The numbers of the whole are the same bits as without it.
  CHECK(modelCosts(base, variants).variants[0]->predictions == whole);

  // They are no row: neither in the table nor on the front.
  const MeasuredCosts measured = measuredOf(begun[0]);
  REQUIRE(measured.begun);
  CHECK(measured.rows.size() == 1);
  CHECK(costsTable(measured).rows.size() == 1);
  CHECK(costsBoard(measured).lines.size() == 1);
  CHECK(std::get<CurvesMark>(frontPlot(measured).mark).named.size() == 1);
  CHECK(*measured.begun->row.loss == Approx(sum / 63));
  const auto along = alongPlot(measured);
  const auto& curves = std::get<CurvesMark>(along->mark).curves;
  REQUIRE(curves.size() == 2);
  CHECK(curves[1].points.size() == 63);
  CHECK(curves[1].fitted == "first 64");
  CHECK(curves[1].dash == Dash::Dotted);
  CHECK(begunWords(measured).starts_with("Local, window 4: first 64 of 320 tokens, loss "));
  CHECK(readingOf(measured) == std::vector<std::string>{begunWords(measured) + "."});
  CHECK(begunWords(measuredOf(costs)).empty());
}

TEST_CASE("the text is shown as far as it is computed", "[model]") {
  const TinyModel tiny;
  const Scene scene = longText(tiny);
  const auto base = asItIsOf(scene);
  std::optional<MeasuredCosts> begun;
  modelCosts(base, variantsOf(scene.model, scene.pattern, *base->model), nullptr,
             {[&](const ModelCosts& part) {
                if (part.begun)
                  begun = measuredOf(part);
              },
              true});
  REQUIRE(begun);
  const MeasuredRow* row = findShownRow(scene.model, scene.pattern, *begun);
  REQUIRE(row == &*begun->begun);
  CHECK(hurtMark(*begun, *row).tokens.size() == 64);
  CHECK(captionOfHurt(*begun, *row).starts_with("The first 64 of 320 tokens so far. "));
  CHECK(hurtTable(*begun, *row).rows.size() == 63);
}

} // namespace attention
