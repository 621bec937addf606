// Screens and windows on them: which monitor a window is on (full screen belongs where the audience
// sees it, not on the first one), where a window opens so that all of it is visible, and the
// desktop's scale factor for type.
#pragma once

#include <optional>
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

// The area that both share, in square screen coordinates; 0 if there is none.
long long sharedArea(const ScreenArea& a, const ScreenArea& b);

// `window`, with its frame, in the one of `areas` that shows most of it, or in the first where none
// does (a screen that is gone): made no larger than that, and moved as little as brings it inside.
// Without areas it stays unchanged.
ScreenArea fitted(const ScreenArea& window, std::span<const ScreenArea> areas);

// Of `areas` the first that shows nothing of `window`; nothing where there is none: with one
// screen, or with two that show the same.
std::optional<ScreenArea> otherArea(const ScreenArea& window, std::span<const ScreenArea> areas);

// `stated` where type of that scale is readable and fits a screen, 0.5 to 8; else 1: some desktops
// state 0, −1, NaN or infinity.
float saneScale(float stated);

// A length at scale 1 in screen coordinates of a screen of that scale, and back.
int scaledLength(int length, float scale);
int unscaledLength(float length, float scale);

// What windows may cover of every monitor, the first monitor's first; panels and docks are outside.
std::vector<ScreenArea> workAreas();

// The monitor that shows most of the window, the first one where none does; null if there is no
// monitor.
GLFWmonitor* monitorOf(GLFWwindow* window);

} // namespace attention::gui
