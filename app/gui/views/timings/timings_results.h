// What the Timings view shows, by a job that measures.
#pragma once

#include "app/gui/jobs/frame_gate.h"
#include "app/gui/jobs/slot.h"
#include "core/views/timings/scene_timings.h"

namespace attention::gui {

// The Timings view's times, as far as they are measured, with their drawing.
struct TimingsShown {
  Timings timings;
  TimingFigureOptions options; // names, sizes, threads and d
  Plot seconds;
  Plot shares;
  Plot memory;                      // a model, not measured
  std::vector<std::string> reading; // what to see, in sentences
};

// They stay while other views are shown.
struct TimingsResults {
  Latest<TimingsShown> shown;
};

struct TimingKey {
  TimingQuestion question;
  Index round = 0; // measured again
  bool operator==(const TimingKey&) const = default;
};

// Published sample by sample from the first one on, at most as often per second as leaves measuring
// undisturbed by drawing. `gate` may be null: then samples are not kept apart from frames.
std::shared_ptr<const TimingsShown> makeTimings(const TimingKey& key,
                                                const std::shared_ptr<FrameGate>& gate,
                                                const Run& run, Parts<TimingsShown>& parts);

} // namespace attention::gui
