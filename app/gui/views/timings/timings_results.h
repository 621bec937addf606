// What the Timings view shows, by a job that measures.
#pragma once

#include "app/gui/interface/latest.h"
#include "app/gui/jobs/frame_gate.h"
#include "core/views/timings/scene_timings.h"

#include <functional>

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

// Published sample by sample from the first one on, at most as often per second as leaves measuring
// undisturbed by drawing. `gate` may be null: then samples are not kept apart from frames.
TimingsShown makeTimings(const TimingQuestion& question, const std::shared_ptr<FrameGate>& gate,
                         const std::function<void(TimingsShown)>& publish, const Run& run);

} // namespace attention::gui
