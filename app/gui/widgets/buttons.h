// Buttons, links, tabs, items of lists and of menus: what is pressed once.
#pragma once

#include "app/gui/widgets/ui.h"

namespace attention::gui {

// True in the frame in which it was pressed, like all functions here.
bool button(const Ui& ui, std::string_view label, const Control& control = {});
// A small button that shows the symbol `sign` ("◀") and is called `label` in scripts and its
// tooltip.
bool iconButton(const Ui& ui, std::string_view label, std::string_view sign,
                const Control& control = {});
// A button that looks pressed while `on`; pressing it toggles `on`.
bool toggle(const Ui& ui, std::string_view label, bool& on, const Control& control = {});
// Words in the accent colour.
bool link(const Ui& ui, std::string_view label, const Control& control = {});
// A tab of a bar: a filled pill while selected. Place tabs with ImGui::SameLine. `words`: what the
// tab shows where the label does not fit.
bool tab(const Ui& ui, std::string_view label, bool selected, const Control& control = {},
         std::string_view words = {});
// A row of a list across the whole width, with `detail` at its right end.
bool listItem(const Ui& ui, std::string_view label, bool selected, std::string_view detail = {},
              const Control& control = {});
// A picture to press (thumbnails): an area of `size`, framed in the accent colour when selected;
// the caller draws into `area` afterwards.
struct Tile {
  bool pressed = false;
  bool hovered = false;
  Rect area;
};
Tile tile(const Ui& ui, std::string_view label, ImVec2 size, bool selected,
          const Control& control = {});

// ---- the menu bar's parts ----

// True while it is open: then draw its items and call endMenu. Its items are recorded inside the
// scope `label`: "File/Open…".
bool beginMenu(const Ui& ui, std::string_view label, bool enabled = true);
void endMenu(const Ui& ui);

struct MenuItemSpec {
  std::string chord = {}; // "Ctrl+Z", shown on the right
  std::string tooltip = {};
  bool checked = false;
  bool enabled = true;
  float width = 0; // points for its words (the tooltip then has all); 0: as needed
};

// True when it was chosen.
bool menuItem(const Ui& ui, std::string_view label, const MenuItemSpec& spec = {});

} // namespace attention::gui
