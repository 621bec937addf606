#include "core/model/weight_matrix.h"

#include "core/model/dequantise.h"

#include <array>
#include <cassert>

namespace attention {
namespace {

struct TypeInfo {
  std::string_view name;
  WeightBlock block;
};

const TypeInfo& info(WeightType type) {
  static constexpr std::array<TypeInfo, 13> kInfos{{{"F32", {1, 4}},
                                                    {"F16", {1, 2}},
                                                    {"BF16", {1, 2}},
                                                    {"Q4_0", {32, 18}},
                                                    {"Q4_1", {32, 20}},
                                                    {"Q5_0", {32, 22}},
                                                    {"Q5_1", {32, 24}},
                                                    {"Q8_0", {32, 34}},
                                                    {"Q2_K", {256, 84}},
                                                    {"Q3_K", {256, 110}},
                                                    {"Q4_K", {256, 144}},
                                                    {"Q5_K", {256, 176}},
                                                    {"Q6_K", {256, 210}}}};
  return kInfos[static_cast<std::size_t>(type)];
}

// Where row r of a view stands in the stored matrix.
Index storedRow(const WeightMatrix& matrix, Index r) {
  if (matrix.groupRows == 0)
    return matrix.first + r;
  return matrix.first + r / matrix.groupRows * matrix.groupStride + r % matrix.groupRows;
}

} // namespace

std::string_view name(WeightType type) {
  return info(type).name;
}

WeightBlock blockOf(WeightType type) {
  return info(type).block;
}

WeightMatrix rowsOf(WeightMatrix matrix, Index begin, Index end) {
  assert(0 <= begin && begin <= end && end <= matrix.rows);
  const bool oneGroup = matrix.groupRows == 0 || begin == end ||
                        begin / matrix.groupRows == (end - 1) / matrix.groupRows;
  assert(oneGroup || begin % matrix.groupRows == 0);
  matrix.first = storedRow(matrix, begin);
  matrix.rows = end - begin;
  if (oneGroup)
    matrix.groupRows = matrix.groupStride = 0;
  return matrix;
}

WeightMatrix rowGroups(WeightMatrix matrix, Index begin, Index groupRows, Index groupStride,
                       Index groups) {
  assert(matrix.groupRows == 0 && groupRows > 0 && groupRows <= groupStride);
  assert(groups > 0 && begin + (groups - 1) * groupStride + groupRows <= matrix.rows);
  matrix.first += begin;
  matrix.rows = groups * groupRows;
  matrix.groupRows = groupRows;
  matrix.groupStride = groupStride;
  return matrix;
}

void readRow(const WeightMatrix& matrix, Index r, std::span<float> out) {
  assert(0 <= r && r < matrix.rows && static_cast<Index>(out.size()) == matrix.cols);
  const WeightBlock block = blockOf(matrix.type);
  const Index row = storedRow(matrix, r);
  if (matrix.transposed) {
    assert(block.numbers == 1);
    for (Index c = 0; c < matrix.cols; ++c)
      dequantise(matrix.type, matrix.data + (c * matrix.stored + row) * block.bytes,
                 out.subspan(static_cast<std::size_t>(c), 1));
    return;
  }
  dequantise(matrix.type, matrix.data + row * (matrix.stored / block.numbers * block.bytes), out);
}

void readColumn(const WeightMatrix& matrix, Index c, Index begin, std::span<float> out) {
  assert(matrix.transposed && matrix.groupRows == 0 && 0 <= c && c < matrix.cols);
  assert(0 <= begin && begin + std::ssize(out) <= matrix.rows);
  const Index at = c * matrix.stored + matrix.first + begin;
  dequantise(matrix.type, matrix.data + at * blockOf(matrix.type).bytes, out);
}

Index storedBytes(const WeightMatrix& matrix) {
  const WeightBlock block = blockOf(matrix.type);
  return matrix.rows * matrix.cols / block.numbers * block.bytes;
}

} // namespace attention
