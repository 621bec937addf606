#include "app/gui/parameters/parameter_controls.h"

#include "app/gui/parameters/draft_field.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/sliders.h"

#include <cmath>

namespace attention::gui {
namespace {

constexpr double kLogarithmicFrom = 1024; // longer ranges have a logarithmic track

std::string idOf(const ParameterScope& scope, const Pattern& pattern, const Parameter& p) {
  return scope.path + "/" + description(pattern).name + "." + p.name;
}

// One step of a drag that began with the remembered pattern.
void drag(const ParameterScope& scope, Pattern& pattern, const Parameter& p, Index value,
          const std::string& id) {
  PanelMemory& memory = scope.context.memory;
  if (memory.dragged != id || !memory.dragStart) {
    memory.dragged = id;
    memory.dragStart = pattern;
  }
  pattern = pulledAlong(*memory.dragStart, p.name, value, scope.n);
}

void noteEdit(const ParameterScope& scope, const Edit& edit, const Parameter& p,
              const std::string& id) {
  if (edit.changed) {
    scope.change.changed = true;
    scope.change.label = p.name;
    scope.change.gesture = id;
  }
  if (!edit.finished && (edit.active || scope.context.memory.dragged != id))
    return;
  scope.context.memory.dragged.clear();
  scope.context.memory.dragStart.reset();
  scope.change.finished = true;
}

// A link in the slider's middle that goes back to the default. True when it was pressed.
bool defaultLink(const ParameterScope& scope, const Pattern& pattern, const Parameter& p) {
  const Ui& ui = scope.context.ui;
  const bool sqrtOfN = defaultIsSqrt(pattern, p);
  const std::string label = (sqrtOfN ? "snap √n" : "default") + ("##" + p.name);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = textSize(ui.fonts.text, shownLabel(label)).x;
  ImGui::SetCursorScreenPos(ImVec2(at.x + availableWidth() * 0.6F - width / 2, at.y - ui.px(2)));
  const WidgetScope inside(ui.log, labelOf(p));
  const bool pressed = link(
      ui, label, {sqrtOfN ? "Back to the square root of n, rounded" : "Back to the default value"});
  ImGui::SetCursorScreenPos(at);
  return pressed;
}

void integerSlider(const ParameterScope& scope, Pattern& pattern, const Parameter& p, Index value) {
  const std::string id = idOf(scope, pattern, p);
  const bool standard = std::holds_alternative<std::monostate>(p.given(pattern));
  if (!standard && defaultLink(scope, pattern, p)) {
    p.set(pattern, Value{});
    scope.change.changed = true;
    scope.change.label = p.name;
    return;
  }
  const Bounds reach = reachOf(pattern, p, scope.n);
  const std::string tip = tipOf(p);
  SliderSpec spec;
  spec.tooltip = tip;
  spec.logarithmic = reach.maximum - reach.minimum > kLogarithmicFrom;
  if (standard && defaultIsSqrt(pattern, p))
    spec.note = "√n";
  const Edit edit =
      sliderInt(scope.context.ui, labelOf(p), value, static_cast<Index>(reach.minimum),
                static_cast<Index>(reach.maximum), spec);
  if (edit.changed && edit.typed)
    p.set(pattern, Value{value});
  else if (edit.changed)
    drag(scope, pattern, p, value, id);
  noteEdit(scope, edit, p, id);
}

void realSlider(const ParameterScope& scope, Pattern& pattern, const Parameter& p, double value) {
  const std::string id = idOf(scope, pattern, p);
  const Bounds bounds = p.bounds(pattern, scope.n);
  const double least = std::isfinite(bounds.minimum) ? bounds.minimum : std::min(0.0, value);
  const double most =
      std::isfinite(bounds.maximum) ? bounds.maximum : std::max({1.0, 2 * value, least + 1});
  const std::string tip = tipOf(p);
  SliderSpec spec;
  spec.tooltip = tip;
  const Edit edit = sliderReal(scope.context.ui, labelOf(p), value, least, most, spec);
  if (edit.changed)
    p.set(pattern, Value{value});
  noteEdit(scope, edit, p, id);
}

// A number that may be absent, or a seed: typed.
void numberField(const ParameterScope& scope, Pattern& pattern, const Parameter& p) {
  const std::string tip = tipOf(p);
  FieldSpec spec;
  spec.tooltip = tip;
  spec.hint = p.required ? "required" : "none";
  const bool seed = p.type == ParameterType::Seed;
  if (seed)
    spec.width = std::max(40.0F, availableWidth() - nameWidth(scope.context.ui, -1) -
                                     scope.context.ui.px(84));
  const std::string id = idOf(scope, pattern, p);
  const auto accept = [&](const std::string& text) { p.set(pattern, valueOf(p, text)); };
  const std::string shown = textOf(seed ? p.resolved(pattern, scope.n) : p.given(pattern));
  if (draftField(scope.context.ui, scope.context.memory, id, labelOf(p), shown, spec, accept)) {
    scope.change.changed = true;
    scope.change.label = p.name;
    scope.change.gesture = id;
  }
}

void seedControl(const ParameterScope& scope, Pattern& pattern, const Parameter& p) {
  numberField(scope, pattern, p);
  ImGui::SameLine();
  if (!button(scope.context.ui, "redraw", {"Draw again with the next seed", true, -1}))
    return;
  const Value value = p.resolved(pattern, scope.n);
  const auto* seed = std::get_if<std::uint64_t>(&value);
  p.set(pattern, Value{seed ? *seed + 1 : std::uint64_t{1}});
  scope.change.changed = true;
  scope.change.label = "redraw";
}

} // namespace

void numberControl(const ParameterScope& scope, Pattern& pattern, const Parameter& p) {
  if (p.type == ParameterType::Seed)
    return seedControl(scope, pattern, p);
  const Value value = p.resolved(pattern, scope.n);
  if (const auto* integer = std::get_if<Index>(&value))
    return integerSlider(scope, pattern, p, *integer);
  if (const auto* real = std::get_if<double>(&value))
    return realSlider(scope, pattern, p, *real);
  numberField(scope, pattern, p);
}

bool defaultIsSqrt(const Pattern& pattern, const Parameter& p) {
  Pattern standard = pattern;
  p.set(standard, Value{});
  const auto at = [&](Index n) { return p.resolved(standard, n); };
  return at(10000) == Value{Index{100}} && at(250000) == Value{Index{500}};
}

} // namespace attention::gui
