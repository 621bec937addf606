// The menu bar's parts.
#pragma once

#include "app/gui/widgets/ui.h"

namespace attention::gui {

// True while it is open: then draw its items and call endMenu. Its items are recorded inside the
// scope `label`: "File/Open…".
bool beginMenu(const Ui& ui, std::string_view label, bool enabled = true);
void endMenu(const Ui& ui);

struct MenuItemSpec {
  std::string_view chord = {}; // "Ctrl+Z", shown on the right
  std::string_view tooltip = {};
  bool checked = false;
  bool enabled = true;
  float width = 0; // points for its words (the tooltip then has all); 0: as needed
};

// True when it was chosen.
bool menuItem(const Ui& ui, std::string_view label, const MenuItemSpec& spec = {});

} // namespace attention::gui
