// Screens and windows on them: which monitor a window is on (full screen is wanted where the
// audience sees it, not on the first one), where a window opens so that all of it is seen, and what
// a desktop says type is to be multiplied with.
#pragma once

#include <span>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;

namespace attention::gui {

struct ScreenArea {
  int x = 0; // screen coordinates
  int y = 0;
  int width = 0;
  int height = 0;
  bool operator==(const ScreenArea&) const = default;
};

// The area that both have, in square screen coordinates; 0 where there is none.
long long sharedArea(const ScreenArea& a, const ScreenArea& b);

// `window`, with its frame, in the one of `areas` that shows most of it, or in the first where none
// does (a screen that is gone): made no larger than that, and moved as little as brings it in.
// Without areas it stays as it is.
ScreenArea fitted(const ScreenArea& window, std::span<const ScreenArea> areas);

// `stated` where type of that scale can be read and fits a screen, 0.5 to 8; else 1: desktops have
// been seen to state 0, −1, NaN and infinity.
float saneScale(float stated);

// What windows may cover of every monitor, the first monitor's first; panels and docks are outside.
std::vector<ScreenArea> workAreas();

// The monitor that shows most of the window, the first one where none does; null where there is no
// monitor.
GLFWmonitor* monitorOf(GLFWwindow* window);

} // namespace attention::gui
