// Dense row-major matrices: the currency of core's public functions. Rows are tokens. Eigen maps
// them inside the .cpp files that compute.
#pragma once

#include "core/support/integers.h"

#include <cstddef>
#include <span>
#include <vector>

namespace attention {

// A matrix owned elsewhere: rows × cols values, row i at data + i · stride.
template <class T>
struct MatrixView {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0; // values from one row to the next

  T& operator()(Index i, Index j) const { return data[i * stride + j]; }
  std::span<T> row(Index i) const { return {data + i * stride, static_cast<std::size_t>(cols)}; }
};

// A matrix that owns its values: rows × cols, row-major without gaps, initially zero.
template <class T>
class Matrix {
public:
  Matrix() = default;
  Matrix(Index rows, Index cols)
      : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols)) {}
  Matrix(Index rows, Index cols, std::vector<T> values)
      : rows_(rows), cols_(cols), values_(std::move(values)) {
    assert(static_cast<Index>(values_.size()) == rows * cols);
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  const std::vector<T>& values() const { return values_; }

  T& operator()(Index i, Index j) { return values_[static_cast<std::size_t>(i * cols_ + j)]; }
  const T& operator()(Index i, Index j) const {
    return values_[static_cast<std::size_t>(i * cols_ + j)];
  }

  MatrixView<T> view() { return {data(), rows_, cols_, cols_}; }
  MatrixView<const T> view() const { return {data(), rows_, cols_, cols_}; }

  bool operator==(const Matrix&) const = default;

private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<T> values_;
};

} // namespace attention
