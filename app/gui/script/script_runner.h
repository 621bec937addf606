// Plays a script against the window: once per frame it looks at the WidgetLog of the last frame,
// and pushes events to the queue that real input uses. A step begins when the events of the
// previous one are used up.
#pragma once

#include "app/gui/platform/event_queue.h"
#include "app/gui/script/script.h"
#include "app/gui/widgets/widget_log.h"

#include <chrono>
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attention::gui {

// What a script may ask of the application; an empty function makes the step fail.
struct ScriptWorld {
  std::function<bool()> busy;                                // whether jobs run
  std::function<nlohmann::json()> document;                  // the Scene as JSON
  std::function<void(const std::string&)> screenshot;        // writes the last frame to a file
  std::function<bool(const std::string&)> speakerScreenshot; // false where there is no such view
  std::function<void(int width, int height)> resize;         // in points
  int framesToWait = 60;     // how long a step waits for its widget or its check to come true
  double secondsToWait = 60; // how long `wait` waits for jobs, by the clock
};

struct ScriptFailure {
  int line = 0;
  std::string message; // "line 4: "Strde" is not on the screen; near: "stride""
};

class ScriptRunner {
public:
  ScriptRunner(Script script, ScriptWorld world);

  // Before each frame: pushes the events of the current step. Returns whether the script goes on;
  // after false no more frames are needed. A failed check is noted and the script goes on; a failed
  // action ends it.
  bool beforeFrame(WidgetLog& log, EventQueue& events);

  bool done() const { return next_ >= script_.size() && batches_.empty(); }
  const std::vector<ScriptFailure>& failures() const { return failures_; }

private:
  enum class Progress { Done, Again };
  struct Performer;

  void fail(const std::string& message);

  Script script_;
  ScriptWorld world_;
  std::size_t next_ = 0;
  std::deque<std::vector<Event>> batches_; // each enters the queue in a frame of its own
  std::vector<ScriptFailure> failures_;
  int frame_ = 0;
  int quiet_ = 0;   // frames since the last event was taken
  float aimX_ = -1; // where the pointer was moved for the current step
  float aimY_ = -1;
  int waited_ = 0;                                // frames that the current step has waited
  std::chrono::steady_clock::time_point started_; // of the current step
  float clickX_ = -1;                             // where and
  float clickY_ = -1; // when the last click was, so that two steps do not make a double click
  int clickFrame_ = -1000;
};

// ---- what a script's checks say about the window and the document ----

// Empty if the check holds, else one sentence with what was found. Thin and no-break spaces compare
// equal to spaces.
std::string complain(const CheckWidgetStep& step, const WidgetLog& log);
std::string complain(const CheckDocumentStep& step, const nlohmann::json& document);

} // namespace attention::gui
