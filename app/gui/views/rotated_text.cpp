#include "app/gui/views/rotated_text.h"

#include "app/gui/widgets/drawing.h"

namespace attention::gui {

// Letters outside of the clip rectangle are skipped before they are turned.
Upwards::Upwards(ImVec2 at) : list_(*ImGui::GetWindowDrawList()), at_(at) {
  list_.PushClipRectFullScreen();
  first_ = list_.VtxBuffer.Size;
}

Upwards::~Upwards() {
  for (int k = first_; k < list_.VtxBuffer.Size; ++k) {
    ImVec2& p = list_.VtxBuffer[k].pos;
    p = ImVec2(at_.x + p.y, at_.y - p.x);
  }
  list_.PopClipRect();
}

void drawTextUpwards(ImFont* font, ImVec2 at, const ImVec4& textColor, std::string_view text) {
  const Upwards upwards(at);
  drawText(font, ImVec2(0, 0), textColor, text);
}

} // namespace attention::gui
