#include "core/input/weight_rows.h"

#include "core/input/mapped_file.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr Index kWeightRowsBetweenChecks = 256; // of a stop

// Half a unit in the last place of 1, and the least number above 0.
struct Precision {
  double unit = 0;
  double least = 0;
};

Precision precisionOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return {0x1p-11, 0x1p-24};
  case DType::BFloat16:
    return {0x1p-8, 0x1p-133};
  case DType::Float64:
    return {0x1p-53, std::numeric_limits<double>::denorm_min()};
  default:
    return {0x1p-24, static_cast<double>(std::numeric_limits<float>::denorm_min())};
  }
}

// Nothing if a weight is negative or not finite.
std::optional<double> sumOfRow(const Tensor& weights, Index first, Index keys) {
  double sum = 0;
  for (Index j = first; j < first + keys; ++j) {
    const double weight = number(weights, j);
    if (!(weight >= 0 && std::isfinite(weight)))
      return std::nullopt;
    sum += weight;
  }
  return sum;
}

// As the file holds it: 64 bits, or what 32 tell.
std::string weightText(double weight, DType dtype) {
  return dtype == DType::Float64 ? shortest(weight) : shortest(static_cast<float>(weight));
}

} // namespace

double rowSumTolerance(DType dtype, Index keys) {
  const Precision stored = precisionOf(dtype);
  const auto n = static_cast<double>(keys);
  return (n + 2) * 0x1p-24 + stored.unit + n * stored.least / 2;
}

std::optional<RowSum> firstOddRow(const Tensor& weights, const Run& run) {
  return readUnchanged(weights.data, [&]() -> std::optional<RowSum> {
    const Index keys = weights.fromEnd(0);
    const Index queries = weights.fromEnd(1);
    const double tolerance = rowSumTolerance(weights.dtype, keys);
    std::optional<RowSum> odd;
    for (Index row = 0; row < weights.elements() / keys; ++row) {
      if (row % kWeightRowsBetweenChecks == 0)
        run.check();
      const auto sum = sumOfRow(weights, row * keys, keys);
      if (!sum)
        return std::nullopt;
      const Index plane = row / queries;
      if (!odd && *sum != 0 && std::abs(*sum - 1) > tolerance)
        odd = RowSum{plane / weights.fromEnd(2), plane % weights.fromEnd(2), row % queries, *sum};
    }
    return odd;
  });
}

bool readsAsWeights(const Tensor& array, const Run& run) {
  constexpr double kRounded = 0.01;
  if (!isFloat(array.dtype) || array.shape.size() < 2 || array.fromEnd(0) != array.fromEnd(1))
    return false;
  return readUnchanged(array.data, [&] {
    const Index keys = array.fromEnd(0);
    double most = 0;
    for (Index first = 0; first < array.elements(); first += keys) {
      run.check();
      const auto sum = sumOfRow(array, first, keys);
      if (!sum || *sum > 1 + kRounded)
        return false;
      most = std::max(most, *sum);
    }
    return most > 0;
  });
}

std::string textOf(const RowSum& row, const Tensor& weights, const std::string& batchName) {
  std::string place = "Row " + std::to_string(row.row);
  if (weights.shape.size() > 2)
    place += " of head " + std::to_string(row.head);
  if (weights.shape.size() > 3)
    place += ", " + batchName + " " + std::to_string(row.batch) + ",";
  const auto rounded = static_cast<float>(row.sum); // what is written as float32 has few digits
  return place + " in " + weights.label() + " sums to " +
         (std::isfinite(rounded) ? shortest(rounded) : shortest(row.sum)) + ", not 1";
}

template <class T>
void requireNoneNegative(const Tensor& weights, const Matrix<T>& plane, Index batch, Index head) {
  const auto below =
      std::find_if(plane.values().begin(), plane.values().end(), [](T w) { return w < 0; });
  if (below == plane.values().end())
    return;
  const Index at = below - plane.values().begin();
  const std::array<Index, 4> index{batch, head, at / plane.cols(), at % plane.cols()};
  throw Error(ErrorCode::Range, weights.label(),
              weights.label() + " holds " + weightText(static_cast<double>(*below), weights.dtype) +
                  " at " +
                  shapeText(std::span(index).last(std::min(weights.shape.size(), index.size()))) +
                  "; weights must not be negative");
}

template void requireNoneNegative(const Tensor&, const Matrix<float>&, Index, Index);
template void requireNoneNegative(const Tensor&, const Matrix<double>&, Index, Index);

} // namespace attention
