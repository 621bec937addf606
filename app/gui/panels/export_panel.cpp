#include "app/gui/panels/inspector.h"
#include "app/gui/panels/layout.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/menus.h"
#include "app/gui/widgets/words.h"
#include "core/figure/code/source.h"

#include <iterator>

namespace attention::gui {
namespace {

struct ExportButton {
  const char* label;
  const char* action;
  const char* tooltip;
};

constexpr ExportButton kFiles[] = {
    {"PNG", "export.png", "A picture of pixels, with the scene inside"},
    {"SVG", "export.svg", "A vector picture for the web, with the scene inside"},
    {"PDF", "export.pdf", "A vector picture for papers, with the scene inside"},
    {"TikZ", "export.tex", "A tikzpicture to \\input into LaTeX"},
    {"npy", "export.npy", "The mask as a boolean NumPy array, n × n"},
    {"csv", "export.csv", "The attended pairs i,j, one a line"},
    {"mtx", "export.mtx", "The attended pairs in Matrix Market's form"},
};

constexpr int kColumns = 4;

// A button that folds out the libraries for which code is copied.
void codeButton(const PanelContext& c, float width) {
  if (button(c.ui, "Code",
             {"Copy source that rebuilds the mask: choose a library", canExport(c.results), width}))
    ImGui::OpenPopup("code");
  if (!ImGui::BeginPopup("code"))
    return;
  const WidgetScope scope(c.ui.log, "Code");
  for (const CodeTargetName& library : codeTargets())
    if (menuItem(c.ui, library.title, {{}, "Copy source that rebuilds the mask"}))
      c.actions.run("edit.code." + std::string(library.name));
  ImGui::EndPopup();
}

} // namespace

float exportHeight(const Ui& ui) {
  constexpr int kRows = (static_cast<int>(std::size(kFiles)) + kColumns) / kColumns + 1;
  const ImGuiStyle& style = ImGui::GetStyle();
  return fontSize(ui.fonts.smallBold) +
         static_cast<float>(kRows) * (ImGui::GetFrameHeight() + style.ItemSpacing.y);
}

void drawExport(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Export");
  sectionHeading(c.ui, "Export");
  const float width = shareOfRow(kColumns);
  int column = 0;
  for (const ExportButton& b : kFiles) {
    if (column++ % kColumns != 0)
      ImGui::SameLine();
    if (button(c.ui, b.label, {b.tooltip, canExport(c.results), width}))
      c.actions.run(b.action);
  }
  ImGui::SameLine();
  codeButton(c, width);
  const float half = shareOfRow(2);
  if (button(c.ui, "Copy data",
             {"The attended pairs of what is shown, as text (Ctrl+C)", canExport(c.results), half}))
    c.actions.run("edit.copy");
  ImGui::SameLine();
  if (button(c.ui, "Copy command",
             {"The attnx command line that gives these counts (Ctrl+Shift+C)", true, half}))
    c.actions.run("edit.copyCommand");
}

} // namespace attention::gui
