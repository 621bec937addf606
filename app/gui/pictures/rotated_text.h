// Text that reads from below to above: titles of vertical axes, words over narrow columns.
#pragma once

#include "app/gui/platform/imgui_compat.h"

#include <string_view>

namespace attention::gui {

// While it lives, what is drawn with its corner at the origin is rotated by a quarter turn to read
// upwards, with its lower left corner, where the first letter stands, at `at`.
class Upwards {
public:
  explicit Upwards(ImVec2 at);
  ~Upwards();
  Upwards(const Upwards&) = delete;
  Upwards& operator=(const Upwards&) = delete;

private:
  ImDrawList& list_;
  ImVec2 at_;
  ImVec2 from_; // the clip rectangle
  ImVec2 to_;
  int first_;   // vertex
  int command_; // the first that draws them
};

void drawTextUpwards(ImFont* font, ImVec2 at, const ImVec4& textColor, std::string_view text);

} // namespace attention::gui
