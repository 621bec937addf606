// Which monitor a window is on: full screen is wanted where the audience sees it, not on the first
// monitor.
#pragma once

struct GLFWmonitor;
struct GLFWwindow;

namespace attention::gui {

struct ScreenArea {
  int x = 0; // screen coordinates
  int y = 0;
  int width = 0;
  int height = 0;
};

// The area that both have, in square screen coordinates; 0 where there is none.
long long sharedArea(const ScreenArea& a, const ScreenArea& b);

// The monitor that shows most of the window, the first one where none does; null where there is no
// monitor.
GLFWmonitor* monitorOf(GLFWwindow* window);

} // namespace attention::gui
