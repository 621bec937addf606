// The data that data-dependent patterns read (S5, S6, S20): the queries and keys of one model head,
// in double, since decisions are exact comparisons of float64 scores; the scale of the attention,
// and further arrays that some mechanisms choose by. Prepared patterns keep them to answer why().
#pragma once

#include "core/pattern/lengths.h"
#include "core/pattern/value.h"
#include "core/support/matrix.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace attention {

struct PatternData {
  std::shared_ptr<const Matrix<double>> q; // n_q × d; null: there is no data
  std::shared_ptr<const Matrix<double>> k; // n_k × d; the same object where both are one
  Index valueColumns = 0;                  // of V, for the cost of compressing it (S22)
  std::optional<double> scale = {};        // multiplier of q·k; 1/√d where not given
  // Arrays that a mechanism may take (Description::arrays), by their names: those of an indexer.
  std::map<std::string, MatrixSource> arrays = {};

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
// The same for masks of any lengths; and for mechanisms whose sources know only n_q = n_k, which
// S20.5 refuses with E_SHAPE.
void requireAnyData(const std::string& mechanism, const Lengths& lengths, const PatternData& data);
void requireSquareData(const std::string& mechanism, const Lengths& lengths,
                       const PatternData& data);
void requireSquareLengths(const std::string& mechanism, const Lengths& lengths);

// The data's scale, or else 1/√d.
double scaleOf(const PatternData& data);

} // namespace attention
