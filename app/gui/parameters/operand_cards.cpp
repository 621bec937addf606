#include "app/gui/parameters/parameter_controls.h"

#include "app/gui/panels/layout.h"
#include "app/gui/results/pattern_offers.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/beginning.h"
#include "core/pattern/pattern_title.h"

#include <algorithm>
#include <optional>

namespace attention::gui {
namespace {

constexpr int kDeepest = 6; // cards inside cards; deeper ones are summarised

void changed(const ParameterScope& scope, const char* label) {
  scope.change.changed = true;
  scope.change.label = label;
}

std::vector<ChoiceItem> mechanismItems() {
  std::vector<ChoiceItem> items;
  for (const Pattern& p : allMechanisms())
    items.push_back({description(p).title, description(p).summary});
  return items;
}

int placeOf(const Pattern& pattern) {
  const auto all = allMechanisms();
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Pattern& p) { return sameMechanism(p, pattern); });
  return static_cast<int>(at - all.begin());
}

// The mechanism of an operand as a list that folds out.
void mechanismChoice(const ParameterScope& scope, Pattern& operand) {
  int selected = placeOf(operand);
  ChoiceSpec spec;
  spec.labelWidth = 0;
  spec.tooltip = "The operand's mechanism";
  if (combo(scope.context.ui, "operand", selected, mechanismItems(), spec)) {
    operand = begun(allMechanisms()[static_cast<std::size_t>(selected)], operand, scope.n);
    changed(scope, "operand");
  }
}

// The parameters of a pattern within another; deep ones are summarised.
void nestedControls(const ParameterScope& scope, std::size_t place, Pattern& pattern,
                    const std::vector<std::string_view>& unread = {}) {
  const ParameterScope nested{scope.context,
                              scope.n,
                              (scope.path.empty() ? "" : scope.path + "/") + std::to_string(place),
                              scope.change,
                              scope.problemShown,
                              unread};
  if (std::count(scope.path.begin(), scope.path.end(), '/') < kDeepest)
    parameterControls(nested, pattern);
  else
    caption(scope.context.ui, titleText(pattern));
}

void addOperand(const ParameterScope& scope, PatternList& operands) {
  if (!button(scope.context.ui, "Add operand",
              {"Another pattern at the end of the list", true, -1}))
    return;
  operands.push_back(beginning(patternNamed("local"), scope.n));
  changed(scope, "add operand");
}

} // namespace

void operandCards(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter) {
  const Ui& ui = scope.context.ui;
  const Value value = parameter.given(pattern);
  const auto* list = std::get_if<std::shared_ptr<const PatternList>>(&value);
  PatternList operands = list && *list ? **list : PatternList();
  int removed = -1;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    const WidgetScope inside(ui.log, "operand " + number);
    const Card card(ui, "operand " + number);
    caption(ui, "operand " + number);
    if (removeAtRight(ui, "remove operand", {"Remove this operand", operands.size() > 1}))
      removed = static_cast<int>(k);
    mechanismChoice(scope, operands[k]);
    nestedControls(scope, k, operands[k]);
  }
  if (removed >= 0) {
    operands.erase(operands.begin() + removed);
    changed(scope, "remove operand");
  }
  addOperand(scope, operands);
  if (scope.change.changed)
    parameter.set(pattern, std::make_shared<const PatternList>(std::move(operands)));
}

void patternCard(const ParameterScope& scope, Pattern& pattern, const Parameter& parameter) {
  const Ui& ui = scope.context.ui;
  const Value value = parameter.given(pattern);
  const auto* given = std::get_if<std::shared_ptr<const Pattern>>(&value);
  std::optional<Pattern> held = given ? std::optional(**given) : std::nullopt;
  const std::string label = labelOf(parameter);
  const WidgetScope inside(ui.log, label);
  const Card card(ui, label);
  caption(ui, label);
  std::vector<ChoiceItem> items = mechanismItems();
  items.insert(items.begin(), {"none", parameter.none});
  int selected = held ? placeOf(*held) + 1 : 0;
  ChoiceSpec spec;
  spec.labelWidth = 0;
  spec.tooltip = parameter.meaning;
  if (combo(ui, "pattern", selected, items, spec)) {
    const auto k = static_cast<std::size_t>(selected);
    held = k == 0 ? std::nullopt
                  : std::optional(begun(allMechanisms()[k - 1], held.value_or(Pattern()), scope.n));
    changed(scope, parameter.name.c_str());
  }
  if (held) // as the pattern below strokes, by whose heads they are set
    nestedControls(scope, 0, *held, scope.unread);
  if (scope.change.changed)
    parameter.set(pattern, held ? Value(std::make_shared<const Pattern>(*held)) : Value());
}

} // namespace attention::gui
