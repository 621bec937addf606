#include "app/gui/parameters/parameter_controls.h"

#include "app/gui/panels/layout.h"
#include "app/gui/results/pattern_offers.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/beginning.h"
#include "core/pattern/pattern_title.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr int kDeepest = 6; // cards inside cards; deeper ones are summarised

void changed(const ParameterScope& scope, const char* label) {
  scope.change.changed = true;
  scope.change.label = label;
}

// The mechanism of an operand as a list that folds out.
void mechanismChoice(const ParameterScope& scope, Pattern& operand) {
  std::vector<ChoiceItem> items;
  int selected = -1;
  for (const Pattern& p : allMechanisms()) {
    if (sameMechanism(p, operand))
      selected = static_cast<int>(items.size());
    items.push_back({description(p).title, description(p).summary});
  }
  ChoiceSpec spec;
  spec.labelWidth = 0;
  spec.tooltip = "The operand's mechanism";
  if (combo(scope.context.ui, "operand", selected, items, spec)) {
    operand = begun(allMechanisms()[static_cast<std::size_t>(selected)], operand, scope.n);
    changed(scope, "operand");
  }
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
  const auto depth = std::count(scope.path.begin(), scope.path.end(), '/');
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    const WidgetScope inside(ui.log, "operand " + number);
    const Card card(ui, "operand " + number);
    caption(ui, "operand " + number);
    if (removeAtRight(ui, "remove operand", {"Remove this operand", operands.size() > 1}))
      removed = static_cast<int>(k);
    mechanismChoice(scope, operands[k]);
    const ParameterScope nested{scope.context, scope.n,
                                (scope.path.empty() ? "" : scope.path + "/") + std::to_string(k),
                                scope.change, scope.problemShown};
    if (depth < kDeepest)
      parameterControls(nested, operands[k]);
    else
      caption(ui, titleText(operands[k]));
  }
  if (removed >= 0) {
    operands.erase(operands.begin() + removed);
    changed(scope, "remove operand");
  }
  addOperand(scope, operands);
  if (scope.change.changed)
    parameter.set(pattern, std::make_shared<const PatternList>(std::move(operands)));
}

} // namespace attention::gui
