#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <iterator>

namespace attention::gui {
namespace {

struct ExportButton {
  const char* label;
  const char* action;
  const char* tooltip;
};

constexpr ExportButton kPictures[] = {
    {"PNG", "export.png", "A raster image, with the scene inside"},
    {"SVG", "export.svg", "A vector picture for the web, with the scene inside"},
    {"HTML", "export.html",
     "A web page that says what lies under the pointer, with the scene inside"},
    {"PDF", "export.pdf", "A vector picture for papers, with the scene inside"},
    {"TikZ", "export.tex", "A tikzpicture to \\input into LaTeX"},
};

constexpr int kColumns = 4; // of data and code

void codeButton(const PanelContext& c, float width) {
  if (button(c.ui, "Code",
             {"Source code that rebuilds the mask in FlexAttention, NumPy, JAX …: to read, copy or "
              "save",
              canExport(stateOf(c.results.masks)), width}))
    c.actions.run("edit.showCode");
}

void pictureButtons(const PanelContext& c) {
  const float width = shareOfRow(static_cast<int>(std::size(kPictures)));
  for (const ExportButton& b : kPictures) {
    if (&b != kPictures)
      ImGui::SameLine();
    if (button(c.ui, b.label, {b.tooltip, canExport(c.results.shown), width}))
      c.actions.run(b.action);
  }
}

// The view's numbers, and the mask as code.
void dataButtons(const PanelContext& c) {
  const float width = shareOfRow(kColumns);
  for (const DataForm& form : unitOf(c.scene.view).forms) {
    if (button(c.ui, std::string(form.ending.substr(1)),
               {std::string(form.holds), hasNumbers(c.results.shown), width}))
      c.actions.run("export" + std::string(form.ending));
    ImGui::SameLine();
  }
  if (readsPattern(c.scene))
    codeButton(c, width);
  else
    ImGui::NewLine();
}

// What the button does, or why it cannot.
std::string tipOfCopy(const ShownState& shown, const char* does) {
  if (hasNumbers(shown))
    return does;
  if (shown.problem)
    return "Not possible: " + shown.problem->text;
  return shown.there
             ? "These pictures are a choice of patterns and have no numbers: click one first"
             : "Not possible until something is shown";
}

} // namespace

float exportHeight(const Ui& ui) {
  constexpr int kRows = 3; // pictures; data and code; the clipboard
  const ImGuiStyle& style = ImGui::GetStyle();
  return fontSize(ui.fonts.smallBold) +
         static_cast<float>(kRows) * (ImGui::GetFrameHeight() + style.ItemSpacing.y);
}

void drawExport(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Export");
  sectionHeading(c.ui, "Export");
  pictureButtons(c);
  dataButtons(c);
  const float half = shareOfRow(2);
  if (button(c.ui, "Copy data",
             {tipOfCopy(c.results.shown, "The numbers behind what is shown, as text (Ctrl+C)"),
              hasNumbers(c.results.shown), half}))
    c.actions.run("edit.copy");
  ImGui::SameLine();
  if (button(c.ui, "Copy command",
             {tipOfCopy(c.results.shown,
                        "The attnx command line that gives these numbers (Ctrl+Shift+C)"),
              hasNumbers(c.results.shown), half}))
    c.actions.run("edit.copyCommand");
}

} // namespace attention::gui
