#include "core/export/cairo_painter.h"
#include "core/export/figure_file.h"
#include "core/export/tikz_painter.h"
#include "core/input/assets.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/strided.h"
#include "core/plot/arrange.h"
#include "core/plot/layout.h"
#include "core/plot/mask_color.h"
#include "core/scene/figures.h"
#include "core/support/error.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"

#include <algorithm>
#include <regex>

using namespace attention;

namespace {

const std::filesystem::path kAssets = std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets";

Figure figure3() {
  return figureOfScene(findFigure(kAssets, "child-2019-fig3"));
}

std::vector<Index> pixelsOf(const Plot& plot, int hue) {
  const auto& mark = std::get<ImageMark>(plot.mark);
  std::vector<Index> pixels;
  for (std::size_t k = 0; k < mark.hueOfPixel.size(); ++k)
    if (mark.hueOfPixel[k] == hue)
      pixels.push_back(static_cast<Index>(k));
  return pixels;
}

Index pairsOf(const Plot& plot) {
  return std::get<MaskMark>(plot.mark).pattern->pairs();
}

Scene weighted(WeightsShown shown) {
  Scene scene;
  scene.pattern = Causal{};
  scene.mask.weights = shown;
  RandomInput random;
  random.n = 24;
  scene.input.source = random;
  return scene;
}

} // namespace

TEST_CASE("figure 3 of Child et al has the cells that the paper states") {
  const Figure figure = figure3();
  REQUIRE(figure.panels.size() == 3);
  for (const FigurePanel& panel : figure.panels)
    REQUIRE(panel.plots.size() == 2);
  CHECK(pairsOf(figure.panels[0].plots[1]) == 666);
  CHECK(pairsOf(figure.panels[1].plots[1]) == 291);
  CHECK(pairsOf(figure.panels[2].plots[1]) == 216);
  CHECK(std::get<ImageMark>(figure.panels[1].plots[0].mark).query == 21);
  CHECK(pixelsOf(figure.panels[1].plots[0], 0) == std::vector<Index>{15, 16, 17, 18, 19, 20, 21});
  CHECK(pixelsOf(figure.panels[1].plots[0], 1) == std::vector<Index>{3, 9});
  CHECK(pixelsOf(figure.panels[2].plots[0], 0) == std::vector<Index>{18, 19, 20, 21});
  CHECK(pixelsOf(figure.panels[2].plots[0], 1) == std::vector<Index>{5, 11, 17});
  CHECK(figure.caption.find("chosen for this drawing") != std::string::npos);
  CHECK(figure.source.find("1904.10509") != std::string::npos);
}

TEST_CASE("an unknown figure is an error that suggests the closest name") {
  const auto said = [](const char* name, std::vector<std::string> lessons = {}) {
    try {
      findFigure(kAssets, name, lessons);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::Unknown);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(said("child-2019-fig33") ==
        "there is no figure child-2019-fig33; the nearest is child-2019-fig3");
  // axial-2019 has fewer other letters, but this is how others begin.
  CHECK(said("child-2019") == "there is no figure child-2019; the nearest is child-2019-fig2");
  CHECK(said("qqq") == "there is no figure qqq; figure --list names them");
  const std::vector<std::string> lessons{"1-quadratic"};
  CHECK(said("1-quadratc", lessons) ==
        "there is no figure or lesson 1-quadratc; the nearest is 1-quadratic");
  CHECK(said("qqq", lessons) ==
        "there is no figure or lesson qqq; figure --list and figure --lessons name them");
}

TEST_CASE("alternating heads stand side by side with the hues of their factors") {
  Scene scene;
  scene.pattern = Strided{};
  scene.length.n = 16;
  scene.mask.heads.shown = HeadsShown::SideBySide;
  scene.mask.heads.alternate = true;
  const Figure figure = figureOfScene(scene);
  REQUIRE(figure.panels.size() == 4);
  const auto& series = figureColors(FigureTheme::Light).series;
  CHECK(figure.panels[0].title == "head 0");
  REQUIRE(figure.panels[1].legend.size() == 1);
  CHECK(figure.panels[0].legend[0].color == series[0]);
  CHECK(figure.panels[1].legend[0].color == series[1]);
}

TEST_CASE("the camera cuts the figure") {
  const Lengths lengths = squareLengths(100);
  CHECK(cellsOf(std::nullopt, lengths) == Rect{0, 100, 0, 100});
  CHECK(cellsOf(Camera{50, 10, 40}, lengths) == Rect{30, 70, 0, 30});
  CHECK(cellsOf(Camera{500, 500, 4}, lengths) == Rect{0, 100, 0, 100});
}

TEST_CASE("weights over the mask sum to one in every row") {
  const Scene scene = weighted(WeightsShown::Sum);
  SceneFigureOptions options;
  options.input = loadInput(scene.input);
  const Figure figure = figureOfScene(scene, options);
  const auto& mark = std::get<ValuesMark>(figure.panels[0].plots[0].mark);
  REQUIRE(mark.values->rows() == 24);
  for (Index i = 0; i < 24; ++i) {
    double sum = 0;
    for (Index j = 0; j < 24; ++j) {
      const auto p = static_cast<double>((*mark.values)(i, j));
      CHECK((j <= i ? p > 0 : p == 0));
      sum += p;
    }
    CHECK(sum == Approx(1.0));
  }
}

TEST_CASE("weights over the mask are those of its batch and its queries' tokens") {
  Scene scene = weighted(WeightsShown::Sum);
  scene.input = InputSpec();
  scene.input.source = AssetInput{"minilm_alice"};
  SceneFigureOptions options; // of the first batch, as the window loads an input
  options.input = loadInput(scene.input, samplePath);
  REQUIRE(options.input->batches > 1);
  const Index n = options.input->keys;
  const auto weightsOf = [&](const Scene& shown) {
    return std::get<ValuesMark>(figureOfScene(shown, options).panels[0].plots[0].mark).values;
  };
  const auto first = weightsOf(scene);
  scene.input.batch = 1;
  const auto whole = weightsOf(scene);
  CHECK_FALSE(*first == *whole);
  scene.length.n = n;
  scene.length.queries = 3;
  scene.length.align = Align::BottomRight;
  const auto last = weightsOf(scene);
  REQUIRE(last->rows() == 3);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < n; ++j)
      CHECK((*last)(i, j) ==
            Approx((*whole)(n - 3 + i, j)).epsilon(1e-5)); // rounded in another order
}

TEST_CASE("an image that does not hold n pixels is an error") {
  Scene scene;
  scene.length.n = 36;
  scene.mask.image = {true, 5, 7};
  CHECK_THROWS_AS(figureOfScene(scene), Error);
}

TEST_CASE("TikZ rectangles cover exactly the cells") {
  Scene scene;
  scene.pattern = Strided{};
  scene.length.n = 25;
  const TestFolder folder;
  writeFigure(figureOfScene(scene), folder / "mask.tex");
  const std::string text = textOf(folder / "mask.tex");
  const std::regex box(R"(\\bx(\d+),(\d+),(\d+),(\d+);)");
  std::vector<int> covered(25 * 25);
  // The first scopes hold the mask; legend swatches come after the axes.
  const std::string cells = text.substr(0, text.find("\\draw"));
  for (std::sregex_iterator at(cells.begin(), cells.end(), box), end; at != end; ++at)
    for (int i = 0; i < std::stoi((*at)[4]); ++i)
      for (int j = 0; j < std::stoi((*at)[3]); ++j)
        ++covered[static_cast<std::size_t>((std::stoi((*at)[2]) + i) * 25 + std::stoi((*at)[1]) +
                                           j)];
  const auto pattern = prepare(scene.pattern, squareLengths(25));
  for (Index i = 0; i < 25; ++i)
    for (Index j = 0; j < 25; ++j)
      CHECK(covered[static_cast<std::size_t>(i * 25 + j)] == (pattern->contains(i, j) ? 1 : 0));
}

TEST_CASE("TikZ escapes what LaTeX reads as commands") {
  CHECK(escapedLatex("50% of $A_1$ & #2 {x} ~^\\") ==
        "50\\% of \\$A\\_1\\$ \\& \\#2 \\{x\\} \\textasciitilde{}\\textasciicircum{}"
        "\\textbackslash{}");
  CHECK(escapedLatex("A¹ ∪ A²") == "A$^1$ $\\cup$ A$^2$");
  CHECK(escapedLatex("漢").find("{漢}{\\fbox{\\phantom{x}}}") != std::string::npos);
  CHECK(escapedLatex("Müller") == "Müller");
}

TEST_CASE("TikZ braces and environments are balanced and a document is whole") {
  const TestFolder folder;
  FigureFileOptions options;
  options.standalone = true;
  writeFigure(figure3(), folder / "figure.tex", options);
  const std::string text = textOf(folder / "figure.tex");
  CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
  CHECK(text.find("\\documentclass") == 0);
  const auto occurrences = [&](const std::string& of) {
    std::size_t found = 0;
    for (auto at = text.find(of); at != std::string::npos; at = text.find(of, at + 1))
      ++found;
    return found;
  };
  CHECK(occurrences("\\begin{") == occurrences("\\end{"));
  for (const char c : text)
    CHECK(static_cast<unsigned char>(c) < 0x80);
}

TEST_CASE("an SVG of a large mask holds one image and vector axes") {
  Scene scene;
  scene.pattern = Strided{};
  scene.length.n = 5000;
  const TestFolder folder;
  writeFigure(figureOfScene(scene), folder / "mask.svg");
  const std::string text = textOf(folder / "mask.svg");
  CHECK(text.find("<image") != std::string::npos);
  CHECK(text.find("<image") == text.rfind("<image"));
  CHECK(text.size() < 1'000'000);
}

TEST_CASE("a PDF begins and ends as one with a scene inside") {
  const TestFolder folder;
  FigureFileOptions options;
  options.scene = findFigure(kAssets, "child-2019-fig3");
  writeFigure(figure3(), folder / "figure.pdf", options);
  const std::string text = textOf(folder / "figure.pdf");
  CHECK(text.substr(0, 5) == "%PDF-");
  CHECK(text.substr(text.size() - 6) == "%%EOF\n");
  // The cross-reference table is where startxref says.
  const auto at = std::stoul(text.substr(text.rfind("startxref") + 10));
  const bool table = text.substr(at, 4) == "xref" || text.substr(at, 20).find(" obj") < 20;
  CHECK(table);
}

TEST_CASE("files of errors and of sorting have below them what the view has") {
  Scene errors;
  errors.view = View::Kernels;
  errors.kernels.length = 24;
  errors.kernels.repeats = 2;
  errors.kernels.projections = {4, 8};
  errors.kernels.chosen = 8;
  Scene sorting = weighted(WeightsShown::Off);
  sorting.view = View::Choosing;
  sorting.pattern = Lsh{};
  SceneFigureOptions options;
  options.input = loadInput(sorting.input);
  for (Scene scene : {errors, sorting}) {
    const Figure figure = figureOfScene(scene, options);
    CHECK(figure.panels.front().alone);
    CHECK(figure.panels.size() == (scene.view == View::Kernels ? 5 : 4));
    // If these would be too small, only the picture and its words are drawn.
    const auto widest = [&](const Size& size) {
      const Figure& drawn = figureFor(figure, size, cairoMeasure());
      CHECK(drawn.caption.find("Below") ==
            (size.width < 500 ? std::string::npos : figure.caption.find("Below")));
      return drawn.panels.size();
    };
    CHECK(widest({800, 600}) == figure.panels.size());
    CHECK(widest({480, 360}) == 1);
    CHECK_NOTHROW(layout(figure, Size{480, 360}, cairoMeasure()));
    scene.title = "My figure";
    scene.source = "My thesis, chapter 4";
    CHECK(figureOfScene(scene, options).panels.size() == figure.panels.size());
    scene.paper = "A paper"; // its figure has no more than before
    CHECK(figureOfScene(scene, options).panels.size() == 1);
  }
}

TEST_CASE("the painted picture shows each cell in its hue") {
  Scene scene;
  scene.pattern = Strided{};
  scene.length.n = 9;
  for (const FigureTheme theme : {FigureTheme::Light, FigureTheme::Dark}) {
    SceneFigureOptions options;
    options.theme = theme;
    const DisplayList list = layout(figureOfScene(scene, options), std::nullopt, cairoMeasure());
    const Image image = paintImage(list);
    const auto frame = std::find_if(list.items.begin(), list.items.end(), [](const auto& item) {
      return std::holds_alternative<StrokeBox>(item);
    });
    REQUIRE(frame != list.items.end());
    const Box box = std::get<StrokeBox>(*frame).box;
    const auto pattern = prepare(scene.pattern, squareLengths(9));
    const MaskPalette palette = maskPalette(*pattern, theme);
    for (Index i = 0; i < 9; ++i)
      for (Index j = 0; j < 9; ++j) {
        const auto x = static_cast<int>(box.x + (static_cast<double>(j) + 0.5) * box.width / 9);
        const auto y = static_cast<int>(box.y + (static_cast<double>(i) + 0.5) * box.height / 9);
        const Color expected = pattern->contains(0, i, j)   ? palette.hues[0]
                               : pattern->contains(1, i, j) ? palette.hues[1]
                                                            : palette.ground;
        CHECK(image.pixels[static_cast<std::size_t>(y * image.width + x)] == expected);
      }
  }
}
