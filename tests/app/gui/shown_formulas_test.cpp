// Everything that Kernels and Encodings show of small sizes, from their formulas.
#include "app/gui/views/kernels/kernels_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/support/text.h"
#include "tests/app/gui/shown_things.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

Scene kernelsScene(KernelsPicture picture) {
  Scene scene = smallScene();
  scene.view = View::Kernels;
  scene.kernels.picture = picture;
  scene.kernels.length = 16;
  scene.kernels.d = 4;
  return scene;
}

TEST_CASE("Order shows these costs of both products and no others", "[shown]") {
  TestWindow window(kernelsScene(KernelsPicture::Order));
  // L = 16, d = 4, m = 8: L² (m + d) = 3072, 2 L m d = 1024, equal at L = 2 m d / (m + d) = 5.3.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Multiplications", "(Q′ K′ᵀ) V: 3.07 k", "Q′ (K′ᵀ V): 1.02 k", "held: L × L: 256",
              "held: m × d: 32", "cheaper from L: 6", "Read this",
              "Multiplying K′ᵀ by V first takes 3 times fewer multiplications and never holds the "
              "L × L matrix. The result is the same, since matrix multiplication is associative; "
              "only the softmax stood in the way."});
  CHECK(wordsIn(window, "View") ==
        Words{"The order of multiplication and what it costs",
              "Plot 1: The order of multiplication and what it costs",
              "Dashed: the product that is taken first. Computing the features is not counted."});
  CHECK(countsOf(window) == "L 16 · d 4 · sigma 0.5 · m 8");
  checkBoxes(window, {{"Plot 1", {346, 134, 1074, 832}}});
}

TEST_CASE("Trig or positive shows these facts of vectors of length 1 and no others", "[shown]") {
  TestWindow window(kernelsScene(KernelsPicture::Ratio));
  // r = ½ e⁴ (1 − e^−t)² / (e^2s − e^s), s = 2 (1 + cos φ), t = 2 (1 − cos φ): 0.4323 at 90°, 1274
  // at φ = 3, 1 at φ = 1.742, where the kernel exp(cos φ) is 0.843.
  CHECK(
      wordsIn(window, "Inspector") ==
      Words{"Two vectors of length 1", "equally good at φ: 1.74", "   in degrees: 99.8",
            "kernel there: 0.843", "r at a right angle: 0.432", "r at φ = 3: 1 300", "Read this",
            "Trig features win for vectors that point the same way, positive ones at angles beyond "
            "99.8° at this length: there the kernel is small, but the errors of trig features are "
            "not."});
  const std::string title = "Where positive features are better than trigonometric ones";
  CHECK(wordsIn(window, "View") ==
        Words{title, "ratio of errors, trig over positive", "Plot 1: " + title,
              "the ratio at one length", "Plot 2: " + title, "the two errors at that length",
              "Plot 3: " + title, "trig better 1 000 ×", "10 ×", "equal", "10 ×",
              "positive better 1 000 ×",
              "Mean squared errors by Lemma 2, for two vectors of length |ℓ| at the angle φ."});
}

double norm(const Matrix<float>& matrix) {
  double sum = 0;
  for (const float value : matrix.values())
    sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

TEST_CASE("Matrices says how far the shown estimate is from the shown matrix", "[shown]") {
  TestWindow window(kernelsScene(KernelsPicture::Matrices));
  const KernelMatrices& of = *window.results().part<KernelsResults>().matrices.value;
  Matrix<float> apart = *of.exact;
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 16; ++j)
      apart(i, j) -= (*of.estimate)(i, j);
  const double error = norm(apart) / norm(*of.exact);
  CHECK(wordsIn(window, "Inspector") ==
        Words{"positive, orthogonal", "projections m: 8", "features: 8",
              "|A − Â| / |A|: " + shortNumber(error, 2), "negative entries shown: 0",
              "output error: " + shortNumber(of.outputError, 2),
              "all-zero output: " + shortNumber(of.baseline, 2), "Read this",
              (error < 0.1 ? "The estimate keeps the picture: its error is "
                           : "The estimate's error is ") +
                  fixed(100 * error, 1) + " % of A."});
  const std::string title = "Attention and its estimate: positive, orthogonal · m = 8";
  const Words shown = wordsIn(window, "View");
  CHECK(Words(shown.begin(), shown.begin() + 9) ==
        Words{title, "exact A", "Plot 1: " + title, "estimate Â", "Plot 2: " + title,
              "error |A − Â|", "Plot 3: " + title, "normalisers dᵢ", "Plot 4: " + title});
  CHECK(shown.back() == "Shown: all 16 queries and keys. All matrices share one scale.");
}

TEST_CASE("Normalisers says where the drawn rows lie", "[shown]") {
  TestWindow window(kernelsScene(KernelsPicture::Normalisers));
  std::vector<double> rows = window.results().part<KernelsResults>().matrices->normalisers;
  REQUIRE(rows.size() == 16);
  std::sort(rows.begin(), rows.end());
  const auto near =
      std::count_if(rows.begin(), rows.end(), [](double row) { return row > 0.8 && row < 1.25; });
  CHECK(wordsIn(window, "Inspector") ==
        Words{"positive, orthogonal", "rows below 0: 0", "rows at 0: 0",
              "lowest: " + shortNumber(rows.front(), 3),
              "median: " + shortNumber((rows[7] + rows[8]) / 2, 3),
              "highest: " + shortNumber(rows.back(), 3), "Read this",
              "No row is below zero. " + fixed(100 * static_cast<double>(near) / 16, 1) +
                  " % of the rows lie between 0.8 and 1.25 times the exact normaliser."});
  CHECK(wordsIn(window, "View") ==
        Words{"Normalisers of the rows: positive, orthogonal · m = 8",
              "Plot 1: Normalisers of the rows: positive, orthogonal · m = 8", "16 rows above 0",
              "0 rows below 0", "One bar for each of 16 query rows."});
}

TEST_CASE("Low rank gives what the drawn singular values say", "[shown]") {
  TestWindow window(kernelsScene(KernelsPicture::Spectrum));
  const KernelSpectrum& of = *window.results().part<KernelsResults>().spectrum.value;
  REQUIRE(of.values.size() == 16);
  double sum = 0;
  double squares = 0;
  double tail = 0; // beyond the first 8
  for (std::size_t k = 0; k < 16; ++k) {
    sum += of.values[k];
    squares += of.values[k] * of.values[k];
    tail += k < 8 ? 0 : of.values[k] * of.values[k];
  }
  double part = 0;
  int most = 0;
  while (part < 0.9 * sum)
    part += of.values[static_cast<std::size_t>(most++)];
  const double best = std::sqrt(tail / squares);
  Words wanted{"At rank m = 8", "best of rank m: " + shortNumber(best, 2)};
  const Words names{"trig, iid", "trig, orthogonal", "positive, iid", "positive, orthogonal",
                    "Linformer"};
  REQUIRE(of.others.size() == names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    for (const Point& point : of.others[k].points)
      if (point.x == 8)
        wanted.push_back(names[k] + ": " + shortNumber(point.y, 2));
  const std::string first = std::to_string(most);
  wanted.insert(wanted.end(),
                {"90 % of Σ σ: first " + first, "numerical rank: 16 of 16", "Read this",
                 "90 % of the sum of the singular values lies in the first " + first +
                     " of 16. Even the best matrix of rank 8 misses " + fixed(100 * best, 1) +
                     " % of A. Features and projections are drawn without looking at A: they lie "
                     "above this line, which no matrix of that rank can beat."});
  CHECK(wordsIn(window, "Inspector") == wanted);
  const std::string title = "The best that any matrix of rank m can do";
  CHECK(wordsIn(window, "View") ==
        Words{title, "singular values of A", "Plot 1: " + title, "error against rank",
              "Plot 2: " + title,
              "A: softmax rows, 16 tokens. Errors are relative, |A − Â| / |A|; features count as m "
              "numbers per token."});
}

TEST_CASE("Errors gives the medians of the drawn curves", "[shown]") {
  TestWindow window(kernelsScene(KernelsPicture::Error));
  const KernelErrorResult& of = window.results().part<KernelsResults>().sweep->result;
  Words wanted{"At m = 8"};
  const Words names{"trig, iid", "trig, orthogonal", "positive, iid", "positive, orthogonal"};
  for (const KernelErrorRow& row : of.rows)
    if (row.projections == 8)
      wanted.push_back(names.at(wanted.size() - 1) + ": " + shortNumber(row.output.median, 2));
  wanted.push_back("all-zero output: " + shortNumber(of.baseline, 2));
  CHECK(wordsIn(window, "Inspector", "Read this") == wanted);
  const Words shown = wordsIn(window, "View");
  CHECK(shown.front() == "Error of the attention output against the number of projections");
  CHECK(shown.at(1) == "Plot 1: 8 of 8 points");
  CHECK(shown.back() == "Median over 2 repeats; bands from the lower to the upper quartile. Q, K = "
                        "sigma N(0, 1) with sigma 0.5, L 16, d 4.");
}

TEST_CASE("Encodings shows these facts of a grid of 4 × 5 and no others", "[shown]") {
  Scene scene = smallScene();
  scene.view = View::Encodings;
  scene.encodings.l1 = 4;
  scene.encodings.l2 = 5;
  scene.encodings.d1 = 6;
  scene.encodings.d2 = 2;
  scene.encodings.position = 7; // 7 mod 4 = 3 and ⌊7 / 4⌋ = 1
  TestWindow window(scene);
  // 4 · 6 + 5 · 2 = 34 numbers for 20 · 8 = 160.
  CHECK(
      wordsIn(window, "Inspector") ==
      Words{"Position", "row of E1: 3", "row of E2: 1", "Numbers stored", "E1 and E2: 34",
            "one row per position: 160", "share: 21.2 %", "Read this",
            "34 numbers are stored instead of 160, 4.71 times fewer. Neighbours differ in E1 and "
            "share E2 for ℓ1 positions: position 7 is row 3 of E1 beside row 1 of E2. Row 3 of E1 "
            "serves positions 3, 7, 11 … Every position has a different encoding."});
  const std::string traced = "position 7 is row 3 of E1 beside row 1 of E2";
  CHECK(
      wordsIn(window, "View") ==
      Words{
          "Axial positional encoding of 20 positions from tables of 4 × 6 and 5 × 2", "E1, 4 × 6",
          "E1: " + traced, "E2, 5 × 2", "E2: " + traced, "position of each pair of rows",
          "Positions: " + traced, "E = [E1 | E2], 20 × 8", "E: " + traced, traced,
          "blue below zero, orange above · point at a row to trace it, click to keep a position"});
  CHECK(countsOf(window) == "ℓ1 × ℓ2 = 4 × 5 · d1 + d2 = 6 + 2");
  // The tables and the grid have 0.42 of 728 points and a third of the height each.
  checkBoxes(window, {{"E1", {346, 118, 651, 323}},
                      {"E2", {346, 354, 651, 559}},
                      {"Positions", {346, 590, 651, 795}},
                      {"E", {665, 118, 1074, 802}}});
}

} // namespace
} // namespace attention::gui
