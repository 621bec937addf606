// What masks cost a model: the stages of the answer, its table, figures and sentences.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/local.h"
#include "core/support/text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/scene_model.h"
#include "core/views/scene_figure.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/figure/tiny_model.h"

#include <algorithm>
#include <limits>

namespace attention {
namespace {

ModelRuleSpec rule(const char* layers, const char* heads, const char* mechanism) {
  return {layers, heads, patternNamed(mechanism)};
}

Scene withVariants(const TinyModel& tiny) {
  Scene scene = tiny.scene();
  scene.model.variants = {{"sinks", {rule("all", "all", "sinks")}},
                          {"low strided", {rule("0,2", "all", "strided"), rule("1", "3", "local")}},
                          {"nothing", {}}};
  return scene;
}

std::shared_ptr<const ModelAsItIs> asItIsOf(const Scene& scene) {
  const ModelSource source = modelSource(scene.model);
  const auto model = openedModel(source);
  return std::make_shared<const ModelAsItIs>(
      modelAsItIs(model, std::make_shared<const ModelTokens>(modelTokens(*model, source))));
}

std::vector<ModelVariant> variantsIn(const Scene& scene, const ModelAsItIs& base) {
  return variantsOf(scene.model, scene.pattern, *base.model);
}

} // namespace

TEST_CASE("the rows are those of attnx model loss", "[model]") {
  const TinyModel tiny;
  const Scene scene = withVariants(tiny);
  const auto base = asItIsOf(scene);
  const ModelCosts costs = modelCosts(base, variantsIn(scene, *base));
  std::vector<const LossRow*> rows;
  const MeasuredCosts measured = measuredOf(costs);
  for (const MeasuredRow& row : measured.rows)
    rows.push_back(&row.row);
  const LossTable table = lossTable(costs.base->model, costs.base->tokens->ids, costs.asked);
  REQUIRE(rows.size() == 5);
  REQUIRE(table.rows.size() == 5);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    INFO(rows[k]->name);
    CHECK(rows[k]->name == table.rows[k].name);
    CHECK(rows[k]->pairs == table.rows[k].pairs);
    CHECK(rows[k]->loss == table.rows[k].loss);
    CHECK(rows[k]->kl == table.rows[k].kl);
    CHECK(rows[k]->top1 == table.rows[k].top1);
    CHECK(rows[k]->kvBytes == table.rows[k].kvBytes);
  }
  CHECK(rows[0]->name == kAsItIs);
  CHECK(rows[1]->name == "Local, window 4");
  CHECK(rows[4]->loss == rows[0]->loss); // without rules nothing changes
  CHECK(rows[4]->kl == 0.0);
  CHECK(rows[4]->top1 == 1.0);
  CHECK(rows[1]->pairs < rows[0]->pairs);
  CHECK(*rows[1]->kl > 0);
}

TEST_CASE("variants that are there are not computed again, whatever they are called", "[model]") {
  const TinyModel tiny;
  Scene scene = withVariants(tiny);
  const auto base = asItIsOf(scene);
  const ModelCosts before = modelCosts(base, variantsIn(scene, *base));
  scene.model.variants[1].name = "strided below";
  scene.model.variants.push_back({"heads", {rule("all", "0", "fixed")}});
  std::vector<std::size_t> parts;
  const ModelCosts after =
      modelCosts(base, variantsIn(scene, *base), &before,
                 {[&](const ModelCosts& part) { parts.push_back(part.variants.size()); }});
  CHECK(parts == std::vector<std::size_t>{0, 1, 2, 3, 4});
  REQUIRE(after.variants.size() == 5);
  CHECK(after.variants[0] == before.variants[0]);
  CHECK(after.variants[1] == before.variants[1]);
  CHECK(after.variants[2]->row.name == "strided below");
  CHECK(after.variants[2]->row.loss == before.variants[2]->row.loss);
  CHECK(after.variants[4]->row.name == "heads");
  // Of another text nothing is taken over.
  scene.model.typed = "another text";
  const auto other = asItIsOf(scene);
  const ModelCosts fresh = modelCosts(other, variantsIn(scene, *other), &before);
  CHECK(fresh.variants[0]->row.loss != before.variants[0]->row.loss);
}

TEST_CASE("masks that two variants have are computed once", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.variants = {{"same", {{"all", "all", scene.pattern}}}};
  const auto base = asItIsOf(scene);
  const ModelCosts costs = modelCosts(base, variantsIn(scene, *base));
  REQUIRE(costs.variants.size() == 2);
  CHECK(costs.variants[1]->row.name == "same");
  CHECK(costs.variants[1]->predictions == costs.variants[0]->predictions);
}

TEST_CASE("a stopped computation of a model ends", "[model]") {
  const TinyModel tiny;
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(measuredCostsOf(tiny.scene(), {stop.get_token(), {}, 0}), Stopped);
}

TEST_CASE("a decoder's masks never see the token that is to be predicted", "[model]") {
  const auto past = [](const char* name) { return withoutFuture(patternNamed(name), 24); };
  CHECK(past("local").as<Local>()->causal);
  CHECK(past("causal") == patternNamed("causal"));
  const Pattern both = Compose(Operation::Union, {patternNamed("full"), patternNamed("strided")});
  CHECK(withoutFuture(both, 24) ==
        Pattern(Compose(Operation::Intersection, {both, Pattern(Causal{})})));
  for (const Pattern& pattern : allMechanisms())
    if (!needsData(pattern) &&
        codeAndSubject([&] { prepare(pattern, squareLengths(24)); }).empty()) {
      INFO(description(pattern).name);
      const auto prepared = prepare(withoutFuture(pattern, 24), squareLengths(24));
      for (Index i = 0; i < 24; ++i)
        for (Index j = i + 1; j < 24; ++j)
          if (prepared->contains(i, j))
            FAIL("sees key " << j << " from query " << i);
    }
  const TinyModel tiny("bert");
  Scene scene = tiny.scene();
  scene.pattern = patternNamed("full");
  const auto model = openedModel(modelSource(scene.model));
  CHECK(variantsOf(scene.model, scene.pattern, *model).front().rules.front().pattern ==
        scene.pattern);
}

TEST_CASE("an encoder shows how far its final states change", "[model]") {
  const TinyModel tiny("bert");
  const MeasuredCosts costs = measuredCostsOf(tiny.scene());
  CHECK_FALSE(costs.rows[0].row.loss);
  CHECK(costs.rows[0].row.change == 0.0);
  CHECK(*costs.rows[1].row.change > 0);
  const Figure figure = costsFigure(costs, FigureTheme::Light);
  CHECK(figure.panels.size() == 2); // without curves along the text
  CHECK(readingOf(costs).back().starts_with("An encoder predicts nothing"));
  CHECK(costsTable(costs).rows[1][6] == csvNumber(*costs.rows[1].row.change));
  CHECK(costsTable(costs).rows[1][2].empty());
}

TEST_CASE("a model's text is read, cut, or replaced by ids", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  const auto model = openedModel(modelSource(scene.model));
  const auto tokens = [&] { return modelTokens(*model, modelSource(scene.model)); };
  CHECK(tokens().ids.size() == 40);
  CHECK(tokens().given == 41);
  CHECK(tokens().pieces[2] == "Ġ");
  CHECK(tokens().from == "the typed text");
  scene.model.n = 5;
  CHECK(tokens().ids == std::vector<Index>{9, 20, 0, 9, 19});
  scene.model.text = (tiny.path() / "text.txt").string();
  std::ofstream(scene.model.text) << "a file";
  CHECK(tokens().from == "text.txt");
  CHECK(tokens().ids == std::vector<Index>{1, 0, 6, 9, 12});
  scene.model.ids = {3, 1, 4};
  CHECK(tokens().ids == std::vector<Index>{3, 1, 4});
  CHECK(tokens().pieces.empty());
  scene.model.ids = {3, 160};
  CHECK(codeAndSubject([&] { measuredCostsOf(scene); }).starts_with("E_RANGE"));
  scene.model.ids.clear();
  std::ofstream(scene.model.text, std::ios::trunc) << "";
  CHECK(codeAndSubject([&] { tokens(); }) == "E_TYPE text");
  scene.model.model.clear();
  CHECK(codeAndSubject([&] { measuredCostsOf(scene); }) == "E_TYPE model");
}

TEST_CASE("layers and heads that a model has not are refused by the variant's name", "[model]") {
  const TinyModel tiny;
  Scene scene = withVariants(tiny);
  scene.model.variants[1].rules[0].layers = "0-3"; // of three layers
  CHECK(codeAndSubject([&] { measuredCostsOf(scene); }) == "E_RANGE layers of low strided");
  scene.model.variants[1].rules[0] = rule("0", "4", "local"); // of four heads
  CHECK(codeAndSubject([&] { measuredCostsOf(scene); }) == "E_RANGE heads of low strided");
}

TEST_CASE("the figure shows a point and a curve for each row", "[model]") {
  const TinyModel tiny;
  const Scene scene = withVariants(tiny);
  const Figure figure = figureOfScene(scene);
  REQUIRE(figure.panels.size() == 3);
  const auto& front = std::get<CurvesMark>(figure.panels[0].plots[0].mark);
  CHECK(front.named.size() == 5);
  CHECK(front.named[0].at.x == 100);
  const auto& along = std::get<CurvesMark>(figure.panels[1].plots[0].mark);
  REQUIRE(along.curves.size() == 5);
  CHECK(along.curves[0].points.size() == 39);
  CHECK(figure.title.ends_with("on 40 tokens"));
  CHECK(figure.caption.starts_with("The first 40 of 41 tokens of the typed text."));
  CHECK(figure.caption.find(" Curves are means over 4 positions.") != std::string::npos);
  // A mean over few positions lies among their values.
  const MeasuredCosts costs = measuredCostsOf(scene);
  const auto& loss = costs.rows[0].loss;
  const auto [least, most] = std::minmax_element(loss.begin(), loss.end());
  for (const Point& point : along.curves[0].points) {
    CHECK(point.y >= *least);
    CHECK(point.y <= *most);
  }
}

TEST_CASE("a text of two tokens has one prediction and no curve along it", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  const auto panels = [&](Index n) {
    scene.model.n = n;
    return figureOfScene(scene).panels.size();
  };
  CHECK(panels(1) == 2);
  CHECK(panels(2) == 2);
  CHECK(panels(3) == 3);
}

TEST_CASE("the sentences tell the least and the most costly variant", "[model]") {
  const TinyModel tiny;
  const Scene scene = withVariants(tiny);
  const MeasuredCosts costs = measuredCostsOf(scene);
  REQUIRE(costs.rows.size() == 5);
  const auto cheaper = [](const MeasuredRow& a, const MeasuredRow& b) {
    return *a.row.loss < *b.row.loss;
  };
  const auto [least, most] = std::minmax_element(costs.rows.begin() + 1, costs.rows.end(), cheaper);
  const std::vector<std::string> reading = readingOf(costs);
  REQUIRE(reading.size() == 3);
  CHECK(reading[0].starts_with(capitalised(least->row.name) + " costs the model least: loss "));
  CHECK(reading[0].ends_with(" % of the pairs."));
  CHECK(reading[1].starts_with(capitalised(most->row.name) + " costs it most: loss "));
  CHECK(reading[2].starts_with("Most hurt by Local, window 4: “"));
}

TEST_CASE("one or two variants are told each", "[model]") {
  const TinyModel tiny;
  Scene scene = withVariants(tiny);
  scene.model.variants.resize(1);
  const std::vector<std::string> reading = readingOf(measuredCostsOf(scene));
  REQUIRE(reading.size() == 3);
  CHECK(reading[0].starts_with("Local, window 4: loss "));
  CHECK(reading[1].find(": loss ") != std::string::npos);
}

TEST_CASE("the masks of all layers and heads are shown, those of rules framed", "[model]") {
  const TinyModel tiny;
  Scene scene = withVariants(tiny);
  scene.model.picture = ModelPicture::Layers;
  scene.model.chosen = 1;
  const Figure figure = figureOfScene(scene);
  CHECK(figure.title.ends_with(": low strided"));
  const auto& tiles = std::get<TilesMark>(figure.panels[0].plots[0].mark);
  REQUIRE(tiles.tiles.size() == 12);
  CHECK(tiles.columns == 4);
  for (std::size_t k = 0; k < 12; ++k)
    CHECK(tiles.tiles[k].chosen == (k < 4 || k >= 8 || k == 7));
  CHECK(tiles.tiles[0].values == tiles.tiles[8].values);
  CHECK((*tiles.tiles[4].values)(0, 31) == 0); // the model's own is causal
  CHECK(figure.caption.starts_with("Framed: 9 of 12 heads"));
}

TEST_CASE("layers are read as who has which mask, and what that saves", "[model]") {
  const TinyModel tiny;
  Scene scene = withVariants(tiny);
  scene.model.picture = ModelPicture::Layers;
  scene.model.own = false;
  const auto reading = [&] { return unitOf(scene.view).reading(scene, {}, {}); };
  scene.model.variants[0].rules = {{"0,1", "all", Local{4, true}}, {"2", "1", Local{4, true}}};
  // A window of 4 on 40 tokens: 1 + 2 + 3 + 37 · 4 = 154 pairs; 9 of 12 heads have it.
  CHECK(reading() ==
        std::vector<std::string>{
            "9 of 12 heads have Local, window 4, causal: layers 0, 1; head 1 of layer 2.",
            "3 of 12 heads have Causal, the model's own mask: heads 0, 2, 3 of layer 2.",
            "On 40 tokens a head has 321 pairs on average, 820 with the model's own "
            "masks: 60.9 % are saved."});
  scene.model.variants.clear();
  CHECK(reading() ==
        std::vector<std::string>{
            "All 12 heads have Causal, the model's own mask.",
            "On 40 tokens a head has 820 pairs on average, as many as with the model's "
            "own masks."});
  scene.model.variants = {{"several",
                           {{"all", "0", patternNamed("topk")},
                            {"all", "1", Local{2, true}},
                            {"all", "2", Local{3, true}}}}};
  const std::vector<std::string> several = reading();
  REQUIRE(several.size() == 4);
  CHECK(several[0].ends_with(": head 0 of every layer."));
  CHECK(several[2] == "The other 6 heads have 2 other patterns.");
  CHECK(several[3] == "How many pairs the masks have depends on the data.");
}

TEST_CASE("more layers than heads go across, and every tile has its place", "[model]") {
  Model model;
  model.heads = 2;
  model.layers.resize(5);
  for (ModelLayer& layer : model.layers)
    layer.pattern = Causal{};
  const ModelVariant variant{"one",
                             {{std::vector<Index>{3}, std::vector<Index>{1}, Local{2, true}}}};
  const Plot plot = layersPlot(model, variant, 16);
  const auto& tiles = std::get<TilesMark>(plot.mark);
  CHECK(tiles.columns == 5);
  CHECK(tiles.rowNames == std::vector<std::string>{"head 0", "head 1"});
  for (std::size_t k = 0; k < 10; ++k)
    CHECK(tiles.tiles[k].chosen == (k == 8));
  CHECK(placeOfTile(model, 8).layer == 3);
  CHECK(placeOfTile(model, 8).head == 1);
  model.heads = 5;
  CHECK(placeOfTile(model, 8).layer == 1);
}

TEST_CASE("the pattern is chosen without an input, and is that of the first variant", "[model]") {
  const TinyModel tiny;
  Scene scene = tiny.scene();
  CHECK(choosesPattern(scene));
  CHECK(readsPattern(scene));
  CHECK_FALSE(takesInput(scene));
  CHECK(drawnPatterns(scene).size() == 1);
  scene.model.own = false;
  CHECK(readsPattern(scene));
  CHECK(drawnPatterns(scene).empty());
  CHECK(measuredCostsOf(scene).rows.size() == 1);
}

TEST_CASE("curves along short texts are means over fewer positions, and say over how many",
          "[model]") {
  const auto over = [](Index tokens) {
    MeasuredCosts costs;
    costs.tokens = tokens;
    return smoothingOf(costs);
  };
  CHECK(over(2) == 1);
  CHECK(over(13) == 1);
  CHECK(over(65) == 8);
  CHECK(over(257) == 32);
  CHECK(over(1024) == 32);
  CHECK(smoothed({1, 2, 6}, 1) == std::vector<double>{1, 2, 6});
  CHECK(smoothed({1, 2, 6, 7}, 2) == std::vector<double>{1, 1.5, 4, 6.5});
  CHECK(smoothed({1, 2, 6, 7}, 3) == std::vector<double>{1.5, 3, 5, 6.5});
  const TinyModel tiny;
  Scene scene = tiny.scene();
  scene.model.n = 13;
  const Figure figure = figureOfScene(scene);
  CHECK(figure.caption.find(" Curves show every prediction.") != std::string::npos);
  const auto& along = std::get<CurvesMark>(figure.panels[1].plots[0].mark);
  const MeasuredCosts costs = measuredCostsOf(scene);
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(along.curves[1].points[i].y == costs.rows[1].loss[i]);
}

TEST_CASE("single values stand behind the curves of two rows where they are asked for", "[model]") {
  const TinyModel tiny;
  Scene scene = withVariants(tiny);
  scene.model.chosen = 1;
  const auto curvesOf = [&] {
    const Figure figure = figureOfScene(scene);
    return std::pair(std::get<CurvesMark>(figure.panels[1].plots[0].mark).curves, figure.caption);
  };
  CHECK(curvesOf().first.size() == 5);
  scene.model.single = true;
  const auto [curves, caption] = curvesOf();
  REQUIRE(curves.size() == 7);
  const MeasuredCosts costs = measuredCostsOf(scene);
  const auto behind = [&](const Curve& curve, const MeasuredRow& row) {
    CHECK(curve.kind == CurveKind::Single);
    CHECK(curve.hue == row.hue);
    CHECK(curve.label.empty());
    REQUIRE(curve.points.size() == row.loss.size());
    for (std::size_t i = 0; i < row.loss.size(); ++i)
      CHECK(curve.points[i].y == row.loss[i]);
  };
  behind(curves[5], costs.rows[0]);
  behind(curves[6], *rowNamed(costs, "low strided"));
  CHECK(caption.find("; behind them, pale, every prediction of the model as it is and of low "
                     "strided.") != std::string::npos);
  scene.model.own = false;
  scene.model.variants.clear();
  CHECK(curvesOf().first.size() == 2);
}

TEST_CASE("FLOPs of a table have one unit that suits its largest number", "[model]") {
  MeasuredCosts costs;
  costs.rows.resize(2);
  costs.rows[0].row.pairs = costs.rows[1].row.pairs = 1;
  const auto cells = [&](double most, double least) {
    costs.rows[0].row.flops = most;
    costs.rows[1].row.flops = least;
    const Board board = costsBoard(costs);
    return std::pair(board.lines[0].cells[6].text, board.lines[1].cells[6].text);
  };
  CHECK(cells(6.64e6, 4.52e6) == std::pair<std::string, std::string>("6.64 M", "4.52 M"));
  CHECK(cells(36.2e9, 3.25e9) == std::pair<std::string, std::string>("36.2 G", "3.25 G"));
  CHECK(cells(1.5e9, 5e8) == std::pair<std::string, std::string>("1.5 G", "0.5 G"));
  CHECK(cells(12, 3) == std::pair<std::string, std::string>("12", "3"));
}

TEST_CASE("a pattern that reads data looks ahead where its setting says so", "[model]") {
  const auto ahead = [](const Pattern& pattern) { return looksAhead(pattern, 24); };
  const auto with = [](const char* mechanism, bool causal) {
    Pattern pattern = patternNamed(mechanism);
    set(pattern, "causal", Value(causal));
    return pattern;
  };
  for (const char* mechanism : {"topk", "lsh", "routing", "cluster", "local"}) {
    INFO(mechanism);
    CHECK(ahead(with(mechanism, false)));
    CHECK_FALSE(ahead(with(mechanism, true)));
  }
  CHECK_FALSE(ahead(patternNamed("causal")));
  CHECK(ahead(patternNamed("full")));
  const Pattern late = with("topk", false);
  const Pattern past = with("lsh", true);
  const auto composed = [](Operation operation, std::vector<Pattern> of) {
    return Pattern(Compose(operation, std::move(of)));
  };
  CHECK(ahead(composed(Operation::Union, {past, late})));
  CHECK_FALSE(ahead(composed(Operation::Intersection, {late, Pattern(Causal{})})));
  CHECK_FALSE(ahead(composed(Operation::Difference, {past, late})));
  CHECK(ahead(composed(Operation::Complement, {past})));
}

TEST_CASE("a tokenizer with ids that the model lacks is refused as such", "[model]") {
  const TinyModel tiny;
  const Scene scene = tiny.scene();
  Model small = *openedModel(modelSource(scene.model));
  small.vocabulary = 10; // fewer than the tokenizer's 27
  CHECK(codeAndSubject([&] { modelTokens(small, modelSource(scene.model)); }) ==
        "E_RANGE tokenizer");
}

} // namespace attention
