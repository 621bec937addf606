// Choosing a file to open or a name to save under: folders and files of a folder, filtered by
// ending; a name or a whole path may be typed.
#pragma once

#include "app/gui/overlays/overlays.h"

namespace attention::gui {

// Sets `chosen` when a file was chosen.
OverlayStep drawFileDialog(FileDialogState& state, const PanelContext& context,
                           std::vector<std::filesystem::path>& chosen);

} // namespace attention::gui
