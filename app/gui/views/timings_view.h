// The Timings view: times of mechanisms against n as they are measured, on log-log axes, and their
// share of the machine's measured peak.
#pragma once

#include "app/gui/view/view.h"

#include <memory>

namespace attention::gui {

// What is said of times that a newer measurement has not replaced yet.
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

} // namespace attention::gui
