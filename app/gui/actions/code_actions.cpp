// The mask as source code: shown before it is copied or saved, or copied at once.
#include "app/gui/actions/file_dialogs.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/jobs/slot.h"
#include "core/code/source.h"
#include "core/input/replace_file.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"

#include <ostream>
#include <utility>

namespace attention::gui {
namespace {

// What source that rebuilds the first mask that is shown is written from.
struct CodeOf {
  std::shared_ptr<const Masks> masks;
  CodeScores scores;
  CodeTarget target;
};

CodeOf codeOf(const Workbench& bench, CodeTarget target) {
  const auto input = bench.engine.results().input.value;
  return {bench.engine.results().masks.value,
          input ? CodeScores{input->modifiers, input->heads} : CodeScores(), target};
}

std::string sourceFor(const CodeOf& of, const Run& run) {
  const Pattern pattern = resolveFiles(of.masks->tiles.front().pattern, {}, run);
  return sourceOf(pattern, of.masks->lengths, of.target, run, of.masks->data, of.scores);
}

void copyCode(Workbench& bench, const CodeTargetName& library) {
  bench.tasks.start("writing code",
                    [of = codeOf(bench, library.target), library](const Run& run) -> Finish {
                      return [text = sourceFor(of, run), library](Workbench& b) {
                        b.wishes.clipboard = text;
                        b.notices.add(NoteKind::Good,
                                      "copied the mask as code for " + std::string(library.title));
                      };
                    });
}

// The mask may still be on its way where another view is shown.
void copyCodeWhenMade(Workbench& bench, const CodeTargetName& library) {
  const Latest<Masks>& masks = bench.engine.results().masks;
  if (masks.problem)
    return bench.notices.add(NoteKind::Error, "no code was copied: " + masks.problem->text);
  if (masks && !masks.stale)
    return copyCode(bench, library);
  bench.waiting.push_back([library](Workbench& ready) { copyCodeWhenMade(ready, library); });
}

CodeState* shownCode(Workbench& bench, CodeTarget target) {
  auto* shown = std::get_if<CodeState>(&bench.overlay);
  return shown && codeTargets()[shown->library].target == target ? shown : nullptr;
}

// Into the overlay, as long as it shows that library and this mask; there is no code for some
// masks, which it says in its place.
void writePreview(Workbench& bench, CodeTarget target) {
  bench.tasks.start("writing code", [of = codeOf(bench, target)](const Run& run) -> Finish {
    const auto made = outcomeOf<std::string>(
        [&](const Run& r) { return std::make_shared<const std::string>(sourceFor(of, r)); }, run);
    return [made, of](Workbench& b) {
      CodeState* shown = shownCode(b, of.target);
      if (!shown || shown->of != of.masks)
        return;
      shown->text = made.value ? *made.value : std::string();
      shown->problem = made.problem ? made.problem->text : made.value ? "" : "stopped";
      shown->pending = false;
    };
  });
}

// As copyCodeWhenMade.
void previewWhenMade(Workbench& bench, CodeTarget target) {
  CodeState* shown = shownCode(bench, target);
  if (!shown)
    return;
  const Latest<Masks>& masks = bench.engine.results().masks;
  if (masks.problem) {
    shown->problem = masks.problem->text;
    shown->pending = false;
  } else if (masks && !masks.stale) {
    shown->of = masks.value;
    writePreview(bench, target);
  } else {
    bench.waiting.push_back([target](Workbench& ready) { previewWhenMade(ready, target); });
  }
}

void showCode(Workbench& bench, std::size_t library) {
  bench.overlay = CodeState{library};
  previewWhenMade(bench, codeTargets()[library].target);
}

void copyShownCode(Workbench& bench) {
  const auto* shown = std::get_if<CodeState>(&bench.overlay);
  if (!shown || shown->text.empty())
    return;
  bench.wishes.clipboard = shown->text;
  bench.notices.add(NoteKind::Good, "copied the mask as code for " +
                                        std::string(codeTargets()[shown->library].title));
}

// What is shown, to a file whose name is asked for.
void saveCode(Workbench& bench) {
  const auto* shown = std::get_if<CodeState>(&bench.overlay);
  if (!shown || shown->text.empty())
    return;
  const CodeTargetName& library = codeTargets()[shown->library];
  FileDialogState dialog;
  dialog.title = "Save the code";
  dialog.saving = true;
  dialog.endings = {library.target == CodeTarget::Tikz ? ".tex" : ".py"};
  std::error_code code;
  const bool known =
      !bench.ui.folder.empty() && std::filesystem::is_directory(bench.ui.folder, code);
  dialog.folder =
      known ? std::filesystem::path(bench.ui.folder) : std::filesystem::current_path(code);
  dialog.name = description(bench.document.scene().pattern).name + "_" + std::string(library.name) +
                dialog.endings.front();
  dialog.chosen = [text = shown->text](Workbench& b, const std::filesystem::path& file) {
    b.ui.folder = file.parent_path().string();
    b.tasks.start("writing " + file.filename().string(), [text, file](const Run&) -> Finish {
      replaceFile(file, [&](std::ostream& stream) { stream << text; });
      return
          [file](Workbench& done) { done.notices.add(NoteKind::Good, "wrote " + file.string()); };
    });
  };
  askForFile(bench, std::move(dialog));
}

bool hasMask(const Workbench& bench) {
  return canExport(stateOf(bench.engine.results().masks));
}

} // namespace

void addCodeActions(ActionTable& table) {
  table.add({"edit.showCode",
             "Edit",
             "Show code…",
             "Source code that rebuilds the mask, to read, copy or save",
             {},
             [](Workbench& b) { showCode(b, 0); },
             hasMask,
             {},
             true});
  const auto libraries = codeTargets();
  for (std::size_t k = 0; k < libraries.size(); ++k) {
    const CodeTargetName& library = libraries[k];
    const std::string title(library.title);
    table.add({"edit.code." + std::string(library.name),
               "Edit",
               "Copy code: " + title,
               "Source code that rebuilds the mask: " + title,
               {},
               [library](Workbench& b) { copyCodeWhenMade(b, library); },
               hasMask});
    table.add({"code.show." + std::string(library.name),
               "",
               title,
               "",
               {},
               [k](Workbench& b) { showCode(b, k); },
               hasMask});
  }
  table.add({"code.copy", "", "Copy the code", "", {}, copyShownCode});
  table.add({"code.save", "", "Save the code", "", {}, saveCode});
}

} // namespace attention::gui
