// The controls of a pattern's parameters, built from its description: sliders, choices, check
// boxes, fields, and cards for the operands of a composition.
#pragma once

#include "app/gui/panels/panel.h"
#include "core/pattern/pattern.h"

#include <string>
#include <string_view>
#include <vector>

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
  std::string path; // path of the operand inside compositions: "0/1"; empty at the top
  PatternChange& change;
  bool& problemShown; // whether the results' problem was shown beside its parameter
  std::vector<std::string_view> unread = {}; // parameters without controls
};

// Draws the controls of `pattern` and changes it accordingly.
void parameterControls(const ParameterScope& scope, Pattern& pattern);

// Its meaning, with its unit where the meaning does not say it, and its symbol in the formulas:
// "Band width and spacing of the diagonals, in tokens (ℓ in the formulas)".
std::string tipOf(const ParameterFacts& parameter);

// "stride l": the name and symbol as the window shows them.
std::string labelOf(const ParameterFacts& parameter);

// The operand of `pattern` at `path`; null if there is none.
Pattern* operandAt(Pattern& pattern, std::string_view path);

// ---- sliders and fields for numbers ----

void numberControl(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter);

// Whether the default of the parameter is √n.
bool defaultIsSqrt(const Pattern& pattern, const Parameter& parameter);

// The operands of a composition as nested cards: each with its mechanism, its parameters, and a
// button that takes it out; below them one that adds another.
void operandCards(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter);

// One pattern as such a card: its mechanism or none, and its parameters.
void patternCard(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter);

// What was drawn by hand: the last strokes in words, and buttons that take back the last one or
// all.
void strokeList(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter);

// ---- dragging past a bound that another parameter sets (c ≤ l) pulls that one along ----

// Every position of a drag is computed from the pattern that it began with, so dragging back
// restores everything: `start` with `parameter` set to `value`; other numbers move no further than
// it takes to bring all of them within their bounds for length n. Where no other number can make
// room, `parameter` stays at its bound.
Pattern pulledAlong(const Pattern& start, const std::string& parameter, Index value, Index n);

// How far a slider of `parameter` reaches: its bounds if the other integers were free to move, and
// at most `most` where nothing else bounds it.
Bounds reachOf(const Pattern& pattern, const Parameter& parameter, Index n);

} // namespace attention::gui
