#include "app/gui/actions/action_table.h"

#include "app/gui/frame/workbench.h"
#include "app/gui/platform/imgui_input.h"

#include <algorithm>

namespace attention::gui {
namespace {

// Whether the chord would also mean something to a text field.
bool belongsToText(Chord chord) {
  if (chord.alt || (chord.key >= Key::F1 && chord.key <= Key::F12))
    return false;
  if (!chord.ctrl)
    return true;
  for (const char c : {'A', 'C', 'V', 'X', 'Y', 'Z'})
    if (chord.key == static_cast<Key>(c))
      return true;
  return false;
}

// Typed text and the focused control take precedence over shortcuts.
bool belongsElsewhere(const ActionEntry& entry, Chord chord) {
  return (typing() && belongsToText(chord)) || (entry.afterFocus && ImGui::GetIO().NavVisible);
}

} // namespace

bool ActionEntry::isEnabled(const Workbench& bench) const {
  const bool waits = bench.present && (menu == "File" || menu == "Edit");
  return !waits && (!enabled || enabled(bench));
}

const ActionEntry* ActionTable::find(std::string_view id) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [id](const auto& e) { return e.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

void ActionTable::run(std::string_view id, Workbench& bench) const {
  const ActionEntry* entry = find(id);
  if (!entry || !entry->isEnabled(bench))
    return;
  try {
    entry->run(bench);
  } catch (const Error& error) {
    bench.notices.add(NoteKind::Error, error.what());
  }
}

ActionEntry yielding(ActionEntry entry) {
  entry.afterFocus = true;
  return entry;
}

std::function<bool(const Workbench&)> shows(View view) {
  return [view](const Workbench& b) { return b.document.scene().view == view; };
}

void runShortcuts(const ActionTable& table, Workbench& bench) {
  for (const ActionEntry& entry : table.entries())
    for (const Chord chord : entry.chords)
      if (chordPressed(chord) && entry.isEnabled(bench) && !belongsElsewhere(entry, chord))
        return table.run(entry.id, bench);
}

} // namespace attention::gui
