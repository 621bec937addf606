#include "core/scene/panel.h"

#include "core/pattern/pattern_title.h"
#include "core/scene/marked_words.h"

namespace attention {

std::string ownTitle(const Panel& panel) {
  return wordsNow(panel.title, panel.pattern);
}

std::vector<PartLook> looksOf(const Panel& panel) {
  std::vector<PartLook> looks = panel.parts;
  for (PartLook& look : looks)
    look.label = wordsNow(look.label, panel.pattern);
  return looks;
}

std::vector<std::string> titlesOf(const std::vector<Panel>& panels) {
  std::vector<const Pattern*> all;
  for (const Panel& panel : panels)
    all.push_back(&panel.pattern);
  std::vector<std::string> titles;
  for (const Panel& panel : panels)
    titles.push_back(panel.title.empty() ? titleText(panel.pattern, all) : ownTitle(panel));
  return titles;
}

} // namespace attention
