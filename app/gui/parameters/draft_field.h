// A text field for a value that has a text form: what is typed is parsed as it is typed, and where
// it cannot be, the words stay in the field with the reason below it.
#pragma once

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/fields.h"

#include <functional>

namespace attention::gui {

// `shown` is the value's present text. Calls `accept` with the new text at each change; an Error
// that it throws is shown below the field. True where a changed text was accepted.
bool draftField(const Ui& ui, PanelMemory& memory, const std::string& id, std::string_view label,
                const std::string& shown, const FieldSpec& spec,
                const std::function<void(const std::string&)>& accept);

} // namespace attention::gui
