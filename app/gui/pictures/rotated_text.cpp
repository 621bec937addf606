#include "app/gui/pictures/rotated_text.h"

#include "app/gui/platform/text_images.h"
#include "app/gui/widgets/drawing.h"

namespace attention::gui {

// Letters outside the clip rectangle would be skipped before they are rotated, so it is applied
// only afterwards.
Upwards::Upwards(ImVec2 at)
    : list_(*ImGui::GetWindowDrawList()), at_(at), from_(list_.GetClipRectMin()),
      to_(list_.GetClipRectMax()) {
  list_.PushClipRectFullScreen();
  first_ = list_.VtxBuffer.Size;
  command_ = list_.CmdBuffer.Size - 1;
}

Upwards::~Upwards() {
  for (int k = first_; k < list_.VtxBuffer.Size; ++k) {
    ImVec2& p = list_.VtxBuffer[k].pos;
    p = ImVec2(at_.x + p.y, at_.y - p.x);
  }
  for (int k = command_; k < list_.CmdBuffer.Size; ++k)
    list_.CmdBuffer[k].ClipRect = ImVec4(from_.x, from_.y, to_.x, to_.y);
  list_.PopClipRect();
}

void drawTextUpwards(ImFont* font, ImVec2 at, const ImVec4& textColor, std::string_view text) {
  const ImVec2 size = textSize(font, text);
  {
    const Upwards upwards(at);
    addText(*ImGui::GetWindowDrawList(), font, fontSize(font), ImVec2(0, 0), color(textColor), text,
            OnMissing::Silent);
  }
  if (needsShaping(font, text))
    tellMissing(text, ImVec2(at.x, at.y - size.x), ImVec2(at.x + size.y, at.y));
}

} // namespace attention::gui
