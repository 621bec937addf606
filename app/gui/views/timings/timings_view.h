// The Timings view: times of mechanisms against n as they are measured, on log-log axes, and their
// share of the machine's measured peak.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

// The words for times that a newer measurement has not replaced yet.
constexpr const char* kOfLastMeasurement = "of the last measurement";

class TimingsView final : public ViewPane {
public:
  TimingsView();
  ~TimingsView() override;

  void draw(const ViewContext& context) override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> timingsStages(Results& results);
void drawTimingsOptions(const PanelContext& context); // what is timed, at which lengths
void drawTimingsFacts(const PanelContext& context);   // the peak, exponents, crossovers, noise

} // namespace attention::gui
