#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/exporting.h"

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

void exportTo(Workbench& bench, const fs::path& file) {
  const Results& results = bench.engine.results();
  bench.tasks.start("writing " + file.filename().string(),
                    [scene = bench.document.scene(), masks = results.masks.value,
                     input = results.input.value, file](const Run& run) -> Finish {
                      exportShown(scene, *masks, input, file, run);
                      return [file](Workbench& b) {
                        b.notices.add(NoteKind::Good, "wrote " + file.string());
                      };
                    });
}

void askExport(Workbench& bench, const std::string& ending) {
  FileDialogState dialog;
  dialog.title = "Export the mask";
  dialog.saving = true;
  dialog.endings = {ending};
  std::error_code code;
  const bool known = !bench.ui.folder.empty() && fs::is_directory(bench.ui.folder, code);
  dialog.folder = known ? fs::path(bench.ui.folder) : fs::current_path(code);
  dialog.name = exportName(bench.document.scene(), bench.engine.results().lengths, ending);
  dialog.chosen = [](Workbench& b, const fs::path& file) {
    b.ui.folder = file.parent_path().string();
    exportWhenReady(b, file);
  };
  askForFile(bench, std::move(dialog));
}

} // namespace

void exportWhenReady(Workbench& bench, const fs::path& file) {
  bench.waiting.push_back([file](Workbench& ready) { exportTo(ready, file); });
}

void startWaiting(Workbench& bench) {
  const Latest<Masks>& masks = bench.engine.results().masks;
  if (masks.problem && !bench.waiting.empty()) {
    bench.waiting.clear();
    bench.notices.add(NoteKind::Error, "nothing was written or copied: " + masks.problem->text);
  }
  if (!masks || masks.stale)
    return;
  for (const auto& start : std::exchange(bench.waiting, {}))
    start(bench);
}

void addExportActions(ActionTable& table) {
  struct Format {
    const char* ending;
    const char* label;
    const char* tooltip;
  };
  static constexpr Format kFormats[] = {
      {".png", "Export PNG…", "A picture of pixels"},
      {".svg", "Export SVG…", "A vector picture for the web"},
      {".pdf", "Export PDF…", "A vector picture for papers"},
      {".tex", "Export TikZ…", "A tikzpicture for LaTeX"},
      {".npy", "Export npy…", "A boolean NumPy array"},
      {".csv", "Export csv…", "The attended pairs, one a line"},
      {".mtx", "Export mtx…", "The attended pairs in Matrix Market's form"},
  };
  for (const Format& format : kFormats)
    table.add({std::string("export") + format.ending,
               "File",
               format.label,
               format.tooltip,
               {},
               [ending = std::string(format.ending)](Workbench& b) { askExport(b, ending); },
               [](const Workbench& b) { return canExport(b.engine.results()); },
               {},
               std::string_view(format.ending) == ".png"});
  // The last entry of the menu.
  table.add({"file.quit",
             "File",
             "Quit",
             "Close the window; its state comes back at the next start",
             {{static_cast<Key>('Q'), true}},
             [](Workbench& b) { b.wishes.quit = true; },
             {},
             {},
             true});
}

} // namespace attention::gui
