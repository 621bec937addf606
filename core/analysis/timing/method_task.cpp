#include "core/analysis/timing/method_task.h"

#include "core/analysis/metrics.h"
#include "core/analysis/score/method_cost.h"
#include "core/attention/attend.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/kernel.h"
#include "core/attention/linformer.h"
#include "core/attention/multihead.h"

#include <utility>

namespace attention {
namespace {

using Input = std::shared_ptr<const SizeInput>;

HeadShape shapeOf(const SizeInput& input, std::size_t head) {
  const bool shared = !input.data.empty() && input.data[head].sharedQk();
  return {input.n(), input.d(), input.dv(), static_cast<Index>(sizeof(float)), shared};
}

// A run for preparing, which takes its number of threads from it.
Run withThreads(const Run& run, int threads) {
  Run with = run;
  with.threads = threads;
  return with;
}

// Of all heads; a pattern that does not depend on the data is prepared once for all.
class PatternWork {
public:
  PatternWork(Pattern pattern, Input input, int threads)
      : pattern_(std::move(pattern)), input_(std::move(input)), threads_(threads) {}

  void prepareAll(const Run& run) {
    const bool fromData = needsData(pattern_);
    heads_.resize(fromData ? input_->heads.size() : 1);
    for (std::size_t h = 0; h < heads_.size(); ++h)
      heads_[h] = prepare(pattern_, squareLengths(input_->n()),
                          fromData ? input_->data[h] : PatternData{}, withThreads(run, threads_));
  }

  void attendAll(const Run& run) const {
    for (std::size_t h = 0; h < input_->heads.size(); ++h) {
      const TimedHead& in = input_->heads[h];
      attend(prepared(h), in.q.view(), in.k.view(), in.v.view(), AttendOptions{{}, threads_}, run);
    }
  }

  bool counted() const { return !heads_.empty() && heads_.front()->closedForm(); }

  TimedWork work(const Run& run) const {
    TimedWork work;
    work.pairs = 0;
    for (std::size_t h = 0; h < input_->heads.size(); ++h) {
      const Index pairs = prepared(h).pairs(run, threads_);
      const MethodCost cost = costOf(pattern_, prepared(h), shapeOf(*input_, h), pairs);
      *work.pairs += pairs;
      work.flops += cost.flops;
      work.usefulFlops += cost.usefulFlops;
      work.bytes += cost.bytes;
    }
    return work;
  }

private:
  const Prepared& prepared(std::size_t h) const { return *heads_[heads_.size() == 1 ? 0 : h]; }

  Pattern pattern_;
  Input input_;
  int threads_;
  PreparedHeads heads_;
};

MethodTask ready(const Pattern& pattern, const Input& input, int threads, const Run& run) {
  const auto work = std::make_shared<PatternWork>(pattern, input, threads);
  MethodTask made;
  if (needsData(pattern))
    made.task.choose = [work](const Run& choosing) { work->prepareAll(choosing); };
  else
    work->prepareAll(run);
  made.task.attend = [work](const Run& attending) { work->attendAll(attending); };
  if (work->counted())
    made.task.flops = work->work(run).flops;
  made.work = [work](const Run& counting) { return work->work(counting); };
  return made;
}

// Of an approximation, which does the same for every head.
void setWork(const MethodCost& cost, const SizeInput& input, MethodTask& made) {
  const auto heads = static_cast<double>(input.heads.size());
  const TimedWork work{{}, heads * cost.flops, heads * cost.usefulFlops, heads * cost.bytes};
  made.task.flops = work.flops;
  made.work = [work](const Run&) { return work; };
}

MethodTask ready(const FeatureMethod& method, const Input& input, int threads, const Run&) {
  MethodTask made;
  setWork(costOf(method, shapeOf(*input, 0)), *input, made);
  const Matrix<double> w =
      takesProjections(method.features.map) ? drawProjection(method.projection) : Matrix<double>();
  const LinearOptions linear{method.causal.value_or(false), true, threads};
  made.task.attend = [w, linear, features = method.features, input](const Run& run) {
    for (const TimedHead& in : input->heads)
      featureAttention<float>(in.q.view(), in.k.view(), in.v.view(), w, features, linear, run);
  };
  return made;
}

MethodTask ready(const KernelMethod& method, const Input& input, int threads, const Run&) {
  const bool causal = method.causal.value_or(false);
  MethodTask made;
  setWork(costOf(method, causal, shapeOf(*input, 0)), *input, made);
  const auto pattern = baseOf(causal ? Base::Causal : Base::Full, squareLengths(input->n()));
  const KernelOptions options{method.kernel, true, threads};
  made.task.attend = [pattern, options, input](const Run& run) {
    for (const TimedHead& in : input->heads)
      kernelAttention<float>(*pattern, in.q.view(), in.k.view(), in.v.view(), options, run);
  };
  return made;
}

Matrix<float> linformerSide(const LinformerMethod& method, Index n, LinformerSide side) {
  const Matrix<double> x = drawLinformer(method.k, n, method.seed, side);
  return {x.rows(), x.cols(), std::vector<float>(x.values().begin(), x.values().end())};
}

MethodTask ready(const LinformerMethod& method, const Input& input, int threads, const Run&) {
  MethodTask made;
  setWork(costOf(method, shapeOf(*input, 0)), *input, made);
  const auto e =
      std::make_shared<const Matrix<float>>(linformerSide(method, input->n(), LinformerSide::Keys));
  const auto f = std::make_shared<const Matrix<float>>(
      linformerSide(method, input->n(), LinformerSide::Values));
  LinformerOptions options;
  options.threads = threads;
  made.task.attend = [e, f, options, input](const Run& run) {
    for (const TimedHead& in : input->heads)
      linformer<float>(in.q.view(), in.k.view(), in.v.view(), e->view(), f->view(), options, run);
  };
  return made;
}

} // namespace

MethodTask taskOf(const ScoredMethod& method, std::shared_ptr<const SizeInput> input, int threads,
                  const Run& run) {
  return std::visit([&](const auto& of) { return ready(of, input, threads, run); }, method);
}

} // namespace attention
