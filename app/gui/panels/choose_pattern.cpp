#include "app/gui/panels/choose_pattern.h"

#include "core/pattern/beginning.h"

#include <algorithm>

namespace attention::gui {

Lengths chosenLengths(const PanelContext& c) {
  return c.results.lengths.keys > 0 ? c.results.lengths
                                    : Lengths{kDefaultLength, kDefaultLength, 0};
}

Pattern begun(const Pattern& standard, const Pattern& shown, Index n) {
  const auto* composition = std::get_if<Compose>(&standard.mechanism);
  if (composition && composition->of.empty())
    return Compose(Operation::Union, {shown, beginning(patternNamed("local"), n)});
  return beginning(standard, n);
}

Pattern patternToChoose(const PanelContext& c, const Pattern& standard) {
  const auto same = [&](const Pattern& p) {
    return p.mechanism.index() == standard.mechanism.index();
  };
  if (same(c.scene.pattern))
    return c.scene.pattern;
  const auto& recent = c.habits.recentPatterns;
  const auto known = std::find_if(recent.begin(), recent.end(), same);
  return known == recent.end() ? begun(standard, c.scene.pattern, chosenLengths(c).keys) : *known;
}

void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name) {
  actions.edit(name.empty() ? description(pattern).title : name, [pattern](Scene& s) {
    s.pattern = pattern;
    s.mask.panels.clear();
  });
}

} // namespace attention::gui
