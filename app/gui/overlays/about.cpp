#include "app/gui/overlays/overlays.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"

namespace attention::gui {

OverlayStep drawAbout(const PanelContext& c) {
  const Ui& ui = c.ui;
  {
    const UseFont title(ui.fonts.title);
    words(ui, "Attention Explorer");
  }
  caption(ui,
          "Which query attends to which key: patterns of sparse attention, drawn exactly at any "
          "length, and measured on real queries and keys.");
  space(ui, 6);
  sectionHeading(ui, "Samples");
  words(ui,
        "Queries, keys and values of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) on the "
        "opening of Lewis Carroll, Alice's Adventures in Wonderland (public domain), and of "
        "SmolLM2-135M-Instruct (Apache-2.0) on the beginning of Jane Austen, Pride and Prejudice "
        "(public domain).");
  space(ui, 6);
  sectionHeading(ui, "Licence");
  words(ui, "MIT. Drawn with Dear ImGui, GLFW and OpenGL.");
  space(ui, 6);
  return button(ui, "Close", {"Back to the view (Esc)"}) ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
