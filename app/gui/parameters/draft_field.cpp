#include "app/gui/parameters/draft_field.h"

#include "app/gui/jobs/slot.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

bool draftField(const Ui& ui, PanelMemory& memory, const std::string& id, std::string_view label,
                const std::string& shown, const FieldSpec& spec,
                const std::function<void(const std::string&)>& accept) {
  Draft& draft = memory.drafts[id];
  if (draft.shown != shown && !draft.active) // changed elsewhere: undo, another pattern
    draft = {shown, shown, {}, false};
  draft.shown = shown;
  FieldSpec marked = spec;
  marked.badValue = spec.badValue || !draft.error.empty();
  const FieldEdit edit = inputText(ui, label, draft.text, marked);
  bool accepted = false;
  if (edit.changed) {
    const auto outcome = outcomeOf<bool>(
        [&](const Run&) {
          accept(draft.text);
          return std::make_shared<const bool>(true);
        },
        {});
    draft.error = outcome.problem ? outcome.problem->text : std::string();
    accepted = outcome.value != nullptr;
  }
  draft.active = edit.active;
  if (edit.finished && draft.error.empty())
    draft.text = accepted ? draft.text : shown;
  if (!draft.error.empty())
    note(ui, NoteKind::Error, draft.error);
  return accepted;
}

} // namespace attention::gui
