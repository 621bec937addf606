// A Problem in words, where its result would stand.
#pragma once

#include "app/gui/view/latest.h"
#include "app/gui/widgets/ui.h"

namespace attention::gui {

// An error's sentence; that the user stopped the job is none.
void note(const Ui& ui, const Problem& problem);

} // namespace attention::gui
