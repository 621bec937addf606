// What an indexer scores keys by (S23, S24): its own queries and keys where the input has them,
// else, as a stand-in, the first columns of the attention's.
#pragma once

#include "core/pattern/description_builder.h"
#include "core/pattern/pattern_data.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct IndexArrays {
  std::vector<Matrix<double>> q; // one per index head, n_q × d_I
  Matrix<double> k;              // n_k × d_I
  Matrix<double> weights;        // n_q × heads
  bool standIn = false;

  Index heads() const { return static_cast<Index>(q.size()); }
  Index width() const { return k.cols(); }
};

// The arrays index_q, index_k and, with `weighted`, index_w of the data; `dim` is the stand-in's
// width. E_TYPE: one without the other; E_SHAPE; E_RANGE: dim beside arrays, or beyond d;
// E_NONFINITE.
IndexArrays indexArrays(const std::string& mechanism, const std::optional<Index>& dim,
                        const Lengths& lengths, const PatternData& data, bool weighted);

// A matrix of the data's arrays: two dimensions, as many rows as asked for, and columns where
// `columns` is not 0. E_SHAPE, E_NONFINITE.
Matrix<double> arrayOf(const PatternData& data, const std::string& name, Index rows,
                       Index columns = 0);
bool hasArray(const PatternData& data, const std::string& name);

// Beside a reason: whether the scores are those of an indexer.
inline std::string standInText(bool standIn) {
  return standIn ? " (stand-in: the input has no index_q and index_k)" : "";
}

} // namespace attention
