#include "app/gui/panels/choose_pattern.h"

namespace attention::gui {

void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name) {
  actions.edit(name.empty() ? description(pattern).title : name, [pattern](Scene& s) {
    s.pattern = pattern;
    s.mask.panels.clear();
  });
}

} // namespace attention::gui
