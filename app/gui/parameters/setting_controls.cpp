#include "app/gui/parameters/setting_controls.h"

#include "app/gui/panels/layout.h"
#include "app/gui/parameters/draft_field.h"
#include "app/gui/parameters/parameter_controls.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr double kWideRange = 100; // ratio of the ends: in wider ranges small values matter

SliderSpec sliderOf(const std::string& tip, double least, double most) {
  SliderSpec spec;
  spec.tooltip = tip;
  spec.logarithmic = least > 0 && most / least > kWideRange;
  return spec;
}

// Up to the handy value; a larger typed one still has a place on the track.
double mostOf(const SettingNow& now, double value) {
  const double most = std::min(now.bounds.maximum, now.facts.handy.value_or(now.bounds.maximum));
  return std::max(most, std::min(value, now.bounds.maximum));
}

SettingEdit edited(const Edit& edit, Value value) {
  SettingEdit result;
  if (edit.changed)
    result.value = std::move(value);
  result.finished = edit.finished;
  result.continuous = true;
  return result;
}

// One of a few numbers, plus the current one if it is not among them.
SettingEdit usualControl(const PanelContext& c, const SettingNow& now, Index value) {
  std::vector<Index> numbers = now.facts.usual;
  const auto place = std::lower_bound(numbers.begin(), numbers.end(), value);
  int selected = static_cast<int>(place - numbers.begin());
  if (place == numbers.end() || *place != value)
    numbers.insert(place, value);
  const std::string tip = tipOf(now.facts);
  std::vector<ChoiceItem> items;
  items.reserve(now.facts.usual.size() + 1);
  for (const Index number : numbers)
    items.push_back({groupDigits(number), tip});
  ChoiceSpec spec;
  spec.tooltip = tip;
  SettingEdit edit;
  if (combo(c.ui, labelOf(now.facts), selected, items, spec))
    edit.value = numbers[static_cast<std::size_t>(selected)];
  return edit;
}

// The nearest allowed value, where the bounds allow only every other number.
Index onStep(Index value, const Bounds& bounds) {
  const auto least = static_cast<Index>(bounds.minimum);
  return least + (value - least + bounds.step / 2) / bounds.step * bounds.step;
}

// What a number is called, where the window names it.
std::string nameOf(const ParameterFacts& facts, Index value) {
  const auto found = std::find_if(
      facts.choices.begin(), facts.choices.end(),
      [number = std::to_string(value)](const Choice& of) { return of.value == number; });
  return found == facts.choices.end() ? "" : found->label;
}

SettingEdit integerControl(const PanelContext& c, const SettingNow& now, Index value) {
  if (!now.facts.usual.empty())
    return usualControl(c, now, value);
  const std::string tip = tipOf(now.facts);
  const double most = mostOf(now, static_cast<double>(value));
  SliderSpec spec = sliderOf(tip, now.bounds.minimum, most);
  spec.named = nameOf(now.facts, value);
  const Edit edit =
      sliderInt(c.ui, labelOf(now.facts), value, static_cast<Index>(now.bounds.minimum),
                static_cast<Index>(most), spec);
  return edited(edit, edit.typed ? value : onStep(value, now.bounds));
}

SettingEdit realControl(const PanelContext& c, const SettingNow& now, double value) {
  const std::string tip = tipOf(now.facts);
  const double most = mostOf(now, value);
  SliderSpec spec = sliderOf(tip, now.bounds.minimum, most);
  spec.logarithmic = false;
  spec.unit = now.facts.unit;
  const Edit edit = sliderReal(c.ui, labelOf(now.facts), value, now.bounds.minimum, most, spec);
  return edited(edit, value);
}

std::vector<ChoiceItem> itemsOf(const std::vector<Choice>& choices) {
  std::vector<ChoiceItem> items;
  items.reserve(choices.size());
  for (const Choice& choice : choices)
    items.push_back({choice.label.empty() ? choice.value : choice.label, choice.meaning});
  return items;
}

SettingEdit booleanControl(const PanelContext& c, const SettingNow& now, bool on) {
  const std::string tip = tipOf(now.facts);
  SettingEdit edit;
  if (!now.facts.choices.empty()) {
    int selected = on ? 1 : 0;
    ChoiceSpec spec;
    spec.tooltip = tip;
    if (choice(c.ui, labelOf(now.facts), selected, itemsOf(now.facts.choices), spec))
      edit.value = selected == 1;
    return edit;
  }
  if (checkbox(c.ui, labelOf(now.facts), on, {tip}))
    edit.value = on;
  return edit;
}

SettingEdit typedControl(const PanelContext& c, const SettingNow& now, const std::string& id) {
  const std::string tip = tipOf(now.facts);
  FieldSpec spec;
  spec.tooltip = tip;
  spec.hint = now.facts.none;
  SettingEdit edit;
  edit.continuous = true;
  Value typed;
  if (draftField(c.ui, c.memory, id, labelOf(now.facts), textOf(now.value), spec,
                 [&](const std::string& text) {
                   typed = valueOf(now.facts, text);
                   if (const auto* list = std::get_if<IndexList>(&typed);
                       list && list->empty() && now.facts.required)
                     throwRange(now.facts.name, "an empty list", "at least one number");
                   checkValue(now.facts.name, typed, now.bounds, now.facts.type);
                 }))
    edit.value = std::move(typed);
  return edit;
}

SettingEdit choiceControl(const PanelContext& c, const SettingNow& now) {
  const std::vector<Choice>& choices = now.facts.choices;
  const auto at = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
    return choice.value == textOf(now.value);
  });
  // A picture that lacks another one's choice shows the first.
  int selected = at == choices.end() ? 0 : static_cast<int>(at - choices.begin());
  const std::string tip = tipOf(now.facts);
  constexpr std::size_t kMostSegments = 8;
  const auto control = choices.size() > kMostSegments ? combo : choice;
  ChoiceSpec spec;
  spec.tooltip = tip;
  SettingEdit edit;
  if (control(c.ui, labelOf(now.facts), selected, itemsOf(choices), spec))
    edit.value = Value{choices[static_cast<std::size_t>(selected)].value};
  return edit;
}

} // namespace

std::optional<std::size_t> settingToggles(const PanelContext& c, std::span<const ToggleNow> all) {
  const float room = shareOfRow(static_cast<int>(all.size())) - c.ui.px(10);
  const bool fit = std::all_of(all.begin(), all.end(), [&](const ToggleNow& each) {
    return textSize(c.ui.fonts.text, each.label).x <= room;
  });
  const std::size_t columns = fit ? all.size() : 2;
  const float width = shareOfRow(static_cast<int>(columns));
  std::optional<std::size_t> pressed;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k % columns != 0)
      ImGui::SameLine();
    bool on = all[k].on;
    if (toggle(c.ui, all[k].label, on, {all[k].meaning, all[k].enabled, width}))
      pressed = k;
  }
  return pressed;
}

SettingEdit settingControl(const PanelContext& c, const SettingNow& now, const std::string& id) {
  if (now.facts.type == ParameterType::Choice)
    return choiceControl(c, now);
  const bool mayBeAbsent = !now.facts.none.empty(); // an emptied field says so, a slider cannot
  if (const auto* integer = std::get_if<Index>(&now.value); integer && !mayBeAbsent)
    return integerControl(c, now, *integer);
  if (const auto* real = std::get_if<double>(&now.value); real && !mayBeAbsent)
    return realControl(c, now, *real);
  if (const auto* on = std::get_if<bool>(&now.value))
    return booleanControl(c, now, *on);
  return typedControl(c, now, id);
}

} // namespace attention::gui
