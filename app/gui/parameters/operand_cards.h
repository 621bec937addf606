// The operands of a composition as nested cards: each with its mechanism, its parameters, and a
// button that takes it out; below them one that adds another.
#pragma once

#include "app/gui/parameters/parameter_controls.h"

namespace attention::gui {

void operandCards(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter);

} // namespace attention::gui
