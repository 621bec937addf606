// The window of the speaker's view, beside the one that presents: open while the presentation wants
// it. Its keys are those of the presentation; closing it leaves the presentation running.
#pragma once

#include "app/gui/frame/workbench.h"
#include "app/gui/platform/host.h"
#include "app/gui/widgets/widget_log.h"

#include <memory>

namespace attention::gui {

class SpeakerWindow {
public:
  // `main` presents and outlives this. Its contexts are current after every call.
  explicit SpeakerWindow(Host& main);
  ~SpeakerWindow();
  SpeakerWindow(SpeakerWindow&&) = delete;

  // After each frame of the main window: opens, draws or closes it.
  void follow(Workbench& bench);

  bool isOpen() const { return open_ != nullptr; }
  // Whether a picture is still being made.
  bool pending() const;
  // How long the next frame may wait: as Host::restSeconds, but the seconds go on.
  double restSeconds() const;

  // All of these while it is open.
  EventQueue& events();
  const WidgetLog& log() const;
  gl::Pixels pixels() const;
  void resize(int width, int height);
  // As if its user had closed it.
  void close();

private:
  struct Open;
  void shut();

  Host& main_;
  std::unique_ptr<Open> open_;
};

} // namespace attention::gui
