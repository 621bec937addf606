// The queries and keys of an input as patterns that depend on the data read them.
#pragma once

#include "core/input/input.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern_data.h"

namespace attention {

// The first n tokens of one model head. E_UNSUPPORTED where the input has ready weights alone, or
// queries and keys of different lengths; E_SHAPE where it is shorter than n. O(n d).
PatternData inputData(const Input& input, Index batch, Index head, Index n, const Run& run = {});

// The row of the input that is query 0 of a mask. Queries aligned with the last keys are those of
// the same tokens: of an input with as many keys as queries, row i + n_k − n_q (S4.20); one with
// fewer queries has those of its last tokens.
Index firstQueryRow(const Input& input, const Lengths& lengths);

// Whether the input has the keys and the queries of a mask.
bool covers(const Input& input, const Lengths& lengths);

// The queries and keys of a mask cut out of one with all rows of the input; `matrix` as it is where
// they are all of it.
Matrix<float> cutOut(Matrix<float> matrix, Index firstRow, Index rows, Index cols);

} // namespace attention
