#include "app/cli/attend_run.h"

#include "core/attention/weights.h"
#include "core/input/npy_writer.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace attention::cli {
namespace {

// The matrices of one model head, and the pattern over them.
template <class T>
struct HeadInput {
  Matrix<T> q, k, v;
  std::shared_ptr<const Prepared> pattern;
};

template <class T>
std::shared_ptr<const Prepared> patternOf(const AttendJob<T>& job, Index batch, Index head) {
  if (!job.fromData)
    return job.patterns[job.patterns.size() == 1 ? 0 : static_cast<std::size_t>(head)];
  const Index n = job.input.keys;
  return prepare(*job.fromData, squareLengths(n), inputData(job.input, batch, head, n, job.run),
                 job.run);
}

template <class T>
HeadInput<T> headInput(const AttendJob<T>& job, Index batch, Index head) {
  return {job.input.template q<T>(head, batch, job.run),
          job.input.template k<T>(head, batch, job.run),
          job.input.template v<T>(head, batch, job.run), patternOf(job, batch, head)};
}

// What is visited: all batches and heads, or the chosen ones.
struct Range {
  Index begin = 0;
  Index end = 0;
  Index size() const { return end - begin; }
};

Range rangeOf(const std::optional<Index>& chosen, Index all) {
  return chosen ? Range{*chosen, *chosen + 1} : Range{0, all};
}

// The axes of the outputs before [n, d]: those of the input's arrays, of length 1 too, less those
// of which one item was chosen.
template <class T>
std::vector<Index> leadingAxes(const AttendJob<T>& job) {
  bool batchAxis = false;
  bool headAxis = job.input.heads > 1;
  if (const auto* stored = std::get_if<Stored>(&job.input.source)) {
    const std::size_t dimensions = stored->q.front().shape.size();
    batchAxis = stored->q.size() > 1 || dimensions == 4; // an array a layer makes an axis
    headAxis = dimensions >= 3;
  }
  std::vector<Index> shape;
  if (batchAxis && !job.batch)
    shape.push_back(job.input.batches);
  if (headAxis && !job.head)
    shape.push_back(job.input.heads);
  return shape;
}

// Sums over rows, heads and batches of what the report averages.
struct Sums {
  double mass = 0;
  double entropy = 0;
  double squaredError = 0;
  double squaredReference = 0;
  double maxAbs = 0;
  Index heads = 0;
  Index rows = 0;
};

template <class T>
void addErrors(Sums& sums, const Matrix<T>& out, const Matrix<T>& reference) {
  for (std::size_t k = 0; k < out.values().size(); ++k) {
    const double exact = static_cast<double>(reference.values()[k]);
    const double error = static_cast<double>(out.values()[k]) - exact;
    sums.squaredError += error * error;
    sums.squaredReference += exact * exact;
    sums.maxAbs = std::max(sums.maxAbs, std::abs(error));
  }
}

double relative(const Sums& sums) {
  if (sums.squaredError == 0)
    return 0;
  return std::sqrt(sums.squaredError / sums.squaredReference); // x / 0 = ∞ (S13)
}

template <class T>
void addMetrics(Sums& sums, const AttendJob<T>& job, const HeadInput<T>& in, Base base,
                const Attention<T>& result) {
  const auto& pattern = in.pattern;
  const auto q = std::as_const(in.q).view();
  const auto k = std::as_const(in.k).view();
  const auto dense =
      attend(*baseOf(base, *pattern), q, k, std::as_const(in.v).view(), job.options, job.run);
  addErrors(sums, result.out, dense.out);
  sums.mass += capturedMass<T>(pattern, q, k, base, job.options, job.run).mean;
  for (const double h : rowEntropies<T>(*pattern, q, k, result.lse, job.options, job.run))
    sums.entropy += h;
  sums.rows += pattern->lengths().queries;
  ++sums.heads;
}

AttendReport reportOf(const Sums& sums, Base base) {
  AttendReport report;
  report.base = std::string(name(base));
  report.capturedMass = sums.mass / static_cast<double>(sums.heads);
  report.entropy = sums.entropy / static_cast<double>(sums.rows);
  report.error = {relative(sums), sums.maxAbs};
  return report;
}

// [n, H dv] of the heads side by side, times W_O (S3.5).
template <class T>
void projectOutput(const AttendJob<T>& job, AttendResult<T>& result) {
  const Matrix<double>* wo = job.input.outputProjection();
  if (!wo || job.head)
    return;
  const Index n = job.input.queries;
  const Index dv = job.input.dv;
  std::vector<T> projected(static_cast<std::size_t>(n * wo->cols()));
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < wo->cols(); ++c) {
      double sum = 0;
      for (Index h = 0; h < job.input.heads; ++h)
        for (Index e = 0; e < dv; ++e)
          sum += static_cast<double>(result.out[static_cast<std::size_t>((h * n + i) * dv + e)]) *
                 (*wo)(h * dv + e, c);
      projected[static_cast<std::size_t>(i * wo->cols() + c)] = static_cast<T>(sum);
    }
  result.out = std::move(projected);
  result.outShape = {n, wo->cols()};
}

} // namespace

template <class T>
AttendResult<T> runAttend(const AttendJob<T>& job) {
  if (!job.input.hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "the input has attention weights and no queries, keys and values to attend with");
  const Range heads = rangeOf(job.head, job.input.heads);
  const Range batches = rangeOf(job.batch, job.input.batches);
  AttendResult<T> result;
  Sums sums;
  double seconds = 0;
  Base base = Base::Full;
  for (Index b = batches.begin; b < batches.end; ++b)
    for (Index h = heads.begin; h < heads.end; ++h) {
      const HeadInput<T> in = headInput(job, b, h);
      if (sums.heads == 0)
        base = meaningfulBase(in.pattern, job.run);
      const auto start = std::chrono::steady_clock::now();
      const auto one = attend(*in.pattern, std::as_const(in.q).view(), std::as_const(in.k).view(),
                              std::as_const(in.v).view(), job.options, job.run);
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      result.out.insert(result.out.end(), one.out.values().begin(), one.out.values().end());
      result.lse.insert(result.lse.end(), one.lse.begin(), one.lse.end());
      if (sums.heads == 0)
        result.report.emptyRows = one.emptyRows;
      addMetrics(sums, job, in, base, one);
    }
  auto emptyRows = std::move(result.report.emptyRows);
  result.report = reportOf(sums, base);
  result.report.emptyRows = std::move(emptyRows);
  result.report.seconds = seconds;
  result.outShape = result.lseShape = leadingAxes(job);
  result.outShape.insert(result.outShape.end(), {job.input.queries, job.input.dv});
  result.lseShape.push_back(job.input.queries);
  projectOutput(job, result);
  return result;
}

template <class T>
void writeWeights(const AttendJob<T>& job, const AttendResult<T>& result, const std::string& path) {
  const Range heads = rangeOf(job.head, job.input.heads);
  const Range batches = rangeOf(job.batch, job.input.batches);
  const Index n = job.input.queries;
  std::vector<Index> shape = leadingAxes(job);
  shape.insert(shape.end(), {n, job.input.keys});
  HeadInput<T> in;
  Index loaded = -1;
  // Rows are asked for in order, so that one head is in memory at a time.
  const auto fill = [&](Index row, std::span<T> values) {
    const Index plane = row / n;
    const Index i = row % n;
    const Index h = heads.begin + plane % heads.size();
    if (plane != loaded)
      in = headInput(job, batches.begin + plane / heads.size(), h);
    loaded = plane;
    const WeightSource<T> source{
        *in.pattern, std::as_const(in.q).view(), std::as_const(in.k).view(),
        std::span<const T>(result.lse)
            .subspan(static_cast<std::size_t>(plane * n), static_cast<std::size_t>(n)),
        scaleOf(job.options, job.input.d)};
    const Matrix<T> weights =
        weightsOf(source, {i, i + 1, 0, job.input.keys}, job.options.threads, job.run);
    std::copy(weights.values().begin(), weights.values().end(), values.begin());
  };
  writeNpyRows<T>(path, shape, fill, job.run);
}

template AttendResult<float> runAttend(const AttendJob<float>&);
template AttendResult<double> runAttend(const AttendJob<double>&);
template void writeWeights(const AttendJob<float>&, const AttendResult<float>&, const std::string&);
template void writeWeights(const AttendJob<double>&, const AttendResult<double>&,
                           const std::string&);

} // namespace attention::cli
