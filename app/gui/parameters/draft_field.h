// A text field for a value that has a text form: the text is parsed as it is typed; where that
// fails, it stays in the field with the reason below it.
#pragma once

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/fields.h"
#include "core/pattern/value_text.h"

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

// A parameter's value from what was typed (core/pattern/value_text.h); where a count and a list are
// both possible, the count is "first 4". Nothing typed is monostate: back to the default. E_TYPE.
Value valueOf(const ParameterFacts& parameter, const std::string& text);

} // namespace attention::gui
