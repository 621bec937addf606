// What every widget needs, passed as one value by reference: log, theme, fonts, scale. Made by the
// application once per frame.
#pragma once

#include "app/gui/platform/fonts.h"
#include "app/gui/widgets/theme.h"
#include "app/gui/widgets/widget_log.h"

#include <string>
#include <string_view>

namespace attention::gui {

struct Ui {
  WidgetLog& log;
  const Theme& theme;
  const Fonts& fonts;
  float scale = 1; // FrameInfo::scale

  const UiColors& colors() const { return theme.colors; }
  // A length at scale 1 in points.
  float px(float length) const { return length * scale; }
};

// What all controls share. Words are owned here and in the other specs of widgets: they are often
// put together where the spec is filled in.
struct Control {
  std::string tooltip = {}; // shown after the pointer has rested on it; also when disabled
  bool enabled = true;
  float width = 0; // points; 0: as wide as its content, -1: to the right edge
};

// What an edit did in this frame. `finished` is true in the frame in which a drag or typing that
// changed the value ended: one undo step.
struct Edit {
  bool changed = false;
  bool active = false;
  bool finished = false;
  bool typed = false; // the new value came from the keyboard and may be out of range

  explicit operator bool() const { return changed; }
};

// While it lives, what is drawn is disabled and dimmed.
class DisabledWhile {
public:
  explicit DisabledWhile(bool disabled);
  ~DisabledWhile();
  DisabledWhile(DisabledWhile&&) = delete;
};

// Shows the words in a box once the pointer has rested 0.5 s on the item drawn last; the log knows
// them at once. The box stands below a control, so that it covers none beside it; beside a list or
// menu for its rows, since the next row is below; and at the pointer over a picture.
enum class TipPlace { Below, Beside };
void tooltip(const Ui& ui, std::string_view words, TipPlace place = TipPlace::Below);

// Writes the item that was drawn last to the log, and marks it used when it was pressed.
void recordItem(const Ui& ui, WidgetKind kind, std::string_view label, bool checked = false,
                std::string value = {});

} // namespace attention::gui
