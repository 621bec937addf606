// Plays a script against the window: once a frame it looks at the WidgetLog of the last frame, and
// pushes events to the queue that real input goes through. A step begins when the events of the one
// before are used up.
#pragma once

#include "app/gui/platform/event_queue.h"
#include "app/gui/script/script.h"
#include "app/gui/widgets/widget_log.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace attention::gui {

// What a script may ask of the application; an empty function makes the step a failure.
struct ScriptWorld {
  std::function<bool()> busy;                         // whether jobs run
  std::function<nlohmann::json()> document;           // the Scene as JSON
  std::function<void(const std::string&)> screenshot; // writes the last frame to a file
  std::function<void(int width, int height)> resize;  // in points
  int framesToFindWidget = 120; // how long a step waits for its widget or its check to come true
};

struct ScriptFailure {
  int line = 0;
  std::string message; // "line 4: \"Strde\" is not on the screen; near: \"stride\""
};

class ScriptRunner {
public:
  ScriptRunner(Script script, ScriptWorld world);

  // Before each frame: pushes the events of the present step. Returns whether the script goes on;
  // after false no more frames are needed. A failed action (not a failed check) ends the script.
  bool beforeFrame(WidgetLog& log, EventQueue& events);

  bool done() const { return next_ >= script_.size(); }
  const std::vector<ScriptFailure>& failures() const { return failures_; }

private:
  enum class Progress { Done, Wait, Failed };
  Progress advance(const ScriptStep& step, WidgetLog& log, EventQueue& events);
  void fail(int line, const std::string& message);

  Script script_;
  ScriptWorld world_;
  std::size_t next_ = 0;
  int waited_ = 0; // frames that the present step has waited
  int quiet_ = 0;  // frames since the queue ran empty
  std::vector<ScriptFailure> failures_;
};

} // namespace attention::gui
