#include "app/gui/widgets/cut_text.h"

#include "app/gui/widgets/drawing.h"

namespace attention::gui {

std::string cutInMiddle(const ImFont* font, std::string_view text, float width) {
  if (textSize(font, text).x <= width)
    return std::string(text);
  const auto within = [&](std::size_t at) { // a UTF-8 sign
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
    best = std::move(longer);
  }
  return best;
}

} // namespace attention::gui
