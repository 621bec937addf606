// A line of the inspector: a name, a value, and what it means.
#pragma once

#include <string>

namespace attention::gui {

struct Fact {
  std::string label;
  std::string value;
  std::string tooltip;
};

} // namespace attention::gui
