#include "app/gui/files/command_text.h"
#include "app/gui/files/exporting.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/lessons/lesson.h"
#include "core/code/source.h"
#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/support/text.h"
#include "core/views/scene_figure.h"

#include <utility>

namespace attention::gui {
namespace {

constexpr std::size_t kMostCopied = 160; // bytes of a command in a note: it may hold a scene

// The content of the .csv file.
void copyData(Workbench& bench) {
  const SceneFigureOptions how = shownOptions(bench.engine.results());
  bench.tasks.start("copying", [scene = bench.document.scene(), how](const Run& run) -> Finish {
    return [text = sceneDataText(scene, how, run)](Workbench& b) {
      b.wishes.clipboard = text;
      b.notices.add(NoteKind::Good, "copied the data as " + text.substr(0, text.find('\n')));
    };
  });
}

void copyCommand(Workbench& bench) {
  const Results& results = bench.engine.results();
  const std::string text =
      commandText(bench.document.scene(), results.lengths, results.input.value.get());
  bench.wishes.clipboard = text;
  bench.notices.add(NoteKind::Good, "copied: " + shortened(text, kMostCopied));
}

// Source that rebuilds the first mask that is shown, for a library.
void copyCode(Workbench& bench, const CodeTargetName& library) {
  const auto masks = bench.engine.results().masks.value;
  const auto input = bench.engine.results().input.value;
  const CodeScores scores = input ? CodeScores{input->modifiers, input->heads} : CodeScores();
  bench.tasks.start("writing code", [masks, library, scores](const Run& run) -> Finish {
    const Pattern pattern = resolveFiles(masks->tiles.front().pattern, {}, run);
    return [text = sourceOf(pattern, masks->lengths, library.target, run, masks->data, scores),
            library](Workbench& b) {
      b.wishes.clipboard = text;
      b.notices.add(NoteKind::Good, "copied the mask as code for " + std::string(library.title));
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

void addCodeActions(ActionTable& table) {
  bool first = true;
  for (const CodeTargetName& library : codeTargets()) {
    const std::string title(library.title);
    table.add({"edit.code." + std::string(library.name),
               "Edit",
               "Copy code: " + title,
               "Source code that rebuilds the mask: " + title,
               {},
               [library](Workbench& b) { copyCodeWhenMade(b, library); },
               [](const Workbench& b) { return canExport(stateOf(b.engine.results().masks)); },
               {},
               std::exchange(first, false)});
  }
}

} // namespace

void addEditActions(ActionTable& table) {
  const auto key = [](char letter) { return static_cast<Key>(letter); };
  table.add({"edit.undo",
             "Edit",
             "Undo",
             "Undo the last change",
             {{key('Z'), true}},
             [](Workbench& b) {
               b.playing = false; // the drag would continue from there
               b.document.undo();
             },
             [](const Workbench& b) { return b.document.canUndo() && undoStaysInStep(b); }});
  table.add({"edit.redo",
             "Edit",
             "Redo",
             "Redo the change that was undone",
             {{key('Z'), true, true}, {key('Y'), true}},
             [](Workbench& b) { b.document.redo(); },
             [](const Workbench& b) { return b.document.canRedo(); }});
  table.add(
      {"edit.copy",
       "Edit",
       "Copy data",
       "The numbers behind the picture as text: i,j of the attended pairs, or the view's table",
       {{key('C'), true}},
       [](Workbench& b) { b.waiting.push_back(copyData); },
       [](const Workbench& b) { return hasNumbers(b.engine.results().shown); },
       {},
       true});
  table.add({"edit.copyCommand",
             "Edit",
             "Copy command",
             "The attnx command line that gives these numbers",
             {{key('C'), true, true}},
             copyCommand,
             [](const Workbench& b) { return hasNumbers(b.engine.results().shown); }});
  addCodeActions(table);
}

} // namespace attention::gui
