#include "app/gui/platform/monitor.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

namespace attention::gui {

long long sharedArea(const ScreenArea& a, const ScreenArea& b) {
  const auto shared = [](int begin, int length, int otherBegin, int otherLength) {
    const long long end = std::min(static_cast<long long>(begin) + length,
                                   static_cast<long long>(otherBegin) + otherLength);
    return std::max(0LL, end - std::max(begin, otherBegin));
  };
  return shared(a.x, a.width, b.x, b.width) * shared(a.y, a.height, b.y, b.height);
}

ScreenArea fitted(const ScreenArea& window, std::span<const ScreenArea> areas) {
  if (areas.empty())
    return window;
  const ScreenArea* on = &areas.front();
  for (const ScreenArea& area : areas)
    if (sharedArea(window, area) > sharedArea(window, *on))
      on = &area;
  ScreenArea fit = window;
  fit.width = std::min(window.width, on->width);
  fit.height = std::min(window.height, on->height);
  fit.x = std::clamp(window.x, on->x, on->x + on->width - fit.width);
  fit.y = std::clamp(window.y, on->y, on->y + on->height - fit.height);
  return fit;
}

std::optional<ScreenArea> otherArea(const ScreenArea& window, std::span<const ScreenArea> areas) {
  for (const ScreenArea& area : areas)
    if (sharedArea(window, area) == 0)
      return area;
  return std::nullopt;
}

float saneScale(float stated) {
  constexpr float kLeast = 0.5F;
  constexpr float kMost = 8;
  return stated >= kLeast && stated <= kMost ? stated : 1; // NaN fails both
}

int scaledLength(int length, float scale) {
  return static_cast<int>(std::lround(static_cast<float>(length) * scale));
}

int unscaledLength(float length, float scale) {
  return static_cast<int>(std::lround(length / scale));
}

std::vector<ScreenArea> workAreas() {
  std::vector<ScreenArea> areas;
  int count = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    ScreenArea area;
    glfwGetMonitorWorkarea(all[k], &area.x, &area.y, &area.width, &area.height);
    if (area.width > 0 && area.height > 0)
      areas.push_back(area);
  }
  return areas;
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
