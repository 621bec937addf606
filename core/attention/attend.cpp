#include "core/attention/attend.h"

#include "core/attention/branches.h"
#include "core/attention/check_input.h"
#include "core/attention/large_values.h"
#include "core/attention/logit_keys.h"
#include "core/attention/parts_engine.h"
#include "core/attention/reference.h"
#include "core/attention/sink.h"
#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attention {
namespace {

constexpr Index kMostParts = 1024; // of a pattern, in sums of large values

void requireRoom(MatrixView<float> out, std::span<float> lse, Index queries, Index dv) {
  if (out.rows != queries || out.cols != dv)
    throw Error(ErrorCode::Shape, "out",
                "out is " + std::to_string(out.rows) + " × " + std::to_string(out.cols) +
                    "; it must be " + std::to_string(queries) + " × " + std::to_string(dv));
  if (!lse.empty() && static_cast<Index>(lse.size()) != queries)
    throw Error(ErrorCode::Shape, "lse",
                "lse has " + countText(lse.size(), "number") + "; it must have " +
                    std::to_string(queries) + " or none");
}

bool allRowsFinite(MatrixView<float> m) {
  for (Index i = 0; i < m.rows; ++i)
    if (!allFinite<float>(m.row(i)))
      return false;
  return true;
}

struct Inputs {
  MatrixView<const float> q;
  MatrixView<const float> k;
  MatrixView<const float> v;
};

// Attention over the keys; lse is without the sink.
void attendKeys(const Prepared& pattern, const Inputs& in, MatrixView<float> out,
                std::span<float> lse, const Scoring& scoring, int threads, const Run& run) {
  const KernelScores scores(scoring);
  const LogitKeys<float> keys(pattern.outputs().keys, in.q, in.k);
  const FiniteInput<float> input(in.q, in.k, in.v);
  SoftmaxInputs inputs{in.q,         keys.view(),   in.v,          scores.scale(),
                       scores.cap(), scores.bias(), scoring.offset};
  RowEnd end{lse, scores.perToken(), scoring.offset, {}};
  if (scoring.sink)
    end.sink = sinkAs<float>(*scoring.sink);
  attendParts(pattern, inputs, input, out, end, threads, run);
  if (!input.hasLargeValues() || in.v.cols == 0)
    return;
  const HalvedValues halved(in.v, in.k.rows * kMostParts);
  Matrix<float> means(out.rows, out.cols);
  inputs.v = halved.view();
  if (!allRowsFinite(out))
    attendParts(pattern, inputs, input, means.view(), {{}, end.perToken, end.offset, end.sink},
                threads, run.quiet());
  halved.replaceOverflow(means, out);
}

// The same for a pattern with branches, whose outputs have the sink of each.
void attendAny(const Prepared& pattern, const Inputs& in, MatrixView<float> out,
               std::span<float> lse, const AttendOptions& options, const Run& run) {
  checkShapes(pattern.lengths(), in.q, in.k, in.v);
  requireRoom(out, lse, in.q.rows, in.v.cols);
  const Scoring scoring = scoringOf(options, in.q.cols, pattern.lengths());
  if (!pattern.branches())
    return attendKeys(pattern, in, out, lse, scoring, options.threads, run);
  attendKeys(*pattern.asUnion(pattern.outputs().keys), in, out, lse, scoring, options.threads,
             run.quiet());
  const Matrix<float> added = attendBranches(pattern, in.q, in.k, in.v, options, run).out;
  for (Index i = 0; i < in.q.rows; ++i)
    std::copy_n(added.view().row(i).data(), in.v.cols, out.row(i).data());
}

} // namespace

void attendInto(const Prepared& pattern, MatrixView<const float> q, MatrixView<const float> k,
                MatrixView<const float> v, MatrixView<float> out, std::span<float> lse,
                const AttendOptions& options, const Run& run) {
  attendAny(pattern, {q, k, v}, out, lse, options, run);
  if (options.sink)
    addSink(lse, sinkAs<float>(*options.sink));
}

Attention<float> attend(const Prepared& pattern, MatrixView<const float> q,
                        MatrixView<const float> k, MatrixView<const float> v,
                        const AttendOptions& options, const Run& run) {
  Attention<float> result;
  result.out = Matrix<float>(q.rows, v.cols);
  result.lse.resize(static_cast<std::size_t>(q.rows));
  attendAny(pattern, {q, k, v}, result.out.view(), result.lse, options, run);
  for (std::size_t i = 0; i < result.lse.size(); ++i)
    if (!std::isfinite(result.lse[i]))
      result.emptyRows.push_back(static_cast<Index>(i));
  if (options.sink) {
    result.lseOfKeys = result.lse;
    addSink<float>(result.lse, sinkAs<float>(*options.sink));
  }
  return result;
}

Attention<double> attend(const Prepared& pattern, MatrixView<const double> q,
                         MatrixView<const double> k, MatrixView<const double> v,
                         const AttendOptions& options, const Run& run) {
  return attendReference(pattern, q, k, v, options, run);
}

template <class T>
std::vector<T> logSumExp(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                         const AttendOptions& options, const Run& run) {
  const MatrixView<const T> noValues{nullptr, k.rows, 0, 0};
  return attend(pattern, q, k, noValues, options, run).lse;
}

template std::vector<float> logSumExp(const Prepared&, MatrixView<const float>,
                                      MatrixView<const float>, const AttendOptions&, const Run&);
template std::vector<double> logSumExp(const Prepared&, MatrixView<const double>,
                                       MatrixView<const double>, const AttendOptions&, const Run&);

} // namespace attention
