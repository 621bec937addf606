// What an input gives a Scene: its lengths, the queries and keys that patterns and masks read, and
// the labels of the tokens on axes and in graphs.
#pragma once

#include "core/attention/attend.h"
#include "core/attention/modifiers.h"
#include "core/input/input.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern_data.h"
#include "core/scene/scene.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attention {

// A loaded input, which may be null, and which of its heads.
struct ModelHead {
  std::shared_ptr<const Input> input;
  Index batch = 0;
  Index head = 0;
  bool operator==(const ModelHead&) const = default;
};
// That the Scene reads of its input.
inline ModelHead modelHead(const Scene& scene, std::shared_ptr<const Input> input) {
  return {std::move(input), scene.input.batch, scene.input.head};
}

// The first n tokens of one model head. E_UNSUPPORTED where the input has only ready weights, or
// queries and keys of different lengths; E_SHAPE where it is shorter than n. O(n d).
PatternData inputData(const Input& input, Index batch, Index head, Index n, const Run& run = {});

// The queries, keys and further arrays of a mask's tokens, which may differ in number for patterns
// that all judge it by themselves (judgeLengths); for others the first tokens, as above.
// E_UNSUPPORTED: the input has only ready weights; E_SHAPE: it does not have these tokens.
PatternData inputData(std::span<const Pattern> patterns, const Input& input, Index batch,
                      Index head, const Lengths& lengths, Align align, const Run& run = {});

// How the scores of a head are made.
AttendOptions attendOptions(const Input& input, Index head, int threads = 0);

// E_UNSUPPORTED where the input caps its scores, or has a bias or a sink: kernels and random
// features approximate exp(q·k) itself.
void requirePlainScores(const Input& input);

// Of the scale and the temperature that the input states.
ScaleFactors scaleFactors(const Input& input);

// The values of a head, n_k × d_v, for code that can do without them: no columns where there are
// none.
template <class T>
Matrix<T> valuesIfAny(const Input& input, Index batch, Index head, const Run& run = {}) {
  return input.hasValues() ? input.v<T>(head, batch, run) : Matrix<T>(input.keys, 0);
}

// The same, with zeros as wide as the keys if there are none, for measuring time.
template <class T>
Matrix<T> valuesOrZeros(const Input& input, Index batch, Index head, const Run& run = {}) {
  return input.hasValues() ? input.v<T>(head, batch, run) : Matrix<T>(input.keys, input.d);
}

// E_UNSUPPORTED where the input has Q and K but no V, which `what` needs; it says what to do
// instead.
void requireValues(const Input& input, const std::string& what);

// The lengths of a Scene with its input, which may be null: where `spec` has neither n nor queries,
// an input with different numbers of queries and keys makes the mask rectangular. Throws as
// lengthsOf.
Lengths currentLengths(const LengthSpec& spec, const Input* input);

// The token of the input's first query, as the Scene aligns its lengths: bottom right, an input
// with fewer queries than keys has those of its last tokens (S4.20). Below 0 if they are more.
Index firstQueryToken(const Input& input, Align align);

// The row of the input that is query 0 of a mask: both are the query of the same token. A square
// mask does not show how the Scene aligns, so `align` does. Outside the input's rows where it has
// no such query.
Index firstQueryRow(const Input& input, const Lengths& lengths, Align align);

// Whether the input has the keys and the queries of a mask.
bool covers(const Input& input, const Lengths& lengths, Align align);
// E_SHAPE where it does not.
void requireCovered(const Input& input, const Lengths& lengths, Align align);

// The queries and keys of a mask, cut out of a matrix with all rows of the input; `matrix`
// unchanged where they are all of it.
template <class T>
Matrix<T> cutOut(Matrix<T> matrix, Index firstRow, Index rows, Index cols);

// The words of the first n tokens: those of the input (may be null), else the labels of the Scene;
// empty if neither has enough. They belong to the input or the Scene.
std::span<const std::string> tokenLabels(const Scene& scene, const Input* input, Index n);
// The same as a copy to keep.
std::vector<std::string> keptTokenLabels(const Scene& scene, const Input* input, Index n);

} // namespace attention
