// Colours and measures of the window, dark and light, as in the mock-ups. Every text colour has a
// contrast of at least 7 : 1 on the backgrounds that it is drawn on.
#pragma once

#include "app/gui/platform/imgui_compat.h"

#include <array>

namespace attention::gui {

enum class ThemeKind { Dark, Light };

struct UiColors {
  ImVec4 view;         // background of the view in the middle
  ImVec4 panel;        // background of bars, sidebars, inspector
  ImVec4 card;         // framed boxes, buttons, fields
  ImVec4 cardHover;    // the same under the pointer
  ImVec4 cardActive;   // the same while pressed
  ImVec4 border;       // of cards and fields
  ImVec4 line;         // between regions
  ImVec4 track;        // of sliders and number bars
  ImVec4 knob;         // of sliders
  ImVec4 text;         // on any background
  ImVec4 dim;          // captions, axes, notes: secondary text on view, panel and card
  ImVec4 disabled;     // text of disabled controls
  ImVec4 accent;       // fills: sliders, check marks, bars (the hue of A¹)
  ImVec4 accentText;   // links and values on view, panel and card
  ImVec4 selected;     // background of the chosen tab or segment
  ImVec4 selectedText; // text on `selected`
  ImVec4 onAccent;     // marks on `accent`
  ImVec4 good;         // ✓ text
  ImVec4 bad;          // ✗ and error text
  ImVec4 warning;      // notes
  ImVec4 crosshair;    // over pictures
  // Hues by part (A¹, A² first) and by pattern: Okabe–Ito, darkened in the light theme.
  std::array<ImVec4, 8> series;
};

struct Theme {
  ThemeKind kind = ThemeKind::Dark;
  UiColors colors;
};

Theme makeTheme(ThemeKind kind);

// Sets ImGui's style to the theme at `scale` (FrameInfo::scale). Call it between frames or at the
// start of one. It costs next to nothing: call it each frame.
void applyTheme(const Theme& theme, float scale);

// From core/plot/color.h: the contrast of two opaque colours, and a hue for words on a background.
double contrast(const ImVec4& first, const ImVec4& second);
ImVec4 readable(const ImVec4& hue, const ImVec4& ground);

} // namespace attention::gui
