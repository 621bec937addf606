#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/exporting.h"
#include "app/gui/interface/window_view.h"
#include "core/export/figure_file.h"
#include "core/export/shaped_text.h"
#include "core/views/scene_figure.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

Scene exportedScene(const Workbench& bench) {
  const auto own = windowView(bench.document.scene().view).sceneToExport;
  return own ? own(bench) : bench.document.scene();
}

void exportTo(Workbench& bench, const fs::path& file) {
  const Results& results = bench.engine.results();
  bench.tasks.start("writing " + file.filename().string(),
                    [scene = exportedScene(bench), shown = shownOptions(results),
                     file](const Run& run) -> Finish {
                      const std::string missing = exportShown(scene, shown, file, run);
                      return [file, missing](Workbench& b) {
                        b.notices.add(NoteKind::Good, "wrote " + file.string());
                        if (!missing.empty())
                          b.notices.add(NoteKind::Warning,
                                        missingText(missing) + "; they are drawn as boxes");
                      };
                    });
}

void askExport(Workbench& bench, const std::string& ending) {
  FileDialogState dialog;
  dialog.title = "Export what is shown";
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

// Whether the view is drawn, or written as numbers, in files of that ending.
bool hasForm(View view, std::string_view ending) {
  const auto forms = unitOf(view).forms;
  return isFigureEnding(ending) ||
         std::any_of(forms.begin(), forms.end(),
                     [&](const DataForm& form) { return form.ending == ending; });
}

} // namespace

void exportWhenReady(Workbench& bench, const fs::path& file) {
  bench.waiting.push_back([file](Workbench& ready) { exportTo(ready, file); });
}

void startWaiting(Workbench& bench) {
  const ShownState& shown = bench.engine.results().shown;
  if (shown.problem && !bench.waiting.empty()) {
    bench.waiting.clear();
    if (auto* code = std::get_if<CodeState>(&bench.overlay); code && code->pending) {
      code->problem = shown.problem->text;
      code->pending = false;
    }
    bench.notices.add(NoteKind::Error, "nothing was written or copied: " + shown.problem->text);
  }
  if (!shown.there || shown.stale)
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
      {".png", "Export PNG…", "A raster image"},
      {".svg", "Export SVG…", "A vector picture for the web"},
      {".pdf", "Export PDF…", "A vector picture for papers"},
      {".html", "Export HTML…", "A web page that says what lies under the pointer"},
      {".tex", "Export TikZ…", "A tikzpicture for LaTeX"},
      {".npy", "Export npy…", "The view's matrix as a NumPy array"},
      {".csv", "Export csv…", "The view's numbers as a table"},
      {".mtx", "Export mtx…", "The attended pairs in Matrix Market's form"},
  };
  for (const Format& format : kFormats)
    table.add({std::string("export") + format.ending,
               "File",
               format.label,
               format.tooltip,
               {},
               [ending = std::string(format.ending)](Workbench& b) { askExport(b, ending); },
               [ending = std::string_view(format.ending)](const Workbench& b) {
                 const View view = b.document.scene().view;
                 return hasForm(view, ending) &&
                        (isFigureEnding(ending) ? canExport(b.engine.results().shown)
                                                : hasNumbers(b.engine.results().shown));
               },
               {},
               std::string_view(format.ending) == ".png"});
  table.add({"export.animation",
             "File",
             "Export animation…",
             "Animate what the view plays, or a parameter of the pattern, as APNG, numbered "
             "pictures, GIF or MP4",
             {},
             chooseAnimation,
             [](const Workbench& b) {
               return unitOf(b.document.scene().view).moving &&
                      hasNumbers(b.engine.results().shown);
             }});
}

void addQuitAction(ActionTable& table) {
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
