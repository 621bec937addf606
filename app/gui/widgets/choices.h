// Choices: check boxes, one of a few segments, one of a drop-down list.
#pragma once

#include "app/gui/widgets/ui.h"

#include <span>

namespace attention::gui {

bool checkbox(const Ui& ui, std::string_view label, bool& on, const Control& control = {});

struct ChoiceItem {
  std::string label;
  std::string tooltip;
  bool enabled = true;
};

struct ChoiceSpec {
  int columns = 0;       // segments per row; 0: all in one row
  float labelWidth = -1; // points for the name on the left; 0: no name is drawn, -1: the default
  bool enabled = true;
  std::string tooltip = {}; // of the name
};

// `label` on the left, then segments of equal width over the rest; true when `selected` changed.
// Segments are recorded inside the scope `label`: "factor/A¹". selected = -1: none.
bool choice(const Ui& ui, std::string_view label, int& selected, std::span<const ChoiceItem> items,
            const ChoiceSpec& spec = {});

// A drop-down list; `label` on the left. True when `selected` changed. Its items are recorded
// inside the scope `label` while it is open.
bool combo(const Ui& ui, std::string_view label, int& selected, std::span<const ChoiceItem> items,
           const ChoiceSpec& spec = {});

} // namespace attention::gui
