// A fixed part of the window: menu bar, sidebar, view, inspector, status bar.
#pragma once

#include "app/gui/platform/imgui_compat.h"
#include "app/gui/widgets/ui.h"

namespace attention::gui {

// Fills a rectangle of the screen below all windows of this frame, which covers most of the
// window's pixels; `tint` is opaque. It is cleared, not drawn: software OpenGL takes several
// milliseconds per frame to draw it as textured triangles.
void fillGround(ImVec2 from, ImVec2 to, ImU32 tint);

class Region {
public:
  // An ImGui window over `area`, and the log's scope of that name, while it lives; with
  // thin lines to what lies on the right and below where it has `edges`.
  Region(const Ui& ui, const char* name, const Rect& area, const ImVec4& ground,
         ImGuiWindowFlags flags = 0, bool edges = true)
      : scope_(ui.log, name) {
    ImGui::SetNextWindowPos(ImVec2(area.x0, area.y0));
    ImGui::SetNextWindowSize(ImVec2(area.x1 - area.x0, area.y1 - area.y0));
    fillGround(ImVec2(area.x0, area.y0), ImVec2(area.x1, area.y1), color(ground));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin(name, nullptr,
                 flags | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoTitleBar |
                     ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar(3);
    if (edges)
      drawEdges(ui, area);
  }
  // Continues the region of that name, which must have begun and ended earlier in this frame.
  Region(const Ui& ui, const char* name);
  ~Region() { ImGui::End(); }
  Region(Region&&) = delete;

private:
  static void drawEdges(const Ui& ui, const Rect& area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 line = color(ui.colors().line);
    list.PushClipRectFullScreen();
    list.AddLine(ImVec2(area.x1, area.y0), ImVec2(area.x1, area.y1), line, ui.px(1));
    list.AddLine(ImVec2(area.x0, area.y1), ImVec2(area.x1, area.y1), line, ui.px(1));
    list.PopClipRect();
  }

  WidgetScope scope_;
};

} // namespace attention::gui
