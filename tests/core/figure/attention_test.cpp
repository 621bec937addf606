// The pictures of the Attention view: what they show is what the analyses compute.
#include "core/export/figure_file.h"
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "core/plot/draw_marks.h"
#include "core/plot/layout.h"
#include "core/scene/scene_json.h"
#include "core/views/attention/attention_figure.h"
#include "core/views/moving.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/small_attention.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <cmath>

using namespace attention;

namespace {

constexpr std::array kPictures{AttentionPicture::Maps, AttentionPicture::Heads,
                               AttentionPicture::Lines};

const ValuesMark& valuesOf(const FigurePanel& panel) {
  return std::get<ValuesMark>(panel.plots.front().mark);
}

} // namespace

TEST_CASE("every picture of attention is drawn in every form at any size") {
  const AttentionPicture picture = GENERATE(from_range(kPictures));
  const Scene scene = smallAttention(picture);
  const Figure figure = figureOfScene(scene, optionsFor(scene));
  CHECK(!figure.title.empty());
  CHECK(!figure.caption.empty());
  CHECK(!figure.source.empty());
  for (const auto& size :
       {std::optional<Size>(), std::optional<Size>({1500, 900}), std::optional<Size>({900, 1300})})
    checkWords(layout(figure, size, kMeasure));
  const TestFolder folder;
  for (const char* ending : {"a.png", "a.svg", "a.pdf", "a.tex"})
    CHECK_NOTHROW(writeFigure(figure, folder / ending));
}

TEST_CASE("the chosen maps are shown, with one ramp for those that are compared") {
  Scene scene = smallAttention(AttentionPicture::Maps);
  const Shown all = shownOf(scene);
  const auto panels = attentionDrawn(scene.attention, all.answer, all.look).panels;
  REQUIRE(panels.size() == 6); // three maps, mass, error, entropy
  CHECK(valuesOf(panels[0]).top == valuesOf(panels[1]).top);
  CHECK(valuesOf(panels[2]).ramp == Ramp::Changes);
  CHECK(*valuesOf(panels[0]).values == all.answer.maps->dense);
  scene.attention.maps = {false, true, false};
  scene.attention.curves = false;
  const Shown one = shownOf(scene);
  const auto single = attentionDrawn(scene.attention, one.answer, one.look).panels;
  REQUIRE(single.size() == 1);
  CHECK(*valuesOf(single[0]).values == one.answer.maps->pattern);
}

TEST_CASE("the camera cuts the maps and the curves alike") {
  Scene scene = smallAttention(AttentionPicture::Maps);
  scene.camera = Camera{10, 6, 8}; // queries 6 to 13, keys 2 to 9
  scene.pins = {8, 3};
  const Shown shown = shownOf(scene);
  const auto panels = attentionDrawn(scene.attention, shown.answer, shown.look).panels;
  const ValuesMark& mark = valuesOf(panels[0]);
  CHECK(mark.cells == Rect{6, 14, 2, 10});
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 8; ++j)
      CHECK((*mark.values)(i, j) == shown.answer.maps->dense(6 + i, 2 + j));
  CHECK(mark.query == 8);
  const auto& curves = std::get<CurvesMark>(panels[3].plots.front().mark);
  CHECK(curves.curves.front().points.size() == 8);
  CHECK(curves.curves.front().points.front().x == 6);
  CHECK(curves.uprights.front().x == 8);
}

TEST_CASE("many queries are drawn in groups with their spread") {
  Scene scene = smallAttention(AttentionPicture::Maps, 1300, 1);
  const Shown shown = shownOf(scene);
  CHECK(shown.answer.maps->dense.rows() == kMapPixels);
  const auto panels = measurePanels(shown.answer, shown.look);
  const Curve& curve = std::get<CurvesMark>(panels[0].plots.front().mark).curves.front();
  CHECK(curve.points.size() == 434); // of three queries each
  REQUIRE(curve.bands.size() == curve.points.size());
  const auto& mass = shown.answer.head->measures.captured;
  CHECK(curve.bands[0].low == *std::min_element(mass.begin(), mass.begin() + 3));
  CHECK(curve.points[0].y == Approx((mass[0] + mass[1] + mass[2]) / 3));
  CHECK(attentionDrawn(scene.attention, shown.answer, shown.look).caption.find("2 × 2 cells") !=
        std::string::npos);
}

TEST_CASE("every head is sketched with what the pattern keeps of it") {
  Scene scene = smallAttention(AttentionPicture::Heads, 70, 3);
  scene.input.head = 1;
  const Shown shown = shownOf(scene);
  const HeadSketches& sketches = *shown.answer.sketches;
  REQUIRE(sketches.made.size() == 3);
  CHECK(sketches.made[2]->maps.dense.rows() == kSketchPixels);
  Scene one = scene;
  one.attention.picture = AttentionPicture::Maps;
  for (const Index h : {0, 1, 2}) {
    one.input.head = h;
    const Shown head = shownOf(one);
    const auto& sketch = *sketches.made[static_cast<std::size_t>(h)];
    CHECK(sketch.captured == Approx(measureSummary(head.answer.head->measures.captured).mean));
    CHECK(*sketch.error == head.answer.head->measures.outputError->relativeFrobenius);
  }
  const auto mark = std::get<TilesMark>(headsPlot(scene.attention, sketches, shown.look).mark);
  CHECK(mark.tiles.size() == 3);
  CHECK(mark.tiles[1].chosen);
  CHECK_FALSE(mark.tiles[0].chosen);
  CHECK(mark.tiles[0].note.find("head 0") == 0);
  const std::vector<PlaceWords> told = headsPlot(scene.attention, sketches, shown.look).told();
  REQUIRE(told.size() == 3);
  for (const Index h : {0, 1, 2}) {
    const auto at = static_cast<std::size_t>(h);
    CHECK(told[at].part == h);
    CHECK(told[at].words == sketchWords(*shown.look.chosen.input, *sketches.made[at]));
    CHECK(told[at].words.starts_with("head " + std::to_string(h) + ": captured mass 0."));
  }
}

TEST_CASE("heads have their numbers in the model where a file has only some of them") {
  Scene scene = smallAttention(AttentionPicture::Heads, 12, 3);
  Shown shown = shownOf(scene);
  auto input = std::make_shared<Input>(*shown.look.chosen.input);
  input->metadata["heads"] = "[1, 3, 8]";
  shown.look.chosen.input = input;
  CHECK(headWords(*input, 0, 1) == "head 3");
  const Plot plot = headsPlot(scene.attention, *shown.answer.sketches, shown.look);
  CHECK(std::get<TilesMark>(plot.mark).tiles[2].note.starts_with("head 8 · "));
  CHECK(plot.told()[2].words.starts_with("head 8: "));
  input->metadata["heads"] = "[1, 3]"; // not of these heads
  CHECK(headWords(*input, 0, 1) == "head 1");
}

TEST_CASE("curves of measures tell what their titles name") {
  Scene scene = smallAttention(AttentionPicture::Maps, 12, 1);
  const Shown shown = shownOf(scene);
  const std::vector<FigurePanel> panels = measurePanels(shown.answer, shown.look);
  const PlaceWords first = panels.front().plots.front().told().front();
  CHECK(first.words.starts_with("query i = 0: captured mass = "));
  CHECK(panels.back().plots.front().told().front().words.find(" · query i = 0: entropy, nats = ") !=
        std::string::npos);
}

TEST_CASE("logits of heads share one scale and have both signs") {
  Scene scene = smallAttention(AttentionPicture::Heads, 12, 3);
  scene.attention.of = WeightsOf::Logits;
  scene.attention.base = AttentionBase::Full; // no entry is left out, and so no NaN
  const Shown shown = shownOf(scene);
  const HeadSketches& sketches = *shown.answer.sketches;
  const auto mark = std::get<TilesMark>(headsPlot(scene.attention, sketches, shown.look).mark);
  REQUIRE(mark.tiles.size() == 3);
  CHECK(mark.ramp == Ramp::Differences);
  float most = 0;
  for (std::size_t h = 0; h < 3; ++h) {
    CHECK(mark.tiles[h].values->values() == sketches.made[h]->logits.values());
    CHECK(mark.tiles[h].top == largestLogit(sketches));
    CHECK(mark.tiles[h].note == "head " + std::to_string(h));
    for (const float logit : mark.tiles[h].values->values())
      most = std::max(most, std::abs(logit));
  }
  CHECK(most == largestLogit(sketches));
}

TEST_CASE("sketches are published head by head") {
  const Scene scene = smallAttention(AttentionPicture::Heads, 12, 4);
  const auto input = loadInput(scene.input);
  const AttentionQuestion question = attentionQuestion(scene, squareLengths(12));
  std::vector<std::size_t> seen;
  headSketches(question, input, [&](const HeadSketches& part) {
    seen.push_back(part.made.size());
    const AttentionLook look = attentionLook(scene, squareLengths(12), {input, 0, 0});
    CHECK_NOTHROW(
        layout(attentionFigure(scene.attention, {{}, {}, std::make_shared<HeadSketches>(part)},
                               look, FigureTheme::Dark),
               {}, kMeasure));
  });
  CHECK(seen == std::vector<std::size_t>{1, 2, 3, 4});
}

TEST_CASE("many rows of few heads stand in groups side by side") {
  TilesMark mark;
  mark.columns = 9;
  mark.tiles.resize(30 * 9);
  const Box box{0, 0, 700, 560};
  const Box alone = tileBox(mark, box, 0);
  mark.rowNames.assign(30, "layer");
  CHECK(mark.groups() == 2);
  CHECK(mark.rowsOfGroup() == 15);
  const Box first = tileBox(mark, box, 0);
  CHECK(first.width > 1.6 * alone.width);
  const Box second = tileBox(mark, box, 15 * 9); // layer 15, head 0
  CHECK(second.y == first.y);
  CHECK(second.x - tileBox(mark, box, 8).right() > 2.5 * first.width); // room for its name
  mark.columns = 12;
  mark.tiles.resize(6 * 12);
  mark.rowNames.assign(6, "layer");
  CHECK(mark.groups() == 1);
}

TEST_CASE("pictures of heads do not touch and lie within their box") {
  TilesMark mark;
  mark.columns = GENERATE(1, 3, 12);
  mark.tiles.resize(static_cast<std::size_t>(GENERATE(1, 5, 72)));
  mark.cellAspect = GENERATE(1.0, 0.5);
  if (GENERATE(false, true)) // then many rows stand in groups
    mark.rowNames.assign(static_cast<std::size_t>(mark.rows()), "layer");
  const Box box{10, 20, GENERATE(300.0, 900.0), 500};
  for (std::size_t a = 0; a < mark.tiles.size(); ++a) {
    const Box first = tileBox(mark, box, a);
    CHECK(first.x >= box.x);
    CHECK(first.y >= box.y);
    CHECK(first.right() <= box.right() + 1);
    CHECK(first.bottom() <= box.bottom() + 1);
    for (std::size_t b = a + 1; b < mark.tiles.size(); ++b)
      CHECK_FALSE(overlap(first, tileBox(mark, box, b)));
  }
}

TEST_CASE("rows of heads without words between them are as near as columns") {
  TilesMark mark;
  mark.columns = 30;
  mark.tiles.resize(270);
  mark.dense = true;
  const Box box{0, 0, 720, 500};
  const Box first = tileBox(mark, box, 0);
  const double across = tileBox(mark, box, 1).x - first.right();
  for (std::size_t row = 1; row < 9; ++row) {
    const double down =
        tileBox(mark, box, row * 30).y - tileBox(mark, box, (row - 1) * 30).bottom();
    CHECK(std::abs(down - across) <= 2);
  }
  mark.dense = false;
  CHECK(tileBox(mark, box, 30).y - first.bottom() > first.height / 2); // with room for words
}

TEST_CASE("columns of heads are all labelled, or labelled at equal distances") {
  TilesMark mark;
  mark.columns = 12;
  mark.tiles.resize(24);
  mark.columnName = "head";
  const Plot plot{std::move(mark), std::nullopt, std::nullopt};
  for (const double width : {1200.0, 560.0, 240.0}) {
    const DisplayList list = layoutPlot(plot, {width, 400}, {13}, kMeasure).list;
    std::vector<std::string> names;
    for (const Text& text : all<Text>(list))
      names.push_back(text.text);
    INFO(width);
    REQUIRE(names.size() >= 4);
    CHECK(names[0] == (width == 1200 ? "head 0" : "0"));
    if (width > 240)
      CHECK(names.size() == 12);
    const int step = std::stoi(names[1].substr(names[1].find_last_of(' ') + 1));
    for (std::size_t k = 0; k < names.size(); ++k)
      CHECK(names[k].substr(names[k].find_last_of(' ') + 1) ==
            std::to_string(static_cast<int>(k) * step));
    checkWords(list);
  }
}

TEST_CASE("rows of named heads say once what the column numbers mean") {
  TilesMark mark;
  mark.columns = 12;
  mark.tiles.resize(24);
  mark.columnName = "head";
  mark.rowNames = {"layer 0", "layer 1"};
  const Plot plot{std::move(mark), std::nullopt, std::nullopt};
  for (const double width : {1200.0, 500.0}) {
    const DisplayList list = layoutPlot(plot, {width, 160}, {13}, kMeasure).list;
    const auto texts = all<Text>(list);
    const auto heads = std::count_if(texts.begin(), texts.end(),
                                     [](const Text& text) { return text.text == "head"; });
    CHECK(heads == (width == 500 ? 1 : 0));
    checkWords(list);
  }
}

TEST_CASE("pictures of heads fill a wide place and the first one names its axes") {
  TilesMark mark;
  mark.columns = 4;
  mark.tiles.resize(8);
  for (HeadTile& tile : mark.tiles)
    tile.note = "head 1";
  const Plot plot{mark, std::nullopt, std::nullopt};
  const PlacedPlot placed = layoutPlot(plot, {1400, 500}, {13}, kMeasure);
  CHECK(tileBox(mark, placed.box, 3).right() > 1100);
  for (const char* name : {"key j", "query i"}) {
    const auto texts = all<Text>(placed.list);
    CHECK(std::count_if(texts.begin(), texts.end(),
                        [&](const Text& text) { return text.text == name; }) == 1);
  }
  checkWords(placed.list);
}

TEST_CASE("a row of weights is that of the maps, with its strongest keys listed first") {
  const Scene scene = smallAttention(AttentionPicture::Maps);
  const Shown shown = shownOf(scene);
  const AttentionRow row = attentionRow(*shown.answer.head, 7);
  for (Index j = 0; j < 24; ++j) {
    CHECK(row.dense[static_cast<std::size_t>(j)] == shown.answer.maps->dense(7, j));
    CHECK(row.pattern[static_cast<std::size_t>(j)] == shown.answer.maps->pattern(7, j));
  }
  REQUIRE(row.top.size() == kTopKeys);
  CHECK(row.top.front().dense == *std::max_element(row.dense.begin(), row.dense.end()));
}

TEST_CASE("ready weights are shown and their output error is said to be unknown") {
  const TestFolder folder;
  Scene scene = smallAttention(AttentionPicture::Maps);
  const Shown drawn = shownOf(scene);
  writeNpy<float>(folder / "w.npy", drawn.answer.maps->dense);
  FileInput file;
  file.attention = (folder / "w.npy").string();
  scene.input.source = file;
  scene.attention.base = AttentionBase::Full;
  const Shown ready = shownOf(scene);
  CHECK(ready.answer.head->measures.error.empty());
  CHECK(measurePanels(ready.answer, ready.look).size() == 2);
  CHECK(attentionDrawn(scene.attention, ready.answer, ready.look).caption.find("is unknown") !=
        std::string::npos);
  scene.pattern = patternFrom("topk", R"({"k": 3})");
  CHECK(messageOf([&] { shownOf(scene); }).find("attention weights") != std::string::npos);
}

TEST_CASE("ready weights with values have the output error of their queries and keys") {
  const TestFolder folder;
  Scene scene = smallAttention(AttentionPicture::Maps);
  scene.attention.base = AttentionBase::Full;
  const Shown drawn = shownOf(scene);
  writeNpy<float>(folder / "w.npy", drawn.answer.maps->dense);
  writeNpy<float>(folder / "v.npy", drawn.answer.head->weights->head()->v);
  FileInput file;
  file.attention = (folder / "w.npy").string();
  file.v = (folder / "v.npy").string();
  scene.input.source = file;
  const Shown ready = shownOf(scene);
  const QueryMeasures& expected = drawn.answer.head->measures;
  const QueryMeasures& got = ready.answer.head->measures;
  REQUIRE(got.outputError);
  CHECK(got.outputError->relativeFrobenius ==
        Approx(expected.outputError->relativeFrobenius).epsilon(1e-5));
  REQUIRE(got.error.size() == expected.error.size());
  for (std::size_t i = 0; i < got.error.size(); ++i)
    CHECK(got.error[i] == Approx(expected.error[i]).epsilon(1e-4).margin(1e-6));
  CHECK(attentionDrawn(scene.attention, ready.answer, ready.look).caption.find("is unknown") ==
        std::string::npos);
}

TEST_CASE("a pattern that keeps everything has no curves that would be flat") {
  Scene scene = smallAttention(AttentionPicture::Maps);
  scene.pattern = patternFrom("full", "{}");
  scene.attention.base = AttentionBase::Full;
  const Shown all = shownOf(scene);
  CHECK(keepsAll(*all.answer.head));
  const auto panels = measurePanels(all.answer, all.look);
  REQUIRE(panels.size() == 1);
  CHECK(panels.front().title == "entropy, nats");
  CHECK(std::get<CurvesMark>(panels.front().plots.front().mark).curves.size() == 1);
  const std::string words = "The pattern keeps all of full attention.";
  CHECK(attentionDrawn(scene.attention, all.answer, all.look).caption.starts_with(words));
  CHECK(readingOf(scene.attention, all.answer, all.look).front() == words);
  scene.pattern = patternFrom("causal", "{}"); // half of it
  CHECK_FALSE(keepsAll(*shownOf(scene).answer.head));
  // Two softmaxes over all keys, which is another function.
  scene.pattern = patternFrom("dilated_segments", R"({"segments": [24, 24], "dilations": [1, 1]})");
  scene.attention.base = AttentionBase::Full;
  const Shown twice = shownOf(scene);
  CHECK(twice.answer.head->weights->pattern()->pairs() == 24 * 24);
  CHECK_FALSE(keepsAll(*twice.answer.head));
}

TEST_CASE("small and large numbers of captions and colour bars have a power of ten") {
  const Scene scene = smallAttention(AttentionPicture::Maps);
  Shown shown = shownOf(scene);
  AttentionHead head = *shown.answer.head;
  head.measures.captured.assign(head.measures.captured.size(), 1.2e-4);
  head.measures.outputError->relativeFrobenius = 1.2e8;
  shown.answer.head = std::make_shared<const AttentionHead>(std::move(head));
  CHECK(
      attentionDrawn(scene.attention, shown.answer, shown.look)
          .caption.starts_with("Captured mass 1.2 × 10⁻⁴ on average, lowest 1.2 × 10⁻⁴ at query 0; "
                               "relative output error 1.2 × 10⁸, "));
  std::vector<std::string> numbers;
  for (const auto& scale : {BarScale{Ramp::Attention, 1.2e8}, BarScale{Ramp::Changes, 1.2e-4}})
    for (const BarTick& tick : barTicks({"weight"}, scale, 0))
      numbers.push_back(tick.text);
  for (const char* words : {"1.2 × 10⁸", "1 × 10⁷", "+1.2 × 10⁻⁴", "−1 × 10⁻⁵"})
    CHECK(std::count(numbers.begin(), numbers.end(), words) == 1);
}

TEST_CASE("the numbers of every picture of attention are written as a table and as an array") {
  struct Written {
    AttentionPicture picture;
    std::string heading;
    long lines; // with the heading; −1: as many as are drawn
    std::vector<Index> shape;
  };
  const Written of =
      GENERATE(Written{AttentionPicture::Maps, "query,token,captured_mass,", 1 + 24, {3, 24, 24}},
               Written{AttentionPicture::Heads, "batch,head,captured_mass,", 1 + 3, {1, 3, 24, 24}},
               Written{AttentionPicture::Lines, "query,key,query_token,", -1, {24, 24}});
  const Scene scene = smallAttention(of.picture);
  const SceneFigureOptions options = optionsFor(scene);
  const std::string text = sceneDataText(scene, options);
  CHECK(text.substr(0, of.heading.size()) == of.heading);
  const long lines = std::count(text.begin(), text.end(), '\n');
  if (of.lines > 0)
    CHECK(lines == of.lines);
  else
    CHECK(lines > 24);
  const TestFolder folder;
  writeSceneData(scene, options, folder / "a.csv");
  writeSceneData(scene, options, folder / "a.npy");
  const ArrayFile file = readArrays(folder / "a.npy");
  CHECK(file.arrays.front().tensor.shape == of.shape);
  CHECK(codeOf([&] { writeSceneData(scene, options, folder / "a.mtx"); }) == "E_UNSUPPORTED");
}

TEST_CASE("errors in a scene of attention name the field") {
  const auto message = [](auto&& change) {
    Scene scene = smallAttention(AttentionPicture::Maps);
    change(scene);
    SceneFigureOptions options;
    if (!std::holds_alternative<NoInput>(scene.input.source))
      options.input = loadInput(scene.input);
    return messageOf([&] { figureOfScene(scene, options); });
  };
  CHECK(message([](Scene& s) {
          s.attention.maps = {false, false, false};
        }) ==
        "maps is an empty list; it must be a list of at least one of full, pattern and difference");
  CHECK(message([](Scene& s) { s.attention.least = -1; }) ==
        "least is -1; it must be a number from 0 to 1");
  CHECK(message([](Scene& s) { s.attention.least = std::nan(""); }).find("least is NaN") == 0);
  CHECK(message([](Scene& s) { s.length.n = 20000; }) ==
        "n is 20000; it must be at most 16384 tokens in this view");
  CHECK(message([](Scene& s) { s.length.n = 30; }) ==
        "n is 30; it must be at most 24, the length of the input");
  CHECK(message([](Scene& s) { s.input = InputSpec(); }).find("No input loaded") == 0);
  CHECK(message([](Scene& s) { s.camera = Camera{1e300, -1e300, 1e-300}; }).empty());
  CHECK(message([](Scene& s) { s.pins = {1000, -5}; }).empty());
}

TEST_CASE("a scene of attention comes back from its text") {
  Scene scene = smallAttention(AttentionPicture::Lines);
  scene.attention.base = AttentionBase::Causal;
  scene.attention.maps = {true, false, true};
  scene.attention.curves = false;
  scene.attention.of = WeightsOf::Pattern;
  scene.attention.least = 0.25;
  CHECK(sceneFromText(toText(scene)).scene == scene);
  CHECK(messageOf([] {
          sceneFromText(R"({"type": "attention-explorer scene", "version": 1,
                            "attention": {"picture": "bars"}})");
        }).find("attention.picture is bars; it must be one of maps, heads, lines") !=
        std::string::npos);
}

TEST_CASE("tiles over the maps have the attention that lies in each") {
  Scene scene = smallAttention(AttentionPicture::Maps);
  scene.mask.tiles = {true, 8, 8};
  const Shown shown = shownOf(scene);
  REQUIRE(shown.answer.tiles);
  const auto panels = mapPanels(scene.attention, shown.answer, shown.look);
  REQUIRE(panels.size() == 3);
  for (const FigurePanel& panel : panels) {
    REQUIRE(valuesOf(panel).tiles);
    REQUIRE(valuesOf(panel).tileMasses.size() == 9);
  }
  for (std::size_t k = 0; k < 9; ++k)
    CHECK(valuesOf(panels[2]).tileMasses[k] ==
          valuesOf(panels[1]).tileMasses[k] - valuesOf(panels[0]).tileMasses[k]);
  const Figure figure = figureOfScene(scene, optionsFor(scene));
  CHECK(figure.caption.find("share of all attention in each 8 × 8 tile") != std::string::npos);
  REQUIRE(figure.legend.size() == 2);
  CHECK(figure.legend.front().label == "full tile");
  const auto words = wordsOf(layout(figure, Size{1500, 900}, kMeasure));
  const auto percents = std::count_if(words.begin(), words.end(), [](const std::string& word) {
    return word.ends_with("%") && !word.ends_with("keys");
  });
  CHECK(percents >= 9);
  CHECK(tileText(shown.answer, 3, 20).find(" tile, ") != std::string::npos);
  CHECK(tileText(shown.answer, 99, 20).empty());
  scene.attention.picture = AttentionPicture::Lines;
  CHECK_FALSE(shownOf(scene).answer.tiles);
  scene.attention.picture = AttentionPicture::Maps;
  scene.mask.tiles.queries = 0;
  CHECK(messageOf([&] { figureOfScene(scene, optionsFor(scene)); }).find("0") != std::string::npos);
}
