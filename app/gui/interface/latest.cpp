#include "app/gui/interface/latest.h"

#include "app/gui/widgets/words.h"

namespace attention::gui {

void note(const Ui& ui, const Problem& problem) {
  note(ui, problem.stopped ? NoteKind::Info : NoteKind::Error, problem.text);
}

} // namespace attention::gui
