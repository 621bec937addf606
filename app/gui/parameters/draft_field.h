// A text field for a value that has a text form: the text is parsed as it is typed; where that
// fails, it stays in the field with the reason below it.
#pragma once

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/fields.h"

#include <functional>

namespace attention::gui {

// `shown` is the value's current text. Calls `accept` with the new text at each change; an Error
// that it throws is shown below the field. True if a changed text was accepted.
bool draftField(const Ui& ui, PanelMemory& memory, const std::string& id, std::string_view label,
                const std::string& shown, const FieldSpec& spec,
                const std::function<void(const std::string&)>& accept);

// Without the error below it, for fields in a row: draftProblem says it.
bool bareDraftField(const Ui& ui, PanelMemory& memory, const std::string& id,
                    std::string_view label, const std::string& shown, const FieldSpec& spec,
                    const std::function<void(const std::string&)>& accept);
// Empty where the text of that field was accepted.
std::string draftProblem(const PanelMemory& memory, const std::string& id);

// Parameter values as text: lists "0, 5, 9", counts "first 4", pairs "0-1, 2-5", named numbers "w =
// 3, b = 2".
std::string textOf(const Value& value);

// Nothing typed is monostate: back to the default. E_TYPE says what the field takes.
Value valueOf(const ParameterFacts& parameter, const std::string& text);

} // namespace attention::gui
