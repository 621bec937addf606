#include "app/gui/parameters/parameter_controls.h"

#include "app/gui/interface/latest.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/beginning.h"
#include "core/pattern/mask_reference.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/pattern_title.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <charconv>

namespace attention::gui {
namespace {

// A control without memory of a drag: a choice or a check box.
void plainControl(const ParameterScope& scope, Pattern& pattern, const Parameter& p) {
  const SettingNow now{p, p.resolved(pattern, scope.n), p.bounds(pattern, scope.n)};
  const SettingEdit edit = settingControl(scope.context, now, p.name);
  if (!edit.value)
    return;
  const Pattern before = pattern;
  p.set(pattern, *edit.value);
  dropUnread(pattern);
  pattern = begunChoice(before, pattern, scope.n);
  scope.change.changed = true;
  scope.change.label = p.name;
}

// The value that holds while nothing is typed.
std::string hintOf(const Parameter& p, const Pattern& pattern, Index n) {
  const std::string standard = textOf(p.resolved(pattern, n));
  if (!standard.empty())
    return standard + ", the default";
  return p.required ? "required" : "none";
}

void textControl(const ParameterScope& scope, Pattern& pattern, const Parameter& p) {
  const std::string id = scope.path + "/" + description(pattern).name + "." + p.name;
  FieldSpec spec;
  spec.mono = p.type == ParameterType::Text;
  const std::string tip = tipOf(p);
  spec.tooltip = tip;
  const std::string hint = hintOf(p, pattern, scope.n);
  spec.hint = hint;
  const auto accept = [&](const std::string& text) { p.set(pattern, valueOf(p, text)); };
  const Value value = p.given(pattern);
  std::string shown = textOf(value);
  if (p.type == ParameterType::IntegersOrCount && std::holds_alternative<Index>(value))
    shown = "first " + shown;
  if (p.type == ParameterType::Text) { // a formula takes the whole width
    const Ui& ui = scope.context.ui;
    const std::string name = labelOf(p);
    drawText(ui.fonts.text, ImGui::GetCursorScreenPos(), ui.colors().text, name);
    ImGui::Dummy(textSize(ui.fonts.text, name));
    spec.labelWidth = 0;
  }
  if (!draftField(scope.context.ui, scope.context.memory, id, labelOf(p), shown, spec, accept))
    return;
  scope.change.changed = true;
  scope.change.label = p.name;
  scope.change.gesture = id;
}

void maskControl(const ParameterScope& scope, Pattern& pattern, const Parameter& p) {
  const Ui& ui = scope.context.ui;
  const Value value = p.given(pattern);
  const auto* source = std::get_if<MaskSource>(&value);
  const auto& problem = scope.context.results.masks.problem;
  if (!source) {
    caption(ui, "no mask yet: choose a file, or drop one on the window");
    scope.problemShown = scope.problemShown || (problem && problem->subject == p.name);
  } else if (source->file.empty()) {
    words(ui, counted(source->pairs.size(), "pair"));
  } else {
    words(ui, titleOf(maskReference(source->file)));
  }
  if (button(ui, "Choose mask…",
             {"An array of 0 and 1 or of 0 and −∞ (.npy .npz .safetensors), a sparse matrix "
              "(.npz .mtx), or pairs i,j (.csv); 1 attends"})) {
    scope.context.memory.maskTarget = scope.path;
    scope.context.actions.run("pattern.mask");
  }
}

void control(const ParameterScope& scope, Pattern& pattern, const Parameter& p) {
  switch (p.type) {
  case ParameterType::Integer:
  case ParameterType::Real:
  case ParameterType::Seed:
    return numberControl(scope, pattern, p);
  case ParameterType::Boolean:
  case ParameterType::Choice:
    return plainControl(scope, pattern, p);
  case ParameterType::Mask:
    return maskControl(scope, pattern, p);
  case ParameterType::Pattern:
    return patternCard(scope, pattern, p);
  case ParameterType::Patterns:
    return operandCards(scope, pattern, p);
  case ParameterType::Strokes:
    return strokeList(scope, pattern, p);
  default:
    return textControl(scope, pattern, p);
  }
}

void problemOf(const ParameterScope& scope, const Parameter& p) {
  const auto& problem = scope.context.results.masks.problem;
  if (!problem || problem->subject != p.name || scope.problemShown)
    return;
  note(scope.context.ui, *problem);
  scope.problemShown = true;
}

// Whether the meaning says what is counted: "Blocks before the query's own". Tokens are also
// counted as queries or keys: "Keys per block".
bool saysUnit(const ParameterFacts& p) {
  const auto says = [&](const std::string& word) {
    return p.meaning.find(word) != std::string::npos ||
           p.meaning.find(capitalised(word)) != std::string::npos;
  };
  return says(p.unit) || (p.unit == "tokens" && (says("queries") || says("keys")));
}

} // namespace

void parameterControls(const ParameterScope& scope, Pattern& pattern) {
  ImGui::PushID(description(pattern).name.c_str());
  // By index: a control may replace the pattern, and with it what the description says.
  const Description& d = description(pattern);
  for (const Parameter& p : d.parameters) {
    if (&description(pattern) != &d || !p.visible(pattern) ||
        std::ranges::find(scope.unread, p.name) != scope.unread.end())
      continue;
    ImGui::PushID(p.name.c_str());
    control(scope, pattern, p);
    problemOf(scope, p);
    ImGui::PopID();
  }
  ImGui::PopID();
}

std::string tipOf(const ParameterFacts& p) {
  std::string tip = p.meaning;
  if (!p.unit.empty() && !saysUnit(p))
    tip += ", in " + p.unit;
  if (!p.symbol.empty())
    tip += " (" + p.symbol + " in the formulas)";
  return tip;
}

std::string labelOf(const ParameterFacts& p) {
  if (!p.label.empty())
    return p.label;
  if (p.name == "causal" && p.type == ParameterType::Boolean)
    return "causal (j ≤ i)";
  std::string label = titleText(p);
  if (!p.symbol.empty() && p.symbol != label)
    label += " " + p.symbol;
  return label;
}

Pattern* operandAt(Pattern& pattern, std::string_view path) {
  Pattern* at = &pattern;
  while (!path.empty()) {
    auto* composition = at->as<Compose>();
    auto* drawn = at->as<Drawn>();
    std::size_t k = 0;
    const auto slash = path.find('/');
    const std::string_view piece = path.substr(0, slash);
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), k);
    const bool among = composition && k < composition->of.size();
    const bool below = drawn && drawn->on && k == 0;
    if (error != std::errc() || !(among || below))
      return nullptr;
    at = among ? &composition->of[k] : &*drawn->on;
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return at;
}

} // namespace attention::gui
