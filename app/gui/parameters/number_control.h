// Sliders and fields for numbers.
#pragma once

#include "app/gui/parameters/parameter_controls.h"

namespace attention::gui {

void numberControl(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter);

// Whether the default of the parameter is √n.
bool defaultIsSqrt(const Pattern& pattern, const Parameter& parameter);

} // namespace attention::gui
