#include "app/gui/script/script_runner.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// Frames without events before a step looks at the window: the frame that takes an event draws the
// old state, the next the new one, and the log shows a frame when it is complete.
constexpr int kQuietFrames = 3;
// ImGui's double click is 0.3 s at 60 frames per second, within 6 points.
constexpr int kClickFrames = 20;
constexpr float kClickDistance = 7;
constexpr int kDragFrames = 8;

struct Point {
  float x;
  float y;
};

Point pointIn(const Widget& widget, const ScriptTarget& target) {
  if (!target.placed)
    return {widget.grip.centerX(), widget.grip.centerY()};
  const auto between = [](float low, float high, double share) {
    return low + static_cast<float>(share) * (high - low);
  };
  return {between(widget.rect.x0, widget.rect.x1, target.x),
          between(widget.rect.y0, widget.rect.y1, target.y)};
}

// Whether a press at `at` reaches the widget: scrolling may hide that part of it.
bool isInSight(const Widget& widget, const Point& at) {
  const bool clipped = widget.sight != Rect{};
  return widget.visible && (!clipped || (at.y >= widget.sight.y0 && at.y < widget.sight.y1));
}

std::string notFound(const WidgetLog& log, const std::string& address) {
  std::string message = "\"" + address + "\" is not on the screen";
  std::string near;
  for (const std::string& label : log.suggestions(address))
    near += (near.empty() ? "; near: \"" : ", \"") + label + "\"";
  return message + near;
}

// The characters as events; line ends and tabs are keys.
std::vector<std::vector<Event>> typed(const std::string& text) {
  std::vector<std::vector<Event>> batches;
  EventQueue plain;
  const auto flush = [&] {
    while (!plain.empty())
      batches.push_back(plain.takeFrame());
  };
  std::string run;
  for (const char c : text) {
    if (c != '\n' && c != '\t') {
      run += c;
      continue;
    }
    plain.pushText(run);
    run.clear();
    flush();
    plain.pushChord({c == '\n' ? Key::Enter : Key::Tab});
    flush();
  }
  plain.pushText(run);
  flush();
  return batches;
}

} // namespace

// Turns one step into batches of events, or into a result at once. Again: the step waits for the
// window and is retried in the next frame.
struct ScriptRunner::Performer {
  ScriptRunner& run;
  WidgetLog& log;

  bool patient() const { return run.waited_ < run.world_.framesToWait; }

  Progress giveUp(const std::string& message) const {
    run.fail(message);
    run.next_ = run.script_.size();
    return Progress::Done;
  }

  void push(Event event) const { run.batches_.push_back({std::move(event)}); }
  void push(std::vector<std::vector<Event>> batches) const {
    for (auto& batch : batches)
      run.batches_.push_back(std::move(batch));
  }
  void moveTo(Point at) const { push(MouseMoveEvent{at.x, at.y}); }

  // The place of the target; Again while it is missing, out of sight or disabled.
  Progress locate(const ScriptTarget& target, Point& at) const {
    if (target.address.empty()) {
      at = {static_cast<float>(target.x), static_cast<float>(target.y)};
      return Progress::Done;
    }
    const Widget* widget = log.find(target.address);
    const bool inSight = widget != nullptr && isInSight(*widget, pointIn(*widget, target));
    if (inSight && widget->enabled) {
      at = pointIn(*widget, target);
      return Progress::Done;
    }
    if (widget != nullptr && !inSight)
      log.show(target.address);
    if (patient())
      return Progress::Again;
    at = {-1, -1};
    if (widget == nullptr)
      return giveUp(notFound(log, target.address));
    return giveUp("\"" + target.address + "\" is " +
                  (widget->enabled ? "out of sight" : "disabled"));
  }
  // `act(place)` once the target is there.
  template <class Act>
  Progress at(const ScriptTarget& target, const Act& act) const {
    Point place{};
    if (locate(target, place) == Progress::Again)
      return Progress::Again;
    const bool found = run.next_ < run.script_.size() && place.x >= 0;
    return found ? act(place) : Progress::Done;
  }

  // Moves the pointer to the place. True when it rests there: hovering may change the layout, and
  // then the target is elsewhere.
  bool aimed(Point at) const {
    if (at.x == run.aimX_ && at.y == run.aimY_)
      return true;
    moveTo(at);
    run.aimX_ = at.x;
    run.aimY_ = at.y;
    return false;
  }
  // `act(place)` once the pointer rests on the target.
  template <class Act>
  Progress pointedAt(const ScriptTarget& target, const Act& act) const {
    return at(target, [&](Point place) { return aimed(place) ? act(place) : Progress::Again; });
  }

  // Whether a click here and now would make a double click of two steps.
  bool tooSoon(Point at) const {
    return run.frame_ - run.clickFrame_ < kClickFrames &&
           std::abs(at.x - run.clickX_) < kClickDistance &&
           std::abs(at.y - run.clickY_) < kClickDistance;
  }

  void click(Point at, int button, int count, bool shift, bool ctrl) const {
    if (shift)
      push(KeyEvent{Key::LeftShift, true});
    if (ctrl)
      push(KeyEvent{Key::LeftCtrl, true});
    for (int i = 0; i < count; ++i) {
      push(MouseButtonEvent{button, true});
      push(MouseButtonEvent{button, false});
    }
    if (shift)
      push(KeyEvent{Key::LeftShift, false});
    if (ctrl)
      push(KeyEvent{Key::LeftCtrl, false});
    run.clickX_ = at.x;
    run.clickY_ = at.y;
    run.clickFrame_ = run.frame_ + static_cast<int>(run.batches_.size());
  }

  Progress operator()(const ClickStep& step) const {
    return pointedAt(step.target, [&](Point place) {
      if (tooSoon(place))
        return Progress::Again;
      click(place, step.button, step.count, step.shift, step.ctrl);
      return Progress::Done;
    });
  }

  Progress operator()(const MoveStep& step) const {
    return at(step.target, [&](Point place) {
      moveTo(place);
      return Progress::Done;
    });
  }

  Progress operator()(const DragStep& step) const {
    return at(step.from, [&](Point from) {
      const auto drag = [&](Point to) { return dragged(from, to); };
      return step.relative ? drag({from.x + static_cast<float>(step.to.x),
                                   from.y + static_cast<float>(step.to.y)})
                           : at(step.to, drag);
    });
  }

  Progress dragged(Point from, Point to) const {
    if (!aimed(from))
      return Progress::Again;
    push(MouseButtonEvent{0, true});
    for (int i = 1; i <= kDragFrames; ++i) {
      const float share = static_cast<float>(i) / static_cast<float>(kDragFrames);
      moveTo({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
    }
    push(MouseButtonEvent{0, false});
    return Progress::Done;
  }

  Progress operator()(const ScrollStep& step) const {
    return pointedAt(step.target, [&](Point) {
      push(ScrollEvent{0, static_cast<float>(step.notches)});
      return Progress::Done;
    });
  }

  Progress operator()(const TypeStep& step) const {
    push(typed(step.text));
    return Progress::Done;
  }

  void chord(Chord keys) const {
    EventQueue queue;
    queue.pushChord(keys);
    while (!queue.empty())
      run.batches_.push_back(queue.takeFrame());
  }

  Progress operator()(const KeyStep& step) const {
    chord(parseChord(step.chord).value_or(Chord{}));
    return Progress::Done;
  }

  // Sliders and fields are typed into, check boxes and lists are clicked.
  Progress operator()(const SetStep& step) const {
    const Widget* widget = log.find(step.target.address);
    const std::string item = step.target.address + "/" + step.value;
    if (widget == nullptr || widget->kind == WidgetKind::Text) {
      if (log.find(item) != nullptr)
        return (*this)(ClickStep{{item}});
      return patient() ? Progress::Again : giveUp(notFound(log, step.target.address));
    }
    if (widget->kind == WidgetKind::Checkbox || widget->kind == WidgetKind::Toggle) {
      const bool on = step.value == "on" || step.value == "true" || step.value == "1";
      return on == widget->checked ? Progress::Done : (*this)(ClickStep{step.target});
    }
    if (widget->kind == WidgetKind::Combo)
      return setCombo(step, item);
    if (widget->kind != WidgetKind::Slider && widget->kind != WidgetKind::Field)
      return giveUp("\"" + step.target.address + "\" takes no value");
    const bool slider = widget->kind == WidgetKind::Slider;
    return pointedAt(step.target, [&](Point place) {
      if (tooSoon(place))
        return Progress::Again;
      click(place, 0, 1, false, slider);
      chord({Key::A, true});
      if (step.value.empty())
        chord({Key::Delete});
      push(typed(step.value));
      chord({Key::Enter});
      return Progress::Done;
    });
  }

  Progress setCombo(const SetStep& step, const std::string& item) const {
    const Progress opened = (*this)(ClickStep{step.target});
    if (opened == Progress::Done && run.next_ < run.script_.size()) {
      const auto next = run.script_.begin() + static_cast<std::ptrdiff_t>(run.next_) + 1;
      const int line = run.script_[run.next_].line;
      run.script_.insert(next, ScriptStep{line, ClickStep{{item}}});
    }
    return opened;
  }

  Progress operator()(const WaitStep&) const {
    if (!run.world_.busy)
      return giveUp("wait: this program has no jobs");
    if (!run.world_.busy())
      return Progress::Done;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - run.started_;
    if (spent.count() > run.world_.secondsToWait)
      return giveUp("wait: a job still runs after " +
                    std::to_string(static_cast<int>(run.world_.secondsToWait)) + " s");
    return Progress::Again;
  }

  Progress operator()(const FramesStep& step) const {
    return run.waited_ < step.count ? Progress::Again : Progress::Done;
  }

  Progress operator()(const DropStep& step) const {
    push(DropEvent{{step.file}});
    return Progress::Done;
  }

  Progress operator()(const ResizeStep& step) const {
    if (!run.world_.resize)
      return giveUp("resize: the window's size is fixed");
    run.world_.resize(step.width, step.height);
    return Progress::Done;
  }

  Progress operator()(const ScreenshotStep& step) const {
    if (step.speaker) {
      const auto& draw = run.world_.speakerScreenshot;
      return draw && draw(step.file) ? Progress::Done
                                     : giveUp("screenshot: the speaker's view is not open");
    }
    if (!run.world_.screenshot)
      return giveUp("screenshot: no pictures can be written here");
    run.world_.screenshot(step.file);
    return Progress::Done;
  }

  Progress conclude(const std::string& complaint) const {
    if (complaint.empty())
      return Progress::Done;
    if (patient())
      return Progress::Again;
    run.fail(complaint);
    return Progress::Done;
  }

  Progress operator()(const CheckWidgetStep& step) const { return conclude(complain(step, log)); }

  Progress operator()(const CheckDocumentStep& step) const {
    if (!run.world_.document)
      return giveUp("check: there is no scene here");
    return conclude(complain(step, run.world_.document()));
  }
};

ScriptRunner::ScriptRunner(Script script, ScriptWorld world)
    : script_(std::move(script)), world_(std::move(world)),
      started_(std::chrono::steady_clock::now()) {}

void ScriptRunner::fail(const std::string& message) {
  const int line = next_ < script_.size() ? script_[next_].line : 0;
  failures_.push_back({line, "line " + std::to_string(line) + ": " + message});
}

bool ScriptRunner::beforeFrame(WidgetLog& log, EventQueue& events) {
  ++frame_;
  if (!events.empty()) {
    quiet_ = 0;
    return true;
  }
  if (!batches_.empty()) {
    for (Event& event : batches_.front())
      events.push(std::move(event));
    batches_.pop_front();
    quiet_ = 0;
    return true;
  }
  if (++quiet_ <= kQuietFrames)
    return true;
  if (done())
    return false;
  const ScriptAction action = script_[next_].action; // a copy: a step may insert steps
  const Progress progress = std::visit(Performer{*this, log}, action);
  if (progress == Progress::Again) {
    ++waited_;
    return true;
  }
  if (next_ < script_.size())
    ++next_;
  waited_ = 0;
  aimX_ = aimY_ = -1;
  quiet_ = 0;
  started_ = std::chrono::steady_clock::now();
  return true;
}

} // namespace attention::gui
