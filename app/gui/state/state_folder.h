// Where the window's last state lies between two starts: XDG_STATE_HOME/attention-explorer, or
// ~/.local/state/attention-explorer; nowhere where neither XDG_STATE_HOME nor HOME is set.
#pragma once

#include "app/gui/state/ui_state.h"
#include "core/scene/scene.h"

#include <filesystem>
#include <optional>

namespace attention::gui {

// Empty where there is none.
std::filesystem::path userStateFolder();

struct SavedState {
  std::optional<Scene> scene;
  UiState ui;
  std::string problem; // why the last Scene could not be read; empty where nothing was wrong
};

// What lies in `folder`; defaults for what does not.
SavedState loadState(const std::filesystem::path& folder);

// Error Io where the folder cannot be written.
void saveState(const std::filesystem::path& folder, const Scene& scene, const UiState& ui);

} // namespace attention::gui
