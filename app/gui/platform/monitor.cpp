#include "app/gui/platform/monitor.h"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace attention::gui {

long long sharedArea(const ScreenArea& a, const ScreenArea& b) {
  const auto shared = [](int begin, int length, int otherBegin, int otherLength) {
    const long long end = std::min(static_cast<long long>(begin) + length,
                                   static_cast<long long>(otherBegin) + otherLength);
    return std::max(0LL, end - std::max(begin, otherBegin));
  };
  return shared(a.x, a.width, b.x, b.width) * shared(a.y, a.height, b.y, b.height);
}

GLFWmonitor* monitorOf(GLFWwindow* window) {
  ScreenArea of;
  glfwGetWindowPos(window, &of.x, &of.y);
  glfwGetWindowSize(window, &of.width, &of.height);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  long long most = 0;
  int count = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    const GLFWvidmode* mode = glfwGetVideoMode(all[k]);
    if (mode == nullptr)
      continue;
    ScreenArea monitor{0, 0, mode->width, mode->height};
    glfwGetMonitorPos(all[k], &monitor.x, &monitor.y);
    const long long shown = sharedArea(of, monitor);
    if (shown > most) {
      most = shown;
      best = all[k];
    }
  }
  return best;
}

} // namespace attention::gui
