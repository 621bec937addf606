#include "app/gui/jobs/frame_gate.h"

#include <chrono>

namespace attention::gui {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20}; // at the stop token and for idleness
constexpr int kMostOwedLooks = 25; // after that the frame will not come: the window is hidden

} // namespace

void FrameGate::frameBegins() {
  const std::lock_guard lock(mutex_);
  drawing_ = true;
  overlapped_ = overlapped_ || sampling_;
}

void FrameGate::frameEnds() {
  {
    const std::lock_guard lock(mutex_);
    drawing_ = false;
    owed_ = false;
  }
  changed_.notify_all();
}

void FrameGate::inputCame() {
  const std::lock_guard lock(mutex_);
  lastInput_ = clock_();
}

bool FrameGate::sampling() const {
  const std::lock_guard lock(mutex_);
  return sampling_;
}

void FrameGate::oweFrame() {
  const std::lock_guard lock(mutex_);
  owed_ = true;
}

SampleGate FrameGate::forSampler() {
  return {[this](const Run& run) { begin(run); }, [this] { return end(); }};
}

void FrameGate::begin(const Run& run) {
  std::unique_lock lock(mutex_);
  for (int looks = 0; !calm(); ++looks) {
    run.check();
    changed_.wait_for(lock, kBetweenLooks);
    if (looks == kMostOwedLooks)
      owed_ = false;
  }
  sampling_ = true;
  overlapped_ = false;
}

bool FrameGate::end() {
  const std::lock_guard lock(mutex_);
  sampling_ = false;
  return !overlapped_;
}

} // namespace attention::gui
