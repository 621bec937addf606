#include "app/gui/frame/bars.h"

#include "app/gui/interface/window_view.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/region.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

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
  const bool ofViews = std::string_view(name) == "View"; // which have many actions
  bool separated = false;
  for (const ActionEntry& action : bench.actions.entries()) {
    if (action.menu != name)
      continue;
    separated = separated || action.separated;
    if (ofViews && action.view.value_or(c.scene.view) != c.scene.view)
      continue;
    if (std::exchange(separated, false))
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

constexpr float kAroundTitle = 116; // of a figure in its menu, at scale 1

// Published figures, one menu per paper. Titles are cut where that menu would not fit beside the
// list of papers: it would open over it, under the pointer.
void drawFigureMenu(const PanelContext& c) {
  if (!beginMenu(c.ui, "Figures", !c.figures.empty()))
    return;
  for (std::size_t first = 0; first < c.figures.size();) {
    const std::string& paper = c.figures[first].paper;
    std::size_t end = first;
    while (end < c.figures.size() && c.figures[end].paper == paper)
      ++end;
    const float beside = ImGui::GetIO().DisplaySize.x - ImGui::GetWindowPos().x -
                         ImGui::GetWindowWidth() - c.ui.px(kAroundTitle);
    if (beginMenu(c.ui, paper)) {
      for (const ShownFigure& figure : c.figures.subspan(first, end - first))
        if (menuItem(c.ui, figure.title, {{}, figure.scene.source, false, true, beside}))
          c.actions.edit(figure.title, [scene = figure.scene](Scene& s) { s = scene; });
      endMenu(c.ui);
    }
    first = end;
  }
  endMenu(c.ui);
}

constexpr const char* kName = "Attention Explorer";
constexpr std::array kMenus{"File", "Edit", "View", "Lessons", "Figures", "Help"};
constexpr float kLeft = 18; // at scale 1, like all that follow
constexpr float kMenuGap = 12;
constexpr float kAroundMenu = 36; // width of a menu beyond its word, at that gap
constexpr float kTabPadding = 10;
constexpr float kTabGap = 4;
constexpr float kFoldsWidth = 84;
constexpr float kPresentWidth = 92; // of its button
constexpr float kPresentShort = 34; // without its word

// What fits the bar; the rest folds into a menu of its own, the name first.
struct BarFit {
  bool name = true;
  bool menus = true;
  bool tabs = true;
  bool present = true; // in words
};

float tabsWidth(const Ui& ui) {
  float width = ui.px(kTabGap) * static_cast<float>(windowViews().size() - 1);
  for (const WindowView& view : windowViews())
    width += textSize(ui.fonts.bold, view.label).x + 2 * ui.px(kTabPadding);
  return width;
}

BarFit fitOf(const Ui& ui, float width) {
  float menus = 0;
  for (const char* menu : kMenus)
    menus += textSize(ui.fonts.text, menu).x + ui.px(kAroundMenu);
  const float name = textSize(ui.fonts.bold, kName).x + ui.px(kMenuGap);
  const float fixed = ui.px(kLeft + 12 + kFoldsWidth);
  const float around = fixed + ui.px(kPresentShort);
  const float tabs = tabsWidth(ui);
  const float folded = textSize(ui.fonts.text, "Menu").x + ui.px(kAroundMenu);
  if (name + menus + tabs + around <= width)
    return {true, true, true, name + menus + tabs + fixed + ui.px(kPresentWidth) <= width};
  if (menus + tabs + around <= width)
    return {false, true, true, menus + tabs + fixed + ui.px(kPresentWidth) <= width};
  return {false, false, folded + tabs + around <= width, false};
}

void drawName(const PanelContext& c) {
  ImGui::SetCursorPosX(c.ui.px(kLeft));
  const UseFont bold(c.ui.fonts.bold);
  ImGui::TextUnformatted(kName);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + c.ui.px(10));
}

void drawMenus(const Workbench& bench, const PanelContext& c) {
  for (const std::string_view menu : kMenus)
    if (menu == "Figures")
      drawFigureMenu(c);
    else
      drawMenu(bench, c, menu.data());
}

std::string tipOf(const WindowView& view) {
  return view.tooltip + (" (" + toString({view.key}) + ")");
}

void drawTabMenu(const PanelContext& c) {
  if (!beginMenu(c.ui, "Views"))
    return;
  for (const WindowView& view : windowViews())
    if (menuItem(c.ui, view.label, {toString({view.key}), view.tooltip, c.scene.view == view.view}))
      c.actions.run(view.action);
  endMenu(c.ui);
}

// The tabs stand over the middle of the view.
void drawTabs(const PanelContext& c, const Rect& area) {
  const Ui& ui = c.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(kTabPadding), ui.px(5)));
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX() + ui.px(12), (area.x1 - tabsWidth(ui)) / 2));
  ImGui::SetCursorPosY((area.y1 - ImGui::GetFrameHeight()) / 2);
  const float top = ImGui::GetCursorPosY();
  for (const WindowView& view : windowViews()) {
    ImGui::SetCursorPosY(top);
    if (tab(ui, view.label, c.scene.view == view.view, {tipOf(view)}))
      c.actions.run(view.action);
    ImGui::SameLine(0, ui.px(kTabGap));
  }
  ImGui::PopStyleVar();
}

// Its label is the same without its word.
void drawPresent(const PanelContext& c, const Rect& area, bool word) {
  const Ui& ui = c.ui;
  const float width = ui.px(word ? kPresentWidth : kPresentShort);
  const Control control{"Full screen in large type, for a lecture (F5); ? lists its keys: → and ← "
                        "step, . blackens the screen, S is a spotlight, Esc goes back"};
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(9), ui.px(5)));
  ImGui::SetCursorPosX(area.x1 - ui.px(kFoldsWidth) - width);
  ImGui::SetCursorPosY((area.y1 - ImGui::GetFrameHeight()) / 2);
  const bool pressed =
      word ? button(ui, "▶ Present", control) : iconButton(ui, "▶ Present", "▶", control);
  ImGui::PopStyleVar();
  if (pressed)
    c.actions.run("view.present");
}

void drawFolds(const Workbench& bench, const PanelContext& c, const Rect& area) {
  const Ui& ui = c.ui;
  ImGui::SetCursorPosX(area.x1 - ui.px(76));
  ImGui::SetCursorPosY((area.y1 - ui.px(28)) / 2);
  if (iconButton(ui, "Fold sidebar", sidebarShown(bench) ? "◧" : "□",
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
  const Region region(ui, "Menu", area, ui.colors().panel,
                      ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollbar |
                          ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (ImGui::BeginMenuBar()) {
    const BarFit fit = fitOf(ui, area.x1 - area.x0);
    ImGui::SetCursorPosX(ui.px(kLeft));
    if (fit.name)
      drawName(c);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(kMenuGap), ui.px(7)));
    if (fit.menus) {
      drawMenus(bench, c);
    } else if (beginMenu(ui, "Menu")) {
      drawMenus(bench, c);
      endMenu(ui);
    }
    if (!fit.tabs)
      drawTabMenu(c);
    ImGui::PopStyleVar();
    if (fit.tabs)
      drawTabs(c, area);
    drawPresent(c, area, fit.present);
    drawFolds(bench, c, area);
    ImGui::EndMenuBar();
  }
  ImGui::PopStyleVar();
}

} // namespace attention::gui
