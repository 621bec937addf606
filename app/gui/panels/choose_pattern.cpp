#include "app/gui/panels/choose_pattern.h"
#include "core/scene/shown_patterns.h"

namespace attention::gui {

void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name) {
  actions.edit(name.empty() ? description(pattern).title : name,
               [pattern, name](Scene& s) { replaceEditedPattern(s, pattern, name); });
}

} // namespace attention::gui
