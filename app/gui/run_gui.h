// The window as a command: on the screen, as a picture without a display, or driven by a script.
#pragma once

#include "core/input/input_spec.h"
#include "core/scene/scene.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

namespace attention::gui {

struct UiState;

struct WindowSize {
  int width = 1440; // points
  int height = 900;
};

struct GuiOptions {
  std::filesystem::path scene;              // empty: the last state, or the default scene
  std::optional<InputSpec> input;           // in place of the scene's
  std::vector<std::filesystem::path> files; // opened as if they were dropped on the window
  std::optional<View> view;                 // else the scene's
  std::filesystem::path screenshot;         // PNG; without a display
  std::filesystem::path script;             // played without a display
  std::optional<WindowSize> size;           // else as last time
  float uiScale = 1;
  std::optional<bool> dark;           // the theme, else as last time
  bool watch = false;                 // files that change are read again automatically
  double waitSeconds = 10;            // for jobs, before the picture is taken
  std::filesystem::path shaderFolder; // empty: the embedded shaders
  std::stop_token stop;               // Ctrl+C, or the end of the session
};

// The size to open the window with: the requested one, else the remembered one.
WindowSize startSize(const GuiOptions& options, const UiState& remembered);

// Whether this program has a window; where it has none, runGui throws E_UNSUPPORTED.
bool hasWindow();

// 0; 1 where a check of the script failed, with a line on standard error for each. Errors are
// thrown: no display, no OpenGL, a scene or script that cannot be read, a picture that cannot be
// written; Stopped where `stop` was requested, with the window's state written first.
int runGui(const GuiOptions& options);

} // namespace attention::gui
