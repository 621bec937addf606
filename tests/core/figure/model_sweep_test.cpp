// Sweeps over a model's layers, heads and a number of the pattern, and the text by what it costs.
#include "core/pattern/mechanism/local.h"
#include "core/views/compare/match_pairs.h"
#include "core/views/model/hurt_text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/model_sweep.h"
#include "core/views/model/scene_model.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/figure/tiny_model.h"
#include "tests/core/pattern/pattern_text.h"

#include <cmath>

namespace attention {
namespace {

SweepPlan planOf(const Scene& scene) {
  return sweepPlan(scene.model, scene.pattern, *openedModel(modelSource(scene.model)),
                   scene.model.n);
}

MeasuredCosts costsOf(const Scene& scene) {
  return measuredCostsOf(scene, [&](const Model&, Index) { return variantsOf(planOf(scene)); });
}

} // namespace

TEST_CASE("a sweep gives every layer the pattern once, or all layers but it", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  SweepPlan plan = planOf(scene);
  REQUIRE(plan.series.size() == 1);
  REQUIRE(plan.series[0].steps.size() == 3);
  CHECK_FALSE(plan.series[0].everywhere);
  for (Index layer = 0; layer < 3; ++layer) {
    const Rule& rule = plan.series[0].steps[static_cast<std::size_t>(layer)].variant.rules.at(0);
    CHECK(*rule.layers == std::vector<Index>{layer});
    CHECK_FALSE(rule.heads);
    CHECK(rule.pattern.as<Local>()->causal); // a decoder's
  }
  scene.model.sweep.others = true;
  plan = planOf(scene);
  REQUIRE(plan.series[0].everywhere);
  CHECK(*plan.series[0].steps[1].variant.rules.at(0).layers == std::vector<Index>{0, 2});
  CHECK(variantsOf(plan).size() == 4);
}

TEST_CASE("a sweep of heads stays within its layer", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.sweep.over = ModelSweep::Heads;
  scene.model.sweep.layer = 2;
  const SweepPlan plan = planOf(scene);
  REQUIRE(plan.series[0].steps.size() == 4);
  CHECK(*plan.series[0].steps[3].variant.rules.at(0).layers == std::vector<Index>{2});
  CHECK(*plan.series[0].steps[3].variant.rules.at(0).heads == std::vector<Index>{3});
  scene.model.sweep.layer = 3;
  CHECK(codeAndSubject([&] { planOf(scene); }) == "E_RANGE layer");
}

TEST_CASE("a sweep of a number doubles it up to all tokens, or takes given values", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.sweep.over = ModelSweep::Parameter;
  const auto values = [&] {
    std::vector<double> at;
    const SweepPlan plan = planOf(scene);
    for (const SweepStep& step : plan.series[0].steps)
      at.push_back(step.at);
    return at;
  };
  CHECK(values() == std::vector<double>{16, 32, 40});
  scene.model.sweep.values = {8, 2, 8};
  CHECK(values() == std::vector<double>{2, 8});
  scene.model.sweep.parameter = "stride";
  CHECK(codeAndSubject([&] { planOf(scene); }) == "E_UNKNOWN parameter");
  scene.model.sweep.parameter.clear();
  scene.pattern = patternNamed("causal");
  CHECK(codeAndSubject([&] { planOf(scene); }) == "E_UNSUPPORTED parameter");
}

TEST_CASE("the points of a sweep are the losses of its masks", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  const MeasuredCosts costs = costsOf(scene);
  const SweepPlan plan = planOf(scene);
  const Plot plot = sweepPlot(plan, costs);
  const auto& mark = std::get<CurvesMark>(plot.mark);
  REQUIRE(mark.curves.size() == 1);
  CHECK(mark.curves[0].kind == CurveKind::Bars);
  REQUIRE(mark.curves[0].points.size() == 3);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(mark.curves[0].points[k].y ==
          Approx(*costs.rows[k + 1].row.loss - *costs.rows[0].row.loss));
  CHECK(sweepTable(plan, costs).rows.size() == 3);
  CHECK(figureOfScene(scene).title ==
        "Local, window 4: which layer of " + costs.model + " suffers from it");

  scene.model.sweep.others = true;
  const MeasuredCosts saved = costsOf(scene);
  const Plot bars = sweepPlot(planOf(scene), saved);
  CHECK(std::get<CurvesMark>(bars.mark).curves[0].points[0].y ==
        Approx(*saved.rows[1].row.loss - *saved.rows[2].row.loss));
  REQUIRE(readingOf(planOf(scene), saved).size() == 2);
  const std::string kept = readingOf(planOf(scene), saved).front();
  CHECK(kept.starts_with("Keeping layer "));
  CHECK(kept.find("; keeping layer ") != std::string::npos);

  CHECK(figureOfScene(scene).title ==
        "Local, window 4: which layer of " + costs.model + " should stay as it is");

  scene.model.sweep.over = ModelSweep::Parameter;
  CHECK(figureOfScene(scene).title == "Local: the loss of " + costs.model + " by window ℓ");
  const MeasuredCosts windows = costsOf(scene);
  const Plot curve = sweepPlot(planOf(scene), windows);
  const auto& curves = std::get<CurvesMark>(curve.mark).curves;
  REQUIRE(curves.size() == 2); // with a level for the model as it is
  CHECK(curves[1].points.back().y == Approx(*windows.rows[0].row.loss)); // all tokens
}

TEST_CASE("a sweep names only places that the pattern hurts", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  MeasuredCosts costs = costsOf(scene);
  const SweepPlan plan = planOf(scene);
  REQUIRE(costs.rows.size() == 4);
  const double base = *costs.rows[0].row.loss;
  const auto reading = [&](const std::vector<double>& growth) {
    for (std::size_t k = 0; k < 3; ++k)
      costs.rows[k + 1].row.loss = base + growth[k];
    return readingOf(plan, costs).at(0);
  };
  CHECK(reading({0.25, 0.5, 0.125}) == "The pattern hurts the most in layer 1 (+0.500), layer 0 "
                                       "(+0.250); the least in layer 2 (+0.125).");
  CHECK(reading({-0.25, -0.5, 0.125}) == "The pattern hurts the most in layer 2 (+0.125); the "
                                         "least in layer 1 (−0.500).");
  CHECK(reading({-0.25, -0.5, -0.125}) ==
        "The pattern hurts in no layer; the loss falls the most in layer 1 (−0.500).");
  CHECK(reading({0, 0, 0}) == "The pattern hurts in no layer.");
}

TEST_CASE("a sweep of variants has a curve for each, with the masks of its rules", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  scene.model.variants = {{"low", {{"0-1", "all", patternNamed("sinks")}}},
                          {"group", {{"all", "kv1", scene.pattern}}}};
  CHECK(planOf(scene).series.at(0).name == "Local, window 4"); // the pattern alone
  scene.model.sweep.variants = true;
  const SweepPlan plan = planOf(scene);
  REQUIRE(plan.series.size() == 2);
  CHECK(plan.series[0].steps[0].variant.name == "low: layer 0");
  CHECK(*plan.series[0].steps[0].variant.rules.at(0).layers == std::vector<Index>{0});
  CHECK(plan.series[0].steps[2].variant.rules.empty()); // it names no layer 2
  CHECK(plan.series[1].name == "group");
  CHECK(plan.series[1].hue == 2); // as in Costs
  CHECK(*plan.series[1].steps[1].variant.rules.at(0).heads == std::vector<Index>{2, 3});
  const auto asked = variantsOf(plan);
  REQUIRE(asked.size() == 6);
  CHECK(asked[1].name == "group: layer 0"); // layer by layer
  const MeasuredCosts costs = costsOf(scene);
  const Plot plot = sweepPlot(plan, costs);
  const auto& curves = std::get<CurvesMark>(plot.mark).curves;
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].label == "low");
  CHECK(curves[0].kind == CurveKind::Data);
  CHECK(curves[0].marker != curves[1].marker);
  CHECK(curves[0].points.at(2).y == 0); // as it is
  CHECK(curves[1].points.at(1).y ==
        Approx(*rowNamed(costs, "group: layer 1")->row.loss - *costs.rows[0].row.loss));
  const CsvTable table = sweepTable(plan, costs);
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[5][0] == "group");
  CHECK(readingOf(plan, costs).size() == 2);
  CHECK(readingOf(plan, costs)[0].starts_with("low: it hurts "));
  CHECK(captionOf(plan, costs).find("Layers and heads that no rule names stay unchanged.") !=
        std::string::npos);
}

TEST_CASE("a sweep of heads cuts the rules of variants to its layer", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.variants = {{"a", {{"0", "all", patternNamed("sinks")}, {"1-2", "1,2", Pattern()}}}};
  scene.model.sweep = {ModelSweep::Heads, true, 1, {}, {}, true};
  const SweepPlan plan = planOf(scene);
  REQUIRE(plan.series.size() == 1);
  const SweepSeries& series = plan.series[0];
  CHECK(series.steps[1].variant.name == "head 1"); // alone it needs no other name
  REQUIRE(series.everywhere->rules.size() == 1);
  CHECK(*series.everywhere->rules[0].layers == std::vector<Index>{1});
  CHECK(*series.steps[1].variant.rules.at(0).heads == std::vector<Index>{2});
  CHECK(*series.steps[0].variant.rules.at(0).heads == std::vector<Index>{1, 2});
}

TEST_CASE("a sweep of a number varies it in every variant that has it", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  scene.model.sweep.variants = true;
  scene.model.sweep.over = ModelSweep::Parameter;
  scene.model.sweep.values = {2, 8};
  scene.model.variants = {{"Local, window 4", {{"all", "all", scene.pattern}}},
                          {"first two", {{"0-1", "all", patternNamed("local")}}},
                          {"strides", {{"all", "all", patternNamed("strided")}}},
                          {"all keys", {{"all", "all", patternNamed("causal")}}}};
  SweepPlan plan = planOf(scene);
  REQUIRE(plan.series.size() == 3);
  CHECK(plan.series[0].name == "Local"); // without the number
  CHECK(plan.series[1].name == "first two");
  CHECK(plan.axis == "window or stride");
  CHECK(plan.left == std::vector<std::string>{"all keys"});
  CHECK(plan.series[1].steps[1].variant.name == "first two: window 8");
  CHECK(plan.series[1].steps[1].variant.rules[0].pattern.as<Local>()->window == 8);
  const Figure figure = figureOfScene(scene);
  CHECK(std::get<CurvesMark>(figure.panels[0].plots[0].mark).curves.size() == 4); // and as it is
  CHECK(figure.caption.find("allow none of the values: all keys.") != std::string::npos);
  CHECK(figure.title.ends_with(" by window or stride"));
  // The number that most of them have comes first: sinks have a window too.
  scene.model.variants[2].rules[0].pattern = patternNamed("sinks");
  CHECK(planOf(scene).axis == "window");
  CHECK(planOf(scene).series[2].steps[0].name == "window 2");
  scene.model.variants[2].rules[0].pattern = patternNamed("strided");
  scene.model.sweep.parameter = "window";
  CHECK(planOf(scene).left == std::vector<std::string>{"strides", "all keys"});
  scene.model.sweep.parameter = "links";
  CHECK(codeAndSubject([&] { planOf(scene); }) == "E_UNKNOWN parameter");
  CHECK(sweptParameters(scene.model, scene.pattern).size() >= 2);
  set(scene.model.variants[1].rules[0].pattern, "window", Value(Index{9}));
  scene.model.variants[1].rules[0].layers = "all";
  scene.model.variants[1].name = "Local, window 9";
  scene.model.sweep.parameter.clear();
  plan = planOf(scene);
  CHECK(plan.series[0].name == "Local, window 4"); // both are Local
  CHECK(plan.series[1].name == "Local, window 9");
}

TEST_CASE("a sweep of one variant says what its rules have, not all layers", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  scene.model.sweep.over = ModelSweep::Parameter;
  scene.model.sweep.values = {2, 8};
  scene.model.variants = {{"low", {{"0-1", "all", scene.pattern}}}};
  CHECK(figureOfScene(scene).caption.find("All layers and heads have the pattern.") !=
        std::string::npos);
  scene.model.sweep.variants = true;
  CHECK(figureOfScene(scene).caption.find("in all patterns of the variant") != std::string::npos);
  scene.model.variants.push_back({"tiles", {{"all", "all", patternNamed("block_local")}}});
  scene.model.sweep.values = {0, 2}; // a block of 0 is none; a window of 0 is
  CHECK(planOf(scene).left.size() <= 1);
  scene.model.variants = {{"all keys", {{"all", "all", patternNamed("causal")}}}};
  CHECK(messageOf([&] {
          planOf(scene);
        }).starts_with("no variant has a parameter that is a whole number"));
  scene.model.sweep.over = ModelSweep::Layers;
  scene.model.sweep.others = true;
  const SweepPlan plan = planOf(scene);
  CHECK(readingOf(plan, costsOf(scene)).back().starts_with("With all its rules the loss is "));
}

TEST_CASE("words are shaded by how much worse they are predicted", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Text;
  const MeasuredCosts costs = measuredCostsOf(scene);
  const MeasuredRow& row = costs.rows.at(1);
  REQUIRE(row.expected.size() == 39);
  const RunningTextMark mark = hurtMark(costs, row);
  REQUIRE(mark.tokens.size() == 40);
  CHECK(mark.tokens[0].share == 0);
  for (std::size_t i = 0; i < 39; ++i) {
    const double by = row.loss[i] - costs.rows[0].loss[i];
    CHECK(mark.tokens[i + 1].share == Approx(std::clamp(by / kFullHurt, 0.0, 1.0)));
  }
  const auto worst = mostHurt(costs, row, 3);
  REQUIRE(worst.size() == 3);
  CHECK(row.loss[worst[0]] - costs.rows[0].loss[worst[0]] >=
        row.loss[worst[1]] - costs.rows[0].loss[worst[1]]);
  CHECK(wordsOfHurt(costs, row, 0) == "“i”, token 0: nothing before it predicts it");
  CHECK(wordsOfHurt(costs, row, 1).find("the model now expects “") != std::string::npos);
  CHECK(hurtTable(costs, row).rows.size() == 39);
  CHECK(figureOfScene(scene).title == "What Local, window 4 makes hard to predict");
  scene.model.own = false;
  CHECK(codeAndSubject([&] { figureOfScene(scene); }) == "E_UNSUPPORTED variants");
}

TEST_CASE("layers see what those of a known model see", "[model]") {
  const auto rows = modelsToImitate();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const ModelRow* each) { return each->name == "gemma-3-4b"; });
  REQUIRE(row != rows.end());
  const ModelVariantSpec variant = variantAsIn(**row, 30);
  CHECK(variant.name == "as in " + std::string((*row)->title) + ", window 1024");
  REQUIRE(variant.rules.size() == 1);
  // Five layers with windows, then a full one (Gemma Team 2025, section 2).
  CHECK(variant.rules[0].layers ==
        "0,1,2,3,4,6,7,8,9,10,12,13,14,15,16,18,19,20,21,22,24,25,26,27,28");
  CHECK(variant.rules[0].heads == "all");
  ModelSpec spec;
  spec.variants = {variant};
  CHECK_NOTHROW(check(spec));
  for (const ModelRow* each : rows)
    CHECK(variantAsIn(*each, 200).rules.size() <= kMostModelRules);
}

TEST_CASE("the number that sets most of the pairs is varied where none is named", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.sweep.over = ModelSweep::Parameter;
  const auto axisOf = [&](const Pattern& pattern) {
    scene.pattern = pattern;
    return planOf(scene).axis;
  };
  for (const Pattern& pattern : allMechanisms())
    if (const Parameter* main = mainParameter(pattern); main && !needsData(pattern)) {
      INFO(description(pattern).name);
      scene.pattern = pattern;
      const std::string problem = codeAndSubject([&] { planOf(scene); });
      if (problem.empty())
        CHECK(planOf(scene).series[0].steps[0].name.starts_with(main->name + " "));
    }
  CHECK(axisOf(patternNamed("sinks")) == "window w");
  CHECK(axisOf(patternNamed("strided")) == "stride ℓ");
  scene.model.sweep.parameter = "sinks";
  CHECK(axisOf(patternNamed("sinks")) == "sinks s");
  // Of two variants with both numbers the main one.
  scene.model.sweep.parameter.clear();
  scene.model.sweep.variants = true;
  scene.model.variants = {{"a", {{"0", "all", patternNamed("sinks")}}},
                          {"b", {{"1", "all", patternNamed("sinks")}}}};
  CHECK(planOf(scene).axis == "window");
}

TEST_CASE("steps that are not there yet are gaps, and nothing is concluded from them", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  scene.model.sweep.over = ModelSweep::Parameter;
  scene.model.sweep.values = {2, 8, 16, 40};
  const SweepPlan plan = planOf(scene);
  MeasuredCosts costs = costsOf(scene);
  REQUIRE(costs.rows.size() == 5);
  for (std::size_t k = 1; k < 4; ++k)
    costs.rows[k].row.loss = *costs.rows[0].row.loss + 1;
  CHECK(readingOf(plan, costs).back().starts_with("Only window 40, the whole text, comes within"));
  costs.rows.erase(costs.rows.begin() + 2, costs.rows.begin() + 4); // 8 and 16
  const std::vector<std::string> reading = readingOf(plan, costs);
  REQUIRE(reading.size() == 1);
  CHECK(reading[0].starts_with("window 2: loss "));
  const Plot plot = sweepPlot(plan, costs);
  const std::vector<Point>& points = std::get<CurvesMark>(plot.mark).curves[1].points;
  REQUIRE(points.size() == 4);
  CHECK(std::isfinite(points[0].y));
  CHECK(std::isnan(points[1].y));
  CHECK(std::isnan(points[2].y));
  CHECK(std::isfinite(points[3].y));
  CHECK(sweepTable(plan, costs).rows.size() == 2);
}

TEST_CASE("a sweep over layers says how far it has come", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.picture = ModelPicture::Sweep;
  const SweepPlan plan = planOf(scene);
  MeasuredCosts costs = costsOf(scene);
  costs.rows.pop_back();
  costs.rows[1].row.loss = *costs.rows[0].row.loss + 0.5;
  costs.rows[2].row.loss = *costs.rows[0].row.loss + 0.25;
  CHECK(
      readingOf(plan, costs) ==
      std::vector<std::string>{"So far, after 2 of 3 layers, the pattern hurts the most in layer 0 "
                               "(+0.500); the least in layer 1 (+0.250)."});
  costs.lacking = {"layer 2"}; // it will not come: what is there may be what rules leave alone
  CHECK(readingOf(plan, costs).empty());
}

} // namespace attention
