// What an input gives a Scene: its lengths, and the queries and keys that patterns and masks read.
#pragma once

#include "core/attention/attend.h"
#include "core/input/input.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern_data.h"
#include "core/scene/scene.h"

#include <string>

namespace attention {

// The first n tokens of one model head. E_UNSUPPORTED where the input has ready weights alone, or
// queries and keys of different lengths; E_SHAPE where it is shorter than n. O(n d).
PatternData inputData(const Input& input, Index batch, Index head, Index n, const Run& run = {});

// How the input's scores are made: its scale and its cap.
AttendOptions attendOptions(const Input& input, int threads = 0);

// E_UNSUPPORTED where the input caps its scores: kernels and random features are of exp(q·k)
// itself.
void requireUncapped(const Input& input);

// What queries and keys are multiplied by where kernels and random features read them, which are
// of q·k / √d (S7.1): the input's own scale goes into both alike, a negative one's sign into the
// queries. Ones where the input states no scale.
struct ScaleFactors {
  double query = 1;
  double key = 1;
};
ScaleFactors scaleFactors(const Input& input);

// The values of a head, n_k × d_v, for what can do without them: no columns where there are none.
template <class T>
Matrix<T> valuesIfAny(const Input& input, Index batch, Index head, const Run& run = {}) {
  return input.hasValues() ? input.v<T>(head, batch, run) : Matrix<T>(input.keys, 0);
}

// The same with zeros as wide as keys, for what measures time.
template <class T>
Matrix<T> valuesOrZeros(const Input& input, Index batch, Index head, const Run& run = {}) {
  return input.hasValues() ? input.v<T>(head, batch, run) : Matrix<T>(input.keys, input.d);
}

// E_UNSUPPORTED where the input has Q and K without V, which `what` needs: what one can do instead.
void requireValues(const Input& input, const std::string& what);

// The lengths of a Scene with its input, which may be null: where `spec` has neither n nor queries,
// an input with other queries than keys makes the mask rectangular. Throws as lengthsOf.
Lengths currentLengths(const LengthSpec& spec, const Input* input);

// The token of the input's first query, as the Scene aligns its lengths: bottom right, an input
// with fewer queries than keys has those of its last tokens (S4.20). Below 0 where they are more.
Index firstQueryToken(const Input& input, Align align);

// The row of the input that is query 0 of a mask: both are the query of one token. A square mask
// does not tell how the Scene aligns, so `align` does. Out of the input's rows where it has no such
// query.
Index firstQueryRow(const Input& input, const Lengths& lengths, Align align);

// Whether the input has the keys and the queries of a mask.
bool covers(const Input& input, const Lengths& lengths, Align align);

// The queries and keys of a mask cut out of one with all rows of the input; `matrix` as it is where
// they are all of it.
Matrix<float> cutOut(Matrix<float> matrix, Index firstRow, Index rows, Index cols);

} // namespace attention
