// SmolLM2 for those who have no model: tools/get_model.sh, run in the background once the user has
// agreed.
#pragma once

namespace attention::gui {

struct Workbench;

// Asks whether to download it; nothing is downloaded unasked.
void askDownload(Workbench& bench);

} // namespace attention::gui
