#include "core/scene/input_data.h"

#include "core/input/further_arrays.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

MatrixView<const double> firstRows(const Matrix<double>& m, Index n) {
  return {m.data(), n, m.cols(), m.cols()};
}

void requireQueries(const Input& input) {
  if (!input.hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "input has attention weights without queries and keys; the pattern chooses keys by "
                "both, so it must have them");
}

PatternData tokensOf(const Input& input, Index batch, Index head, const Lengths& lengths,
                     Align align, const Run& run) {
  requireCovered(input, lengths, align);
  const Index first = firstQueryRow(input, lengths, align);
  const Matrix<double> q = input.q<double>(head, batch, run);
  const Matrix<double> k = input.k<double>(head, batch, run);
  const MatrixView<const double> queries{q.data() + first * q.cols(), lengths.queries, q.cols(),
                                         q.cols()};
  const bool same = input.sharedQk && first == 0 && lengths.queries == lengths.keys;
  PatternData data = patternData<double>(queries, firstRows(k, lengths.keys), same);
  data.scale = input.modifiers.scale;
  data.valueColumns = input.dv;
  for (const auto& [name, array] : furtherArrays(input, batch, head)) {
    const Index rows = array.shape[0];
    if (rows == input.queries && !(rows == input.keys && name.ends_with("_k")))
      data.arrays.emplace(name, rowsOf(array, first, lengths.queries));
    else if (rows == input.keys)
      data.arrays.emplace(name, rowsOf(array, 0, lengths.keys));
    else
      data.arrays.emplace(name, array);
  }
  return data;
}

} // namespace

PatternData inputData(std::span<const Pattern> patterns, const Input& input, Index batch,
                      Index head, const Lengths& lengths, Align align, const Run& run) {
  if (!judgeLengths(patterns))
    return inputData(input, batch, head, lengths.keys, run);
  requireQueries(input);
  return tokensOf(input, batch, head, lengths, align, run);
}

PatternData inputData(const Input& input, Index batch, Index head, Index n, const Run& run) {
  requireQueries(input);
  if (input.queries != input.keys)
    throw Error(ErrorCode::Unsupported, "input",
                "the input has " + countText(input.queries, "query") + " and " +
                    countText(input.keys, "key") +
                    ", and the pattern depends on the data; it must have one of each per token");
  if (n > input.keys)
    throw Error(ErrorCode::Shape, "n",
                "n is " + std::to_string(n) + "; it must be at most " + std::to_string(input.keys) +
                    ", the length of the input, since the pattern depends on the data");
  return tokensOf(input, batch, head, squareLengths(n), Align::TopLeft, run);
}

AttendOptions attendOptions(const Input& input, Index head, int threads) {
  return optionsOf(input.modifiers, head, input.heads, std::max(input.queries, input.keys),
                   threads);
}

void requirePlainScores(const Input& input) {
  const auto refuse = [](const char* subject, const char* what, const std::string& of = {}) {
    throw Error(ErrorCode::Unsupported, subject,
                "the input has " + (what + of) +
                    "; it must have none, since kernels and random features approximate exp(q·k)");
  };
  if (input.modifiers.softcap)
    refuse("softcap", "a soft cap", " of " + shortest(*input.modifiers.softcap));
  if (input.modifiers.hasBias())
    refuse("bias", "a bias");
  if (input.modifiers.sink)
    refuse("sink", "a sink");
}

ScaleFactors scaleFactors(const Input& input) {
  AttendOptions options;
  options.scale = input.modifiers.scale;
  options.temperature = input.modifiers.temperature;
  return scaleFactors(options, input.d);
}

void requireValues(const Input& input, const std::string& what) {
  if (input.hasQkv() && !input.hasValues())
    throw Error(ErrorCode::Unsupported, "input",
                "the input has Q and K, but no V, and " + what +
                    " compares outputs; open V too, or use another view; those work without V");
}

Lengths currentLengths(const LengthSpec& spec, const Input* input) {
  if (!input)
    return lengthsOf(spec, 0);
  LengthSpec given = spec;
  if (input->queries != input->keys && !spec.n && !spec.queries)
    given.queries = input->queries;
  return lengthsOf(given, input->keys);
}

Index firstQueryToken(const Input& input, Align align) {
  return align == Align::TopLeft ? 0 : input.keys - input.queries;
}

Index firstQueryRow(const Input& input, const Lengths& lengths, Align align) {
  return lengths.offset - firstQueryToken(input, align);
}

bool covers(const Input& input, const Lengths& lengths, Align align) {
  const Index first = firstQueryRow(input, lengths, align);
  return lengths.keys <= input.keys && first >= 0 && lengths.queries <= input.queries - first;
}

void requireCovered(const Input& input, const Lengths& lengths, Align align) {
  if (covers(input, lengths, align))
    return;
  if (lengths.keys > input.keys)
    throw Error(ErrorCode::Shape, "n",
                "n is " + std::to_string(lengths.keys) + "; it must be at most " +
                    std::to_string(input.keys) + ", the length of the input");
  const auto tokens = [](Index first, Index count) {
    return std::to_string(first) + " to " + std::to_string(first + count - 1);
  };
  throw Error(ErrorCode::Shape, "queries",
              "the queries are those of tokens " + tokens(lengths.offset, lengths.queries) +
                  "; they must be within the input, tokens " +
                  tokens(firstQueryToken(input, align), input.queries));
}

template <class T>
Matrix<T> cutOut(Matrix<T> matrix, Index firstRow, Index rows, Index cols) {
  if (firstRow == 0 && rows == matrix.rows() && cols == matrix.cols())
    return matrix;
  Matrix<T> cut(rows, cols);
  for (Index i = 0; i < rows; ++i)
    std::copy_n(matrix.data() + (firstRow + i) * matrix.cols(), cols, cut.data() + i * cols);
  return cut;
}

template Matrix<float> cutOut(Matrix<float>, Index, Index, Index);
template Matrix<double> cutOut(Matrix<double>, Index, Index, Index);

std::span<const std::string> tokenLabels(const Scene& scene, const Input* input, Index n) {
  const bool named = input && !input->tokens.empty();
  const std::vector<std::string>& words = named ? input->tokens : scene.labels.get();
  if (static_cast<Index>(words.size()) < n)
    return {};
  return std::span(words).first(static_cast<std::size_t>(n));
}

std::vector<std::string> keptTokenLabels(const Scene& scene, const Input* input, Index n) {
  const auto labels = tokenLabels(scene, input, n);
  return {labels.begin(), labels.end()};
}

} // namespace attention
