#include "app/cli/attend_run.h"

#include "core/attention/weights.h"
#include "core/input/npy_writer.h"
#include "core/scene/input_data.h"
#include "core/scene/own_mask.h"
#include "core/support/error.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace attention::cli {
namespace {

constexpr Index kRowsPerReport = 64; // of weights

// The matrices of one model head, and the pattern over them.
template <class T>
struct HeadInput {
  Matrix<T> q, k, v;
  std::shared_ptr<const Prepared> pattern;
  AttendOptions scores;
};

// Sums over rows, heads and batches of what the report averages.
struct Sums {
  double mass = 0;
  double massOfAll = 0;
  double entropy = 0;
  OutputErrorSums error;
  Index heads = 0;
  Index rows = 0;
};

AttendMetrics metricsOf(const Sums& sums, const Base& base, const Input& input) {
  const auto heads = static_cast<double>(sums.heads);
  AttendMetrics metrics{sums.mass / heads, base,
                        input.hasValues() ? std::optional(sums.error.error()) : std::nullopt,
                        sums.entropy / static_cast<double>(sums.rows)};
  if (input.modifiers.sink)
    metrics.massOfAll = sums.massOfAll / heads;
  return metrics;
}

// Goes from head to head; the results of one are kept, its input and pattern only until the next.
template <class T>
class HeadByHead {
public:
  explicit HeadByHead(const AttendJob<T>& job) : job_(job), quiet_(job.run.quiet()) {
    for (const auto& pattern : job.patterns)
      if (job.metrics && pattern && meaningfulBase(pattern, quiet_) == Base::Full)
        base_ = Base::Full;
  }

  Index done() const { return done_; }

  void next(const Run& run) {
    in_ = inputOf(done_);
    keys_.reset();
    const auto start = std::chrono::steady_clock::now();
    const auto one = attend(*in_.pattern, q(in_), k(in_), std::as_const(in_.v).view(), in_.scores,
                            partOf(run, 0, job_.metrics ? 0.3 : 1));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    result_.report.seconds += taken.count();
    result_.out.insert(result_.out.end(), one.out.values().begin(), one.out.values().end());
    result_.lse.insert(result_.lse.end(), one.lse.begin(), one.lse.end());
    const std::vector<T>& keys = lseOfKeys(one);
    lseOfKeys_.insert(lseOfKeys_.end(), keys.begin(), keys.end());
    if (done_ == 0)
      result_.report.emptyRows = one.emptyRows;
    ++done_;
    if (job_.metrics)
      measure(partOf(run, 0.3, 1));
  }

  // Row i of the weights of the last head.
  Matrix<T> weightsRow(Index i) {
    if (!keys_)
      keys_.emplace(*in_.pattern, q(in_), k(in_));
    const WeightSource<T> source{*in_.pattern,
                                 q(in_),
                                 k(in_),
                                 rowsOf(result_.lse, done_ - 1),
                                 scoringOf(in_.scores, job_.input.d, in_.pattern->lengths()),
                                 &*keys_};
    return weightsOf(source, {i, i + 1, 0, job_.input.keys}, 1, quiet_);
  }

  AttendResult<T> finish() {
    if (job_.metrics)
      result_.report.metrics = metricsOf(sums_, commonBase(bases_, base_), job_.input);
    result_.outShape = result_.lseShape = job_.heads.leading;
    result_.outShape.insert(result_.outShape.end(), {job_.input.queries, job_.input.dv});
    result_.lseShape.push_back(job_.input.queries);
    joinHeads(job_.input, job_.heads, result_.out, result_.outShape, quiet_);
    return std::move(result_);
  }

private:
  static MatrixView<const T> q(const HeadInput<T>& in) { return in.q.view(); }
  static MatrixView<const T> k(const HeadInput<T>& in) { return in.k.view(); }

  std::shared_ptr<const Prepared> patternOf(Index batch, Index head) const {
    if (!job_.fromData)
      return preparedOf(job_, batch, head);
    return prepare(*job_.fromData, job_.lengths,
                   inputData(std::span(&*job_.fromData, 1), job_.input, batch, head, job_.lengths,
                             job_.align, quiet_),
                   quiet_);
  }

  HeadInput<T> inputOf(Index plane) const {
    const Index batch = job_.heads.batch(plane);
    const Index head = job_.heads.head(plane);
    const Input& input = job_.input;
    return {input.template q<T>(head, batch, quiet_), input.template k<T>(head, batch, quiet_),
            valuesIfAny<T>(input, batch, head, quiet_), patternOf(batch, head),
            attendOptions(input, head, job_.threads)};
  }

  std::span<const T> rowsOf(const std::vector<T>& lse, Index plane) const {
    const auto n = static_cast<std::size_t>(job_.input.queries);
    return std::span(lse).subspan(static_cast<std::size_t>(plane) * n, n);
  }

  Matrix<T> outOf(Index plane) const {
    const Index size = job_.input.queries * job_.input.dv;
    const auto begin = result_.out.begin() + plane * size;
    return {job_.input.queries, job_.input.dv, std::vector<T>(begin, begin + size)};
  }

  // What head `plane` is measured against.
  Base baseOfPlane(const HeadInput<T>& in, Index plane) const {
    if (job_.base)
      return *job_.base;
    const Lengths& lengths = in.pattern->lengths();
    return ownBase(job_.input, job_.heads.batch(plane), lengths, 0, quiet_).value_or(base_);
  }

  // The base is causal until a head's pattern is not: then the earlier heads are measured again.
  void measure(const Run& run) {
    if (job_.fromData && base_ == Base::Causal &&
        meaningfulBase(in_.pattern, quiet_) == Base::Full) {
      base_ = Base::Full;
      sums_ = {};
      bases_.clear();
      for (Index plane = 0; plane + 1 < done_; ++plane)
        addMetrics(inputOf(plane), plane, quiet_);
    }
    addMetrics(in_, done_ - 1, run);
  }

  // A pattern lies within its fitting base: a causal one in the causal triangle. Then the lse of
  // both give the captured mass, without another pass over the scores if the parts form one union.
  void addMetrics(const HeadInput<T>& in, Index plane, const Run& run) {
    const AttendOptions& options = in.scores;
    const Base base = baseOfPlane(in, plane);
    bases_.push_back(base);
    const auto dense =
        attend(*baseOf(base, *in.pattern), q(in), k(in), in.v.view(), options, partOf(run, 0, 0.6));
    sums_.error.add(outOf(plane), dense.out);
    const Run weighing = partOf(run, 0.6, 0.7);
    const CapturedMass mass =
        base == Base::Full || base == base_
            ? capturedMass<T>(unionLse<T>(*in.pattern, q(in), k(in), rowsOf(lseOfKeys_, plane),
                                          options, weighing),
                              lseOfKeys(dense), options.sink)
            : capturedMass<T>(in.pattern, q(in), k(in), base, options, weighing);
    sums_.mass += mass.mean;
    sums_.massOfAll += mass.meanOfAll.value_or(mass.mean);
    for (const double h : rowEntropies<T>(*in.pattern, q(in), k(in), rowsOf(result_.lse, plane),
                                          options, partOf(run, 0.7, 1)))
      sums_.entropy += h;
    sums_.rows += in.pattern->lengths().queries;
    ++sums_.heads;
  }

  const AttendJob<T>& job_;
  Run quiet_;
  Base base_ = Base::Causal; // base that fits the patterns
  std::vector<Base> bases_;  // of the heads measured
  Sums sums_;
  AttendResult<T> result_;
  std::vector<T> lseOfKeys_; // of result_.lse, without sinks
  HeadInput<T> in_;
  std::optional<WeightKeys<T>> keys_; // of in_, where weights are asked for
  Index done_ = 0;
};

// Rows are requested in order: each head attends when its first row is needed.
template <class T>
void writeWeights(const AttendJob<T>& job, HeadByHead<T>& heads) {
  const Index n = job.input.queries;
  const auto fill = [&](Index row, std::span<T> values) {
    const Index plane = row / n;
    const Index i = row % n;
    const Run step = stepOf(job.run, plane, job.heads.planes());
    if (plane == heads.done())
      heads.next(partOf(step, 0, 0.7));
    if (i % kRowsPerReport == 0)
      partOf(step, 0.7, 1).report(static_cast<double>(i) / static_cast<double>(n));
    const Matrix<T> weights = heads.weightsRow(i);
    std::copy(weights.values().begin(), weights.values().end(), values.begin());
  };
  writeNpyRows<T>(job.weights, weightsShape(job), fill, job.run.quiet());
}

} // namespace

template <class T>
AttendResult<T> runAttend(const AttendJob<T>& job) {
  if (!job.input.hasQkv())
    return attendByWeights(job);
  HeadByHead<T> heads(job);
  if (!job.weights.empty())
    writeWeights(job, heads);
  while (heads.done() < job.heads.planes())
    heads.next(stepOf(job.run, heads.done(), job.heads.planes()));
  return heads.finish();
}

template <class T>
std::vector<Index> weightsShape(const AttendJob<T>& job) {
  std::vector<Index> shape = job.heads.leading;
  shape.insert(shape.end(), {job.input.queries, job.input.keys});
  double cells = 1;
  for (const Index length : shape)
    cells *= static_cast<double>(length);
  if (cells > static_cast<double>(kMaxMaskCells))
    throwRange("weights", shapeText(shape) + " numbers", "at most 2^32 numbers in a .npy file");
  return shape;
}

template AttendResult<float> runAttend(const AttendJob<float>&);
template AttendResult<double> runAttend(const AttendJob<double>&);
template std::vector<Index> weightsShape(const AttendJob<float>&);
template std::vector<Index> weightsShape(const AttendJob<double>&);

} // namespace attention::cli
