#include "core/views/reach/scene_reach.h"

#include "core/pattern/beginning.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern_json.h"
#include "core/plot/arrange.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

using namespace attention;

namespace {

Panel fixedHead(int head) {
  const nlohmann::json params{{"stride", 6}, {"c", 1}, {"head", head}};
  return {"", patternFromJson(nlohmann::json{{"mechanism", "fixed"}, {"params", params}})};
}

Scene twoHeads(bool residual) {
  Scene scene;
  scene.view = View::Reach;
  scene.length.n = 36;
  scene.reach.layers = 2;
  scene.reach.residual = residual;
  scene.reach.stack = {fixedHead(1), fixedHead(2)};
  return scene;
}

} // namespace

TEST_CASE("fixed attention reaches everything only in one order and with the residual connection") {
  const ReachAnswer with = reachOfScene(twoHeads(true), nullptr, 0);
  CHECK(with.growth.front().layers.back().pairs == 666);
  REQUIRE(with.variants.size() == 2);
  CHECK_FALSE(with.variants[0].residual);
  CHECK(with.variants[0].top.pairs == 576);
  CHECK(with.variants[1].reversed);
  CHECK(with.variants[1].top.pairs == 216);
  CHECK(titleOfReach(with, 35) == "What token 35 sees through 2 layers with alternating patterns");
  const ReachAnswer without = reachOfScene(twoHeads(false), nullptr, 0);
  CHECK(without.growth.front().layers.back().pairs == 576);
  CHECK(without.variants[0].top.pairs == 666);
}

TEST_CASE("the layer that is edited has to be one of the stack") {
  Scene scene = twoHeads(true);
  for (const Index chosen : {-1, 2}) {
    scene.reach.chosen = chosen;
    CHECK_THROWS_WITH(reachOfScene(scene, nullptr, 0), "chosen is " + std::to_string(chosen) +
                                                           "; it must be an integer from 0 to 1");
  }
  scene.reach.stack.clear(); // if none is edited, it says nothing
  CHECK_NOTHROW(reachOfScene(scene, nullptr, 0));
}

TEST_CASE("pairs that fewer layers reach but not all together are shown as lost again") {
  CHECK_FALSE(reachOfScene(twoHeads(true), nullptr, 0).lost);
  const Scene scene = twoHeads(false);
  const ReachAnswer answer = reachOfScene(scene, nullptr, 0);
  REQUIRE(answer.lost);
  CHECK(answer.lost->count == 90); // all that are missing of 666
  const BitMatrix reach = receptiveField(answer.stack, 2, 1).reach;
  const Plot plot = hopPlot(*answer.hops, *answer.longest, answer.lost.get());
  const Matrix<float>& shown = *std::get<ValuesMark>(plot.mark).values;
  for (Index i = 0; i < 36; ++i)
    for (Index j = 0; j < 36; ++j) {
      INFO(i << ", " << j);
      REQUIRE(answer.lost->pairs(i, j) == (j <= i && !reach(i, j)));
      const Index hops = (*answer.hops)(i, j);
      REQUIRE(shown(i, j) ==
              static_cast<float>(answer.lost->pairs(i, j) ? kLostHops - hops : hops));
    }
  std::map<Index, std::string> told;
  for (const PlaceWords& of : plot.told())
    told[of.part] = of.words;
  CHECK(told[-1] == "j = {key} never reaches i = {query}");
  CHECK(told[2] == "j = {key} reaches i = {query} after 2 layers");
  CHECK(told[kLostHops - 1] ==
        "j = {key} reaches i = {query} after 1 layer, and is lost again: not through all layers");
  const Figure figure = figureOfScene(scene);
  CHECK(figure.legend.back().label == "lost again");
  CHECK(figure.legend.back().color == hopColor(kLostHops, 2, figure.theme));
  CHECK(figureOfScene(twoHeads(true)).legend.back().label == "2 layers");
}

TEST_CASE("a pixel of many pairs shows that one of them is lost") {
  Scene scene = twoHeads(false);
  scene.length.n = 2052; // 1024 pixels per side, of two or three tokens each
  const ReachAnswer answer = reachOfScene(scene, nullptr, 0);
  REQUIRE(answer.lost);
  const Plot plot = hopPlot(*answer.hops, *answer.longest, answer.lost.get());
  const Matrix<float>& shown = *std::get<ValuesMark>(plot.mark).values;
  CHECK(shown.rows() == 1024);
  for (Index y = 0; y < 1023; ++y) // a query whose pixel ends no block loses itself
    REQUIRE(shown(y, y) < static_cast<float>(kLostHops));
}

// The share of each layer by multiplying boolean matrices.
std::vector<Index> powersOf(const Prepared& mask, Index layers) {
  const Index n = mask.lengths().keys;
  const auto at = [n](Index i, Index j) { return static_cast<std::size_t>(i * n + j); };
  std::vector<bool> reached(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i)
    reached[at(i, i)] = true;
  std::vector<Index> pairs;
  for (Index layer = 0; layer < layers; ++layer) {
    std::vector<bool> next = reached; // the residual connection
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k)
        for (Index j = 0; mask.contains(i, k) && j < n; ++j)
          next[at(i, j)] = next[at(i, j)] || reached[at(k, j)];
    reached = std::move(next);
    pairs.push_back(std::count(reached.begin(), reached.end(), true));
  }
  return pairs;
}

TEST_CASE("data-dependent layers are followed on the loaded input") {
  const std::string name =
      GENERATE("topk", "lsh", "cluster", "routing", "vertical_slash_estimated");
  Scene scene;
  scene.view = View::Reach;
  scene.input.source = RandomInput{};
  scene.length.n = 24;
  scene.reach.layers = 3;
  const Pattern pattern = beginning(patternNamed(name), 24);
  const auto input = loadedInput(scene);
  const auto mask = prepare(pattern, squareLengths(24), inputData(*input, 0, 0, 24, Run()));
  const std::vector<Index> expected = powersOf(*mask, 3);
  const bool beside = GENERATE(false, true);
  INFO(name << (beside ? " beside another" : ""));
  if (beside)
    scene.reach.beside = {{"", pattern}};
  else
    scene.pattern = pattern;
  const ReachAnswer answer = reachOfScene(scene, input.get(), 1);
  std::vector<Index> pairs;
  for (const LayerReach& layer : answer.growth.back().layers)
    if (layer.layer > 0)
      pairs.push_back(layer.pairs);
  CHECK(pairs == expected);
}

TEST_CASE("layers of a given mask are followed with its file read") {
  const TestFolder folder;
  std::ofstream(folder / "mask.csv") << "i,j\n1,0\n2,1\n3,3\n7,2\n";
  Scene scene;
  scene.view = View::Reach;
  scene.length.n = 8;
  scene.reach.layers = 3;
  scene.pattern = patternFromJson(
      {{"mechanism", "given"}, {"params", {{"mask", (folder / "mask.csv").string()}}}});
  const ReachAnswer answer = reachOfScene(scene, nullptr, 1);
  REQUIRE(answer.growth.size() == 1);
  CHECK(answer.growth.front().layers.back().pairs == 14); // 8 itself, 4 (of which 3,3), 2, 1
}

TEST_CASE("the drawn path goes along edges down to the input") {
  const bool residual = GENERATE(true, false);
  const Index key = GENERATE(0, 11, 35);
  Scene scene = twoHeads(residual);
  scene.reach.layers = 4;
  scene.pins.query = 35;
  scene.pins.key = key;
  const ReachAnswer answer = reachOfScene(scene, nullptr, 0);
  const LayerGraph graph = graphOf(answer, reachOfToken(answer, scene.pins), {}, {});
  REQUIRE(graph.plot);
  const auto& mark = std::get<LayersMark>(graph.plot->mark);
  REQUIRE(mark.path.size() == 5); // one token per row: the top one is lit, or nothing is
  CHECK(mark.path.front() == 35);
  CHECK(mark.path.back() == key);
  for (std::size_t k = 0; k + 1 < mark.path.size(); ++k)
    CHECK(std::any_of(mark.edges.begin(), mark.edges.end(), [&](const LayerEdge& edge) {
      return edge.layer == mark.layers - static_cast<Index>(k) && edge.query == mark.path[k] &&
             edge.key == mark.path[k + 1];
    }));
}

TEST_CASE("token 0 reaches itself through no layer where a residual connection carries it") {
  const bool residual = GENERATE(true, false);
  const ReachAnswer answer = reachOfScene(twoHeads(residual), nullptr, 0);
  const ReachOfToken of = reachOfToken(answer, {0, {}});
  CHECK(of.neededFor0 == Index{residual ? 0 : 1});
  CHECK(of.neededFor0 == Index{(*answer.hops)(0, 0)});
}

TEST_CASE("the legend of hops goes from the smallest to the largest number") {
  const bool residual = GENERATE(true, false);
  for (const float top : {1.0F, 2.0F, 7.0F, 8.0F, 13.0F, 24.0F, 900.0F}) {
    ValuesMark mark;
    mark.top = top;
    const auto legend =
        hopLegend({mark, std::nullopt, std::nullopt}, FigureTheme::Light, {residual, false, {}});
    REQUIRE(!legend.empty());
    CHECK(legend.size() <= 10);
    CHECK(legend.front().label == (residual ? "0" : "1"));
    CHECK(legend.back().label == std::to_string(static_cast<int>(top)));
  }
}

TEST_CASE("a part of the matrix of hops is drawn with the colours of the whole") {
  Scene scene = twoHeads(true);
  scene.reach.stack = {fixedHead(1)};
  scene.reach.layers = 8;
  const ReachAnswer answer = reachOfScene(scene, nullptr, 0);
  const HopMatrix& hops = *answer.hops;
  const Plot whole = hopPlot(hops, *answer.longest);
  const Plot part = hopPlot(hops, *answer.longest, nullptr, Rect{12, 20, 3, 7});
  const auto& mark = std::get<ValuesMark>(part.mark);
  CHECK(mark.top == std::get<ValuesMark>(whole.mark).top);
  CHECK(mark.top ==
        static_cast<float>(std::ranges::max(std::get<ValuesMark>(whole.mark).values->values())));
  CHECK(mark.cells == Rect{12, 20, 3, 7});
  REQUIRE(mark.values->rows() == 8);
  REQUIRE(mark.values->cols() == 4);
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 4; ++j)
      CHECK((*mark.values)(i, j) == static_cast<float>(hops(12 + i, 3 + j)));
}

TEST_CASE("layers that are followed are named, marked on the growth and counted") {
  Scene scene;
  scene.view = View::Reach;
  scene.length.n = 40;
  scene.pattern = patternFrom("local", R"({"window": 3, "causal": true})");
  scene.reach.layers = 4;
  scene.reach.shown = 2;
  const ReachAnswer answer = reachOfScene(scene, nullptr, 1);
  CHECK(titleOfReach(answer, 20, 2).starts_with("What token 20 sees through 2 of 4 layers of "));
  CHECK(titleOfReach(answer, 20, 4) == titleOfReach(answer, 20));
  const auto linesAt = [](const Plot& growth) {
    std::vector<double> at;
    for (const Upright& upright : std::get<CurvesMark>(growth.mark).uprights)
      at.push_back(upright.x);
    return at;
  };
  CHECK(linesAt(growthOf(answer, 2)) == std::vector<double>{2});
  CHECK(linesAt(growthOf(answer, {})).empty());
  const ReachOfToken token = reachOfToken(answer, {20, {}});
  for (Index shown = 0; shown <= 4; ++shown)
    CHECK(graphOf(answer, token, shown, {}).seen == token.seen[static_cast<std::size_t>(shown)]);
  CHECK(graphOf(answer, token, {}, {}).seen == token.seen.back());

  scene.reach.stack = {{"", scene.pattern}, {"", Strided{}}};
  CHECK(linesAt(growthOf(reachOfScene(scene, nullptr, 1), 2)).empty());
}

TEST_CASE("the reverse order is that of the layers and not of the list of patterns") {
  Scene scene = twoHeads(true);
  scene.reach.layers = 3; // A, B, A: the same from both ends
  CHECK(reachOfScene(scene, nullptr, 0).variants.size() == 1);
  scene.reach.layers = 4;
  CHECK(reachOfScene(scene, nullptr, 0).variants.size() == 2);
}

TEST_CASE("what is too large for a graph is drawn as its matrix and says why") {
  Scene scene;
  scene.view = View::Reach;
  scene.pattern = Causal{};
  scene.length.n = 128;
  const ReachAnswer answer = reachOfScene(scene, nullptr, 0);
  REQUIRE(fitsGraph(answer));
  const LayerGraph graph = graphOf(answer, reachOfToken(answer, {}), {}, {});
  CHECK_FALSE(graph.plot);
  CHECK(graph.whyNot.find("20\u2009000 lit edges") != std::string::npos);
  CHECK(figureOfScene(scene).panels.size() == 2);
}

TEST_CASE("a file of layers says what it shows and what its swatches count") {
  Scene scene;
  scene.view = View::Reach;
  scene.length.n = 24;
  scene.pattern = patternFrom("local", R"({"window": 4, "causal": true})");
  scene.reach.layers = 4;
  scene.reach.shown = 2;
  Figure figure = figureOfScene(scene);
  REQUIRE(figure.panels.size() == 3);
  CHECK(figure.panels[0].alone);
  CHECK(figure.title.find("What token 23 sees through 2 of 4 layers") == 0);
  CHECK(figure.legend.front().label == "0 layers");
  CHECK(figure.legend[1].label == "2 layers");
  // A small one shows the graph and the growth, as in print.
  CHECK(&figureFor(figure, Size{1000, 800}, kMeasure) == &figure);
  REQUIRE(&figureFor(figure, Size{400, 360}, kMeasure) == figure.fallback.get());
  CHECK(figure.fallback->panels.size() == 1);
  CHECK(figure.fallback->panels[0].plots.size() == 2);
  CHECK(figure.fallback->legend.empty());

  scene.length.n = 2048; // no graph shows the token or the followed layers
  figure = figureOfScene(scene);
  REQUIRE(figure.panels.size() == 2);
  CHECK(figure.title.find("What 4 layers of Local, window 4") == 0);
  CHECK(figure.title.ends_with(" reach"));
}

TEST_CASE("animation steps beyond the layers and too many patterns are refused") {
  Scene scene = twoHeads(true);
  scene.reach.shown = GENERATE(Index{-1}, Index{3}, INT64_MAX);
  CHECK_THROWS_AS(reachQuestion(scene, squareLengths(36)), Error);
  scene.reach.shown.reset();
  CHECK_NOTHROW(reachQuestion(scene, squareLengths(36)));
  scene.reach.beside.assign(kMostBeside + 1, {"", Causal{}});
  CHECK_THROWS_AS(reachQuestion(scene, squareLengths(36)), Error);
}

TEST_CASE("a stack that reads the same from both ends has no reverse order") {
  Scene scene = twoHeads(true);
  scene.reach.stack = {fixedHead(1), fixedHead(2), fixedHead(1)};
  scene.reach.layers = 3;
  CHECK(reachOfScene(scene, nullptr, 0).variants.size() == 1);
}

TEST_CASE("the answer is reported curve by curve until it is whole") {
  Scene scene = twoHeads(true);
  scene.reach.beside = {{"", Causal{}}, {"everything", Full{}}};
  const ReachQuestion question = reachQuestion(scene, squareLengths(36));
  std::vector<std::size_t> curves;
  const ReachAnswer whole = reachAnswer(
      question, {}, 1, [&](const ReachAnswer& part) { curves.push_back(part.growth.size()); });
  CHECK(curves == std::vector<std::size_t>{1, 2, 3});
  CHECK(whole.growth.back().label == "everything");
  CHECK_FALSE(whole.growth.back().causal);
  REQUIRE(whole.hops);
  CHECK(whole.longest == 2);
}

TEST_CASE("more layers than can be shown are refused") {
  Scene scene = twoHeads(true);
  scene.reach.layers = GENERATE(0, kMostLayersShown + 1);
  CHECK_THROWS_AS(reachQuestion(scene, squareLengths(36)), Error);
}
