#include "tests/app/gui/random_user.h"

#include "tests/app/gui/control_tally.h"

namespace attention::gui {
namespace {

// What people and cats type. No '/', so that a file dialog stays in its folder.
const std::vector<std::string> kTexts{"0",
                                      "1",
                                      "2",
                                      "7",
                                      "16",
                                      "64",
                                      "1000",
                                      "-1",
                                      "0.5",
                                      "1e9",
                                      "",
                                      "strided",
                                      "i - j",
                                      "0,3,5",
                                      "[1, 2, 3]",
                                      "a b ü √n ∪",
                                      "nan inf",
                                      "(((",
                                      "2,2",
                                      "4,4",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "1e300",
                                      "0,0"};
const std::vector<std::string> kKeys{"Escape",
                                     "Tab",
                                     "Enter",
                                     "Space",
                                     "Left",
                                     "Right",
                                     "Up",
                                     "Down",
                                     "Alt+Right",
                                     "Alt+Left",
                                     "Home",
                                     "End",
                                     "PageUp",
                                     "PageDown",
                                     "Delete",
                                     "Ctrl+Z",
                                     "Ctrl+Z",
                                     "Ctrl+Z",
                                     "Ctrl+Shift+Z",
                                     "Ctrl+A",
                                     "Backspace",
                                     "1",
                                     "2",
                                     "3",
                                     "4",
                                     "5",
                                     "6",
                                     "7",
                                     "8",
                                     "Alt+Down",
                                     "Shift+Tab",
                                     "F",
                                     "R",
                                     "P"};
const std::vector<std::string> kSizes{"640 400",  "800 600",  "1024 640",
                                      "1024 640", "1440 900", "500 900"};

bool hasSlash(const std::string& text) {
  return text.find('/') != std::string::npos;
}

// A file dialog is never led out of its folder, where files could be overwritten.
bool isAllowed(const Widget& widget) {
  return widget.kind != WidgetKind::Text && widget.visible && widget.enabled &&
         widget.label != "folder above";
}

// The address that finds this widget again among those of equal labels, or nothing.
std::string findable(const WidgetLog& log, const Widget& widget) {
  const std::string address = addressOf(widget);
  if (log.find(address) == &widget)
    return address;
  for (int k = 1; k < 100; ++k) {
    const std::string numbered = address + "#" + std::to_string(k);
    const Widget* found = log.find(numbered);
    if (found == &widget)
      return numbered;
    if (!found)
      break;
  }
  return {};
}

} // namespace

std::string RandomUser::offset() {
  return std::to_string(static_cast<int>(below(301)) - 150) + " " +
         std::to_string(static_cast<int>(below(121)) - 60);
}

std::string RandomUser::place() {
  return " at " + std::to_string(share()) + " " + std::to_string(share());
}

std::string RandomUser::point() {
  return std::to_string(below(1440)) + " " + std::to_string(below(900));
}

std::string RandomUser::next(const WidgetLog& log, std::span<const ActionEntry> actions) {
  const std::uint64_t what = below(100);
  std::string lines;
  if (what < 62)
    lines = control(log);
  else if (what < 78)
    lines = byKey(actions);
  else if (what < 88)
    lines = byPalette(actions);
  else if (what < 90)
    lines = "resize " + one(kSizes);
  else if (what < 92)
    lines = "drop " + quoted(one(files_));
  else if (what < 94)
    lines = "scroll " + point() + " " + std::to_string(static_cast<int>(below(7)) - 3);
  else if (what < 96)
    lines = "drag " + point() + " to " + point();
  else if (what < 98)
    lines = "move " + point();
  else
    lines = "type " + quoted(one(kTexts));
  return lines + "\nframes " + std::to_string(1 + below(5)) + "\n";
}

std::string RandomUser::control(const WidgetLog& log) {
  std::vector<const Widget*> controls;
  for (const Widget& widget : log.widgets())
    if (isAllowed(widget))
      controls.push_back(&widget);
  if (controls.empty())
    return "key Escape";
  const Widget& widget = *one(controls);
  const std::string address = findable(log, widget);
  const std::string middle = std::to_string(static_cast<int>(widget.grip.centerX())) + " " +
                             std::to_string(static_cast<int>(widget.grip.centerY()));
  return press(widget, address.empty() ? middle : quoted(address));
}

std::string RandomUser::press(const Widget& widget, const std::string& where) {
  const bool named = where.front() == '"';
  switch (widget.kind) {
  case WidgetKind::Slider:
    return named ? onSlider(where) : "click " + where;
  case WidgetKind::Field:
    return named ? "set " + where + " " + quoted(one(kTexts)) : "click " + where;
  case WidgetKind::Canvas:
    return named ? onCanvas(where) : "click " + where;
  default:
    break;
  }
  const std::uint64_t how = below(20);
  return (how == 0   ? "double-click "
          : how == 1 ? "right-click "
          : how == 2 ? "move "
                     : "click ") +
         where;
}

std::string RandomUser::onSlider(const std::string& where) {
  switch (below(4)) {
  case 0:
    return "set " + where + " " + quoted(one(kTexts));
  case 1:
    return "click " + where + place();
  default:
    return "drag " + where + " " + offset();
  }
}

std::string RandomUser::onCanvas(const std::string& where) {
  switch (below(6)) {
  case 0:
    return "drag " + where + " " + offset();
  case 1:
    return "scroll " + where + " " + std::to_string(static_cast<int>(below(7)) - 3);
  case 2:
    return "double-click " + where + place();
  case 3:
    return "shift-click " + where + place();
  case 4:
    return "move " + where + place();
  default:
    return "click " + where + place();
  }
}

std::string RandomUser::byPalette(std::span<const ActionEntry> actions) {
  const ActionEntry& action = actions[below(actions.size())];
  if (hasSlash(action.label))
    return "key Ctrl+K";
  return "key Ctrl+K\nframes 2\ntype " + quoted(action.label) + "\nframes 2\nkey Enter";
}

std::string RandomUser::byKey(std::span<const ActionEntry> actions) {
  if (below(3) > 0)
    return "key " + quoted(one(kKeys));
  const ActionEntry& action = actions[below(actions.size())];
  return action.chords.empty() || hasSlash(toString(action.chords.front()))
             ? "key Escape"
             : "key " + quoted(toString(action.chords.front()));
}

} // namespace attention::gui
