// Curves and graphs of layers laid out and painted.
#include "core/analysis/reach/token_reach.h"
#include "core/export/cairo_painter.h"
#include "core/export/figure_file.h"
#include "core/export/tikz_painter.h"
#include "core/pattern/pattern.h"
#include "core/plot/layout.h"
#include "core/support/error.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/reach/reach_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/measured.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <limits>
#include <set>

using namespace attention;

namespace {

Figure figureOf(std::vector<Plot> plots) {
  Figure figure;
  for (Plot& plot : plots)
    figure.panels.push_back({"a panel", {std::move(plot)}, {}});
  return figure;
}

Plot plotOf(std::vector<Curve> curves, Scale scale = Scale::Linear) {
  CurvesMark mark;
  std::vector<double> x;
  std::vector<double> y;
  for (const Curve& curve : curves)
    for (const Point& point : curve.points) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
  mark.x = axisOver("number", scale, x);
  mark.y = axisOver("what comes of it", scale, y);
  mark.curves = std::move(curves);
  return {std::move(mark), std::nullopt, std::nullopt};
}

Index occurrences(const std::string& text, const std::string& what) {
  Index count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

Curve curveOf(const std::string& label, std::vector<Point> points) {
  Curve curve;
  curve.label = label;
  curve.points = std::move(points);
  return curve;
}

LayerStack stackOf(const std::vector<Pattern>& patterns, Index n, bool residual = true) {
  LayerStack stack{{}, residual};
  for (const Pattern& pattern : patterns)
    stack.patterns.push_back(prepare(pattern, squareLengths(n)));
  return stack;
}

const LayersMark& layersOf(const Plot& plot) {
  return std::get<LayersMark>(plot.mark);
}

KernelErrorResult sweep(KernelErrorOptions& options, double sigma) {
  options.projections = {4, 8, 16};
  options.repeats = 3;
  options.pairs = 64;
  return kernelError(gaussianSource(24, 4, sigma, 1), options);
}

} // namespace

TEST_CASE("words of plots and labels of curves never touch") {
  std::vector<Curve> curves;
  curves.reserve(6);
  for (int k = 0; k < 6; ++k) // all end in the same place
    curves.push_back(curveOf("curve " + std::to_string(k), {{1, 1.0 + k}, {100, 50}}));
  const Plot plot = plotOf(curves, GENERATE(Scale::Linear, Scale::Log2, Scale::Log10));
  const Plot graph =
      layerGraph(stackOf({patternFrom("local", R"({"window": 3})")}, 30), {3, 7, {}, {}, {}});
  for (const auto& size : {std::optional<Size>(), std::optional<Size>({1500, 900}),
                           std::optional<Size>({700, 1200})}) {
    checkWords(layout(figureOf({plot}), size, kMeasure));
    checkWords(layout(figureOf({plot, graph}), size, kMeasure));
  }
}

TEST_CASE("names beside a low plot are shortened between their parts and labels stay apart") {
  std::vector<Curve> curves;
  curves.reserve(4);
  for (int k = 0; k < 4; ++k) // all end in the same place
    curves.push_back(curveOf("curve " + std::to_string(k), {{1, 1.0 + k}, {100, 5}}));
  Plot plot = plotOf(curves, Scale::Linear);
  std::get<CurvesMark>(plot.mark).y.label = "mean squared error of the output, median";
  for (const double height : {70.0, 120.0, 260.0, 500.0}) {
    const DisplayList list = layoutPlot(plot, {500, height}, {13}, kMeasure).list;
    const auto texts = all<Text>(list);
    for (const Text& text : texts) {
      INFO(text.text << " at " << height);
      CHECK(text.text.find("…") == std::string::npos);
      for (const Text& other : texts)
        if (&other != &text && text.bold && other.bold)
          CHECK(!overlap(boxOf(text), boxOf(other)));
    }
    const auto named = [&](std::string_view name) {
      return std::any_of(texts.begin(), texts.end(),
                         [&](const Text& text) { return text.text == name; });
    };
    CHECK(named("mean squared error of the output, median") == (height == 500));
    CHECK(named("mean squared error, median") == (height == 260));
  }
}

TEST_CASE("labels of curves that end at the bottom stay off the last number of the axis") {
  std::vector<Curve> curves;
  curves.reserve(3);
  for (int k = 0; k < 3; ++k)
    curves.push_back(curveOf("curve " + std::to_string(k), {{1, 40}, {100, 0.1 + 0.01 * k}}));
  Plot plot = plotOf(curves, Scale::Linear);
  auto& mark = std::get<CurvesMark>(plot.mark);
  mark.x = {"m", Scale::Log2, 8, 4096};
  for (Curve& curve : mark.curves)
    curve.points = {{8, 40}, {4096, 0.5}};
  for (const double height : {110.0, 260.0}) {
    const auto texts = all<Text>(layoutPlot(plot, {500, height}, {13}, kMeasure).list);
    double lowest = 0;
    for (const Text& text : texts)
      lowest = text.bold ? std::max(lowest, text.at.y) : lowest;
    const auto number = std::find_if(texts.begin(), texts.end(),
                                     [](const Text& text) { return text.text == "4\u2009096"; });
    REQUIRE(number != texts.end());
    CHECK(number->at.y - 0.76 * 13 > lowest + 0.2 * 13 + 2); // its top below their descenders
  }
}

TEST_CASE("names of curves that do not fit lose parameters but not the number behind them") {
  using Names = std::vector<std::string>;
  const auto labelsOf = [](const Names& names, const Names& fitted) {
    std::vector<Curve> curves;
    for (const std::string& name : names) {
      const auto k = static_cast<double>(curves.size());
      curves.push_back(curveOf(name, {{1, 1 + k}, {100, 1 + 9 * k}}));
      curves.back().fitted = fitted[curves.size() - 1];
    }
    std::vector<std::string> labels;
    for (const Text& text : all<Text>(layoutPlot(plotOf(curves), {360, 260}, {13}, kMeasure).list))
      if (text.bold)
        labels.push_back(text.text);
    std::sort(labels.begin(), labels.end());
    return labels;
  };
  CHECK(labelsOf({"Full", "LSH (Reformer), chunk of 32"}, {"n²", "n¹"}) ==
        Names{"Full  n²", "LSH (Reformer)  n¹"});
  for (const std::string& label :
       labelsOf({"Hashing, chunk of 32 tokens", "Hashing, chunk of 64"}, {"n¹", "n¹"})) {
    INFO(label);
    CHECK(label.starts_with("Hashing, ch"));
    CHECK(label.ends_with("…  n¹"));
  }
}

TEST_CASE("points of a curve lie where the axes say") {
  Plot plot = plotOf({curveOf("a", {{0, 0}, {10, 4}})});
  auto& mark = std::get<CurvesMark>(plot.mark);
  mark.x = {"x", Scale::Linear, 0, 10};
  mark.y = {"y", Scale::Linear, 0, 4};
  const auto lines = all<Polyline>(layout(figureOf({plot}), Size{600, 400}, kMeasure));
  const auto frame = all<StrokeBox>(layout(figureOf({plot}), Size{600, 400}, kMeasure)).front().box;
  const auto curve = std::find_if(lines.begin(), lines.end(), [](const Polyline& line) {
    return line.color == figureColors(FigureTheme::Light).series[0];
  });
  REQUIRE(curve != lines.end());
  CHECK(curve->points.front().x == Approx(frame.x));
  CHECK(curve->points.front().y == Approx(frame.bottom()));
  CHECK(curve->points.back().x == Approx(frame.right()));
  CHECK(curve->points.back().y == Approx(frame.y));
}

TEST_CASE("curves are cut to their axes and bands lie under them") {
  Curve curve = curveOf("wild", {{0, 1}, {1, 1e300}, {2, 1}, {3, -HUGE_VAL}, {4, 1}});
  for (const Point& point : curve.points)
    curve.bands.push_back({point.y - 1, std::numeric_limits<double>::infinity()});
  Plot plot = plotOf({curve});
  std::get<CurvesMark>(plot.mark).y = {"y", Scale::Linear, 0, 2};
  const DisplayList list = layout(figureOf({plot}), Size{600, 400}, kMeasure);
  const Box frame = all<StrokeBox>(list).front().box;
  const auto inside = [&](const Point& p) {
    return p.x >= frame.x - 1e-6 && p.x <= frame.right() + 1e-6 && p.y >= frame.y - 1e-6 &&
           p.y <= frame.bottom() + 1e-6;
  };
  REQUIRE(!all<Strip>(list).empty());
  for (const Strip& strip : all<Strip>(list))
    for (std::size_t k = 0; k < strip.above.size(); ++k) {
      CHECK(inside(strip.above[k]));
      CHECK(inside(strip.below[k]));
    }
  for (const Polyline& line : all<Polyline>(list))
    if (line.width > 1) // not the thin ones to the grid and to labels
      CHECK(std::all_of(line.points.begin(), line.points.end(), inside));
  CHECK_NOTHROW(paintImage(list, 1));
}

TEST_CASE("every file format draws dashes bands and discs") {
  Curve curve = curveOf("dashed", {{0, 1}, {1, 2}, {2, 1.5}});
  curve.dash = Dash::Dashed;
  curve.bands = {{0.5, 1.5}, {1, 3}, {1, 2}};
  const Figure figure = figureOf({plotOf({curve})});
  const DisplayList list = layout(figure, {}, kMeasure);
  CHECK(paintSvg(list).find("stroke-dasharray") != std::string::npos);
  CHECK(paintPdf(list, "curves").substr(0, 5) == "%PDF-");
  const std::string tex = texOf(figure);
  for (const char* needed : {"dash pattern=on ", "fill opacity=", "circle[radius=", "-- cycle;"})
    CHECK(tex.find(needed) != std::string::npos);
  // The band in the picture: a tint of the hue that nothing else has.
  const FigureColors& colors = figureColors(FigureTheme::Light);
  const Color tint = mix(colors.ground, colors.series[0], 48.0 / 255);
  const Image image = paintImage(list, 1);
  const auto near = [](int a, int b) { return std::abs(a - b) <= 1; };
  CHECK(std::count_if(image.pixels.begin(), image.pixels.end(), [&](const Color& c) {
          return near(c.r, tint.r) && near(c.g, tint.g) && near(c.b, tint.b);
        }) > 1000);
}

TEST_CASE("every file format draws all markers in their places") {
  const Color red = colorOf(0xff0000);
  std::set<std::string> drawn;
  for (std::size_t k = 0; k < 8; ++k) {
    DisplayList list{{40, 40}, colorOf(0xffffff), {}};
    list.add(Markers{{{20, 20}}, 8, red, markerOf(k)});
    const Image image = paintImage(list, 1);
    const auto at = [&](int x, int y) {
      return image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                          static_cast<std::size_t>(x)];
    };
    CHECK((at(20, 20) == red) == !markerOf(k).hollow);
    const auto redder = std::count_if(image.pixels.begin(), image.pixels.end(),
                                      [](const Color& c) { return c.g < 128; });
    CHECK(redder > (markerOf(k).hollow ? 130 : 185)); // 64 π = 201
    CHECK(redder < 240);                              // edges are blurred
    // A corner is the end of one line; the last line is the closing one.
    const auto corners = static_cast<Index>(cornersOf(markerOf(k).shape, {}, 1).size());
    const std::string svg = paintSvg(list);
    CHECK(occurrences(svg, " L ") == std::max<Index>(corners - 1, 0));
    CHECK((occurrences(svg, " C ") > 0) == (corners == 0));
    CHECK((svg.find("stroke-width") != std::string::npos) == markerOf(k).hollow);
    const std::string tex = paintTikz(list);
    CHECK(occurrences(tex, " -- ") == corners);
    CHECK(occurrences(tex, "circle[radius=") == (corners == 0 ? 1 : 0));
    CHECK((tex.find("\\draw[") != std::string::npos) == markerOf(k).hollow);
    drawn.insert(svg);
    drawn.insert(tex);
  }
  CHECK(drawn.size() == 16);
}

TEST_CASE("the graph of layers has one edge per pair and lights exactly the receptive field") {
  const bool residual = GENERATE(true, false);
  const auto stack = stackOf({patternFrom("strided", R"({"stride": 4, "head": 2})"),
                              patternFrom("local", R"({"window": 3, "causal": true})"),
                              patternFrom("graph", R"({"kind": "random", "p": 0.1})")},
                             19, residual);
  const Index layers = GENERATE(1, 2, 5);
  const Plot plot = layerGraph(stack, {layers, 13, {}, {}, {}});
  const LayersMark& mark = layersOf(plot);
  Index pairs = 0;
  for (Index layer = 1; layer <= layers; ++layer)
    pairs += stack.pattern(layer).pairs();
  CHECK(std::count_if(mark.edges.begin(), mark.edges.end(),
                      [](const LayerEdge& edge) { return !edge.residual; }) == pairs);
  const TokenSet field = influencing(stack, 13, layers);
  for (Index token = 0; token < 19; ++token)
    CHECK(mark.lit.front()[static_cast<std::size_t>(token)] == bitAt(field, token));
  for (const LayerEdge& edge : mark.edges) {
    const auto row = static_cast<std::size_t>(edge.layer);
    CHECK(edge.lit == mark.lit[row][static_cast<std::size_t>(edge.query)]);
    CHECK((!edge.residual ||
           (residual && !stack.pattern(edge.layer).contains(edge.query, edge.key))));
  }
}

TEST_CASE("lines of a crowded graph let the background show through and few lines do not") {
  const auto leastOpacity = [](Index n) {
    const auto stack = stackOf({patternFrom("causal", "{}")}, n);
    const Figure figure = figureOf({layerGraph(stack, {1, n - 1, {}, {}, {}})});
    const DisplayList list = layout(figure, {}, kMeasure);
    int least = 255;
    for (const Polyline& line : all<Polyline>(list))
      least = std::min<int>(least, line.color.a);
    const std::string tex = texOf(figure);
    CHECK((tex.find("draw opacity=") != std::string::npos) == (least < 255));
    return least;
  };
  CHECK(leastOpacity(4) == 255);
  CHECK(leastOpacity(64) < 64);
  CHECK(leastOpacity(64) >= 32); // still seen
}

TEST_CASE("graphs of too many tokens, layers or edges are refused") {
  const Pattern full = patternFrom("full", "{}");
  CHECK(codeOf([&] { layerGraph(stackOf({full}, 257), {1, {}, {}, {}, {}}); }) == "E_RANGE");
  CHECK(codeOf([&] { layerGraph(stackOf({full}, 100), {7, 3, {}, {}, {}}); }) == "E_RANGE");
  // If there are too many edges, only those of the chosen token are drawn.
  const Pattern local = patternFrom("local", R"({"window": 100, "causal": true})");
  const Plot lit = layerGraph(stackOf({local}, 256), {4, 20, {}, {}, {}});
  CHECK(!layersOf(lit).edges.empty());
  CHECK(std::all_of(layersOf(lit).edges.begin(), layersOf(lit).edges.end(),
                    [](const LayerEdge& edge) { return edge.lit; }));
  CHECK(codeOf([&] { layerGraph(stackOf({full}, 4), {25, {}, {}, {}, {}}); }) == "E_RANGE");
  CHECK(messageOf([&] {
          layerGraph(stackOf({full}, 4), {1, 4, {}, {}, {}});
        }) == "token is 4; it must be an integer from 0 to 3");
}

TEST_CASE("an animation lights the layers from the top one by one") {
  const auto stack = stackOf({patternFrom("local", R"({"window": 3, "causal": true})")}, 16);
  for (Index shown = 0; shown <= 4; ++shown) {
    const Plot plot = layerGraph(stack, {4, 15, shown, {}, {}});
    for (Index row = 0; row <= 4; ++row) {
      const auto& lit = layersOf(plot).lit[static_cast<std::size_t>(row)];
      const auto tokens = std::count(lit.begin(), lit.end(), true);
      CHECK(tokens == (row < 4 - shown ? 0 : 2 * (4 - row) + 1));
    }
  }
}

TEST_CASE("a plot alone fills its size and keeps cells square") {
  const auto pattern = prepare(patternFrom("causal", "{}"), squareLengths(40));
  Plot mask;
  mask.mark = MaskMark{pattern, pattern->bounds(), {}, {}};
  mask.keys = Axis{"key j", 0, 40, {}};
  mask.queries = Axis{"query i", 0, 40, {}};
  const PlacedPlot square = layoutPlot(mask, {900, 500}, {}, kMeasure);
  CHECK(square.box.width == Approx(square.box.height));
  CHECK(square.box.bottom() <= 500);
  checkWords(square.list);
  const Plot curves = plotOf({curveOf("a curve", {{1, 2}, {3, 4}})});
  const PlacedPlot wide = layoutPlot(curves, {900, 300}, {}, kMeasure);
  CHECK(wide.box.width > 600);
  checkWords(wide.list);
  CHECK(codeOf([&] { layoutPlot(curves, {80, 30}, {}, kMeasure); }) == "E_RANGE");
}

TEST_CASE("numbers in few cells stay inside a low place and a narrow one") {
  ValuesMark mark;
  mark.values = std::make_shared<const Matrix<float>>(4, 8);
  mark.cells = {0, 4, 0, 8};
  Plot plot{std::move(mark), Axis{"dimension", 0, 8, {}}, Axis{"centroid", 0, 4, {}}};
  plot.ownQueries = true;
  for (const Size& size : {Size{700, 160}, Size{200, 600}, Size{400, 250}}) {
    const PlacedPlot placed = layoutPlot(plot, size, {}, kMeasure);
    CHECK(placed.box.x >= 0);
    CHECK(placed.box.y >= 0);
    CHECK(placed.box.right() <= size.width);
    CHECK(placed.box.bottom() <= size.height);
  }
}

TEST_CASE("pixels of numbers that are made later equal those made at once") {
  Matrix<float> values(300, 300);
  for (Index x = 0; x < 300 * 300; ++x)
    values.data()[x] = static_cast<float>(x % 77) / 77;
  const auto shared = std::make_shared<const Matrix<float>>(std::move(values));
  Plot matrix;
  matrix.mark = ValuesMark{shared, {0, 300, 0, 300}, 1, {}, {}};
  Plot tiles;
  const HeadTile tile{shared, 1, "", false};
  tiles.mark = TilesMark{2, {tile, tile, tile}, {}, {}};
  CurvesMark over;
  over.x.end = over.y.end = 1;
  over.field = Field{shared, Ramp::Diverging, 1};
  for (const Plot& plot : {matrix, tiles, Plot{over, {}, {}}}) {
    LayoutOptions options;
    options.atPixels = GENERATE(false, true);
    const DisplayList now = layoutPlot(plot, {260, 220}, {}, kMeasure, options).list;
    std::vector<MakeImage> making;
    options.later = [&](MakeImage make) { making.push_back(std::move(make)); };
    DisplayList later = layoutPlot(plot, {260, 220}, {}, kMeasure, options).list;
    CHECK_FALSE(later == now);
    std::size_t next = 0;
    for (Primitive2D& item : later.items)
      if (auto* picture = std::get_if<Picture>(&item); picture && !picture->image)
        picture->image = std::make_shared<const Image>(making.at(next++)({}));
    CHECK(next == making.size());
    CHECK(later == now);
  }
}

TEST_CASE("growth begins at the token itself and shares are those of the layers") {
  const auto stack = stackOf({patternFrom("local", R"({"window": 4, "causal": true})")}, 24);
  const ReachGrowth growth{"local", 0, 24, true, receptiveField(stack, 5).layers};
  const Plot plot = growthPlot({growth});
  const auto& mark = std::get<CurvesMark>(plot.mark);
  REQUIRE(mark.curves.front().points.size() == 6);
  CHECK(mark.curves.front().points.front().y == Approx(24.0 / 300));
  CHECK(mark.curves.front().points[4].y == Approx(growth.layers[3].ofCausal));
  CHECK(mark.x.end == 5);
}

TEST_CASE(
    "a stack that reaches all that it may attend to ends at 1 beside one that may attend to more") {
  const auto causal = stackOf({patternFrom("causal", "{}")}, 24);
  const auto both = stackOf({patternFrom("local", R"({"window": 8, "causal": false})")}, 24);
  const Plot plot = growthPlot({{"causal", 0, 24, true, receptiveField(causal, 8).layers},
                                {"local", 1, 24, false, receptiveField(both, 8).layers}});
  for (const Curve& curve : std::get<CurvesMark>(plot.mark).curves)
    CHECK(curve.points.back().y == Approx(1));
}

TEST_CASE(
    "the figure of kernel errors has one curve per estimator and a level for the all-zero output") {
  KernelErrorOptions options;
  const KernelErrorResult result = sweep(options, 1);
  const Figure figure = kernelErrorFigure(result, options, {"gaussian", FigureTheme::Dark});
  REQUIRE(figure.panels.size() == 2);
  const auto& output = std::get<CurvesMark>(figure.panels[0].plots[0].mark);
  REQUIRE(output.curves.size() == options.curves.size() + 1);
  CHECK(output.curves.back().points.front().y == result.baseline);
  CHECK(output.curves[0].points[1].y == result.rows[options.curves.size()].output.median);
  CHECK(output.curves[0].bands[0].high == result.rows[0].output.q75);
  std::set<std::pair<std::size_t, Dash>> looks;
  for (const Estimator& estimator : options.curves)
    looks.insert({estimatorCurve(estimator).hue, estimatorCurve(estimator).dash});
  CHECK(looks.size() == options.curves.size());
  // Dashed lines are what is expected, never what is measured.
  for (const Curve& curve : std::get<CurvesMark>(figure.panels[1].plots[0].mark).curves)
    CHECK((curve.dash == Dash::Solid) == (curve.kind != CurveKind::Theory));
  checkWords(layout(figure, {}, kMeasure));
}

TEST_CASE("stabilised and overflowing features still make a figure") {
  KernelErrorOptions options;
  options.stabilize = Stabilize::Robust;
  const KernelErrorResult result = sweep(options, 1);
  CHECK(kernelErrorFigure(result, options).panels.size() == 1); // entries have no meaning
  KernelErrorOptions plain;
  const Figure wild = kernelErrorFigure(sweep(plain, 40), plain);
  CHECK_NOTHROW(layout(wild, {}, kMeasure));
  KernelErrorResult part = result;
  part.rows.resize(1); // while the sweep runs
  CHECK_NOTHROW(layout(kernelErrorFigure(part, options), {}, kMeasure));
}
