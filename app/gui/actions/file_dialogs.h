// File dialogs that actions open, and the download that one offers.
#pragma once

#include "app/gui/frame/workbench.h"

namespace attention::gui {

void askForFile(Workbench& bench, FileDialogState dialog);

// Opens the files as a task; what they hold goes into the document once they are read.
void startOpening(Workbench& bench, std::vector<std::filesystem::path> files);

// Writes the mask of the current Scene, once it is there, to a file in the format that its ending
// names.
void exportWhenReady(Workbench& bench, const std::filesystem::path& file);

// Starts the requested exports and copies once the mask is that of the current Scene; drops them
// where it cannot be made.
void startWaiting(Workbench& bench);

// SmolLM2 for those who have no model: asks whether to run tools/get_model.sh in the background;
// nothing is downloaded unasked.
void askDownload(Workbench& bench);

} // namespace attention::gui
