// Small helpers of the widgets: measuring and drawing text in a given font, boxes, records.
#pragma once

#include "app/gui/platform/imgui_compat.h"
#include "app/gui/widgets/ui.h"

#include <string>
#include <string_view>

namespace attention::gui {

// Width and height of one line (or several, with \n) in points.
ImVec2 textSize(const ImFont* font, std::string_view text);
// Draws into the window's draw list, top left corner at `at`.
void drawText(ImFont* font, ImVec2 at, const ImVec4& textColor, std::string_view text);
// The beginning of the text that fits into `width`, with … where something was cut off.
std::string cutToWidth(const ImFont* font, std::string_view text, float width);
// Points to the right edge of the current window or card.
float availableWidth();
// The width in points of the name to the left of a row: `wanted`, or its default where wanted < 0.
float nameWidth(const Ui& ui, float wanted);
// The name of a row in its column, vertically centred on a frame; the cursor then stands in the
// same line after the column, or below the name where the column is too narrow for it.
void drawName(const Ui& ui, std::string_view label, float width, bool enabled);
// Like recordItem; also marks it used when `pressed`.
void recordPressed(const Ui& ui, WidgetKind kind, std::string_view label, bool pressed,
                   bool checked = false, std::string value = {});
// Notes the id and focus of the item drawn last, and gives it the keyboard on request; a slider
// then takes the arrow keys at once.
void takeKeyboard(const Ui& ui, Widget& widget, bool slider = false);
// Writes a rectangle of words to the log.
void recordText(const Ui& ui, std::string_view label, ImVec2 from, ImVec2 to,
                std::string_view value = {});
// The part of a rectangle that the window shows, or all of it if none is visible; notes in `widget`
// whether any is, and where the window is clipped.
Rect clipped(ImVec2 from, ImVec2 to, Widget& widget);

// Pushes style colours and pops them at its end.
class StyleColors {
public:
  StyleColors() = default;
  ~StyleColors() { ImGui::PopStyleColor(count_); }
  StyleColors(StyleColors&&) = delete;
  StyleColors& set(ImGuiCol which, const ImVec4& value) {
    ImGui::PushStyleColor(which, value);
    ++count_;
    return *this;
  }

private:
  int count_ = 0;
};

// ---- words in a width, for those who draw them themselves ----

// Broken by \n at spaces into lines of at most `width`; a longer word stays whole.
std::string inLines(const ImFont* font, std::string_view text, float width);

// The text, or as much of its beginning and end as fits `width` with … between them: file names
// often differ only at their ends.
std::string cutInMiddle(const ImFont* font, std::string_view text, float width);

} // namespace attention::gui
