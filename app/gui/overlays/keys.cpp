#include "app/gui/overlays/overlays.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {
namespace {

constexpr float kKeyWidth = 210; // at scale 1

// What is not in the action table: the pointer and the keys of the view.
struct KeyLine {
  const char* key;
  const char* meaning;
};
constexpr KeyLine kPointer[] = {
    {"scroll", "zoom around the pointer"},
    {"drag", "pan"},
    {"click", "pin a query; Shift+click a key"},
    {"Ctrl+click on a slider", "type its value"},
    {"Tab, Shift+Tab", "to the next control and back; the view is one of them"},
    {"Space, Enter", "press what Tab has reached; Enter types a slider's value"},
    {"arrow keys", "move a slider, or the pins of the view (Shift: by ten)"},
    {"+, −", "zoom the view that has the keyboard"},
    {"Esc", "close what is open, else stop the running jobs"},
};

void keyLine(const Ui& ui, const std::string& key, const std::string& meaning) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawText(ui.fonts.mono, at, ui.colors().accentText, key);
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(kKeyWidth), at.y));
  ImGui::PushTextWrapPos(0); // the right edge
  ImGui::TextUnformatted(meaning.c_str());
  ImGui::PopTextWrapPos();
  recordText(ui, key, at, ImGui::GetItemRectMax(), meaning);
}

std::string keysOf(const ActionEntry& action) {
  std::string keys;
  for (const Chord chord : action.chords)
    if (keys.empty() || action.chords.size() <= 2)
      keys += (keys.empty() ? "" : ", ") + toString(chord);
  return keys;
}

void menuLines(const Workbench& bench, const PanelContext& c) {
  std::string menu;
  for (const ActionEntry& action : bench.actions.entries()) {
    const bool away = bench.present && (action.menu == "File" || action.menu == "Edit");
    if (action.chords.empty() || action.menu.empty() || away)
      continue;
    if (action.menu != menu) {
      space(c.ui, 4);
      sectionHeading(c.ui, action.menu);
      menu = action.menu;
    }
    keyLine(c.ui, keysOf(action), action.label + ": " + action.tooltip);
  }
}

// Actions that are in no menu are the keys of presentations.
void presentLines(const Workbench& bench, const PanelContext& c) {
  space(c.ui, 4);
  sectionHeading(c.ui, "While presenting (F5)");
  for (const ActionEntry& action : bench.actions.entries())
    if (action.menu.empty() && !action.chords.empty())
      keyLine(c.ui, keysOf(action), action.label + ": " + action.tooltip);
}

} // namespace

OverlayStep drawKeys(const Workbench& bench, const PanelContext& c) {
  sectionHeading(c.ui, "Keys");
  beginChild("keys", ImVec2(0, -c.ui.px(40)), false);
  if (bench.present)
    presentLines(bench, c);
  for (const KeyLine& line : kPointer)
    keyLine(c.ui, line.key, line.meaning);
  menuLines(bench, c);
  if (!bench.present)
    presentLines(bench, c);
  ImGui::EndChild();
  return button(c.ui, "Close", {"Back to the view (Esc)"}) ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
