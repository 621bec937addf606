// Between the window and a job that measures time: no frame is drawn while a sample is taken, no
// sample is taken while somebody uses the window, and a sample that overlaps a frame anyway does
// not count. The window asks `sampling()` before it draws what can wait.
#pragma once

#include "core/analysis/timing/sampler.h"

#include <condition_variable>
#include <mutex>

namespace attention::gui {

class FrameGate {
public:
  static constexpr double kCalmSeconds = 0.3;   // after the last input, before a sample
  static constexpr double kLongestSample = 0.1; // seconds that the window waits for one

  explicit FrameGate(Clock clock = steadyClock()) : clock_(std::move(clock)) {}

  // The window's side, from its thread.
  void frameBegins();
  void frameEnds();
  void inputCame(); // the pointer, a key, a drop

  // Whether a sample is being taken; from any thread.
  bool sampling() const;

  // The job's side: the next frame is to show something new, and comes before the next sample.
  void oweFrame();
  // For a sampler; keep the gate alive as long as it.
  SampleGate forSampler();

private:
  void begin(const Run& run);
  bool end();
  bool calm() const { return !drawing_ && !owed_ && clock_() - lastInput_ >= kCalmSeconds; }

  Clock clock_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool drawing_ = false;
  bool sampling_ = false;
  bool owed_ = false;
  bool overlapped_ = false; // a frame began during the sample
  double lastInput_ = -1e9;
};

} // namespace attention::gui
