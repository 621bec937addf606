#include "core/model/weight_matrix.h"
#include "tests/catch.h"

#include <numeric>

using namespace attention;

namespace {

// rows × cols numbers 0, 1, 2, …, stored as floats.
struct Counted {
  std::vector<float> numbers;
  WeightMatrix matrix;

  Counted(Index rows, Index cols) : numbers(static_cast<std::size_t>(rows * cols)) {
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    matrix = {WeightType::F32, rows, cols, std::as_bytes(std::span(numbers)).data(), cols};
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

std::vector<float> rowOf(const WeightMatrix& matrix, Index r) {
  std::vector<float> row(static_cast<std::size_t>(matrix.cols));
  readRow(matrix, r, row);
  return row;
}

// The first number of every row.
std::vector<float> firsts(const WeightMatrix& matrix) {
  std::vector<float> all;
  for (Index r = 0; r < matrix.rows; ++r)
    all.push_back(rowOf(matrix, r).front());
  return all;
}

using Floats = std::vector<float>;

} // namespace

TEST_CASE("a view of rows reads rows of the stored matrix", "[model]") {
  const Counted counted(6, 2);
  const WeightMatrix middle = rowsOf(counted.matrix, 2, 5);
  CHECK(middle.rows == 3);
  CHECK(rowOf(middle, 0) == Floats{4, 5});
  CHECK(firsts(middle) == Floats{4, 6, 8});
  CHECK(firsts(rowsOf(middle, 1, 3)) == Floats{6, 8});
  CHECK(storedBytes(middle) == 24);
  CHECK(rowsOf(middle, 1, 1).empty());
}

TEST_CASE("groups of rows are those of each head in a fused matrix", "[model]") {
  const Counted counted(12, 1); // two heads of width 2: q q k k v v
  const WeightMatrix key = rowGroups(counted.matrix, 2, 2, 6, 2);
  CHECK(firsts(key) == Floats{2, 3, 8, 9});
  CHECK(firsts(rowsOf(key, 2, 4)) == Floats{8, 9});
  CHECK(firsts(rowsOf(key, 3, 4)) == Floats{9});
  CHECK(firsts(rowsOf(key, 0, 3)) == Floats{2, 3, 8});
  const WeightMatrix inside = rowsOf(counted.matrix, 3, 12);
  CHECK(firsts(rowGroups(inside, 1, 1, 4, 2)) == Floats{4, 8});
}

TEST_CASE("a transposed view has the stored columns as rows", "[model]") {
  const Counted counted(2, 6); // two inputs, six outputs
  WeightMatrix matrix = counted.matrix;
  matrix.rows = 6;
  matrix.cols = 2;
  matrix.transposed = true;
  CHECK(rowOf(matrix, 0) == Floats{0, 6});
  CHECK(rowOf(rowsOf(matrix, 2, 4), 1) == Floats{3, 9});
  CHECK(firsts(rowGroups(matrix, 1, 1, 3, 2)) == Floats{1, 4});
}
