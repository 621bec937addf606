#include "app/gui/parameters/draft_field.h"

#include "app/gui/jobs/slot.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

bool bareDraftField(const Ui& ui, PanelMemory& memory, const std::string& id,
                    std::string_view label, const std::string& shown, const FieldSpec& spec,
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
  return accepted;
}

std::string draftProblem(const PanelMemory& memory, const std::string& id) {
  const auto draft = memory.drafts.find(id);
  return draft == memory.drafts.end() ? std::string() : draft->second.error;
}

bool draftField(const Ui& ui, PanelMemory& memory, const std::string& id, std::string_view label,
                const std::string& shown, const FieldSpec& spec,
                const std::function<void(const std::string&)>& accept) {
  const bool accepted = bareDraftField(ui, memory, id, label, shown, spec, accept);
  if (const std::string problem = draftProblem(memory, id); !problem.empty())
    note(ui, NoteKind::Error, problem);
  return accepted;
}

} // namespace attention::gui
