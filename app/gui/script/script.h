// A user's actions as text, one per line, for `attnx gui --script F`:
//
//   # comment
//   click "Label"            also double-click, right-click, shift-click, ctrl-click; or: click x y
//   drag "Label" dx dy       or: drag x y to x y; drag "Label" to "Label"
//   move "Label"             or: move x y
//   scroll "Label" dy
//   type "text"
//   key Ctrl+Z
//   set "Label" value        Ctrl+click, type, Enter
//   wait                     until no job runs
//   frames N
//   drop "file"
//   resize W H
//   screenshot "file.png"    or, of the speaker's view: screenshot speaker "file.png"
//   check "Label" exists | missing | enabled | disabled | checked | unchecked |
//                  focused
//   check "Label" value "x"          what it shows, exactly
//   check "Label" contains "x"
//   check scene.pattern.params.stride == 11     also !=, < , <=, >, >=; the right side is JSON
//
// Strings are in double quotes, with \" \\ and \n. Labels are addresses of WidgetLog. A point may
// be given inside a widget: click "Mask" at 0.25 0.5 (shares of its width and height).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attention::gui {

// A widget, or a point of the window in points; shares place the pointer inside the widget.
struct ScriptTarget {
  std::string address; // empty: the point (x, y)
  double x = 0.5;      // share of the width, or points
  double y = 0.5;
  bool placed = false; // whether `at` was given
  bool operator==(const ScriptTarget&) const = default;
};

struct ClickStep {
  ScriptTarget target;
  int button = 0;
  int count = 1;
  bool shift = false;
  bool ctrl = false;
  bool operator==(const ClickStep&) const = default;
};
struct MoveStep {
  ScriptTarget target;
  bool operator==(const MoveStep&) const = default;
};
// To `to`, or by (dx, dy) points if relative.
struct DragStep {
  ScriptTarget from;
  ScriptTarget to;
  bool relative = false;
  bool operator==(const DragStep&) const = default;
};
struct ScrollStep {
  ScriptTarget target;
  double notches = 0;
  bool operator==(const ScrollStep&) const = default;
};
struct TypeStep {
  std::string text;
  bool operator==(const TypeStep&) const = default;
};
struct KeyStep {
  std::string chord;
  bool operator==(const KeyStep&) const = default;
};
struct SetStep {
  ScriptTarget target;
  std::string value;
  bool operator==(const SetStep&) const = default;
};
struct WaitStep {
  bool operator==(const WaitStep&) const = default;
};
struct FramesStep {
  int count = 1;
  bool operator==(const FramesStep&) const = default;
};
struct DropStep {
  std::string file;
  bool operator==(const DropStep&) const = default;
};
struct ResizeStep {
  int width = 0;
  int height = 0;
  bool operator==(const ResizeStep&) const = default;
};
struct ScreenshotStep {
  std::string file;
  bool speaker = false; // of the speaker's view
  bool operator==(const ScreenshotStep&) const = default;
};
enum class WidgetCheck {
  Exists,
  Missing,
  Enabled,
  Disabled,
  Checked,
  Unchecked,
  Focused,
  Value,
  Contains,
};
struct CheckWidgetStep {
  std::string address;
  WidgetCheck what = WidgetCheck::Exists;
  std::string text;
  bool operator==(const CheckWidgetStep&) const = default;
};
// `pointer` is a JSON pointer into the document (the Scene), `value` JSON.
struct CheckDocumentStep {
  std::string pointer;
  std::string comparison;
  std::string value;
  bool operator==(const CheckDocumentStep&) const = default;
};

using ScriptAction = std::variant<ClickStep, MoveStep, DragStep, ScrollStep, TypeStep, KeyStep,
                                  SetStep, WaitStep, FramesStep, DropStep, ResizeStep,
                                  ScreenshotStep, CheckWidgetStep, CheckDocumentStep>;

struct ScriptStep {
  int line = 0; // 1-based
  ScriptAction action;
  bool operator==(const ScriptStep&) const = default;
};

using Script = std::vector<ScriptStep>;

// Reads a script; at most 100 000 lines. Error Type, Range or Unknown with the line:
// "script line 3: clack is not an action; it must be one of click, …".
Script parseScript(std::string_view text);

} // namespace attention::gui
