// The window's command in programs that are built without a window.
#include "app/gui/run_gui.h"

#include "core/support/error.h"

namespace attention::gui {

bool hasWindow() {
  return false;
}

int runGui(const GuiOptions& /*options*/) {
  throw Error(ErrorCode::Unsupported, "gui",
              "gui is not in this build; it must be a program that was built with "
              "-DATTENTION_GUI=ON, as ./run.sh builds it");
}

} // namespace attention::gui
