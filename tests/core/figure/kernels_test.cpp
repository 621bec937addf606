// The pictures of the Kernels view: what they show is what the analyses compute.
#include "core/attention/features/feature_attention.h"
#include "core/attention/implied_matrix.h"
#include "core/export/figure_file.h"
#include "core/input/array_file.h"
#include "core/pattern/mechanism/full.h"
#include "core/plot/layout.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/views/kernels/kernel_error_figure.h"
#include "core/views/kernels/kernels_figure.h"
#include "core/views/moving.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/small_kernels.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace attention;

namespace {

constexpr std::array kPictures{KernelsPicture::Error,       KernelsPicture::Matrices,
                               KernelsPicture::Normalisers, KernelsPicture::Ratio,
                               KernelsPicture::Order,       KernelsPicture::Spectrum};

KernelsAnswer answerOf(const Scene& scene) {
  return kernelsAnswer(scene, lengthsOf(scene.length, 0), {});
}

const CurvesMark& curvesOf(const Plot& plot) {
  return std::get<CurvesMark>(plot.mark);
}

// A scene whose loaded input is what S7.6 draws for repeat 0.
Scene loadedTwin(const Scene& drawn) {
  Scene scene = drawn;
  RandomInput random;
  random.n = drawn.kernels.length;
  random.d = drawn.kernels.d;
  random.seed = static_cast<std::uint64_t>(drawn.kernels.seed);
  random.parameters["sigma"] = {drawn.kernels.sigma};
  scene.input.source = random;
  scene.kernels.loaded = true;
  return scene;
}

} // namespace

TEST_CASE("every picture of kernels is drawn in every form at any size") {
  const KernelsPicture picture = GENERATE(from_range(kPictures));
  const Figure figure = figureOfScene(smallKernels(picture));
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

TEST_CASE("the curves of errors are the sweep of the experiment with theory and bound") {
  Scene scene = smallKernels(KernelsPicture::Error);
  scene.kernels.projections = {2, 4, 16};
  scene.kernels.compared.hyperbolic = true;
  const KernelsAnswer answer = answerOf(scene);
  KernelErrorOptions options;
  options.projections = {2, 4, 16};
  options.repeats = 3;
  const KernelErrorResult expected = kernelError(gaussianSource(24, 4, 0.7, 0), options);
  REQUIRE(answer.sweep->result.rows.size() == expected.rows.size());
  for (std::size_t k = 0; k < expected.rows.size(); ++k)
    CHECK(answer.sweep->result.rows[k].errors == expected.rows[k].errors);

  const auto output = kernelsPanels(scene.kernels, answer).front().plots.front();
  const auto& curves = curvesOf(output).curves;
  CHECK(curves.back().label == "all-zero output");
  CHECK(curves.back().points.front().y == expected.baseline);
  CHECK(curvesOf(output).uprights.front().x == 8);
  CHECK(curvesOf(output).uprights.back().label == "d ln d ≈ 5.55");
  CHECK(curvesOf(output).uprights.back().x == Approx(4 * std::log(4.0)));

  scene.kernels.errorOf = KernelsErrorOf::Entries;
  const auto entries = kernelsPanels(scene.kernels, answer).front().plots.front();
  std::size_t theory = 0;
  for (const Curve& curve : curvesOf(entries).curves) {
    if (curve.kind == CurveKind::Points) {
      REQUIRE(curve.points.size() == 2); // m ≤ d
      CHECK(curve.points.front().y ==
            std::find_if(expected.rows.begin(), expected.rows.end(), [](const KernelErrorRow& row) {
              return std::isfinite(row.bound);
            })->bound);
    }
    if (curve.kind != CurveKind::Theory)
      continue;
    for (std::size_t m = 0; m < 3; ++m)
      CHECK(curve.points[m].y == expected.rows[6 * m + theory].theory);
    ++theory;
  }
  CHECK(theory == 6);
}

TEST_CASE("a sweep reports its parts point by point") {
  const Scene scene = smallKernels(KernelsPicture::Error);
  const KernelsQuestion question = sweepQuestion(scene, lengthsOf(scene.length, 0));
  std::vector<std::size_t> seen;
  const KernelSweep whole = kernelSweep(question, {}, [&](const KernelSweep& part) {
    CHECK(part.result.baseline > 0);
    seen.push_back(part.result.rows.size());
    CHECK_NOTHROW(
        layout(kernelsFigure(scene.kernels, {std::make_shared<KernelSweep>(part), {}, {}, {}},
                             FigureTheme::Dark),
               {}, kMeasure));
  });
  CHECK(seen == std::vector<std::size_t>{4, 8, 12});
  CHECK(whole.result.rows.size() == 12);
}

TEST_CASE("the estimate that is shown is the implied matrix of its features") {
  Scene scene = smallKernels(KernelsPicture::Matrices);
  scene.kernels.causal = GENERATE(false, true);
  scene.kernels.map = GENERATE(FeatureMap::Trig, FeatureMap::Positive, FeatureMap::Hyperbolic);
  const KernelMatrices made = *answerOf(scene).matrices;
  const KernelErrorInput in = gaussianSource(24, 4, 0.7, 0)(0);
  const Matrix<double> w = drawProjection({ProjectionKind::Orthogonal, Norms::Chi, 8, 4, 1000});
  FeatureOptions features;
  features.map = scene.kernels.map;
  const auto q = featuresOf<double>(in.q.view(), w, features, FeatureRole::Query);
  const auto k = featuresOf<double>(in.k.view(), w, features, FeatureRole::Key);
  LinearOptions linear;
  linear.causal = scene.kernels.causal;
  const Matrix<double> rows = impliedByFeatures(q, k, linear).rowsAt(0, 12);
  const Matrix<double> exact =
      attentionRows(in.q.view(), in.k.view(), {0.5}, LowRankObject::Softmax, linear.causal)
          .rowsAt(0, 12);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j) {
      CHECK((*made.estimate)(i, j) == Approx(rows(i, j)).margin(1e-7));
      CHECK((*made.exact)(i, j) == Approx(exact(i, j)).margin(1e-7));
      CHECK((*made.error)(i, j) == Approx(std::abs(rows(i, j) - exact(i, j))).margin(1e-7));
    }
  const auto whole =
      featureAttention<double>(in.q.view(), in.k.view(), in.v.view(), w, features, linear);
  CHECK(made.negativeRows == static_cast<Index>(whole.negativeRows.size()));
  // Estimated normalisers over the exact ones: row 0 of a causal matrix is the single entry.
  REQUIRE(made.overExact);
  if (linear.causal) {
    const double entry = whole.denominators[0];
    double score = 0;
    for (Index c = 0; c < 4; ++c)
      score += in.q(0, c) * in.k(0, c) / 2;
    CHECK(made.normalisers[0] == Approx(entry / std::exp(score)));
  }
}

TEST_CASE("bars of normalisers are split by sign") {
  KernelMatrices made;
  made.n = 5;
  made.overExact = true;
  made.normalisers = {1, -0.5, 0, 2, -0.1};
  const Plot plot = normaliserPlot(made);
  const auto& curves = curvesOf(plot).curves;
  std::vector<std::size_t> sizes;
  sizes.reserve(curves.size());
  for (const Curve& curve : curves)
    sizes.push_back(curve.points.size());
  CHECK(sizes == std::vector<std::size_t>{2, 2, 2, 1}); // the level 1, above, below, at zero
  CHECK(curves[2].points.front().y == -0.5);
  const DisplayList list =
      layout(Figure{"", "", "", {{"", {plot}, {}}}, {}, FigureTheme::Light}, {}, kMeasure);
  std::size_t bars = 0;
  for (const FillBoxes& boxes : all<FillBoxes>(list))
    bars += boxes.boxes.size();
  CHECK(bars == 4);
  // The level has a halo, or it would be lost on the bars.
  const auto lines = all<Polyline>(list);
  const auto level = std::find_if(lines.begin(), lines.end(),
                                  [](const Polyline& line) { return line.dash == Dash::Dotted; });
  REQUIRE(level > lines.begin());
  const Polyline& halo = *(level - 1);
  CHECK(halo.points == level->points);
  CHECK(halo.color == figureColors(FigureTheme::Light).ground);
  CHECK(halo.width > 2 * level->width);
}

TEST_CASE("kernels with features of their own are matched exactly") {
  Scene scene = smallKernels(KernelsPicture::Matrices);
  scene.kernels.kernel = GENERATE(Kernel::Elu1, Kernel::Relu);
  const KernelMatrices made = *answerOf(scene).matrices;
  CHECK(made.features == 4);
  CHECK(made.projections == 0);
  CHECK_FALSE(made.overExact);
  const KernelErrorInput in = gaussianSource(24, 4, 0.7, 0)(0);
  KernelOptions options;
  options.kernel = scene.kernels.kernel;
  const auto pattern = prepare(Full{}, squareLengths(24));
  const Matrix<double> rows =
      impliedByKernel<double>(*pattern, in.q.view(), in.k.view(), options).rowsAt(0, 12);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 12; ++j)
      CHECK((*made.estimate)(i, j) == Approx(rows(i, j)).margin(1e-6));
}

TEST_CASE("many Gaussian features come close to the Gaussian kernel") {
  Scene scene = smallKernels(KernelsPicture::Matrices);
  scene.kernels.kernel = Kernel::Gaussian;
  scene.kernels.chosen = 16;
  const double few = answerOf(scene).matrices->relativeError;
  scene.kernels.chosen = 4096;
  const double many = answerOf(scene).matrices->relativeError;
  CHECK(many < 0.1);
  CHECK(many < few / 4);
}

TEST_CASE("the diagram says the counts of the cost model") {
  const ProductShapes shapes{1024, 64, 16, false};
  const Plot plot = orderDiagram(shapes);
  const auto& mark = std::get<DiagramMark>(plot.mark);
  const auto says = [&](const std::string& words) {
    return std::any_of(mark.texts.begin(), mark.texts.end(),
                       [&](const DiagramText& text) { return text.text == words; });
  };
  CHECK(says(groupedDigits("83886080"))); // 1024² · 80
  CHECK(says(groupedDigits("2097152")));  // 2 · 1024 · 64 · 16
  CHECK(says(groupedDigits("1048576")));
  CHECK(says(groupedDigits("1024")));
  CHECK(mark.groups.size() == 2);
}

TEST_CASE("counts of a small diagram lie inside it and off its note") {
  const double width = GENERATE(200.0, 260.0, 320.0, 500.0, 900.0);
  const Plot plot = orderDiagram({1024, 64, 16, false});
  const PlacedPlot placed = layoutPlot(plot, {width, width}, {}, kMeasure);
  const auto texts = all<Text>(placed.list);
  const auto note = std::find_if(texts.begin(), texts.end(),
                                 [](const Text& text) { return text.text.rfind("L = ", 0) == 0; });
  REQUIRE(note != texts.end());
  for (const Text& text : texts) {
    INFO(text.text);
    CHECK(boxOf(text).bottom() <= std::max(placed.box.bottom(), boxOf(*note).bottom()));
    if (text.align == TextAlign::Left && text.text != note->text)
      CHECK(!overlap(boxOf(text), boxOf(*note)));
  }
}

TEST_CASE("no matrix of the same rank is closer than the best one") {
  const Scene scene = smallKernels(KernelsPicture::Spectrum);
  const KernelSpectrum spectrum = *answerOf(scene).spectrum;
  REQUIRE(spectrum.values.size() == 24);
  REQUIRE(spectrum.others.size() == 5); // four kinds of features and Linformer
  for (const RankCurve& curve : spectrum.others)
    for (const Point& point : curve.points)
      if (point.x < 24)
        CHECK(point.y >= spectrum.best[static_cast<std::size_t>(point.x) - 1].y * (1 - 1e-9));
  const Plot plot = rankErrorPlot(spectrum); // no hue twice
  std::set<std::size_t> hues;
  for (const Curve& curve : curvesOf(plot).curves) {
    CHECK(hues.insert(curve.hue).second);
    CHECK((!curve.label.starts_with("Linformer") || curve.dash == Dash::Solid));
  }
  Scene causal = scene;
  causal.kernels.causal = true;
  CHECK(answerOf(causal).spectrum->others.size() == 4); // Linformer mixes positions
}

TEST_CASE("the picture of low rank says which tokens its matrix covers") {
  Scene scene = smallKernels(KernelsPicture::Spectrum);
  scene.kernels.length = GENERATE(24, 520);
  const Index n = scene.kernels.length;
  scene.kernels.projections = {4};
  KernelsAnswer answer;
  answer.spectrum = std::make_shared<const KernelSpectrum>(
      kernelSpectrum(spectrumQuestion(scene, {n, n, 0}), {}));
  CHECK(answer.spectrum->values.size() == static_cast<std::size_t>(std::min<Index>(n, 512)));
  const std::string caption = kernelsCaption(scene.kernels, answer);
  CHECK(caption.find(n == 24 ? "rows, 24 tokens." : "rows, the first 512 of 520 tokens.") !=
        std::string::npos);
}

TEST_CASE("a loaded head gives the same as drawn numbers that equal it") {
  const KernelsPicture picture = GENERATE(KernelsPicture::Matrices, KernelsPicture::Spectrum);
  const Scene drawn = smallKernels(picture);
  const Scene scene = loadedTwin(drawn);
  const auto input = loadInput(scene.input);
  const KernelsAnswer answer = kernelsAnswer(scene, lengthsOf(scene.length, 24), {input, 0, 0});
  const KernelsAnswer expected = answerOf(drawn);
  if (answer.matrices) {
    CHECK(answer.matrices->estimate->values() == expected.matrices->estimate->values());
    CHECK(answer.matrices->outputError == expected.matrices->outputError);
  } else {
    CHECK(answer.spectrum->values == expected.spectrum->values);
  }
}

TEST_CASE("a stack of layers is a picture of errors with one row per layer") {
  Scene scene = smallKernels(KernelsPicture::Error);
  scene.kernels.errorOf = KernelsErrorOf::Layers;
  scene.kernels.layers = 5;
  const KernelsAnswer answer = answerOf(scene);
  REQUIRE(answer.sweep->layers.size() == 4 * 5);
  CHECK(answer.sweep->result.rows.empty());
  const Figure figure = figureOfScene(scene);
  const auto& mark = std::get<CurvesMark>(figure.panels.front().plots.front().mark);
  REQUIRE(mark.curves.size() == 4);
  for (std::size_t c = 0; c < 4; ++c) {
    REQUIRE(mark.curves[c].points.size() == 5);
    CHECK(mark.curves[c].points[2].x == 3);
    CHECK(mark.curves[c].points[2].y == answer.sweep->layers[5 * c + 2].error.median);
  }
  const std::string text = sceneDataText(scene, {});
  CHECK(text.rfind("features,projection,layer,median", 0) == 0);
  CHECK(text.find(",std,flagged_rows\n") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 20);
  const TestFolder folder;
  writeSceneData(scene, {}, folder / "a.npy");
  CHECK(readArrays(folder / "a.npy").arrays.front().tensor.shape == std::vector<Index>{4, 5, 3});
  // Numbers of projections other than the chosen one are not read.
  Scene other = scene;
  other.kernels.projections = {2};
  CHECK(sweepQuestion(other, {}) == sweepQuestion(scene, {}));
  other.kernels.chosen = 9;
  CHECK_FALSE(sweepQuestion(other, {}) == sweepQuestion(scene, {}));
  scene.kernels.layers = 65;
  CHECK(codeOf([&] { answerOf(scene); }) == "E_RANGE");
  scene.kernels.layers = 2;
  scene.kernels.loaded = true;
  scene.length.n = 8;
  CHECK(codeOf([&] { answerOf(scene); }) == "E_UNSUPPORTED");
}

TEST_CASE("a sweep for an older question keeps its own words") {
  Scene scene = smallKernels(KernelsPicture::Error);
  scene.kernels.layers = 2;
  const Scene of = scene;
  const auto figureWith = [](const Scene& asked, const KernelsAnswer& answer) {
    const Figure figure = kernelsFigure(asked.kernels, answer, FigureTheme::Light);
    return figure.title + "|" + figure.caption + "|" + figure.source + "|" +
           curvesOf(figure.panels.front().plots.front()).y.label;
  };
  const KernelsAnswer output = answerOf(of);
  const std::string told = figureWith(of, output);
  scene.kernels.errorOf = KernelsErrorOf::Layers;
  const KernelsAnswer stack = answerOf(scene);
  const std::string ofStack = figureWith(scene, stack);
  CHECK(ofStack != told);
  CHECK(ofStack.find("appendix, figure 14") != std::string::npos);
  CHECK(figureWith(scene, output) == told);
  CHECK(figureWith(of, stack) == ofStack);
  scene.kernels.chosen = 4; // the curves are still those of 8
  CHECK(figureWith(scene, stack) == ofStack);
  // Stabilised features have no entries.
  scene = of;
  scene.kernels.stabilize = Stabilize::Robust;
  const KernelsAnswer stabilised = answerOf(scene);
  scene.kernels.errorOf = KernelsErrorOf::Entries;
  CHECK(figureWith(scene, stabilised) == told);
  CHECK(figureWith(scene, output) != told); // one sweep has both errors
}

TEST_CASE("a redraw changes the features and not the data") {
  Scene scene = smallKernels(KernelsPicture::Matrices);
  const KernelsAnswer before = answerOf(scene);
  scene.kernels.redraws = 1;
  const KernelsAnswer after = answerOf(scene);
  CHECK(before.matrices->exact->values() == after.matrices->exact->values());
  CHECK(before.matrices->estimate->values() != after.matrices->estimate->values());
}

TEST_CASE("the numbers of every picture are written as a table and as an array") {
  struct Written {
    KernelsPicture picture;
    std::string heading; // the table's first columns
    long lines;          // with the heading
    std::vector<Index> shape;
  };
  const Written of =
      GENERATE(Written{KernelsPicture::Error, "features,projection,m,", 1 + 3 * 4, {3, 4, 3}},
               Written{KernelsPicture::Matrices, "i,j,exact,", 1 + 12 * 12, {3, 12, 12}},
               Written{KernelsPicture::Normalisers, "i,estimated_over_exact", 1 + 24, {24}},
               Written{KernelsPicture::Ratio, "angle,length,ratio,", 1 + 181, {160, 240}},
               Written{KernelsPicture::Order, "order,first,second,", 1 + 2, {2, 3}},
               Written{KernelsPicture::Spectrum, "what,rank,", 1 + 24 + 5 * 3, {24}});
  const Scene scene = smallKernels(of.picture);
  const std::string text = sceneDataText(scene, {});
  CHECK(text.substr(0, of.heading.size()) == of.heading);
  CHECK(std::count(text.begin(), text.end(), '\n') == of.lines);
  const TestFolder folder;
  writeSceneData(scene, {}, folder / "a.csv");
  writeSceneData(scene, {}, folder / "a.npy");
  const ArrayFile file = readArrays(folder / "a.npy");
  CHECK(file.arrays.front().tensor.shape == of.shape);
  CHECK(codeOf([&] { writeSceneData(scene, {}, folder / "a.mtx"); }) == "E_UNSUPPORTED");
}

TEST_CASE("questions hold only what their part reads") {
  const Scene scene = smallKernels(KernelsPicture::Error);
  const Lengths lengths = lengthsOf(scene.length, 0);
  Scene other = scene;
  other.kernels.picture = KernelsPicture::Order;
  other.kernels.chosen = 5;
  other.kernels.cells = 3;
  other.kernels.slice = 0.3;
  CHECK(sweepQuestion(scene, lengths) == sweepQuestion(other, lengths));
  CHECK(spectrumQuestion(scene, lengths) == spectrumQuestion(other, lengths));
  CHECK_FALSE(matricesQuestion(scene, lengths) == matricesQuestion(other, lengths));
  other = scene;
  other.kernels.sigma = 0.1;
  CHECK_FALSE(sweepQuestion(scene, lengths) == sweepQuestion(other, lengths));
}

TEST_CASE("errors in a scene of kernels name the field") {
  const auto message = [](auto&& change) {
    Scene scene = smallKernels(KernelsPicture::Error);
    change(scene.kernels);
    return messageOf([&] { figureOfScene(scene); });
  };
  CHECK(message([](KernelsSpec& k) { k.length = 0; }) ==
        "length is 0; it must be an integer from 1 to 16384");
  CHECK(message([](KernelsSpec& k) {
          k.projections = {4, 0};
        }) == "m is 0; it must be an integer from 1 to 8192");
  CHECK(message([](KernelsSpec& k) {
          k.compared = {false, false, false, true, true};
        }).find("features is an empty list") == 0);
  CHECK(message([](KernelsSpec& k) {
          k.length = 16384;
          k.d = 512;
          k.repeats = 1000;
        }) == "length · d · repeats is 16384 · 512 · 1000 numbers; it must be at most 67108864");
  CHECK(message([](KernelsSpec& k) { k.sigma = -1; }) ==
        "sigma is -1; it must be a number of at least 0");
  CHECK(message([](KernelsSpec& k) { k.loaded = true; }).find("No input loaded") == 0);
  CHECK(message([](KernelsSpec& k) {
          k.picture = KernelsPicture::Ratio;
          k.slice = 0;
        }) == "slice is 0; it must be a number above 0 and at most 2");
  nlohmann::ordered_json written = toJson(Scene());
  written["kernels"]["features"] = "elu1";
  CHECK(messageOf([&] { sceneFromJson(written, "s.json"); }) ==
        "s.json: kernels.features is elu1; it must be one of trig, positive, hyperbolic");
}

TEST_CASE("a scene of kernels comes back from its text") {
  Scene scene = smallKernels(KernelsPicture::Spectrum);
  scene.kernels.compared.iid = false;
  scene.kernels.norms = Norms::SqrtD;
  scene.kernels.stabilize = Stabilize::Robust;
  scene.kernels.kernel = Kernel::Elu1;
  scene.kernels.map = FeatureMap::Trig;
  scene.kernels.projection = ProjectionKind::Iid;
  scene.kernels.errorOf = KernelsErrorOf::Entries;
  scene.kernels.exponentials = true;
  scene.kernels.eps = 0.001;
  const ReadScene read = sceneFromText(toText(scene));
  CHECK(read.scene == scene);
  CHECK(read.warnings.empty());
}

TEST_CASE("the closed form reveals that redraws miss rare large errors", "[kernels]") {
  KernelErrorOptions options;
  options.curves = {{FeatureMap::Trig, ProjectionKind::Iid, Norms::Chi},
                    {FeatureMap::Positive, ProjectionKind::Iid, Norms::Chi}};
  options.projections = {4, 16};
  const KernelErrorResult far = kernelError(gaussianSource(64, 16, 1, 1), options);
  for (const KernelErrorRow& row : far.rows)
    CHECK(missesTail(row) == (row.curve.map == FeatureMap::Positive)); // trig is bounded
  const std::string missed = missedTailText(far, 15, 4);
  CHECK(missed.find("positive, iid features at m = 4") != std::string::npos);
  CHECK(missed.find("e+") == std::string::npos); // numbers as the window writes them
  const KernelErrorResult beyond = kernelError(gaussianSource(64, 16, 6, 1), options);
  CHECK(missedTailText(beyond, 15).find("is measured, more than 10³⁰⁸ expected.") !=
        std::string::npos);
  const KernelErrorResult near = kernelError(gaussianSource(64, 16, 0.2, 1), options);
  for (const KernelErrorRow& row : near.rows)
    CHECK_FALSE(missesTail(row)); // short vectors
  CHECK(missedTailText(near, 15).empty());
}
