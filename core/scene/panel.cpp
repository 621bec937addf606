#include "core/scene/panel.h"

#include "core/pattern/pattern_title.h"

namespace attention {

std::vector<std::string> titlesOf(const std::vector<Panel>& panels) {
  std::vector<const Pattern*> all;
  for (const Panel& panel : panels)
    all.push_back(&panel.pattern);
  std::vector<std::string> titles;
  for (const Panel& panel : panels)
    titles.push_back(panel.title.empty() ? titleText(panel.pattern, all) : panel.title);
  return titles;
}

} // namespace attention
