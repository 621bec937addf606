#include "app/gui/widgets/drawing.h"

#include "app/gui/platform/text_images.h"
#include "core/support/line_break.h"

#include <algorithm>

namespace attention::gui {

ImVec2 textSize(const ImFont* font, std::string_view text) {
  return sizeOfText(font, fontSize(font), text);
}

void drawText(ImFont* font, ImVec2 at, const ImVec4& textColor, std::string_view text) {
  addText(*ImGui::GetWindowDrawList(), font, fontSize(font), at, color(textColor), text);
}

std::string cutToWidth(const ImFont* font, std::string_view text, float width) {
  if (textSize(font, text).x <= width)
    return std::string(text);
  const std::string dots = "…";
  const float room = width - textSize(font, dots).x;
  std::size_t kept = 0;
  for (std::size_t next = 1; next <= text.size(); ++next) {
    if (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80)
      continue; // inside a UTF-8 character
    if (textSize(font, text.substr(0, next)).x > room)
      break;
    if (!cutsNumber(text, next))
      kept = next;
  }
  return std::string(text.substr(0, kept)) + dots;
}

float availableWidth() {
  return std::max(1.0F, ImGui::GetContentRegionAvail().x);
}

float nameWidth(const Ui& ui, float wanted) {
  return wanted >= 0 ? wanted : std::min(ui.px(150), availableWidth() * 0.32F);
}

void drawName(const Ui& ui, std::string_view label, float width, bool enabled) {
  if (width <= 0)
    return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gap = ui.px(8);
  const ImVec4& tint = enabled ? ui.colors().text : ui.colors().disabled;
  const float room = availableWidth();
  if (textSize(ui.fonts.text, shownLabel(label)).x > width - gap && width < room) {
    drawText(ui.fonts.text, at, tint, cutToWidth(ui.fonts.text, shownLabel(label), room));
    ImGui::Dummy(ImVec2(room, fontSize(ui.fonts.text)));
    return;
  }
  const std::string name = cutToWidth(ui.fonts.text, shownLabel(label), width - gap);
  const float offset = (ImGui::GetFrameHeight() - fontSize(ui.fonts.text)) / 2;
  drawText(ui.fonts.text, ImVec2(at.x, at.y + offset), tint, name);
  ImGui::Dummy(ImVec2(width - gap, ImGui::GetFrameHeight()));
  ImGui::SameLine(0, gap);
}

std::string cutInMiddle(const ImFont* font, std::string_view text, float width) {
  if (textSize(font, text).x <= width)
    return std::string(text);
  const auto within = [&](std::size_t at) { // a UTF-8 character
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::string best = "…";
  std::size_t begin = 0;
  std::size_t end = text.size();
  for (bool atEnd = true; begin < end; atEnd = !atEnd) {
    if (atEnd)
      do
        --end;
      while (within(end));
    else
      do
        ++begin;
      while (within(begin));
    std::string longer(text.substr(0, begin));
    longer.append("…").append(text.substr(end));
    if (textSize(font, longer).x > width)
      break;
    if (!cutsNumber(text, begin) && !cutsNumber(text, end))
      best = std::move(longer);
  }
  return best;
}

} // namespace attention::gui
