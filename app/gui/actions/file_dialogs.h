// File dialogs that actions open.
#pragma once

#include "app/gui/frame/workbench.h"

namespace attention::gui {

void askForFile(Workbench& bench, FileDialogState dialog);

// Opens the files as a task; what they hold goes into the document when they are read.
void startOpening(Workbench& bench, std::vector<std::filesystem::path> files);

// Writes the mask of the present Scene to a file whose ending tells its form, when it is there.
void exportWhenReady(Workbench& bench, const std::filesystem::path& file);

// Begins the exports and copies that were asked for, once the mask is that of the present Scene;
// forgets them where it cannot be made.
void startWaiting(Workbench& bench);

} // namespace attention::gui
