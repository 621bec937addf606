#include "app/gui/panels/choose_pattern.h"

namespace attention::gui {

Pattern begun(const Pattern& standard, const Pattern& shown) {
  Pattern pattern = standard;
  if (auto* composition = std::get_if<Compose>(&pattern.mechanism);
      composition && composition->of.empty())
    return Compose(Operation::Union, {shown, patternNamed("local")});
  if (auto* formula = std::get_if<Expr>(&pattern.mechanism); formula && !formula->expr)
    formula->expr = "j <= i";
  return pattern;
}

void choosePattern(ActionSink& actions, const Pattern& pattern) {
  actions.edit(description(pattern).title, [pattern](Scene& s) {
    s.pattern = begun(pattern, s.pattern);
    s.mask.panels.clear();
  });
}

} // namespace attention::gui
