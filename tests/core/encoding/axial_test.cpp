// Axial positional encodings in both layouts.
#include "core/encoding/axial.h"
#include "core/encoding/axial_tables.h"
#include "core/support/philox.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

using namespace attention;

namespace {

AxialShape shapeOf(Index l1, Index d1, Index l2, Index d2,
                   AxialReading reading = AxialReading::Docs) {
  AxialShape shape;
  shape.l1 = l1;
  shape.d1 = d1;
  shape.l2 = l2;
  shape.d2 = d2;
  shape.reading = reading;
  return shape;
}

Matrix<double> encoded(const AxialShape& shape, const Matrix<double>& e1,
                       const Matrix<double>& e2) {
  return axialEncoding(shape, e1.view(), e2.view());
}

} // namespace

TEST_CASE("every position takes its row of each table in both layouts") {
  for (Index l1 = 1; l1 <= 4; ++l1)
    for (Index l2 = 1; l2 <= 4; ++l2) {
      const Index d1 = 1 + l2 % 3;
      const Index d2 = 1 + l1 % 2;
      const auto e1 = randomMatrix<double>(l1, d1, 3, 0);
      const auto e2 = randomMatrix<double>(l2, d2, 3, 1);
      const Matrix<double> docs = encoded(shapeOf(l1, d1, l2, d2), e1, e2);
      const Matrix<double> code = encoded(shapeOf(l1, d1, l2, d2, AxialReading::Code), e1, e2);
      REQUIRE(docs.rows() == l1 * l2);
      REQUIRE(docs.cols() == d1 + d2);
      for (Index j = 0; j < l1 * l2; ++j) {
        for (Index c = 0; c < d1; ++c) {
          CHECK(docs(j, c) == e1(j % l1, c));
          CHECK(code(j, c) == e1(j / l2, c));
        }
        for (Index c = 0; c < d2; ++c) {
          CHECK(docs(j, d1 + c) == e2(j / l1, c));
          CHECK(code(j, d1 + c) == e2(j % l2, c));
        }
      }
      CHECK(rowsDistinct(std::as_const(docs).view()));
    }
}

TEST_CASE("the code's layout is that of the swapped tables with the halves exchanged") {
  const auto e1 = randomMatrix<float>(3, 2, 1, 0);
  const auto e2 = randomMatrix<float>(5, 4, 1, 1);
  const auto code = axialEncoding(shapeOf(3, 2, 5, 4, AxialReading::Code), e1.view(), e2.view());
  const auto swapped = axialEncoding(shapeOf(5, 4, 3, 2), e2.view(), e1.view());
  for (Index j = 0; j < 15; ++j)
    for (Index c = 0; c < 6; ++c)
      CHECK(code(j, c) == swapped(j, (c + 4) % 6));
}

TEST_CASE("rows are distinct if and only if the rows of both tables are") {
  auto e1 = randomMatrix<double>(4, 2, 1, 0);
  const auto e2 = randomMatrix<double>(3, 2, 1, 1);
  for (Index c = 0; c < 2; ++c)
    e1(3, c) = e1(1, c);
  CHECK_FALSE(rowsDistinct(std::as_const(e1).view()));
  CHECK(rowsDistinct(e2.view()));
  const Matrix<double> encoding = encoded(shapeOf(4, 2, 3, 2), e1, e2);
  CHECK_FALSE(rowsDistinct(encoding.view()));
}

TEST_CASE("truncation takes the first rows and parameters are those of the tables") {
  AxialShape shape = shapeOf(3, 1, 3, 2);
  const auto e1 = randomMatrix<double>(3, 1, 1, 0);
  const auto e2 = randomMatrix<double>(3, 2, 1, 1);
  const Matrix<double> whole = encoded(shape, e1, e2);
  shape.truncate = true;
  shape.n = 7;
  const Matrix<double> cut = encoded(shape, e1, e2);
  REQUIRE(cut.rows() == 7);
  CHECK(std::equal(cut.values().begin(), cut.values().end(), whole.values().begin()));
  CHECK(axialParameters(shape).axial == 9);
  CHECK(axialParameters(shape).full == 27);
  const AxialParameters standard = axialParameters({});
  CHECK(standard.axial == 64 * 64 + 64 * 192);
  CHECK(standard.full == 4096 * 256);
}

TEST_CASE("the positions of a table row are those whose rows contain it") {
  for (const AxialReading reading : {AxialReading::Docs, AxialReading::Code})
    for (const Index n : {1, 5, 11, 12}) {
      AxialShape shape = shapeOf(3, 2, 4, 2);
      shape.reading = reading;
      shape.n = n;
      shape.truncate = true;
      std::vector<std::vector<Index>> first(3);
      std::vector<std::vector<Index>> second(4);
      for (Index j = 0; j < n; ++j) {
        const auto [a, b] = axialRows(shape, j);
        first[static_cast<std::size_t>(a)].push_back(j);
        second[static_cast<std::size_t>(b)].push_back(j);
      }
      for (Index row = 0; row < 3; ++row)
        CHECK(positionsOfRow1(shape, row) == first[static_cast<std::size_t>(row)]);
      for (Index row = 0; row < 4; ++row)
        CHECK(positionsOfRow2(shape, row) == second[static_cast<std::size_t>(row)]);
    }
}

TEST_CASE("normal tables hold the numbers of their streams") {
  const AxialShape shape = shapeOf(3, 2, 4, 5);
  const AxialTablePair tables = axialTables(shape, AxialTables::Normal, 9);
  const auto holds = [](const Matrix<double>& table, std::uint32_t sub) {
    for (Index row = 0; row < table.rows(); ++row)
      for (Index c = 0; c < table.cols(); ++c)
        CHECK(table(row, c) == philox::normal({9, philox::Purpose::Data, sub},
                                              static_cast<std::uint64_t>(row * table.cols() + c)));
  };
  REQUIRE(tables.e1.rows() == 3);
  REQUIRE(tables.e2.cols() == 5);
  holds(tables.e1, 0);
  holds(tables.e2, 1);
}

TEST_CASE("sinusoidal tables are the sines and cosines of their rows' numbers") {
  const AxialTablePair tables = axialTables(shapeOf(5, 4, 3, 3), AxialTables::Sinusoidal, 1);
  for (Index row = 0; row < 5; ++row) {
    const auto x = static_cast<double>(row);
    CHECK(tables.e1(row, 0) == Approx(std::sin(x)));
    CHECK(tables.e1(row, 1) == Approx(std::cos(x)));
    CHECK(tables.e1(row, 2) == Approx(std::sin(x / 100)));
    CHECK(tables.e1(row, 3) == Approx(std::cos(x / 100)));
  }
  CHECK(tables.e2(2, 2) == Approx(std::sin(2 / std::pow(10000, 2.0 / 3))));
}

TEST_CASE("axial shapes that do not fit are refused by name") {
  const auto codeWith = [](const std::function<void(AxialShape&)>& change) {
    AxialShape shape = shapeOf(3, 2, 4, 2);
    change(shape);
    return codeAndSubject([&] { check(shape); });
  };
  CHECK(codeWith([](AxialShape&) {}).empty());
  CHECK(codeWith([](AxialShape& s) { s.n = 11; }) == "E_RANGE l1");
  CHECK(codeWith([](AxialShape& s) { s.n = 13; }) == "E_RANGE l1");
  CHECK(codeWith([](AxialShape& s) { s.n = 13, s.truncate = true; }) == "E_RANGE l1");
  CHECK(codeWith([](AxialShape& s) { s.n = 11, s.truncate = true; }).empty());
  CHECK(codeWith([](AxialShape& s) { s.n = 0; }) == "E_N n");
  CHECK(codeWith([](AxialShape& s) { s.d = 5; }) == "E_RANGE d1");
  CHECK(codeWith([](AxialShape& s) { s.d = 4; }).empty());
  CHECK(codeWith([](AxialShape& s) { s.l2 = 0; }) == "E_RANGE l2");
  CHECK(codeWith([](AxialShape& s) { s.d1 = -1; }) == "E_RANGE d1");
  CHECK(codeWith([](AxialShape& s) { s.l1 = kMaxLength + 1; }) == "E_RANGE l1");
  CHECK(codeAndSubject([] { axialReadingNamed("trax"); }) == "E_RANGE reading");
  CHECK(name(axialReadingNamed("code")) == "code");
  const auto e1 = randomMatrix<double>(3, 2, 1, 0);
  const auto e2 = randomMatrix<double>(4, 2, 1, 1);
  CHECK(codeAndSubject([&] { encoded(shapeOf(3, 2, 4, 2), e2, e2); }) == "E_SHAPE E1");
  CHECK(codeAndSubject([&] { encoded(shapeOf(3, 2, 4, 2), e1, e1); }) == "E_SHAPE E2");
  for (const Index row : {0, 2}) {
    auto wrong = e1;
    wrong(row, 1) = std::numeric_limits<double>::infinity();
    CHECK(codeAndSubject([&] { encoded(shapeOf(3, 2, 4, 2), wrong, e2); }) == "E_NONFINITE E1");
  }
}
