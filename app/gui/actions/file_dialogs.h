// File dialogs that actions open.
#pragma once

#include "app/gui/frame/workbench.h"

namespace attention::gui {

void askForFile(Workbench& bench, FileDialogState dialog);

// Opens the files as a task; what they hold goes into the document when they are read.
void startOpening(Workbench& bench, std::vector<std::filesystem::path> files);

// Begins the exports that were asked for, once the mask is that of the present Scene.
void startExports(Workbench& bench);

} // namespace attention::gui
