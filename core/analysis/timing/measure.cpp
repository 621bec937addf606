#include "core/analysis/timing/measure.h"

#include "core/analysis/score/score_board.h"
#include "core/analysis/timing/fma_peak.h"
#include "core/analysis/timing/method_task.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace attention {
namespace {

constexpr Index kPeakRounds = Index{1} << 20; // some milliseconds

void checkNumbers(const TimingOptions& options) {
  const auto atLeastOne = [](const char* name, Index value) {
    if (value < 1)
      throwRange(name, std::to_string(value), "an integer of at least 1");
  };
  atLeastOne("d", options.d);
  atLeastOne("heads", options.heads);
  atLeastOne("samples", options.sampling.samples);
  atLeastOne("fit-from", options.fitFrom);
  if (!(options.sampling.seconds > 0))
    throwRange("seconds", shortest(options.sampling.seconds), "a positive number");
  if (options.sizes.empty())
    throw Error(ErrorCode::Type, "n",
                "n is an empty list; it must hold lengths such as 256,512,1024");
}

// Every check that needs no input.
void checkAll(std::span<const ScoredMethod> methods, const TimingOptions& options, const Run& run) {
  checkNumbers(options);
  if (methods.empty())
    throw Error(ErrorCode::Type, "mechanism",
                "no mechanism is given; give a pattern, features or Linformer");
  ScoredHead<float> one;
  one.q = one.k = one.v = Matrix<float>(1, options.d);
  for (const ScoredMethod& method : methods) {
    const auto* pattern = std::get_if<Pattern>(&method);
    if (!pattern)
      checkScored<float>(method, one, {}, run);
    for (const Index n : options.sizes)
      pattern ? check(*pattern, squareLengths(n)) : void(squareLengths(n));
  }
}

// Samples and analysis of one measurement.
class Measurement {
public:
  Measurement(std::span<const ScoredMethod> methods, const TimingInput& input,
              const TimingOptions& options)
      : methods_(methods), input_(input), options_(options), sizes_(options.sizes) {
    std::sort(sizes_.begin(), sizes_.end());
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    inputs_.resize(sizes_.size());
    works_.resize(methods_.size() * sizes_.size());
    work_.resize(works_.size());
    readsData_ = std::any_of(methods_.begin(), methods_.end(), [](const ScoredMethod& method) {
      const auto* pattern = std::get_if<Pattern>(&method);
      return pattern && needsData(*pattern);
    });
  }

  Timings measure(const std::function<void(const Timings&)>& onChange, const Run& run) {
    Sampler sampler(slots(), order(), options_.sampling);
    sampler.run(
        [&](std::size_t slot) {
          if (slot < peakSlot())
            countWork(slot, sampler.times()[slot].state, run.quiet());
          if (onChange)
            onChange(result(sampler.times()));
        },
        run);
    return result(sampler.times());
  }

private:
  // Slots by mechanism and size; the peak is the last one.
  std::size_t peakSlot() const { return methods_.size() * sizes_.size(); }
  std::size_t slotOf(std::size_t method, std::size_t size) const {
    return method * sizes_.size() + size;
  }

  std::vector<TimedSlot> slots() {
    std::vector<TimedSlot> slots;
    for (std::size_t m = 0; m < methods_.size(); ++m)
      for (std::size_t s = 0; s < sizes_.size(); ++s)
        slots.push_back({m, sizes_[s], [this, m, s](const Run& run) { return open(m, s, run); }});
    const int threads = options_.threads;
    slots.push_back({methods_.size(), 1,
                     [threads](const Run&) {
                       TimedTask peak;
                       peak.attend = [threads](const Run& run) {
                         runPeakLoop(kPeakRounds, threads, run);
                       };
                       return peak;
                     },
                     true});
    return slots;
  }

  // By size, the peak before the mechanisms of each.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> order;
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      order.push_back(peakSlot());
      for (std::size_t m = 0; m < methods_.size(); ++m)
        order.push_back(slotOf(m, s));
    }
    return order;
  }

  TimedTask open(std::size_t method, std::size_t size, const Run& run) {
    MethodTask made = taskOf(methods_[method], inputOf(size, run), options_.threads, run);
    work_[slotOf(method, size)] = std::move(made.work);
    return std::move(made.task);
  }

  // Kept while a task of that size is.
  std::shared_ptr<const SizeInput> inputOf(std::size_t size, const Run& run) {
    if (auto known = inputs_[size].lock())
      return known;
    const auto drawn = std::make_shared<SizeInput>();
    for (Index h = 0; h < options_.heads; ++h) {
      const TimedHead& head = drawn->heads.emplace_back(input_(sizes_[size], h, run));
      if (readsData_)
        drawn->data.push_back(patternData<float>(head.q.view(), head.k.view()));
    }
    inputs_[size] = drawn;
    return drawn;
  }

  // Counted once, since counting keeps the input in memory.
  void countWork(std::size_t slot, SlotState state, const Run& run) {
    if (work_[slot] && state == SlotState::Measured)
      works_[slot] = work_[slot](run);
    work_[slot] = {};
  }

  Timings result(const std::vector<SlotTimes>& times) const {
    Timings timings;
    timings.fitFrom = options_.fitFrom;
    timings.vectors = peakVectors();
    timings.peak = summaryOf(times[peakSlot()].attend);
    if (timings.peak.median > 0)
      timings.peakGflops = peakFlops(kPeakRounds, options_.threads) / timings.peak.median * 1e-9;
    for (std::size_t m = 0; m < methods_.size(); ++m)
      for (std::size_t s = 0; s < sizes_.size(); ++s)
        add(m, s, times[slotOf(m, s)], timings);
    analyse(timings);
    return timings;
  }

  void add(std::size_t m, std::size_t s, const SlotTimes& times, Timings& timings) const {
    timings.discarded += times.discarded;
    if (times.state == SlotState::TooLong || times.state == SlotState::OverBudget) {
      const auto why = times.state == SlotState::TooLong ? TimingOmission::Why::TooLong
                                                         : TimingOmission::Why::OverBudget;
      timings.omitted.push_back({m, sizes_[s], why, times.oneRun});
    } else if (!times.attend.empty()) {
      TimingRow row;
      row.method = m;
      row.n = sizes_[s];
      row.seconds = summaryOf(times.total());
      row.choosing = summaryOf(times.choose);
      row.attending = summaryOf(times.attend);
      row.chooses = row.choosing.median > 0;
      row.work = works_[slotOf(m, s)];
      timings.rows.push_back(row);
    }
  }

  std::span<const ScoredMethod> methods_;
  const TimingInput& input_;
  const TimingOptions& options_;
  std::vector<Index> sizes_; // ascending
  bool readsData_ = false;
  std::vector<std::weak_ptr<const SizeInput>> inputs_;     // by size
  std::vector<std::function<TimedWork(const Run&)>> work_; // by slot
  std::vector<TimedWork> works_;
};

} // namespace

Timings measureTimings(std::span<const ScoredMethod> methods, const TimingInput& input,
                       const TimingOptions& options,
                       const std::function<void(const Timings&)>& onChange, const Run& run) {
  checkAll(methods, options, run.quiet());
  return Measurement(methods, input, options).measure(onChange, run);
}

} // namespace attention
