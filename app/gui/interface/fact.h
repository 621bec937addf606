// What the inspector says of a picture in numbers: lines of a name, a value and what it means.
#pragma once

#include <string>
#include <vector>

namespace attention::gui {

struct Fact {
  std::string label;
  std::string value;
  std::string tooltip;
};

struct Facts {
  std::string heading;
  std::vector<Fact> lines;
  std::vector<std::string> warnings = {};

  void add(std::string label, std::string value, std::string tooltip) {
    lines.push_back({std::move(label), std::move(value), std::move(tooltip)});
  }
};

} // namespace attention::gui
