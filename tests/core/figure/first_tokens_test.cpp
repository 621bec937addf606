// What is shown of a model or a variant while it is computed: its first tokens, as they will be in
// the whole.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/full.h"
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

ModelVariant window(Index keys) {
  return {"window", {{{}, {}, Local{keys, true}}}};
}

// The model's own masks as another pattern.
ModelVariant ownInOtherWords() {
  return {"full", {{{}, {}, Compose(Operation::Intersection, {Pattern(Full{}), Causal{}})}}};
}

// What is heard of the variants before they are whole.
std::vector<ModelCosts> heardOf(const std::shared_ptr<const ModelAsItIs>& base,
                                std::vector<ModelVariant> variants) {
  std::vector<ModelCosts> begun;
  modelCosts(base, std::move(variants), nullptr,
             {[&](const ModelCosts& part) {
                if (part.begun)
                  begun.push_back(part);
              },
              true});
  return begun;
}

} // namespace

TEST_CASE("the first tokens are as many as show other masks", "[model]") {
  const TinyModel tiny;
  const auto model = openedModel(modelSource(tiny.scene().model));
  const auto first = [&](const ModelVariant& variant, Index n) {
    return firstTokensOf(*model, variant, n, ownTokens(*model, variant, n));
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
  CHECK_FALSE(firstTokensOf(*openedModel(modelSource(bert.scene().model)), window(4), 1024, 0));
  CHECK(firstTokensOf(*model, {}, 1024, 0) == 128); // of the model as it is nothing is known
}

TEST_CASE("tokens are the model's own up to the first row that is not", "[model]") {
  const TinyModel tiny;
  const auto model = openedModel(modelSource(tiny.scene().model));
  CHECK(ownTokens(*model, window(4), 1024) == 4);
  CHECK(ownTokens(*model, window(512), 1024) == 512);
  CHECK(ownTokens(*model, window(1024), 1024) == 1024);
  CHECK(ownTokens(*model, {"nothing", {}}, 1024) == 1024);
  CHECK(ownTokens(*model, ownInOtherWords(), 1024) == 1024);
  CHECK(ownTokens(*model, everywhere("full"), 1024) == 0);
  CHECK(ownTokens(*model, everywhere("topk"), 1024) == 0);
  // One head is enough, and the earliest decides.
  ModelVariant two = window(512);
  two.rules.push_back({std::vector<Index>{1}, std::vector<Index>{0}, Local{9, true}});
  CHECK(ownTokens(*model, two, 1024) == 9);
  const TinyModel tinyBert("bert");
  const auto bert = openedModel(modelSource(tinyBert.scene().model));
  CHECK(ownTokens(*bert, window(512), 1024) == 0); // later tokens change earlier ones
  CHECK(ownTokens(*bert, everywhere("full"), 1024) == 1024);
}

TEST_CASE("what is known of a variant is shown without computing it", "[model]") {
  const TinyModel tiny;
  const auto base = asItIsOf(longText(tiny));
  const auto begun = heardOf(base, {window(100)}); // more than a quarter
  REQUIRE(begun.size() == 1);
  CHECK(begun[0].begun->tokens == 100);
  const std::vector<double>& loss = begun[0].begun->predictions.loss;
  CHECK(std::equal(loss.begin(), loss.end(), base->predictions.loss.begin(),
                   base->predictions.loss.begin() + 99));
  // They are those of the whole.
  const ModelCosts whole = modelCosts(base, {window(100)});
  for (std::size_t i = 0; i < 99; ++i)
    CHECK(whole.variants[0]->predictions.loss[i] == Approx(loss[i]).margin(1e-4));
  CHECK(heardOf(base, {window(70)}).size() == 2); // 70, then 80
}

TEST_CASE("masks that are the model's own cost what it costs as it is", "[model]") {
  const TinyModel tiny;
  const auto base = asItIsOf(longText(tiny));
  CHECK(heardOf(base, {ownInOtherWords()}).empty());
  const ModelCosts costs = modelCosts(base, {ownInOtherWords()});
  const VariantCost& same = *costs.variants[0];
  CHECK(same.variant == ownInOtherWords());
  CHECK(same.row.name == "full");
  CHECK(same.row.loss == costs.asItIs.loss);
  CHECK(same.predictions == base->predictions);
  // The same bits as those that are computed.
  const LossTable table =
      lossTable(base->model, base->tokens->ids, std::vector<ModelVariant>{ownInOtherWords()});
  CHECK(table.rows[1].loss == same.row.loss);
  CHECK(table.rows[1].kl == same.row.kl);
  CHECK(table.rows[1].top1 == same.row.top1);
  CHECK(table.rows[1].pairs == same.row.pairs);
  CHECK(table.rows[1].kvBytes == same.row.kvBytes);
  CHECK(table.predictions[1] == same.predictions);
}

TEST_CASE("the first tokens of the model as it is are there before the whole", "[model]") {
  const TinyModel tiny;
  const Scene scene = longText(tiny);
  const auto base = asItIsOf(scene);
  std::vector<ModelAsItIs> begun;
  const ModelAsItIs whole =
      modelAsItIs(base->model, base->tokens, [&](ModelAsItIs first) { begun.push_back(first); });
  CHECK(whole.predictions == base->predictions);
  REQUIRE(begun.size() == 1);
  CHECK(begun[0].tokens->ids.size() == 64);
  CHECK(begun[0].tokens->pieces.size() == 64);
  REQUIRE(begun[0].predictions.loss.size() == 63);
  for (std::size_t i = 0; i < 63; ++i)
    CHECK(begun[0].predictions.loss[i] == Approx(base->predictions.loss[i]).margin(1e-4));

  const MeasuredCosts measured = begunOf(begun[0], *base->tokens);
  CHECK(measured.rows.empty());
  CHECK(measured.tokens == 320);
  const std::string words = begunWords(measured);
  CHECK(words.starts_with("as it is: first 64 of 320 tokens, loss "));
  CHECK(words.find("→") == std::string::npos);
  CHECK(readingOf(measured) == std::vector<std::string>{words + "."});
  CHECK(std::get<CurvesMark>(frontPlot(measured).mark).named.empty());
  CHECK(costsBoard(measured).lines.empty());
  const auto along = alongPlot(measured);
  REQUIRE(along);
  const auto& curves = std::get<CurvesMark>(along->mark).curves;
  REQUIRE(curves.size() == 1);
  CHECK(curves[0].points.size() == 63);
  CHECK(curves[0].dash == Dash::Dotted);
  CHECK(std::get<CurvesMark>(along->mark).x.end == 320);
}

TEST_CASE("a short text is computed at once", "[model]") {
  const TinyModel tiny;
  const auto base = asItIsOf(tiny.scene());
  bool heard = false;
  modelAsItIs(base->model, base->tokens, [&](const ModelAsItIs&) { heard = true; });
  CHECK_FALSE(heard);
}

TEST_CASE("the first tokens lose what they lose in the whole text", "[model]") {
  const TinyModel tiny;
  const Scene scene = longText(tiny);
  const auto base = asItIsOf(scene);
  const auto variants = variantsOf(scene.model, scene.pattern, *base->model);
  const std::vector<ModelCosts> begun = heardOf(base, variants);
  const ModelCosts costs = modelCosts(base, variants);
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
  // The numbers of the whole are the same bits whoever hears of the first ones.
  const ModelCosts heard = modelCosts(base, variants, nullptr, {[](const ModelCosts&) {}, true});
  CHECK(heard.variants[0]->predictions == whole);

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
  const auto parts = heardOf(base, variantsOf(scene.model, scene.pattern, *base->model));
  REQUIRE(parts.size() == 1);
  const std::optional<MeasuredCosts> begun = measuredOf(parts[0]);
  const MeasuredRow* row = findShownRow(scene.model, scene.pattern, *begun);
  REQUIRE(row == &*begun->begun);
  CHECK(hurtMark(*begun, *row).tokens.size() == 64);
  CHECK(captionOfHurt(*begun, *row).starts_with("The first 64 of 320 tokens so far. "));
  CHECK(hurtTable(*begun, *row).rows.size() == 63);
}

} // namespace attention
