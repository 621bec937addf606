#include "app/gui/widgets/words.h"

#include "app/gui/platform/text_images.h"
#include "app/gui/widgets/drawing.h"
#include "core/support/line_break.h"

#include <algorithm>
#include <utility>

namespace attention::gui {
namespace {

// A last line with a single word, beginning after the line's end at `last`, takes one from the line
// before, if that keeps two.
void keepCompany(const ImFont* font, std::string& lines, std::size_t last, float width) {
  const std::size_t before = lines.rfind('\n', last - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  std::size_t blank = lines.rfind(' ', last);
  while (blank != std::string::npos && blank > begin && !breaksAt(lines, blank))
    blank = lines.rfind(' ', blank - 1);
  if (lines.find(' ', last) != std::string::npos || blank == std::string::npos || blank <= begin ||
      lines.find(' ', begin) == blank)
    return;
  std::string moved = lines.substr(blank + 1);
  std::replace(moved.begin(), moved.end(), '\n', ' ');
  if (textSize(font, moved).x <= width)
    lines.replace(blank, std::string::npos, '\n' + moved);
}

} // namespace

// Broken only at spaces, and not at those inside numbers: left to itself, ImGui breaks "86.5 %"
// after the point.
std::string inLines(const ImFont* font, std::string_view text, float width) {
  const float blank = textSize(font, " ").x;
  std::string lines;
  float used = 0;                       // of the current line
  bool starts = true;                   // no word stands in it yet
  std::size_t soft = std::string::npos; // where the current line was broken off the previous one
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = lineBreak(text, at);
    if (textSize(font, text.substr(at, end - at)).x > width) // longer than a line
      end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const float wide = textSize(font, word).x;
    if (!starts && used + blank + wide > width) {
      lines.resize(withoutHangingDot(lines).size());
      soft = lines.size();
      lines += '\n';
      used = wide;
    } else {
      lines += starts ? "" : " ";
      used += (starts ? 0 : blank) + wide;
    }
    lines += word;
    starts = end < text.size() && text[end] == '\n';
    if ((starts || end >= text.size()) && soft != std::string::npos)
      keepCompany(font, lines, std::exchange(soft, std::string::npos), width);
    if (starts) {
      lines += '\n';
      used = 0;
    }
    at = end + 1;
  }
  return lines;
}

namespace {

void textInLines(ImFont* font, const std::string& lines) {
  if (needsShaping(font, lines)) {
    drawText(font, ImGui::GetCursorScreenPos(), ImGui::GetStyleColorVec4(ImGuiCol_Text), lines);
    ImGui::Dummy(textSize(font, lines));
    return;
  }
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopTextWrapPos();
}

void wrapped(const Ui& ui, ImFont* font, const ImVec4& textColor, std::string_view text,
             std::string_view recordedAs) {
  const UseFont use(font);
  StyleColors style;
  style.set(ImGuiCol_Text, textColor);
  const std::string lines = inLines(font, text, availableWidth());
  textInLines(font, lines);
  recordText(ui, recordedAs, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

// Upper-cases words of ASCII letters; one-letter symbols, as in "At m = 64" and "(a)", and all
// other characters stay unchanged.
std::string upperCase(std::string_view text) {
  const auto letter = [&](std::size_t k) {
    return k < text.size() &&
           ((text[k] >= 'a' && text[k] <= 'z') || (text[k] >= 'A' && text[k] <= 'Z'));
  };
  std::string upper(text);
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool alone = !(k > 0 && letter(k - 1)) && !letter(k + 1);
    const bool article = text[k] == 'a' && (k == 0 || text[k - 1] == ' ');
    if (text[k] >= 'a' && text[k] <= 'z' && (!alone || article))
      upper[k] = static_cast<char>(text[k] - 'a' + 'A');
  }
  return upper;
}

// Name left and value right in one line, or in two where they do not fit.
void nameAndValue(const Ui& ui, std::string_view label, ImFont* valueFont, std::string_view value) {
  const float width = availableWidth();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = fontSize(ui.fonts.text);
  const ImVec2 size = textSize(valueFont, value);
  const bool twoLines = textSize(ui.fonts.text, shownLabel(label)).x + size.x + ui.px(8) > width;
  const std::string name = cutToWidth(ui.fonts.text, shownLabel(label), width);
  drawText(ui.fonts.text, at, ui.colors().text, name);
  const float y = twoLines ? at.y + line + ui.px(2) : at.y;
  const std::string shown = cutToWidth(valueFont, value, width);
  const float x = at.x + width - textSize(valueFont, shown).x;
  drawText(valueFont, ImVec2(x, y), ui.colors().text, shown);
  ImGui::Dummy(ImVec2(width, twoLines ? 2 * line + ui.px(2) : line));
  recordText(ui, shownLabel(label), ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), value);
}

struct NoteLook {
  const char* sign;
  ImVec4 color;
};

NoteLook look(const Ui& ui, NoteKind kind) {
  switch (kind) {
  case NoteKind::Error:
    return {"✗", ui.colors().bad};
  case NoteKind::Warning:
    return {"!", ui.colors().warning};
  case NoteKind::Info:
    return {"i", ui.colors().accentText};
  case NoteKind::Good:
    return {"✓", ui.colors().good};
  }
  return {"i", ui.colors().accentText};
}

} // namespace

void words(const Ui& ui, std::string_view text) {
  wrapped(ui, ImGui::GetFont(), ui.colors().text, text, text);
}
float wrappedHeight(ImFont* font, std::string_view text, float width) {
  return textSize(font, inLines(font, text, width)).y;
}
void caption(const Ui& ui, std::string_view text) {
  wrapped(ui, ui.fonts.small, ui.colors().dim, text, text);
}
void code(const Ui& ui, std::string_view text) {
  wrapped(ui, ui.fonts.mono, ui.colors().text, text, text);
}

void groupHeading(const Ui& ui, std::string_view text) {
  const std::string heading = upperCase(text);
  drawText(ui.fonts.smallBold, ImGui::GetCursorScreenPos(), ui.colors().dim, heading);
  ImGui::Dummy(textSize(ui.fonts.smallBold, heading));
  recordText(ui, text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void wrappedHeading(const Ui& ui, std::string_view text) {
  wrapped(ui, ui.fonts.smallBold, ui.colors().dim, text, text);
}

void sectionHeading(const Ui& ui, std::string_view text, std::string_view aside) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = availableWidth();
  const std::string heading = cutToWidth(ui.fonts.smallBold, upperCase(text), width);
  drawText(ui.fonts.smallBold, at, ui.colors().dim, heading);
  const float asideWidth = aside.empty() ? 0 : textSize(ui.fonts.small, aside).x;
  const float room = width - textSize(ui.fonts.smallBold, heading).x - ui.px(8);
  if (asideWidth > 0 && asideWidth <= room)
    drawText(ui.fonts.small, ImVec2(at.x + width - asideWidth, at.y), ui.colors().accentText,
             aside);
  ImGui::Dummy(ImVec2(width, fontSize(ui.fonts.smallBold)));
  recordText(ui, text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), aside);
  if (asideWidth > std::max(room, 0.0F)) // on lines of its own
    wrapped(ui, ui.fonts.small, ui.colors().accentText, aside, aside);
}

void valueRow(const Ui& ui, std::string_view label, std::string_view value,
              std::string_view words) {
  nameAndValue(ui, label, ui.fonts.bold, value);
  tooltip(ui, words);
}

void numberBar(const Ui& ui, std::string_view label, std::string_view value, double share,
               std::string_view words) {
  nameAndValue(ui, label, ui.fonts.text, value);
  tooltip(ui, words);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = availableWidth();
  const float height = ui.px(5);
  const float filled = width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = at.y - ui.px(3);
  list.AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + width, top + height),
                     color(ui.colors().track), height / 2);
  if (filled > 0)
    list.AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + std::max(filled, height), top + height),
                       color(ui.colors().accent), height / 2);
  ImGui::Dummy(ImVec2(width, height));
}

void note(const Ui& ui, NoteKind kind, std::string_view text) {
  const NoteLook shown = look(ui, kind);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawText(ui.fonts.bold, ImVec2(at.x + ui.px(2), at.y), shown.color, shown.sign);
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(20), at.y));
  wrapped(ui, ui.fonts.text, shown.color, text, text);
}

void separator(const Ui& ui) {
  space(ui, 3);
  ImGui::Separator();
  space(ui, 3);
}

void space(const Ui& ui, float length) {
  ImGui::Dummy(ImVec2(0, ui.px(length)));
}

Card::Card(const Ui& ui, std::string_view id)
    : ui_(ui), start_(ImGui::GetCursorScreenPos()), width_(availableWidth()),
      right_(contentRight()) {
  ImGui::PushID(id.data(), id.data() + id.size());
  layers_.Split(ImGui::GetWindowDrawList(), 2);
  layers_.SetCurrentChannel(ImGui::GetWindowDrawList(), 1);
  const ImVec2 padding(ui.px(12), ui.px(9));
  ImGui::SetCursorScreenPos(ImVec2(start_.x + padding.x, start_.y + padding.y));
  setContentRight(start_.x + width_ - padding.x);
  ImGui::BeginGroup();
}

Card::~Card() {
  ImGui::EndGroup();
  setContentRight(right_);
  const float bottom = ImGui::GetItemRectMax().y + ui_.px(9);
  ImDrawList* list = ImGui::GetWindowDrawList();
  layers_.SetCurrentChannel(list, 0);
  const ImVec2 end(start_.x + width_, bottom);
  list->AddRectFilled(start_, end, color(ui_.colors().card), ui_.px(6));
  list->AddRect(start_, end, color(ui_.colors().border), ui_.px(6));
  layers_.Merge(list);
  ImGui::SetCursorScreenPos(start_);
  ImGui::Dummy(ImVec2(width_, bottom - start_.y));
  ImGui::PopID();
}

} // namespace attention::gui
