#include "app/gui/files/command_text.h"
#include "app/gui/files/exporting.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/lessons/lesson.h"
#include "core/support/text.h"
#include "core/views/scene_figure.h"

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

// In a job: a view may have to open its model.
void copyCommand(Workbench& bench) {
  const Results& results = bench.engine.results();
  bench.tasks.start("copying",
                    [scene = bench.document.scene(), lengths = results.lengths,
                     input = results.input.value](const Run&) -> Finish {
                      return [text = commandText(scene, lengths, input.get())](Workbench& b) {
                        b.wishes.clipboard = text;
                        b.notices.add(NoteKind::Good, "copied: " + shortened(text, kMostCopied));
                      };
                    });
}

} // namespace

void addEditActions(ActionTable& table) {
  const auto key = [](char letter) { return static_cast<Key>(letter); };
  table.add({"edit.undo",
             "Edit",
             "Undo",
             "Take the last change back",
             {{key('Z'), true}},
             [](Workbench& b) {
               b.playing = false; // the drag would continue from there
               b.document.undo();
             },
             [](const Workbench& b) { return b.document.canUndo() && undoStaysInStep(b); }});
  table.add({"edit.redo",
             "Edit",
             "Redo",
             "Make the undone change again",
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
