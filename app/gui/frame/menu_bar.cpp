#include "app/gui/frame/bars.h"

#include "app/gui/frame/region.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/view/view_list.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/menus.h"

#include <filesystem>

namespace attention::gui {
namespace {

std::string tipOf(const Workbench& bench, const ActionEntry& action) {
  const bool undo = action.id == "edit.undo" && bench.document.canUndo();
  const bool redo = action.id == "edit.redo" && bench.document.canRedo();
  if (undo || redo)
    return action.tooltip + ": " + (undo ? bench.document.undoLabel() : bench.document.redoLabel());
  return action.tooltip;
}

void drawRecent(const Workbench& bench, const PanelContext& c) {
  if (!beginMenu(c.ui, "Recent", !bench.ui.recentFiles.empty()))
    return;
  for (std::size_t k = 0; k < bench.ui.recentFiles.size(); ++k) {
    const std::filesystem::path file = bench.ui.recentFiles[k];
    ImGui::PushID(static_cast<int>(k));
    if (menuItem(c.ui, visibleText(file.filename().string()), {{}, file.string()}))
      c.actions.run("recent." + std::to_string(k));
    ImGui::PopID();
  }
  endMenu(c.ui);
}

void drawMenu(const Workbench& bench, const PanelContext& c, const char* name) {
  if (!beginMenu(c.ui, name))
    return;
  for (const ActionEntry& action : bench.actions.entries()) {
    if (action.menu != name)
      continue;
    if (action.separated)
      ImGui::Separator();
    const std::string chord =
        action.chords.empty() ? std::string() : toString(action.chords.front());
    const std::string tip = tipOf(bench, action);
    if (menuItem(c.ui, action.label,
                 {chord, tip, action.isChecked(bench), action.isEnabled(bench)}))
      c.actions.run(action.id);
    if (action.id == "file.open")
      drawRecent(bench, c);
  }
  endMenu(c.ui);
}

// Published figures, a menu a paper.
void drawFigureMenu(const PanelContext& c) {
  if (!beginMenu(c.ui, "Figures", !c.figures.empty()))
    return;
  for (std::size_t first = 0; first < c.figures.size();) {
    const std::string& paper = c.figures[first].paper;
    std::size_t end = first;
    while (end < c.figures.size() && c.figures[end].paper == paper)
      ++end;
    if (beginMenu(c.ui, paper)) {
      for (const ShownFigure& figure : c.figures.subspan(first, end - first))
        if (menuItem(c.ui, figure.title, {{}, figure.scene.source}))
          c.actions.edit(figure.title, [scene = figure.scene](Scene& s) { s = scene; });
      endMenu(c.ui);
    }
    first = end;
  }
  endMenu(c.ui);
}

void drawName(const PanelContext& c) {
  const UseFont bold(c.ui.fonts.bold);
  ImGui::TextUnformatted("Attention Explorer");
}

// The tabs stand over the middle of the view.
void drawTabs(const PanelContext& c, const Rect& area) {
  const Ui& ui = c.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(11), ui.px(5)));
  float width = ui.px(4) * static_cast<float>(kViews.size() - 1);
  for (const ViewEntry& view : kViews)
    width += textSize(ui.fonts.bold, view.label).x + 2 * ui.px(11);
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX() + ui.px(12), (area.x1 - width) / 2));
  ImGui::SetCursorPosY((area.y1 - ImGui::GetFrameHeight()) / 2);
  const float top = ImGui::GetCursorPosY();
  for (const ViewEntry& view : kViews) {
    ImGui::SetCursorPosY(top);
    if (tab(ui, view.label, c.scene.view == view.view,
            {view.tooltip + (" (" + toString({view.key}) + ")")}))
      c.actions.run(view.action);
    ImGui::SameLine(0, ui.px(4));
  }
  ImGui::PopStyleVar();
}

void drawFolds(const Workbench& bench, const PanelContext& c, const Rect& area) {
  const Ui& ui = c.ui;
  ImGui::SetCursorPosX(area.x1 - ui.px(76));
  ImGui::SetCursorPosY((area.y1 - ui.px(28)) / 2);
  if (iconButton(ui, "Fold sidebar", bench.ui.sidebar ? "◧" : "□",
                 {"Fold or unfold the left sidebar ( [ )"}))
    c.actions.run("view.sidebar");
  ImGui::SetCursorPosX(area.x1 - ui.px(42));
  ImGui::SetCursorPosY((area.y1 - ui.px(28)) / 2);
  if (iconButton(ui, "Fold inspector", inspectorShown(bench) ? "◨" : "□",
                 {"Fold or unfold the inspector ( ] )"}))
    c.actions.run("view.inspector");
}

} // namespace

void drawMenuBar(const Workbench& bench, const PanelContext& c, const Rect& area) {
  const Ui& ui = c.ui;
  const float padding = (area.y1 - area.y0 - fontSize(ui.fonts.text)) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(9), padding));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(18), 0));
  ImGui::PushStyleColor(ImGuiCol_MenuBarBg, ui.colors().panel);
  const Region region(ui, "Menu", area, ui.colors().panel,
                      ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollbar |
                          ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (ImGui::BeginMenuBar()) {
    ImGui::SetCursorPosX(ui.px(18));
    drawName(c);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(10));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(20), ui.px(7)));
    for (const char* menu : {"File", "Edit", "View", "Lessons"})
      drawMenu(bench, c, menu);
    drawFigureMenu(c);
    drawMenu(bench, c, "Help");
    ImGui::PopStyleVar();
    drawTabs(c, area);
    drawFolds(bench, c, area);
    ImGui::EndMenuBar();
  }
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

} // namespace attention::gui
