#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/plot/arrange.h"
#include "core/plot/cell_rects.h"
#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/views/mask/mask_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/title_words.h"

#include <set>

using namespace attention;

namespace {

std::shared_ptr<const Prepared> strided(Index n, Index stride) {
  Strided pattern;
  pattern.stride = stride;
  return prepare(pattern, squareLengths(n));
}

Figure figureOf(int panels, Index n) {
  std::vector<MaskPanelSpec> specs;
  for (int k = 0; k < panels; ++k)
    specs.push_back({strided(n, 2 + k), "panel " + std::to_string(k), {}, {}, {}, {}});
  Figure figure = maskFigure(specs, FigureTheme::Light);
  figure.caption = "What the panels show.";
  return figure;
}

Figure figureOfCurves(std::size_t panels, const std::string& axis) {
  Figure figure;
  for (std::size_t k = 0; k < panels; ++k) {
    CurvesMark mark;
    mark.x = {"n", Scale::Linear, 0, 1};
    mark.y = {axis, Scale::Linear, 0, 1};
    mark.curves.resize(1);
    mark.curves.front().label = "a mechanism of some parameters";
    mark.curves.front().points = {{0, 0.2}, {1, 0.7}};
    figure.panels.push_back({"", {{std::move(mark), std::nullopt, std::nullopt}}, {}});
  }
  return figure;
}

} // namespace

TEST_CASE("the same figure gives the same display list") {
  const Figure figure = figureOf(2, 300);
  const Size size{900, 500};
  CHECK(layout(figure, size, kMeasure) == layout(figure, size, kMeasure));
  CHECK(!(layout(figure, size, kMeasure) == layout(figureOf(2, 301), size, kMeasure)));
}

TEST_CASE("merged rectangles hold exactly the cells of each part once") {
  const Index n = GENERATE(1, 2, 7, 36);
  const auto pattern = strided(n, 5);
  const auto rects = cellRects(*pattern, pattern->bounds(), 100000);
  REQUIRE(rects.has_value());
  std::set<std::pair<Index, Index>> seen;
  for (const CellRect& rect : *rects)
    for (Index i = rect.cells.rowBegin; i < rect.cells.rowEnd; ++i)
      for (Index j = rect.cells.keyBegin; j < rect.cells.keyEnd; ++j) {
        CHECK(seen.insert({i, j}).second);
        CHECK(pattern->contains(rect.part, i, j));
        CHECK((rect.part == 0 || !pattern->contains(0, i, j)));
      }
  CHECK(static_cast<Index>(seen.size()) == pattern->pairs());
}

TEST_CASE("full attention is one rectangle, and too many rectangles give none") {
  const auto full = prepare(Full{}, squareLengths(50));
  CHECK(cellRects(*full, full->bounds(), 10)->size() == 1);
  CHECK(!cellRects(*strided(50, 5), {0, 50, 0, 50}, 10).has_value());
}

TEST_CASE("a small mask is boxes and a large one is a picture") {
  CHECK(all<Picture>(layout(figureOf(1, 36), {}, kMeasure)).empty());
  const DisplayList large = layout(figureOf(1, 5000), {}, kMeasure);
  REQUIRE(all<Picture>(large).size() == 1);
  const Picture picture = all<Picture>(large).front();
  CHECK(picture.image->width == static_cast<int>(picture.box.width));
}

TEST_CASE("boxes of a small mask are exactly its cells") {
  const DisplayList list = layout(figureOf(1, 36), {}, kMeasure);
  double cells = 0;
  for (const FillBoxes& fill : all<FillBoxes>(list))
    if (fill.unit.width == fill.unit.height && fill.boxes.size() > 1)
      for (const Box& box : fill.boxes)
        cells += box.width * box.height;
  CHECK(static_cast<Index>(cells) == strided(36, 2)->pairs());
}

TEST_CASE("no text leaves the figure or covers other text") {
  const int panels = GENERATE(1, 2, 3, 4, 7);
  const Index n = GENERATE(1, 36, 4096, 1048576);
  checkWords(layout(figureOf(panels, n), {}, kMeasure));
  checkWords(layout(figureOf(panels, n), Size{1400, 1400}, kMeasure));
}

TEST_CASE("long words are shortened instead of covering others") {
  Figure figure = figureOf(3, 36);
  for (FigurePanel& panel : figure.panels) {
    panel.title = std::string(300, 'W');
    for (LegendEntry& entry : panel.legend)
      entry.label = std::string(200, 'M');
  }
  figure.title = std::string(500, 'T');
  figure.caption = std::string(400, 'x') + " and many more words that go on for some lines";
  checkWords(layout(figure, {}, kMeasure));
}

TEST_CASE("labels of tokens stand at their cells and are shortened") {
  std::vector<std::string> names(12, "a rather long token label");
  Figure figure =
      maskFigure({{strided(12, 3), "", {}, names, std::nullopt, std::nullopt}}, FigureTheme::Light);
  const DisplayList list = layout(figure, {}, kMeasure);
  int labels = 0;
  for (const Text& text : all<Text>(list))
    labels += text.text.find("…") != std::string::npos ? 1 : 0;
  CHECK(labels == 24);
  checkWords(list);
}

TEST_CASE("where labels of all tokens would touch every second one is drawn") {
  std::vector<std::string> names;
  for (int k = 0; k < 20; ++k)
    names.push_back("token" + std::to_string(k));
  const Plot plot = maskPlot({strided(20, 4), "", {}, names, std::nullopt, std::nullopt});
  for (const double side : {200.0, 330.0, 520.0}) {
    const PlacedPlot placed = layoutPlot(plot, {side, side}, {13}, kMeasure);
    Index labels = 0;
    for (const Text& text : all<Text>(placed.list))
      labels += text.text.starts_with("token") ? 1 : 0;
    CHECK(labels == (side == 520 ? 40 : side == 330 ? 20 : 0));
    checkWords(placed.list);
  }
}

TEST_CASE("four panels fill a wide and a square figure") {
  const Figure figure = figureOf(4, 36);
  const auto rowsOf = [&](const Size& size) {
    std::set<double> tops;
    for (const PanelBoxes& panel : arrange(figure, size, kMeasure).panels)
      tops.insert(panel.plots.front().y);
    return tops.size();
  };
  CHECK(rowsOf({1600, 500}) == 1);
  CHECK(rowsOf({1000, 1100}) == 2);
  const Arrangement square = arrange(figure, Size{1000, 1100}, kMeasure);
  CHECK(square.panels[3].plots[0].right() >= 900);
  CHECK(square.panels[3].plots[0].bottom() >= 900);
}

TEST_CASE("plots with long labels beside them stand in rows that are not too wide") {
  for (const int panels : {2, 3, 4, 5, 6}) {
    Figure figure;
    for (int k = 0; k < panels; ++k) {
      CurvesMark mark;
      mark.x = {"n", Scale::Linear, 0, 1};
      mark.y = {"seconds", Scale::Linear, 0, 1};
      mark.curves.resize(1);
      mark.curves.front().label = "a mechanism of many parameters, each with its value";
      mark.curves.front().points = {{0, 0}, {1, 1}};
      figure.panels.push_back({"", {{std::move(mark), std::nullopt, std::nullopt}}, {}});
    }
    const DisplayList list = layout(figure, std::nullopt, kMeasure);
    INFO(panels << " panels");
    CHECK(list.size.width <= 2.8 * list.size.height);
    checkWords(list);
    if (panels == 4) { // two by two
      const auto boxes = arrange(figure, std::nullopt, kMeasure).panels;
      CHECK(boxes[2].plots[0].x == Approx(boxes[0].plots[0].x));
      CHECK(boxes[3].plots[0].y == Approx(boxes[2].plots[0].y));
    }
  }
}

namespace {

std::size_t cutWords(const DisplayList& list) {
  std::size_t cut = 0;
  for (const Text& text : all<Text>(list))
    cut += text.text.find("…") != std::string::npos;
  return cut;
}

} // namespace

TEST_CASE("panels stand apart, in rows that leave titles and legends whole") {
  Figure figure = figureOf(8, 12);
  for (FigurePanel& panel : figure.panels) {
    panel.title = "(a) a/title_of_some_length";
    panel.legend = {{{1, 2, 3, 255}, "every second key"}};
  }
  for (const Size& size : {Size{900, 600}, Size{1200, 500}, Size{600, 800}}) {
    const DisplayList list = layout(figure, size, kMeasure);
    checkWords(list);
    INFO(size.width << " x " << size.height);
    CHECK(cutWords(list) == 0);
    CHECK(arrange(figure, size, kMeasure).panels[0].plots[0].width > 80);
  }
}

TEST_CASE("legends that do not fit become one for all panels or are left out") {
  Figure figure = figureOf(8, 12);
  for (FigurePanel& panel : figure.panels) {
    panel.title.clear();
    panel.legend = {{{1, 2, 3, 255}, "the last five keys"}};
  }
  const auto legends = [&](std::string_view words) {
    const DisplayList list = layout(figure, Size{400, 300}, kMeasure);
    checkWords(list);
    CHECK(cutWords(list) == 0);
    const auto texts = all<Text>(list);
    return std::count_if(texts.begin(), texts.end(),
                         [&](const Text& text) { return text.text == words; });
  };
  CHECK(legends("the last five keys") == 1);
  figure.panels.front().legend.front().label = "something_else_in_this_colour_of_many_letters";
  CHECK(legends("something_else_in_this_colour_of_many_letters") == 0);
}

TEST_CASE("a title that is too wide has two lines, and titles with letters lose their end") {
  Figure figure = figureOf(8, 12);
  figure.title = "a title of a figure that takes more than one line of a small file";
  for (FigurePanel& panel : figure.panels)
    panel.title = "(a) some title, with more of it";
  const DisplayList list = layout(figure, Size{480, 360}, kMeasure);
  checkWords(list);
  CHECK(cutWords(list) == 0);
  std::string bold;
  for (const Text& text : all<Text>(list))
    bold += text.bold ? text.text + " " : "";
  CHECK(bold.starts_with(figure.title));
}

TEST_CASE("no line ends with the dot between phrases, and no word is lost") {
  const Type type{13, false};
  for (double width = 60; width < 260; width += 5) {
    const std::string title = "(a) openai sparse attention · weights · 849 pairs";
    const auto lines = wrapped(title, width, type, kMeasure);
    for (const std::string& line : lines)
      CHECK_FALSE(line.ends_with("·"));
  }
  const std::string two = "(a) first of them · second";
  const double room = kMeasure("(a) first of them ·", 13, false) + 1;
  const auto lines = wrapped(two, room, type, kMeasure);
  CHECK(lines == std::vector<std::string>{"(a) first of them", "second"});
  CHECK(sayAll(lines, two));
  CHECK_FALSE(sayAll({"(a) first of", "second"}, two));
}

TEST_CASE("titles in a small file get smaller and take more lines before they are cut") {
  Figure figure = figureOf(8, 12);
  const char* titles[] = {"(a) Child et al., the text", "(b) openai/sparse_attention",
                          "(c) attention-gym",          "(d) transformers",
                          "(e) FlashAttention (4, 0)",  "(f) Mistral 7B, the text",
                          "(g) Longformer, allenai",    "(h) Longformer, transformers"};
  for (std::size_t k = 0; k < 8; ++k) {
    figure.panels[k].title = titles[k];
    figure.panels[k].legend = {{{1, 2, 3, 255}, "5 keys"}};
  }
  figure.title = "What a window of 4 means";
  for (int sentence = 0; sentence < 7; ++sentence)
    figure.caption += " What the panels show is said in this many words.";
  for (const Size& size : {Size{480, 360}, Size{520, 400}, Size{640, 400}}) {
    const DisplayList list = layout(figure, size, kMeasure);
    INFO(size.width << " x " << size.height);
    checkWords(list);
    CHECK(cutWords(list) == 0);
    for (const PanelBoxes& panel : arrange(figure, size, kMeasure).panels)
      CHECK(parenthesesBalance(joined(panel.words.title)));
  }
}

TEST_CASE("names are not cut inside parentheses") {
  const auto shortOf = [](std::string_view name, std::size_t signs) {
    return shortName(name, kMeasure(std::string(signs, 'x'), 13, false), {13, false}, kMeasure);
  };
  CHECK(shortOf("FlashAttention (4, 0)", 20) == "FlashAttention");
  CHECK(shortOf("one (of 4, by 2) at 3, all", 20) == "one (of 4, by 2)");
  CHECK(shortOf("one (of 4, by 2)", 15) == "one");
  CHECK(shortOf("4, 0) of one, all", 16) == "4, 0) of one"); // a second line
  CHECK(shortOf("4, 0)", 4).empty());
  CHECK(shortOf("one, two (4, 0", 13) == "one, two"); // which nothing closes
  CHECK(axisName("bytes of all (rows, keys)", kMeasure("bytes, keys)", 13, false), {13, false},
                 kMeasure) == "bytes of all");
}

TEST_CASE("a title is cut whether it ends inside a parenthesis or not") {
  FigurePanel panel;
  panel.title = "(e) FlashAttention (4, 0)";
  CHECK(isTitleCut({{"(e)", "FlashAttention (4"}, {}}, panel));
  CHECK(isTitleCut({{"(e) FlashAttention (4,", "0"}, {}}, panel));
  CHECK(isTitleCut({{"(e)", "FlashAttention"}, {}}, panel));
  CHECK(!isTitleCut({{"(e) FlashAttention", "(4, 0)"}, {}}, panel));
  panel.title = "(g) Longformer, allenai";
  CHECK(!isTitleCut({{"(g) Longformer"}, {}}, panel));
}

TEST_CASE("a plot has numbers if token labels leave it no room") {
  const std::vector<std::string> names(4, "transformer");
  const Figure figure =
      maskFigure({{strided(4, 2), "", {}, names, std::nullopt, std::nullopt}}, FigureTheme::Light);
  CHECK(arrange(figure, Size{300, 400}, kMeasure).names);
  CHECK(!arrange(figure, Size{300, 125}, kMeasure).names);
}

TEST_CASE("plots of curves fill a wide and a high figure") {
  const Figure figure = figureOfCurves(1, "seconds");
  const Box broad = arrange(figure, Size{900, 300}, kMeasure).panels[0].plots[0];
  CHECK(broad.right() > 600); // words beside it take the rest
  CHECK(broad.height < 0.5 * broad.width);
  const Box high = arrange(figure, Size{500, 900}, kMeasure).panels[0].plots[0];
  CHECK(high.height > 0.8 * high.width);
  // Two one above the other are larger than side by side.
  const Figure two = figureOfCurves(2, "seconds");
  for (const PanelBoxes& panel : arrange(two, Size{800, 600}, kMeasure).panels)
    CHECK(panel.plots[0].width * panel.plots[0].height > 0.15 * 800 * 600);
}

TEST_CASE("the name of an axis stands above a plot that is too low for it") {
  const std::string name = "bytes that are held, by the cost model";
  const Figure figure = figureOfCurves(3, name);
  for (const double height : {300.0, 500.0, 1400.0}) {
    const DisplayList list = layout(figure, Size{900, height}, kMeasure);
    checkWords(list);
    int above = 0;
    int beside = 0;
    for (const Text& text : all<Text>(list))
      if (text.text == name)
        ++(text.upwards ? beside : above);
    CHECK(above == (height < 1000 ? 3 : 0));
    CHECK(beside == (height < 1000 ? 0 : 3));
  }
}

TEST_CASE("the name of an axis loses its other words before its unit") {
  const auto named = [](std::string_view name, double width) {
    return axisName(name, width, {13, false}, kMeasure);
  };
  const auto wide = [](const std::string& text) { return kMeasure(text, 13, false); };
  const std::string angle = "angle between the points, degrees";
  CHECK(named(angle, wide(angle)) == angle);
  CHECK(named(angle, wide(angle) - 1) == "angle, degrees");
  CHECK(named(angle, wide("angle, degree")) == "angle");
  const std::string bytes = "bytes, by the cost model";
  CHECK(named(bytes, wide(bytes) - 1) == "bytes");
}

TEST_CASE("plots of panels side by side are aligned and equally large") {
  const Arrangement places = arrange(figureOf(3, 36), std::nullopt, kMeasure);
  for (const PanelBoxes& panel : places.panels) {
    CHECK(panel.plots[0].y == Approx(places.panels[0].plots[0].y));
    CHECK(panel.plots[0].width == Approx(places.panels[0].plots[0].width));
  }
}

TEST_CASE("plots about matrices stand in the row below them") {
  Figure figure = figureOf(3, 36);
  for (int k = 0; k < 2; ++k) {
    CurvesMark mark;
    mark.curves.resize(1);
    mark.curves.front().points = {{0, 0}, {1, 1}};
    figure.panels.push_back({"", {{std::move(mark), std::nullopt, std::nullopt}}, {}});
  }
  const Arrangement places = arrange(figure, std::nullopt, kMeasure);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(places.panels[3 + k].plots[0].y > places.panels[2].plots[0].bottom());
    // That row is as high as its plots are, not as the matrices.
    CHECK(places.captionTop - places.panels[3 + k].plots[0].bottom() < 6 * places.type);
  }
  // Two curves share the width of three matrices.
  const Box& first = places.panels[3].plots[0];
  const Box& second = places.panels[4].plots[0];
  CHECK(first.x == Approx(places.panels[0].plots[0].x));
  CHECK(second.right() == Approx(places.panels[2].plots[0].right()));
  CHECK(first.width == Approx(second.width));
}

TEST_CASE("a panel alone in its row is as wide as the others together") {
  for (const auto& size : {std::optional<Size>(), std::optional(Size{900, 700})}) {
    Figure figure = figureOf(4, 36);
    CurvesMark mark;
    mark.curves.resize(1);
    mark.curves.front().points = {{0, 0}, {1, 1}};
    mark.aspect = 0.3;
    FigurePanel wide{"", {{std::move(mark), std::nullopt, std::nullopt}}, {}};
    wide.alone = true;
    figure.panels.insert(figure.panels.begin(), std::move(wide));
    const Arrangement places = arrange(figure, size, kMeasure);
    const Box& first = places.panels[0].plots[0];
    CHECK(first.height == Approx(0.3 * first.width));
    CHECK(first.width > 1.5 * places.panels[1].plots[0].width);
    double right = 0;
    for (std::size_t k = 1; k < 5; ++k) {
      CHECK(places.panels[k].plots[0].y > first.bottom());
      right = std::max(right, places.panels[k].plots[0].right());
    }
    CHECK(first.right() == Approx(right));
    CHECK(places.captionTop < places.size.height);
  }
}

TEST_CASE("labels beside a panel alone in its row leave the row below unchanged") {
  const auto matricesBelow = [](const std::string& words, const std::optional<Size>& size) {
    Figure figure = figureOf(4, 36);
    CurvesMark mark;
    mark.curves.resize(1);
    mark.curves.front().label = words;
    mark.curves.front().points = {{0, 0}, {1, 1}};
    mark.aspect = 0.3;
    FigurePanel wide{"", {{std::move(mark), std::nullopt, std::nullopt}}, {}};
    wide.alone = true;
    figure.panels.insert(figure.panels.begin(), std::move(wide));
    checkWords(layout(figure, size, kMeasure));
    return arrange(figure, size, kMeasure).panels;
  };
  for (const auto& size : {std::optional<Size>(), std::optional(Size{900, 700})}) {
    const auto few = matricesBelow("", size);
    const auto many = matricesBelow("positive features, orthogonal", size);
    CHECK(many[0].plots[0].width < few[0].plots[0].width - 100);
    for (std::size_t k = 1; k < 5; ++k)
      CHECK(many[k].plots[0].width >= few[k].plots[0].width - 1);
    CHECK(many[2].plots[0].x - many[1].plots[0].right() ==
          Approx(few[2].plots[0].x - few[1].plots[0].right()));
  }
}

TEST_CASE("the number of texts that a figure measures grows only with its panels") {
  const auto measured = [](int panels, const std::optional<Size>& size) {
    std::size_t times = 0;
    layout(figureOf(panels, 36), size, [&](std::string_view text, double type, bool bold) {
      ++times;
      return kMeasure(text, type, bold);
    });
    return times;
  };
  // Each is measured once: four times as many, and a few for titles that break. By pairs it would
  // be sixteen times.
  for (const auto& size : {std::optional<Size>(), std::optional(Size{1600, 1000})})
    CHECK(measured(64, size) < 8 * measured(16, size));
}

TEST_CASE("titles of plots are whole beside their plots or in two lines") {
  const std::string title = "captured mass of all pairs against the cost of them";
  for (const auto& size : {std::optional<Size>(), std::optional(Size{900, 500})}) {
    Figure figure = figureOf(2, 36);
    for (int k = 0; k < 2; ++k) {
      CurvesMark mark;
      mark.curves.resize(1);
      mark.curves.front().points = {{0, 0}, {1, 1}};
      figure.panels.push_back({title, {{std::move(mark), std::nullopt, std::nullopt}}, {}});
    }
    const DisplayList list = layout(figure, size, kMeasure);
    checkWords(list);
    std::string bold;
    for (const Text& text : all<Text>(list))
      if (text.bold)
        bold += text.text + " ";
    CHECK(bold.find(title) != std::string::npos);
  }
}

TEST_CASE("a graph of few tokens is not higher than it is wide") {
  for (const Index tokens : {2, 5, 16, 49}) {
    LayersMark graph;
    graph.tokens = tokens;
    graph.layers = 4;
    CHECK(aspect({std::move(graph), std::nullopt, std::nullopt}) <= 0.6);
  }
}

TEST_CASE("the name of a graph's axis stands close below the tokens that are named") {
  LayersMark graph;
  graph.tokens = 36;
  graph.layers = 2;
  Axis tokens{"token", 0, graph.tokens, {}};
  for (Index k = 0; k < graph.tokens; ++k)
    tokens.names.emplace_back(k % 2 == 1 ? "beginning" : "to");
  const Plot plot{std::move(graph), tokens, std::nullopt};
  const auto nameAt = [&](double width) { // below the lowest tokens, in type sizes
    const PlacedPlot placed = layoutPlot(plot, {width, 400}, {13}, kMeasure);
    for (const Text& text : all<Text>(placed.list))
      if (text.text == "token")
        return (text.at.y - placed.box.bottom()) / 13;
    return 0.0;
  };
  const double thinned = nameAt(440); // every second has room, none of them long
  CHECK(thinned > 2);
  CHECK(thinned < nameAt(900) - 2);
}

TEST_CASE("a size that is too small is an error") {
  CHECK_THROWS_AS(layout(figureOf(1, 36), Size{40, 40}, kMeasure), Error);
}
