// The Timings view: times of mechanisms against n as they are measured, on log-log axes, and their
// share of the machine's measured peak.
#pragma once

#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "app/gui/jobs/frame_gate.h"
#include "core/views/timings/scene_timings.h"

#include <functional>
#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

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

// The words for times that a newer measurement has not replaced yet.
constexpr const char* kOfLastMeasurement = "of the last measurement";

std::unique_ptr<ViewPane> timingsPane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> timingsStages(Results& results);
void drawTimingsOptions(const PanelContext& context); // what is timed, at which lengths
void drawTimingsFacts(const PanelContext& context);   // the peak, exponents, crossovers, noise

} // namespace attention::gui
