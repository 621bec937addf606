#include "app/cli/attend_run.h"

#include "core/attention/weights.h"
#include "core/input/npy_writer.h"
#include "core/input/projection.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

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
  const Run run{job.run.stop, {}};
  return prepare(*job.fromData, squareLengths(n), inputData(job.input, batch, head, n, run), run);
}

template <class T>
HeadInput<T> headInput(const AttendJob<T>& job, Index batch, Index head) {
  const Run run{job.run.stop, {}};
  return {job.input.template q<T>(head, batch, run), job.input.template k<T>(head, batch, run),
          job.input.template v<T>(head, batch, run), patternOf(job, batch, head)};
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

// The axes of the outputs before [n, d]: the input's, less those of which one item was chosen.
template <class T>
std::vector<Index> leadingAxes(const AttendJob<T>& job) {
  std::vector<Index> shape;
  if (job.input.batchAxis && !job.batch)
    shape.push_back(job.input.batches);
  if (job.input.headAxis && !job.head)
    shape.push_back(job.input.heads);
  return shape;
}

// Sums over rows, heads and batches of what the report averages.
struct Sums {
  double mass = 0;
  double entropy = 0;
  OutputErrorSums error;
  Index heads = 0;
  Index rows = 0;
};

// Every pattern lies in its base: a causal one in the causal triangle. So the lse of the two give
// the captured mass, without another pass over the scores where the parts are one union.
template <class T>
void addMetrics(Sums& sums, const AttendJob<T>& job, const HeadInput<T>& in, Base base,
                const Attention<T>& result, const Run& run) {
  const auto& pattern = in.pattern;
  const auto q = std::as_const(in.q).view();
  const auto k = std::as_const(in.k).view();
  const auto dense = attend(*baseOf(base, *pattern), q, k, std::as_const(in.v).view(), job.options,
                            partOf(run, 0, 0.6));
  sums.error.add(result.out, dense.out);
  const std::vector<T> lse =
      unionLse<T>(*pattern, q, k, result.lse, job.options, partOf(run, 0.6, 0.7));
  sums.mass += capturedMass<T>(lse, dense.lse).mean;
  for (const double h :
       rowEntropies<T>(*pattern, q, k, result.lse, job.options, partOf(run, 0.7, 1)))
    sums.entropy += h;
  sums.rows += pattern->lengths().queries;
  ++sums.heads;
}

// Causal where no query of any head sees a key after itself.
template <class T>
Base baseOfAll(const AttendJob<T>& job, const Range& batches, const Range& heads) {
  const Run run{job.run.stop, {}};
  for (const auto& pattern : job.patterns)
    if (meaningfulBase(pattern, run) == Base::Full)
      return Base::Full;
  for (Index b = batches.begin; job.fromData && b < batches.end; ++b)
    for (Index h = heads.begin; h < heads.end; ++h)
      if (meaningfulBase(patternOf(job, b, h), run) == Base::Full)
        return Base::Full;
  return Base::Causal;
}

AttendMetrics metricsOf(const Sums& sums, Base base) {
  return {sums.mass / static_cast<double>(sums.heads), base, sums.error.error(),
          sums.entropy / static_cast<double>(sums.rows)};
}

// Of embeddings the heads' outputs side by side, [n, H dv], times W_O where it is given (S3.5).
template <class T>
void joinHeads(const AttendJob<T>& job, AttendResult<T>& result) {
  if (!job.input.isEmbedded() || job.head)
    return;
  const Index n = job.input.queries;
  const Index dv = job.input.dv;
  Matrix<double> heads(n, job.input.heads * dv);
  for (Index h = 0; h < job.input.heads; ++h)
    for (Index i = 0; i < n; ++i)
      for (Index e = 0; e < dv; ++e)
        heads(i, h * dv + e) =
            static_cast<double>(result.out[static_cast<std::size_t>((h * n + i) * dv + e)]);
  const Matrix<double>* wo = job.input.outputProjection();
  const Matrix<double> joined = wo ? product(heads, *wo, job.run) : std::move(heads);
  result.out.assign(joined.values().begin(), joined.values().end());
  result.outShape = {n, joined.cols()};
}

} // namespace

template <class T>
AttendResult<T> runAttend(const AttendJob<T>& job) {
  if (!job.input.hasQkv())
    throw Error(ErrorCode::Unsupported, "input",
                "the input has attention weights and no queries, keys and values to attend with");
  const Range heads = rangeOf(job.head, job.input.heads);
  const Range batches = rangeOf(job.batch, job.input.batches);
  const Base base = job.metrics ? baseOfAll(job, batches, heads) : Base::Full;
  AttendResult<T> result;
  Sums sums;
  for (Index step = 0; step < batches.size() * heads.size(); ++step) {
    const Run run = stepOf(job.run, step, batches.size() * heads.size());
    const HeadInput<T> in =
        headInput(job, batches.begin + step / heads.size(), heads.begin + step % heads.size());
    const auto start = std::chrono::steady_clock::now();
    const auto one =
        attend(*in.pattern, std::as_const(in.q).view(), std::as_const(in.k).view(),
               std::as_const(in.v).view(), job.options, partOf(run, 0, job.metrics ? 0.3 : 1));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    result.report.seconds += taken.count();
    result.out.insert(result.out.end(), one.out.values().begin(), one.out.values().end());
    result.lse.insert(result.lse.end(), one.lse.begin(), one.lse.end());
    if (step == 0)
      result.report.emptyRows = one.emptyRows;
    if (job.metrics)
      addMetrics(sums, job, in, base, one, partOf(run, 0.3, 1));
  }
  if (job.metrics)
    result.report.metrics = metricsOf(sums, base);
  result.outShape = result.lseShape = leadingAxes(job);
  result.outShape.insert(result.outShape.end(), {job.input.queries, job.input.dv});
  result.lseShape.push_back(job.input.queries);
  joinHeads(job, result);
  return result;
}

template <class T>
std::vector<Index> weightsShape(const AttendJob<T>& job) {
  std::vector<Index> shape = leadingAxes(job);
  shape.insert(shape.end(), {job.input.queries, job.input.keys});
  double cells = 1;
  for (const Index length : shape)
    cells *= static_cast<double>(length);
  if (cells > static_cast<double>(kMaxMaskCells))
    throwRange("weights", shapeText(shape) + " numbers", "at most 2^32 of them in a .npy file");
  return shape;
}

template <class T>
void writeWeights(const AttendJob<T>& job, const AttendResult<T>& result, const std::string& path) {
  const Range heads = rangeOf(job.head, job.input.heads);
  const Range batches = rangeOf(job.batch, job.input.batches);
  const Index n = job.input.queries;
  HeadInput<T> in;
  Index loaded = -1;
  // Rows are asked for in order, so that one head's input is in memory at a time.
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
        weightsOf(source, {i, i + 1, 0, job.input.keys}, 1, {job.run.stop, {}});
    std::copy(weights.values().begin(), weights.values().end(), values.begin());
  };
  writeNpyRows<T>(path, weightsShape(job), fill, job.run);
}

template AttendResult<float> runAttend(const AttendJob<float>&);
template AttendResult<double> runAttend(const AttendJob<double>&);
template std::vector<Index> weightsShape(const AttendJob<float>&);
template std::vector<Index> weightsShape(const AttendJob<double>&);
template void writeWeights(const AttendJob<float>&, const AttendResult<float>&, const std::string&);
template void writeWeights(const AttendJob<double>&, const AttendResult<double>&,
                           const std::string&);

} // namespace attention::cli
