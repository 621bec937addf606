#include "app/gui/views/rotated_text.h"

#include "app/gui/widgets/drawing.h"

namespace attention::gui {

void drawTextUpwards(ImFont* font, ImVec2 at, const ImVec4& textColor, std::string_view text) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Letters outside of the clip rectangle are skipped before they are turned.
  list->PushClipRectFullScreen();
  const int first = list->VtxBuffer.Size;
  const ImVec2 corner(0, 0);
  drawText(font, corner, textColor, text);
  for (int k = first; k < list->VtxBuffer.Size; ++k) {
    ImVec2& p = list->VtxBuffer[k].pos;
    p = ImVec2(at.x + p.y, at.y - p.x);
  }
  list->PopClipRect();
}

} // namespace attention::gui
