// Pictures of axial encodings: pixels, layouts, marks.
#include "core/export/cairo_painter.h"
#include "core/plot/layout.h"
#include "core/views/encodings/scene_encodings.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/pattern/pattern_text.h"

#include <cmath>

using namespace attention;

namespace {

EncodingsSpec small(AxialReading reading) {
  return {3, 4, 2, 5, {}, reading, AxialTables::Normal, 1, 7};
}

} // namespace

TEST_CASE("a position is where its table rows meet", "[encoding]") {
  const auto reading = GENERATE(AxialReading::Docs, AxialReading::Code);
  const AxialShape shape = axialShape(small(reading));
  for (Index j = 0; j < shape.length(); ++j) {
    const auto [a, b] = axialRows(shape, j);
    CHECK(axialPosition(shape, a, b) == j);
  }
}

TEST_CASE("a small encoding is shown entry by entry", "[encoding]") {
  const EncodingsSpec spec = small(GENERATE(AxialReading::Docs, AxialReading::Code));
  const EncodingsAnswer answer = encodingsAnswer(spec);
  CHECK(*answer.pixels == axialEncoding(answer.shape, std::as_const(answer.e1).view(),
                                        std::as_const(answer.e2).view()));
  CHECK(*answer.pixels1 == answer.e1);
  CHECK(*answer.pixels2 == answer.e2);
  for (Index a = 0; a < 3; ++a)
    for (Index b = 0; b < 4; ++b)
      CHECK((*answer.positions)(b, a) == static_cast<float>(axialPosition(answer.shape, a, b)));
}

TEST_CASE("pixels of a large encoding are the means of its numbers", "[encoding]") {
  EncodingsSpec spec;
  spec.reading = GENERATE(AxialReading::Docs, AxialReading::Code);
  spec.l1 = GENERATE(64, 50);
  spec.l2 = 114 - spec.l1;
  spec.d1 = 300;
  spec.d2 = 700;
  spec.n = GENERATE(1100, 3200);
  spec.tables = AxialTables::Normal;
  const EncodingsAnswer answer = encodingsAnswer(spec);
  REQUIRE(answer.pixels->rows() == 1024);
  REQUIRE(answer.pixels->cols() == 512);
  const Matrix<float> e =
      axialEncoding(answer.shape, std::as_const(answer.e1).view(), std::as_const(answer.e2).view());
  Matrix<double> sums(1024, 512);
  Matrix<double> counts(1024, 512);
  for (Index j = 0; j < e.rows(); ++j)
    for (Index c = 0; c < e.cols(); ++c) {
      const Index y = j * 1024 / e.rows();
      const Index x = c * 512 / e.cols();
      sums(y, x) += static_cast<double>(e(j, c));
      ++counts(y, x);
    }
  double worst = 0;
  for (Index y = 0; y < 1024; ++y)
    for (Index x = 0; x < 512; ++x)
      worst = std::max(
          worst, std::abs(sums(y, x) / counts(y, x) - static_cast<double>((*answer.pixels)(y, x))));
  CHECK(worst < 1e-6);
}

TEST_CASE("the published shape of long inputs is drawn without its whole encoding", "[encoding]") {
  EncodingsSpec spec;
  spec.l1 = 512;
  spec.l2 = 1024;
  spec.d1 = 64;
  spec.d2 = 192;
  const EncodingsAnswer answer = encodingsAnswer(spec);
  // 512 positions per pixel: each has all rows of E1 and one of E2.
  double mean = 0;
  for (Index a = 0; a < 512; ++a)
    mean += static_cast<double>(answer.e1(a, 5)) / 512;
  for (const Index y : {0, 1, 1023}) {
    CHECK(static_cast<double>((*answer.pixels)(y, 5)) == Approx(mean).margin(1e-6));
    CHECK((*answer.pixels)(y, 64 + 7) == answer.e2(y, 7));
  }
  CHECK(encodingsFigure(answer, FigureTheme::Light)
            .caption.find("Each pixel shows the mean of several numbers.") != std::string::npos);
  CHECK(messageOf([&] { writeEncodingsNpy(spec, "no.npy"); }) ==
        "encodings is n (d1 + d2) = 134217728; it must be at most 67108864 in a file; attnx axial "
        "writes more");
}

TEST_CASE("positions beyond n have no place on the grid", "[encoding]") {
  EncodingsSpec spec = small(AxialReading::Docs);
  spec.n = 7;
  const EncodingsAnswer answer = encodingsAnswer(spec);
  CHECK((*answer.positions)(2, 0) == 6);
  CHECK((*answer.positions)(2, 1) == -1);
  CHECK(answer.pixels->rows() == 7);
}

TEST_CASE("sinusoidal tables have the paper's entries", "[encoding]") {
  EncodingsSpec spec;
  const auto [e1, e2] = encodingTables(spec);
  // Section 3.5: sine at even, cosine at odd features, of pos / 10000^(2i/d).
  CHECK(static_cast<double>(e1(3, 4)) == Approx(std::sin(3 / std::pow(10000.0, 4.0 / 16))));
  CHECK(static_cast<double>(e1(3, 5)) == Approx(std::cos(3 / std::pow(10000.0, 4.0 / 16))));
  CHECK(static_cast<double>(e2(9, 46)) == Approx(std::sin(9 / std::pow(10000.0, 46.0 / 48))));
}

TEST_CASE("facts of an encoding are its numbers", "[encoding]") {
  EncodingsSpec spec; // 16 · 16 + 16 · 48 = 1024 for 256 · 64 = 16384
  const auto all = [](const EncodingsAnswer& answer) {
    std::string text;
    for (const std::string& sentence : readingOf(answer))
      text += sentence + " ";
    return text;
  };
  std::string text = all(encodingsAnswer(spec));
  CHECK(text.find("1\u2009024 numbers are stored instead of 16\u2009384, 16 times fewer") !=
        std::string::npos); // sinusoids are not learned
  spec.tables = AxialTables::Normal;
  CHECK(all(encodingsAnswer(spec)).find("numbers are learnt") != std::string::npos);
  spec.tables = AxialTables::Sinusoidal;
  CHECK(text.find("position 37 is row 5 of E1 beside row 2 of E2") != std::string::npos);
  CHECK(text.find("Row 5 of E1 serves positions 5, 21, 37 …") != std::string::npos);
  CHECK(text.find("a different encoding") != std::string::npos);
  spec.reading = AxialReading::Code;
  text = all(encodingsAnswer(spec));
  CHECK(text.find("position 37 is row 2 of E1 beside row 5 of E2") != std::string::npos);
  CHECK(text.find("Row 2 of E1 serves positions 32, 33, 34 …") != std::string::npos);
  spec.reading = AxialReading::Docs;
  spec.n = 20; // of a grid of 256
  spec.position = 5;
  CHECK(all(encodingsAnswer(spec)).find("Row 5 of E1 serves position 5.") != std::string::npos);
  spec.position = 19;
  CHECK(all(encodingsAnswer(spec)).find("Row 3 of E1 serves positions 3, 19.") !=
        std::string::npos);
  spec.n.reset();
  spec.d1 = 1; // only sin(0 · 1) = 0: the sines of whole numbers are still distinct
  EncodingsAnswer same = encodingsAnswer(spec);
  same.distinct1 = false;
  CHECK(all(same).find("Two rows of E1 are the same") != std::string::npos);
}

TEST_CASE("sentences about a cut grid and about single rows are true", "[encoding]") {
  EncodingsSpec spec;
  spec.l1 = 64;
  spec.l2 = 128;
  spec.d1 = spec.d2 = 128;
  spec.n = 3;
  std::vector<std::string> text = readingOf(encodingsAnswer(spec));
  CHECK(
      text[0] ==
      "24\u2009576 numbers are stored instead of 2\u2009097\u2009152 for all 8\u2009192 positions "
      "of the grid, 85.3 times fewer. One row for each of the 3 positions here would take 768.");
  spec.n.reset();
  spec.l1 = 1;
  const auto neighbours = [&] { return readingOf(encodingsAnswer(spec))[1]; };
  CHECK(neighbours().find("Neighbours share E1, which has one row, and differ in E2: ") == 0);
  spec.reading = AxialReading::Code;
  CHECK(neighbours().find("Neighbours differ in E2 and share E1 for ℓ2 positions: ") == 0);
  spec.l1 = 5;
  spec.l2 = 1;
  CHECK(neighbours().find("Neighbours share E2, which has one row, and differ in E1: ") == 0);
  spec.l1 = 1;
  CHECK(neighbours() == "There is one position: position 0 is row 0 of E1 beside row 0 of E2.");
}

TEST_CASE("the figure of an encoding marks the position in every plot", "[encoding]") {
  const EncodingsAnswer answer = encodingsAnswer(small(AxialReading::Docs));
  const Figure figure = encodingsFigure(answer, FigureTheme::Light);
  REQUIRE(figure.panels.size() == 4);
  const auto lineOf = [&](std::size_t panel) {
    const auto& mark = std::get<CurvesMark>(figure.panels[panel].plots.front().mark);
    REQUIRE(mark.curves.size() == 1);
    return mark.curves.front().points;
  };
  // Position 7 of 3 × 4: row 1 of E1 and row 2 of E2.
  CHECK(lineOf(0) == std::vector<Point>{{0, 1.5}, {2, 1.5}});
  CHECK(lineOf(1) == std::vector<Point>{{0, 2.5}, {5, 2.5}});
  CHECK(lineOf(2) == std::vector<Point>{{1, 2.5}, {2, 2.5}});
  CHECK(lineOf(3) == std::vector<Point>{{0, 7.5}, {7, 7.5}});
  const Image image = paintImage(layout(figure, Size{900, 400}, cairoMeasure(), {}), 1);
  CHECK(image.width == 900);
}

TEST_CASE("a table of an encoding has one line per position", "[encoding]") {
  const EncodingsSpec spec = small(AxialReading::Code);
  const CsvTable table = encodingsTable(spec);
  CHECK(table.headings.size() == 10);
  REQUIRE(table.rows.size() == 12);
  CHECK(table.rows[7][1] == "1"); // 7 div 4
  CHECK(table.rows[7][2] == "3"); // 7 mod 4
  const auto [e1, e2] = encodingTables(spec);
  CHECK(table.rows[7][3] == csvNumber(static_cast<double>(e1(1, 0))));
  CHECK(table.rows[7][9] == csvNumber(static_cast<double>(e2(3, 4))));
  EncodingsSpec large;
  large.l1 = large.l2 = 256;
  CHECK(codeAndSubject([&] { encodingsTable(large); }) == "E_RANGE encodings");
}
