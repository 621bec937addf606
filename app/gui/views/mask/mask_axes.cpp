#include "app/gui/views/mask/mask_marks.h"

#include "app/gui/pictures/rotated_text.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "core/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attention::gui {
namespace {

constexpr float kLongestWord = 96; // points at scale 1 that a token's word takes at most
constexpr float kLeastWord = 30; // its least room, else numbers are shown: a lone “…” says nothing
constexpr float kLeftOfWord = 8; // between a label and the matrix
constexpr float kAboveWord = 5;

float tickY(const MaskFrame& frame, double query, float line) {
  return std::round(frame.y(query) - line / 2);
}

// Cells begin … end − 1 have their middle between two places of an axis of n tokens.
std::vector<Index> cellsBetween(Index n, double first, double last, double spacing) {
  const auto begin = static_cast<Index>(std::ceil(first - 0.5 - 1e-6));
  const auto end = static_cast<Index>(std::floor(last - 0.5 + 1e-6)) + 1;
  return numberedCells(n, std::max<Index>(begin, 0), std::min(end, n), spacing);
}

// Points from one number to the next: room for the widest that is in sight above the matrix; beside
// it lines need less, but the same numbers on both axes of a square read better.
float keySpacing(const Ui& ui, const CellRect& cells) {
  const Index widest = std::max(cells.keyEnd, cells.rowEnd);
  return textSize(ui.fonts.small, groupDigits(widest)).x + ui.px(22);
}
float querySpacing(const Ui& ui, const Lengths& lengths, const CellRect& cells) {
  const float lines = fontSize(ui.fonts.small) * 2.2F;
  return lengths.square() ? std::max(lines, keySpacing(ui, cells)) : lines;
}

// A number on a ground of its own, at the cell under the pointer.
struct Tag {
  std::string text;
  Rect rect;
};

Tag tagAt(const Ui& ui, const std::string& text, ImVec2 at) {
  const ImVec2 size = textSize(ui.fonts.small, text);
  const float pad = ui.px(4);
  return {text, {at.x - pad, at.y, at.x + size.x + pad, at.y + size.y}};
}

Tag queryTag(const Ui& ui, const MaskFrame& frame, Index query) {
  const std::string text = groupDigits(query);
  const ImVec2 size = textSize(ui.fonts.small, text);
  const float y =
      std::clamp(frame.y(static_cast<double>(query) + 0.5), frame.area.y0, frame.area.y1);
  return tagAt(ui, text,
               ImVec2(std::round(frame.area.x0 - size.x - ui.px(8)), std::round(y - size.y / 2)));
}

Tag keyTag(const Ui& ui, const MaskFrame& frame, Index key) {
  const std::string text = groupDigits(key);
  const ImVec2 size = textSize(ui.fonts.small, text);
  const float x = std::clamp(frame.x(static_cast<double>(key) + 0.5), frame.area.x0, frame.area.x1);
  return tagAt(ui, text, ImVec2(std::round(x - size.x / 2), frame.area.y0 - size.y - ui.px(3)));
}

void drawTag(const Ui& ui, const Tag& tag) {
  const Rect& r = tag.rect;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y1),
                                            color(ui.colors().selected), ui.px(3));
  drawText(ui.fonts.small, ImVec2(r.x0 + ui.px(4), r.y0), ui.colors().selectedText, tag.text);
}

void drawKeyNumbers(const Ui& ui, const MaskFrame& frame, const Lengths& lengths,
                    const AxesSpec& spec) {
  ImFont* font = ui.fonts.small;
  const float gap = ui.px(4);
  const auto tag =
      spec.pointed ? std::optional(keyTag(ui, frame, spec.pointed->key)) : std::nullopt;
  for (const Index key : numberedKeys(ui, frame, lengths)) {
    const std::string text = groupDigits(key);
    const ImVec2 size = textSize(font, text);
    const float x = std::round(frame.x(static_cast<double>(key) + 0.5) - size.x / 2);
    const bool covered =
        tag && x < tag->rect.x1 + gap && tag->rect.x0 - gap < x + size.x; // or too near to be read
    if (x + size.x <= spec.keysRight && !covered)
      drawText(font, ImVec2(x, frame.area.y0 - size.y - ui.px(3)), ui.colors().dim, text);
  }
  if (tag)
    drawTag(ui, *tag);
}

void drawQueryNumbers(const Ui& ui, const MaskFrame& frame, const Lengths& lengths,
                      const AxesSpec& spec) {
  ImFont* font = ui.fonts.small;
  const float line = fontSize(font);
  const double spacing =
      static_cast<double>(querySpacing(ui, lengths, visibleCells(frame, lengths))) / frame.scale;
  const auto tag =
      spec.pointed ? std::optional(queryTag(ui, frame, spec.pointed->query)) : std::nullopt;
  for (const Index query :
       cellsBetween(lengths.queries, frame.query0, frame.queryAt(frame.area.y1), spacing)) {
    const std::string text = groupDigits(query);
    const float x = frame.area.x0 - textSize(font, text).x - ui.px(8);
    const float y = tickY(frame, static_cast<double>(query) + 0.5, line);
    if (!tag || y >= tag->rect.y1 || tag->rect.y0 >= y + line)
      drawText(font, ImVec2(std::round(x), y), ui.colors().dim, text);
  }
  if (tag)
    drawTag(ui, *tag);
}

std::string wordOf(std::span<const std::string> words, Index token) {
  return token < static_cast<Index>(words.size())
             ? visibleText(words[static_cast<std::size_t>(token)])
             : std::string();
}

float widest(const ImFont* font, std::span<const std::string> words) {
  float width = 0;
  for (const std::string& word : words)
    width = std::max(width, textSize(font, visibleText(word)).x);
  return width;
}

// Rotated upwards; those narrower than a cell that have too little room for that stay upright.
void drawKeyWords(const Ui& ui, const MaskFrame& frame, const CellRect& cells,
                  std::span<const std::string> words, float room) {
  ImFont* font = ui.fonts.small;
  const float line = fontSize(font);
  const float y = frame.area.y0 - ui.px(kAboveWord);
  const bool upright =
      room < ui.px(kLeastWord) && widest(font, words) + ui.px(4) < static_cast<float>(frame.scale);
  for (Index key = cells.keyBegin; key < cells.keyEnd; ++key) {
    const float x = frame.x(static_cast<double>(key) + 0.5);
    if (x <= frame.area.x0 || x >= frame.area.x1)
      continue;
    const std::string text = wordOf(words, key);
    if (upright)
      drawText(font, ImVec2(std::round(x - textSize(font, text).x / 2), std::round(y - line)),
               ui.colors().dim, text);
    else
      drawTextUpwards(font, ImVec2(x - line / 2, y), ui.colors().dim, cutToWidth(font, text, room));
  }
}

void drawQueryWords(const Ui& ui, const MaskFrame& frame, const CellRect& cells,
                    std::span<const std::string> words, float room) {
  ImFont* font = ui.fonts.small;
  for (Index query = cells.rowBegin; query < cells.rowEnd; ++query) {
    const float y = frame.y(static_cast<double>(query) + 0.5);
    if (y < frame.area.y0 || y > frame.area.y1)
      continue;
    const std::string text = cutToWidth(font, wordOf(words, query), room);
    const float x = frame.area.x0 - textSize(font, text).x - ui.px(kLeftOfWord);
    drawText(font, ImVec2(std::round(x), std::round(y - fontSize(font) / 2)), ui.colors().dim,
             text);
  }
}

} // namespace

std::vector<Index> numberedKeys(const Ui& ui, const MaskFrame& frame, const Lengths& lengths) {
  const float spacing = keySpacing(ui, visibleCells(frame, lengths));
  return cellsBetween(lengths.keys, frame.key0, frame.keyAt(frame.area.x1),
                      static_cast<double>(spacing) / frame.scale);
}

float keysLeft(const Ui& ui, const MaskFrame& whole, const Lengths& lengths) {
  const MaskFrame frame = cutToMask(whole, lengths);
  const Index widest = frame.key0 > 0 ? lengths.keys : 0; // of the numbers that may stand there
  return frame.area.x0 - textSize(ui.fonts.small, groupDigits(widest)).x / 2;
}

float axisWidth(const Ui& ui, const Lengths& lengths) {
  const float numbers = textSize(ui.fonts.small, groupDigits(lengths.queries)).x;
  return std::max(ui.px(24), numbers) + ui.px(12);
}

float axisHeight(const Ui& ui) {
  return fontSize(ui.fonts.small) + ui.px(6);
}

ImVec2 roomOfLabels(const Ui& ui, std::span<const std::string> queries,
                    std::span<const std::string> keys) {
  const ImFont* font = ui.fonts.small;
  const auto room = [&](std::span<const std::string> words, float gap) {
    if (words.empty())
      return 0.0F;
    return std::min(std::max(widest(font, words), fontSize(font)), ui.px(kLongestWord)) +
           ui.px(gap + 1);
  };
  return ImVec2(room(queries, kLeftOfWord), room(keys, kAboveWord));
}

bool wordsFit(const Ui& ui, const MaskFrame& frame) {
  return frame.scale >= static_cast<double>(fontSize(ui.fonts.small) - ui.px(1));
}

void drawAxes(const Ui& ui, const MaskFrame& whole, const Lengths& lengths, const AxesSpec& spec) {
  const MaskFrame frame = cutToMask(whole, lengths);
  const CellRect cells = visibleCells(frame, lengths);
  const float above = std::min(spec.above, ui.px(kLongestWord)) - ui.px(kAboveWord);
  const float left = std::min(spec.left, ui.px(kLongestWord)) - ui.px(kLeftOfWord);
  const auto readable = [&](std::span<const std::string> words, float room) {
    return !words.empty() && (room >= ui.px(kLeastWord) || room >= widest(ui.fonts.small, words));
  };
  if (spec.keys && readable(spec.keyWords, above))
    drawKeyWords(ui, frame, cells, spec.keyWords, above);
  else if (spec.keys)
    drawKeyNumbers(ui, frame, lengths, spec);
  if (spec.queries && readable(spec.queryWords, left))
    drawQueryWords(ui, frame, cells, spec.queryWords, left);
  else if (spec.queries)
    drawQueryNumbers(ui, frame, lengths, spec);
}

void drawAxisTitles(const Ui& ui, const Rect& block, float left, float top) {
  ImFont* font = ui.fonts.small;
  const ImVec2 key = textSize(font, "key j");
  drawText(font, ImVec2(std::round(block.centerX() - key.x / 2), top), ui.colors().dim, "key j");
  const ImVec2 query = textSize(font, "query i");
  drawTextUpwards(font, ImVec2(left, std::round(block.centerY() + query.x / 2)), ui.colors().dim,
                  "query i");
}

void drawCornerTitles(const Ui& ui, const Rect& block, float top) {
  ImFont* font = ui.fonts.small;
  const float line = textSize(font, "query i").y;
  const float bottom = block.y0 - ui.px(4);
  std::vector<const char*> titles{"query i ↓", "key j →"}; // from below
  if (bottom - 2 * line < top)
    titles = {"i ↓  j →"};
  float y = bottom;
  for (const char* title : titles) {
    y -= line;
    const float width = textSize(font, title).x;
    drawText(font, ImVec2(std::round(block.x0 - width - ui.px(5)), std::round(y)), ui.colors().dim,
             title);
  }
}

} // namespace attention::gui
