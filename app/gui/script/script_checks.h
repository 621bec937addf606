// What a script's checks say about the window and the document.
#pragma once

#include "app/gui/script/script.h"
#include "app/gui/widgets/widget_log.h"

#include <nlohmann/json.hpp>

#include <string>

namespace attention::gui {

// Empty if the check holds, else one sentence with what was found. Thin and no-break spaces compare
// equal to spaces.
std::string complain(const CheckWidgetStep& step, const WidgetLog& log);
std::string complain(const CheckDocumentStep& step, const nlohmann::json& document);

} // namespace attention::gui
