#include "app/gui/frame/workbench.h"

namespace attention::gui {

void addHelpActions(ActionTable& table) {
  table.add({"help.palette",
             "Help",
             "Search everything…",
             "Patterns, figures and actions by name",
             {{static_cast<Key>('K'), true}},
             [](Workbench& b) { b.overlay = PaletteState{}; }});
  table.add({"help.keys",
             "Help",
             "Keys",
             "All keyboard shortcuts and what they do",
             {{Key::Slash, false, true}, {Key::F1}},
             [](Workbench& b) { b.overlay = KeysState{}; }});
  table.add({"help.tour",
             "Help",
             "Show me around",
             "Five things that are worth knowing, pointed at one by one",
             {},
             [](Workbench& b) { b.overlay = TourState{}; }});
  table.add({"help.about",
             "Help",
             "About",
             "What this is, and where its samples come from",
             {},
             [](Workbench& b) { b.overlay = AboutState{}; },
             {},
             {},
             true});
}

} // namespace attention::gui
