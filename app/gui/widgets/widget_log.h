// What is on the screen: each wrapped widget writes its label, rectangle and state here once per
// frame. Scripts find widgets by it, tests assert on it, and it remembers which controls were ever
// seen and which were ever used, so that a test can name a control that no script touches.
//
// An address is the label as it is read on the screen (the text before ##). "Label#2" is the second
// of equal ones, from top; "Sidebar/Label" the one inside the scope "Sidebar", at any depth.
#pragma once

#include "app/gui/platform/imgui_compat.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention::gui {

enum class WidgetKind {
  Button,
  Toggle, // a button that stays down, or a segment of a choice
  Checkbox,
  Slider,
  Field, // text entry
  Item,  // of a list
  Tab,
  Link,
  Menu,
  MenuItem,
  Combo,
  Canvas, // a picture that takes the pointer
  Text,   // words and values: not a control
};

struct Rect {
  float x0 = 0; // points of the window
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;

  float centerX() const { return (x0 + x1) / 2; }
  float centerY() const { return (y0 + y1) / 2; }
  bool operator==(const Rect&) const = default;
};

struct Widget {
  WidgetKind kind = WidgetKind::Text;
  std::string label;   // what is read on the screen
  std::string scope;   // "Sidebar/Parameters"
  Rect rect;           // whole item
  Rect grip;           // where a press grabs it (a slider's knob); equal to rect for the others
  Rect sight;          // its clipping rectangle; nothing for what is never clipped
  bool visible = true; // whether any of it is inside that
  bool enabled = true;
  bool checked = false; // checked, chosen, or open
  bool focused = false; // has the keyboard
  std::uint32_t id = 0; // id of the item; 0: the keyboard cannot reach it
  std::string value;    // number or text that it shows
};

// The tooltip shown when the pointer rests on something.
struct TooltipWords {
  std::string scope; // like a widget's
  std::string words;
};

// Whether nothing of it is above or below its clipping rectangle.
bool wholeInSight(const Widget& widget);

class WidgetLog {
public:
  // Starts a frame: what was recorded becomes the last frame's list.
  void beginFrame();
  void record(Widget widget);
  // Notes a tooltip, whether or not the pointer rests there in this frame.
  void explain(std::string_view words);
  // Where a control's tooltip is drawn in this frame, and where it was in the last complete one.
  void showTip(const Rect& place) { tip_ = place; }
  const std::optional<Rect>& tip() const { return lastTip_; }
  // Widgets recorded until popScope are inside `scope`; prefer WidgetScope.
  void pushScope(std::string_view scope);
  void popScope();
  // "Sidebar/Parameters"; empty outside all scopes.
  std::string scope() const;

  // The widgets of the last complete frame, in the order in which they were drawn.
  std::span<const Widget> widgets() const { return last_; }
  // Its tooltips, including those of controls that nobody points at.
  std::span<const TooltipWords> tooltips() const { return lastTooltips_; }
  // The widget of that address in the last complete frame, or null. Controls win over Text and
  // visible ones over those that are scrolled away.
  const Widget* find(std::string_view address) const;
  // Suggestions for an address that find does not know: labels with an equal beginning or content.
  std::vector<std::string> suggestions(std::string_view address) const;

  // Asks for the widget of this address to be scrolled into sight when it is drawn next.
  void show(std::string_view address) { shown_ = address; }
  // Whether the widget being recorded is the requested one; true only once.
  bool takeShow(const Widget& widget);

  // Asks for the keyboard's focus for the item of this id when it is drawn next.
  void focus(std::uint32_t id) { focusWanted_ = id; }
  // Whether the item being recorded is the requested one; true only once.
  bool takeFocus(std::uint32_t id);

  // A user or script pressed or edited the control in `scope` with this label.
  void markUsed(std::string_view scope, std::string_view label);
  // Addresses ("scope/label") of controls that were visible and enabled in any frame, and of those
  // that were used.
  const std::set<std::string>& seen() const { return seen_; }
  const std::set<std::string>& used() const { return used_; }
  // Seen but never used.
  std::vector<std::string> unused() const;
  // Addresses of controls that ever shared an id with another one in the same frame, so that one of
  // the two did nothing.
  const std::set<std::string>& clashes() const { return clashes_; }

private:
  std::vector<Widget> last_;
  std::vector<Widget> current_;
  std::vector<TooltipWords> lastTooltips_;
  std::vector<TooltipWords> tooltips_;
  std::optional<Rect> lastTip_;
  std::optional<Rect> tip_;
  std::vector<std::string> scopes_;
  std::string shown_;
  std::uint32_t focusWanted_ = 0;
  std::set<std::string> seen_;
  std::set<std::string> used_;
  std::set<std::string> clashes_;
};

class WidgetScope {
public:
  WidgetScope(WidgetLog& log, std::string_view scope) : log_(log) { log_.pushScope(scope); }
  ~WidgetScope() { log_.popScope(); }
  WidgetScope(WidgetScope&&) = delete;

private:
  WidgetLog& log_;
};

// A row of a list within one window: ImGui, too, tells its buttons from those of other rows with
// the same labels.
class RowScope {
public:
  RowScope(WidgetLog& log, std::string_view row) : scope_(log, row) {
    ImGui::PushID(row.data(), row.data() + row.size());
  }
  ~RowScope() { ImGui::PopID(); }
  RowScope(RowScope&&) = delete;

private:
  WidgetScope scope_;
};

// The text before "##".
std::string_view shownLabel(std::string_view label);

// ---- Tab and Shift+Tab ----
//
// From control to control over all regions of the window, in the order in which
// they are read: menu, sidebar, view, inspector, status, notes; inside an open overlay only its
// own. ImGui's own tabbing knows the text fields and sliders of one window only.

// The control after (`step` 1) or before (−1) the one that has the keyboard, wrapping around at the
// ends; the first or last one where none has it; 0 if there is none. `scope`: only controls
// inside it.
std::uint32_t nextInTabOrder(std::span<const Widget> widgets, std::uint32_t focused, int step,
                             std::string_view scope = {});

// Moves the keyboard focus if Tab was pressed. Call it at the start of a frame, so that the text
// field that loses the focus notices; `overlay` is the scope of the open overlay, or empty.
void moveByTab(WidgetLog& log, std::string_view overlay);

} // namespace attention::gui
