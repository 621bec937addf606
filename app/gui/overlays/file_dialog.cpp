#include "app/gui/overlays/overlays.h"

#include "app/gui/panels/layout.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

bool fitsFilter(const FileDialogState& state, const std::string& name) {
  if (state.allFiles || state.endings.empty())
    return true;
  const std::string ending = fs::path(name).extension().string();
  return std::find(state.endings.begin(), state.endings.end(), ending) != state.endings.end();
}

void readFolder(FileDialogState& state) {
  if (state.listedFolder == state.folder)
    return;
  state.listedFolder = state.folder;
  state.listed.clear();
  state.problem.clear();
  std::error_code code;
  fs::directory_iterator entry(state.folder, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    std::error_code each;
    const std::string name = entry->path().filename().string();
    if (!name.empty() && name.front() != '.')
      state.listed.push_back({name, entry->is_directory(each)});
  }
  if (code)
    state.problem = state.folder.string() + " cannot be read: " + code.message();
  std::sort(state.listed.begin(), state.listed.end(), [](const FileEntry& a, const FileEntry& b) {
    return std::make_tuple(!a.folder, a.name) < std::make_tuple(!b.folder, b.name);
  });
}

void goTo(FileDialogState& state, const fs::path& folder) {
  state.picked.clear();
  state.folder = folder.lexically_normal();
  state.confirmReplace = false;
}

// The path of the typed name: absolute, or inside the folder.
fs::path typedPath(const FileDialogState& state) {
  fs::path path = state.name;
  if (path.is_relative())
    path = state.folder / path;
  if (state.saving && !path.has_extension() && !state.endings.empty())
    path += state.endings.front();
  return path.lexically_normal();
}

bool isPicked(const FileDialogState& state, const std::string& name) {
  return std::find(state.picked.begin(), state.picked.end(), name) != state.picked.end();
}

// Ctrl+click picks one more file, or drops one; a plain click picks this one. The field shows the
// name, or the last of several.
void pick(FileDialogState& state, const std::string& name, bool more) {
  if (!more || !state.chosenAll)
    state.picked.clear();
  if (isPicked(state, name))
    state.picked.erase(std::find(state.picked.begin(), state.picked.end(), name));
  else
    state.picked.push_back(name);
  state.name = state.picked.empty() ? std::string() : state.picked.back();
  state.confirmReplace = false;
}

// Enter or the button: goes into a folder, asks before replacing, or chooses.
void accept(FileDialogState& state, std::vector<fs::path>& chosen) {
  if (state.name.empty())
    return;
  const fs::path path = typedPath(state);
  std::error_code code;
  state.problem.clear();
  if (fs::is_directory(path, code) && !state.makesFolder) {
    state.name.clear();
    goTo(state, path);
  } else if (!state.saving && !fs::exists(path, code)) {
    state.problem = path.string() + " does not exist";
  } else if (state.saving && !fs::is_directory(path.parent_path(), code)) {
    state.problem = path.parent_path().string() + " is not a folder";
  } else if (state.saving && fs::exists(path, code) && !state.confirmReplace) {
    state.confirmReplace = true;
  } else if (state.picked.size() > 1 && state.name == state.picked.back()) {
    for (const std::string& name : state.picked)
      chosen.push_back((state.folder / name).lexically_normal());
  } else {
    chosen = {path};
  }
  state.takesKeys = !state.problem.empty(); // to type another name
}

void drawPath(FileDialogState& state, const Ui& ui) {
  if (iconButton(ui, "folder above", "▲", {"To the folder above", state.folder.has_parent_path()}))
    goTo(state, state.folder.parent_path());
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const std::string path = visibleText(state.folder.string());
  const UseFont mono(ui.fonts.mono);
  words(ui, path);
}

// Double click opens; one click puts the name into the field.
void drawEntries(FileDialogState& state, const Ui& ui, std::vector<fs::path>& chosen) {
  beginChild("files", ImVec2(0, -ui.px(92)), true);
  const WidgetScope scope(ui.log, "files");
  int shown = 0;
  for (std::size_t k = 0; k < state.listed.size(); ++k) {
    const FileEntry entry = state.listed[k];
    if (!entry.folder && !fitsFilter(state, entry.name))
      continue;
    ++shown;
    ImGui::PushID(static_cast<int>(k));
    const bool marked = entry.name == state.name || isPicked(state, entry.name);
    const bool pressed =
        listItem(ui, visibleText(entry.name), marked, entry.folder ? "folder" : "");
    const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
    ImGui::PopID();
    if (pressed && entry.folder && state.makesFolder) { // the name is another entry's in it
      goTo(state, state.folder / entry.name);
      break;
    }
    if (pressed)
      pick(state, entry.name, !entry.folder && ImGui::GetIO().KeyCtrl);
    if ((twice || (pressed && entry.folder)) && !state.name.empty()) {
      accept(state, chosen);
      break;
    }
  }
  if (shown == 0)
    caption(ui, "nothing here can be chosen");
  ImGui::EndChild();
}

void drawMessages(const FileDialogState& state, const Ui& ui) {
  if (!state.problem.empty())
    note(ui, NoteKind::Error, state.problem);
  else if (state.confirmReplace)
    note(ui, NoteKind::Warning,
         typedPath(state).filename().string() + " exists: replace " +
             (state.makesFolder ? "its pictures?" : "it?"));
  else if (state.picked.size() > 1)
    caption(ui, std::to_string(state.picked.size()) + " files will be opened together");
  else
    caption(ui, state.saving      ? "type a name; Enter saves"
                : state.chosenAll ? "type a name or a path; Enter opens; Ctrl+click picks several"
                                  : "type a name or a path; Enter opens");
}

} // namespace

OverlayStep drawFileDialog(FileDialogState& state, const PanelContext& c,
                           std::vector<fs::path>& chosen) {
  const Ui& ui = c.ui;
  readFolder(state);
  sectionHeading(ui, state.title);
  drawPath(state, ui);
  drawEntries(state, ui, chosen);
  FieldSpec field;
  field.labelWidth = 0;
  field.hint = "name or path";
  field.tooltip = "A file in this folder, or a full path";
  field.focus = ImGui::IsWindowAppearing() || std::exchange(state.takesKeys, false);
  const std::string before = state.name;
  const FieldEdit edit = inputText(ui, "file name", state.name, field);
  if (edit.changed && state.name != before)
    state.confirmReplace = false;
  drawMessages(state, ui);
  const std::string verb = !state.saving ? "Open" : state.confirmReplace ? "Replace" : "Save";
  const bool pressed = button(ui, verb,
                              {!state.saving       ? "Read this file"
                               : state.makesFolder ? "Write into this folder"
                                                   : "Write this file",
                               !state.name.empty()});
  ImGui::SameLine();
  const bool cancel = button(ui, "Cancel", {"Back to the view (Esc)"});
  if (!state.saving && !state.endings.empty()) {
    ImGui::SameLine(0, ui.px(20));
    checkbox(ui, "all files", state.allFiles, {"Show files of every type"});
  }
  if (pressed || edit.entered)
    accept(state, chosen);
  return cancel ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
