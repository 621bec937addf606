// attnx attend on ready attention weights: cut to the pattern, normalised again, times the values.
#include "app/cli/attend_run.h"

#include "core/analysis/ready_weights.h"
#include "core/input/npy_writer.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <chrono>

namespace attention::cli {
namespace {

// One model head.
struct ReadyHead {
  Matrix<double> weights;
  std::shared_ptr<const Prepared> pattern;
};

template <class T>
ReadyHead headAt(const AttendJob<T>& job, Index plane) {
  const Index batch = job.heads.batch(plane);
  const Index head = job.heads.head(plane);
  return {job.input.template attention<double>(head, batch, job.run.quiet()),
          preparedOf(job, batch, head)};
}

// The chosen base; else causal where every head's pattern is.
template <class T>
Base baseOfAll(const AttendJob<T>& job) {
  if (job.base)
    return *job.base;
  const auto isFull = [&](const std::shared_ptr<const Prepared>& pattern) {
    return pattern && meaningfulBase(pattern, job.run.quiet()) == Base::Full;
  };
  return std::ranges::any_of(job.patterns, isFull) ? Base::Full : Base::Causal;
}

// Goes from head to head: holds the weights of one at a time.
template <class T>
class ReadyRun {
public:
  explicit ReadyRun(const AttendJob<T>& job) : job_(job), metrics_{0, baseOfAll(job), {}, 0} {}

  void add(Index plane, const Run& run) {
    const ReadyHead head = headAt(job_, plane);
    const ReadyMeasures one =
        readyMeasures(head.weights, head.pattern, metrics_.base, 1, partOf(run, 0, 0.3));
    const auto planes = static_cast<double>(job_.heads.planes());
    metrics_.capturedMass += one.capturedMass / planes;
    metrics_.entropy += one.entropy / planes;
    if (plane == 0)
      result_.report.emptyRows = one.emptyRows;
    if (job_.input.hasValues())
      addOutputs(head, plane, partOf(run, 0.3, 1));
  }

  AttendResult<T> finish() {
    if (job_.input.hasValues()) {
      metrics_.error = errors_.error();
      result_.outShape = job_.heads.leading;
      result_.outShape.insert(result_.outShape.end(), {job_.input.queries, job_.input.dv});
    }
    if (job_.metrics)
      result_.report.metrics = metrics_;
    return std::move(result_);
  }

private:
  void addOutputs(const ReadyHead& head, Index plane, const Run& run) {
    const Matrix<double> v =
        job_.input.template v<double>(job_.heads.head(plane), job_.heads.batch(plane), run.quiet());
    const auto start = std::chrono::steady_clock::now();
    const Matrix<double> out =
        readyOutputs(head.weights, *head.pattern, v.view(), partOf(run, 0, 0.5));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    result_.report.seconds += taken.count();
    result_.out.insert(result_.out.end(), out.values().begin(), out.values().end());
    const auto base = baseOf(metrics_.base, head.pattern->lengths());
    if (job_.metrics)
      errors_.add(out, readyOutputs(head.weights, *base, v.view(), partOf(run, 0.5, 1)));
  }

  const AttendJob<T>& job_;
  AttendMetrics metrics_;
  OutputErrorSums errors_;
  AttendResult<T> result_;
};

// Rows are requested in order.
template <class T>
void writeWeights(const AttendJob<T>& job) {
  const Index n = job.input.queries;
  Index plane = -1;
  ReadyHead head;
  writeNpyRows<T>(
      job.weights, weightsShape(job),
      [&](Index row, std::span<T> values) {
        if (row / n != plane)
          head = headAt(job, plane = row / n);
        const Matrix<double> one =
            cutWeights(head.weights, *head.pattern).rowsAt(row % n, row % n + 1);
        std::copy(one.values().begin(), one.values().end(), values.begin());
      },
      job.run.quiet());
}

} // namespace

template <class T>
AttendResult<T> attendByWeights(const AttendJob<T>& job) {
  if (!job.weights.empty())
    writeWeights(job);
  ReadyRun<T> heads(job);
  for (Index plane = 0; plane < job.heads.planes(); ++plane)
    heads.add(plane, stepOf(job.run, plane, job.heads.planes()));
  return heads.finish();
}

template AttendResult<float> attendByWeights(const AttendJob<float>&);
template AttendResult<double> attendByWeights(const AttendJob<double>&);

} // namespace attention::cli
