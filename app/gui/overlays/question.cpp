#include "app/gui/overlays/overlays.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

OverlayStep drawQuestion(const QuestionState& state, const PanelContext& c, bool& agreed) {
  const Ui& ui = c.ui;
  {
    const UseFont title(ui.fonts.title);
    words(ui, state.title);
  }
  for (const std::string& paragraph : state.words) {
    space(ui, 6);
    words(ui, paragraph);
  }
  space(ui, 10);
  agreed = button(ui, state.yes, {"Begin; the status bar shows that it runs"});
  ImGui::SameLine();
  return button(ui, "Cancel", {"Back to the view (Esc)"}) ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
