#include "core/attention/step_cutter.h"

#include <algorithm>

namespace attention {
namespace {

// Shorter runs of keys are worth copying together with others.
constexpr Index kLongRun = 24;
// Keys between two seen ones that no row sees: computed along, if in one run.
constexpr Index kGap = 8;

} // namespace

StepCutter::StepCutter(const BlockPlan& plan) : plan_(plan) {
  settle();
}

bool StepCutter::next(Step& step) {
  step.count = 0;
  step.firstKey = -1;
  step.keyStep = 1;
  if (segment_ == plan_.shared.size())
    return false;
  const Index length = reach();
  if (length >= kLongRun)
    takeRun(step, length);
  else
    gather(step);
  return true;
}

// Moves to the beginning of the next unfinished segment.
void StepCutter::settle() {
  while (segment_ < plan_.shared.size() && position_ >= plan_.shared[segment_].end)
    ++segment_;
  if (segment_ < plan_.shared.size())
    position_ = std::max(position_, plan_.shared[segment_].begin);
}

// Positions from here that one run of keys serves, small gaps included.
Index StepCutter::reach() const {
  const Index most = position_ + std::min(plan_.line.rowAt(position_).left, kStepKeys);
  Index end = position_;
  for (std::size_t k = segment_; k < plan_.shared.size() && end < most; ++k) {
    const KeySegment& segment = plan_.shared[k];
    if (segment.begin > end + kGap || segment.begin >= most)
      break;
    end = std::min(segment.end, most);
  }
  return end - position_;
}

void StepCutter::takeRun(Step& step, Index length) {
  const KeyLine::Row row = plan_.line.rowAt(position_);
  step.firstKey = row.key;
  step.keyStep = row.step;
  step.count = length;
  std::fill_n(step.seen.begin(), length, 0);
  const Index first = position_;
  for (const Index end = first + length; position_ < end; settle()) {
    const KeySegment& segment = plan_.shared[segment_];
    const Index upTo = std::min(segment.end, end);
    std::fill(step.seen.begin() + (position_ - first), step.seen.begin() + (upTo - first),
              segment.rows);
    position_ = upTo;
  }
}

void StepCutter::gather(Step& step) {
  do {
    const KeySegment& segment = plan_.shared[segment_];
    const KeyLine::Run run = plan_.line.runAt(position_);
    const Index length = std::min({run.left, segment.end - position_, kStepKeys - step.count});
    for (Index t = 0; t < length; ++t, ++step.count) {
      step.keys[static_cast<std::size_t>(step.count)] = run.key + t;
      step.seen[static_cast<std::size_t>(step.count)] = segment.rows;
    }
    position_ += length;
    settle();
  } while (step.count < kStepKeys && segment_ < plan_.shared.size() && reach() < kLongRun);
}

std::size_t KeyListCutter::runFrom(std::size_t at) const {
  const std::size_t most = std::min(list_.keys.size(), at + static_cast<std::size_t>(kStepKeys));
  std::size_t end = at + 1;
  while (end < most && list_.keys[end] == list_.keys[end - 1] + 1)
    ++end;
  return end - at;
}

bool KeyListCutter::next(Step& step) {
  step.count = 0;
  step.firstKey = -1;
  step.keyStep = 1;
  while (at_ < list_.keys.size() && step.count < kStepKeys) {
    const std::size_t run = runFrom(at_);
    const bool whole = static_cast<Index>(run) >= kLongRun;
    if (whole && step.count > 0)
      break;
    const Index length = std::min(static_cast<Index>(run), kStepKeys - step.count);
    const auto from = static_cast<std::ptrdiff_t>(at_);
    std::copy_n(list_.keys.begin() + from, length, step.keys.begin() + step.count);
    std::copy_n(list_.seen.begin() + from, length, step.seen.begin() + step.count);
    step.count += length;
    at_ += static_cast<std::size_t>(length);
    if (whole) {
      step.firstKey = step.keys.front();
      break;
    }
  }
  return step.count > 0;
}

} // namespace attention
