// Everything that can be done, in one table: it feeds the menus, the shortcuts, the palette and the
// overlay of keys. Each area registers its own entries.
#pragma once

#include "app/gui/platform/key.h"
#include "core/scene/scene.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention::gui {

struct Workbench;

struct ActionEntry {
  std::string id;    // "file.open"
  std::string menu;  // "File"; empty: in no menu
  std::string label; // "Open…"
  std::string tooltip;
  std::vector<Chord> chords; // the first one is shown
  std::function<void(Workbench&)> run;
  std::function<bool(const Workbench&)> enabled = {}; // empty: always
  std::function<bool(const Workbench&)> checked = {}; // empty: no check mark
  bool separated = false;                             // a line above it in the menu
  bool afterFocus = false;       // its chords are ignored while the keyboard moves the focus
  std::string group = {};        // of one in no menu that the palette finds: what it is about
  std::optional<View> view = {}; // the View menu lists it only while this one is shown

  // Files and the clipboard wait until a presentation has ended.
  bool isEnabled(const Workbench& bench) const;
  bool isChecked(const Workbench& bench) const { return checked && checked(bench); }
};

class ActionTable {
public:
  void add(ActionEntry entry) { entries_.push_back(std::move(entry)); }
  // What `fill` adds is the view's.
  void addOf(View view, void (*fill)(ActionTable&)) {
    const auto first = std::ssize(entries_);
    fill(*this);
    for (auto entry = entries_.begin() + first; entry != entries_.end(); ++entry)
      entry->view = view;
  }
  std::span<const ActionEntry> entries() const { return entries_; }
  // Null if no action has that id.
  const ActionEntry* find(std::string_view id) const;
  // Runs it if it is enabled.
  void run(std::string_view id, Workbench& bench) const;

private:
  std::vector<ActionEntry> entries_;
};

// The entries of each area.
void addFileActions(ActionTable& table);
void addEditActions(ActionTable& table);
void addCodeActions(ActionTable& table); // of Edit
void addViewActions(ActionTable& table);
void addLessonActions(ActionTable& table);
void addHelpActions(ActionTable& table);
void addPresentActions(ActionTable& table); // first: their keys come before all others
void addExportActions(ActionTable& table);
void addQuitAction(ActionTable& table); // last: it ends the File menu, to which views add entries

// Arrows and Space belong to the control that the keyboard is on.
ActionEntry yielding(ActionEntry entry);

// Enables an action while the view is shown.
std::function<bool(const Workbench&)> shows(View view);

// Runs the action whose chord was pressed in this frame, the first that is enabled: views share
// chords. Single letters are ignored while text is typed.
void runShortcuts(const ActionTable& table, Workbench& bench);

} // namespace attention::gui
