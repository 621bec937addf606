// Text entry.
#pragma once

#include "app/gui/widgets/ui.h"

namespace attention::gui {

struct FieldSpec {
  std::string hint = {}; // shown while it is empty
  std::string tooltip = {};
  float labelWidth = -1; // points for the name on the left; 0: no name is drawn, -1: the default
  float width = -1;      // points; -1: to the right edge
  bool mono = false;
  bool enabled = true;
  bool focus = false;    // takes the keyboard in this frame
  bool badValue = false; // drawn with a red frame
  bool readOnly = false;
};

struct FieldEdit : Edit {
  bool entered = false; // Enter was pressed in it
};

// UTF-8 text. `finished` on Enter, Tab or a click elsewhere after a change.
FieldEdit inputText(const Ui& ui, std::string_view label, std::string& text,
                    const FieldSpec& spec = {});

} // namespace attention::gui
