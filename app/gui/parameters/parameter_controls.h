// The controls of a pattern's parameters, built from its description: sliders, choices, check
// boxes, fields, and cards for the operands of a composition.
#pragma once

#include "app/gui/panels/panel.h"

#include <string>

namespace attention::gui {

// What the user did to the pattern in this frame.
struct PatternChange {
  bool changed = false;
  bool finished = false; // a drag or typing ended
  std::string label;     // of the parameter
  std::string gesture;   // empty: a step of its own
};

struct ParameterScope {
  const PanelContext& context;
  Index n = 0;
  std::string path; // of the operand inside compositions: "0/1"; empty at the top
  PatternChange& change;
  bool& problemShown; // whether the results' problem was shown beside its parameter
};

// Draws the controls of `pattern` and changes it as they say.
void parameterControls(const ParameterScope& scope, Pattern& pattern);

// Its meaning, with its symbol in the formulas and its unit.
std::string tipOf(const Parameter& parameter);

// "stride l": the name and symbol as the window shows them.
std::string labelOf(const Parameter& parameter);

// The operand of `pattern` at `path`; null where there is none.
Pattern* operandAt(Pattern& pattern, std::string_view path);

} // namespace attention::gui
