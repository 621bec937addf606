#include "core/analysis/timing/sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention {
namespace {

constexpr Index kMostRepeats = 4096; // runs in one sample
constexpr int kConfirmations = 2;    // of a run that seems too long
constexpr int kAttempts = 16;        // at a sample that does not count, before the next slot's turn

} // namespace

std::vector<double> SlotTimes::total() const {
  std::vector<double> sums = attend;
  for (std::size_t k = 0; k < sums.size(); ++k)
    sums[k] += choose[k];
  return sums;
}

Sampler::Sampler(std::vector<TimedSlot> slots, std::vector<std::size_t> order,
                 SamplingOptions options)
    : slots_(std::move(slots)), order_(std::move(order)), options_(std::move(options)),
      tasks_(slots_.size()), times_(slots_.size()) {}

void Sampler::run(const std::function<void(std::size_t)>& onSample, const Run& run) {
  begin_ = options_.clock();
  const auto steps = static_cast<double>(order_.size()) * static_cast<double>(options_.samples + 1);
  double done = 0;
  const auto report = [&](std::size_t slot, bool changed) {
    if (changed && onSample)
      onSample(slot);
    const double spent = 1 - left() / options_.seconds; // 0 if it never ends
    run.report(std::min(1.0, std::max(++done / steps, std::isfinite(spent) ? spent : 0)));
  };
  run.report(0); // the first run may take long
  for (const std::size_t slot : order_) {
    const bool begun = times_[slot].state != SlotState::Waiting;
    if (!begun)
      warmUp(slot, run);
    report(slot, !begun);
  }
  for (Index round = 0; round < options_.samples; ++round)
    for (const std::size_t slot : order_)
      report(slot, sample(slot, run));
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    if (times_[slot].state == SlotState::Measured && times_[slot].attend.empty())
      leave(slot, SlotState::OverBudget);
}

// The largest smaller size of the series whose time is known.
std::optional<std::size_t> Sampler::smaller(std::size_t slot) const {
  std::optional<std::size_t> last;
  for (std::size_t other = 0; other < slots_.size(); ++other)
    if (slots_[other].series == slots_[slot].series && slots_[other].n < slots_[slot].n &&
        times_[other].state != SlotState::Waiting && times_[other].oneRun > 0 &&
        (!last || slots_[other].n > slots_[*last].n))
      last = other;
  return last;
}

double Sampler::growth(std::size_t from, std::size_t to) const {
  const double ratio = static_cast<double>(slots_[to].n) / static_cast<double>(slots_[from].n);
  const bool known = tasks_[to].flops > 0 && tasks_[from].flops > 0;
  return known ? tasks_[to].flops / tasks_[from].flops : ratio * ratio;
}

// One slow run may be the machine's fault: it is repeated, and the fastest counts.
void Sampler::confirm(std::size_t slot, double allowed, const Run& run) {
  SlotTimes& times = times_[slot];
  if (times.state != SlotState::Measured)
    return;
  for (int k = 0; k < kConfirmations && times.oneRun > allowed && times.oneRun <= left(); ++k)
    times.oneRun = std::min(times.oneRun, firstRun(slot, run));
}

double Sampler::firstRun(std::size_t slot, const Run& run) {
  if (options_.gate.begin)
    options_.gate.begin(run);
  return measure(tasks_[slot], run.quiet()).sum();
}

void Sampler::leave(std::size_t slot, SlotState state) {
  times_[slot].state = state;
  const double flops = tasks_[slot].flops; // larger sizes are predicted from it
  tasks_[slot] = TimedTask{};
  tasks_[slot].flops = flops;
}

void Sampler::warmUp(std::size_t slot, const Run& run) {
  SlotTimes& times = times_[slot];
  tasks_[slot] = slots_[slot].open(run.quiet());
  const double longest =
      slots_[slot].always ? std::numeric_limits<double>::infinity() : options_.longest;
  if (const auto last = smaller(slot)) {
    confirm(*last, std::min(longest, left() / 2) / growth(*last, slot), run);
    times.oneRun = times_[*last].oneRun * growth(*last, slot);
  }
  if (times.oneRun > longest)
    return leave(slot, SlotState::TooLong);
  if (2 * times.oneRun > left()) // this run, and one sample
    return leave(slot, SlotState::OverBudget);
  times.oneRun = firstRun(slot, run);
  times.state = SlotState::Measured;
  confirm(slot, longest, run);
  if (times.oneRun > longest)
    leave(slot, SlotState::TooLong);
}

Sampler::Seconds Sampler::measure(const TimedTask& task, const Run& run) const {
  Seconds seconds;
  if (task.choose)
    seconds.choose = secondsOf(options_.clock, [&] { task.choose(run); });
  seconds.attend = secondsOf(options_.clock, [&] { task.attend(run); });
  return seconds;
}

bool Sampler::sample(std::size_t slot, const Run& run) {
  const SlotTimes& times = times_[slot];
  if (times.state != SlotState::Measured)
    return false;
  const double one = times.attend.empty() ? times.oneRun : times.total().back();
  const double repeats = one > 0 ? options_.leastSample / one : static_cast<double>(kMostRepeats);
  const auto runs = std::clamp<Index>(
      static_cast<Index>(std::min(repeats, static_cast<double>(kMostRepeats))), 1, kMostRepeats);
  for (int k = 0; k < kAttempts && one * static_cast<double>(runs) <= left(); ++k)
    if (attempt(slot, runs, run))
      return true;
  return false;
}

// Whether it counts.
bool Sampler::attempt(std::size_t slot, Index repeats, const Run& run) {
  SlotTimes& times = times_[slot];
  run.check();
  if (options_.gate.begin)
    options_.gate.begin(run);
  Seconds sum;
  for (Index k = 0; k < repeats; ++k) {
    const Seconds one = measure(tasks_[slot], run.quiet());
    sum.choose += one.choose;
    sum.attend += one.attend;
  }
  if (options_.gate.end && !options_.gate.end()) {
    ++times.discarded;
    return false;
  }
  const auto all = static_cast<double>(repeats);
  times.choose.push_back(sum.choose / all);
  times.attend.push_back(sum.attend / all);
  return true;
}

} // namespace attention
