// The data that data-dependent patterns read (S5, S6): the queries and keys of one model head, in
// double, since decisions are exact comparisons of float64 scores. Prepared patterns keep them to
// answer why().
#pragma once

#include "core/pattern/lengths.h"
#include "core/support/matrix.h"

#include <memory>
#include <string>

namespace attention {

struct PatternData {
  std::shared_ptr<const Matrix<double>> q; // n × d; null: there is no data
  std::shared_ptr<const Matrix<double>> k; // n × d; the same object where queries and keys are one

  bool sharedQk() const { return q == k; }
  explicit operator bool() const { return q != nullptr; }
  bool operator==(const PatternData&) const = default; // by identity
};

// Copies; queries and keys become one where they are `shared` or equal, number by number. T is
// float or double.
template <class T>
PatternData patternData(MatrixView<const T> q, MatrixView<const T> k, bool shared = false);

// What a mechanism that reads the data checks first: E_UNSUPPORTED for rectangular masks (S4.20),
// E_TYPE without data, E_SHAPE for wrong lengths or widths, E_NONFINITE.
void requireData(const std::string& mechanism, const Lengths& lengths, const PatternData& data);

} // namespace attention
