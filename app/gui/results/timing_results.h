// What the Timings view shows, by a job that measures while the window is still.
#pragma once

#include "app/gui/jobs/frame_gate.h"
#include "app/gui/jobs/slot.h"
#include "app/gui/view/results.h"

namespace attention::gui {

struct TimingKey {
  TimingQuestion question;
  Index round = 0; // measured again
  bool operator==(const TimingKey&) const = default;
};

// Published sample by sample from the first time on, so many a second at most that measuring is not
// held up by drawing.
// `gate` may be null: then samples are not kept apart from frames.
std::shared_ptr<const TimingsShown> makeTimings(const TimingKey& key,
                                                const std::shared_ptr<FrameGate>& gate,
                                                const Run& run, Parts<TimingsShown>& parts);

} // namespace attention::gui
