#include "app/gui/pictures/picture_parts.h"

#include "app/gui/files/read_input.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/platform/fonts.h"
#include "app/gui/platform/imgui_compat.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention::gui {
namespace {

constexpr float kTabGap = 2; // at scale 1, like all that follow
constexpr float kTitleHeight = 34;
constexpr float kNoTitle = 8;
constexpr float kSwatch = 13; // its side
constexpr float kSwatchWords = 19;
constexpr float kSwatchGap = 18;
constexpr float kMostCaption = 0.26F; // of a view's height: longer captions are cut to a line

struct TabGrid {
  ImVec2 padding;
  float left = 0;
  float column = 0;        // width of a tab in two rows; 0: in one row, each as wide as its words
  std::size_t columns = 0; // tabs of a row
};

TabGrid tabGrid(const Ui& ui, const Rect& area, std::span<const TabWords> tabs) {
  const ImVec2 padding(ui.px(10), ui.px(5));
  float wide = -2 * padding.x; // the words begin and end at the edges of the area
  for (const TabWords& of : tabs)
    wide += textSize(ui.fonts.bold, of.label).x + 2 * padding.x + ui.px(kTabGap);
  if (wide <= widthOf(area) || tabs.size() < 2)
    return {padding, area.x0 - padding.x, 0, tabs.size()};
  const std::size_t columns = (tabs.size() + 1) / 2;
  const auto all = static_cast<float>(columns);
  return {ImVec2(ui.px(4), ui.px(1)), area.x0, (widthOf(area) - (all - 1) * ui.px(kTabGap)) / all,
          columns};
}

struct SwatchPlace {
  const LegendEntry* entry;
  float x; // from the left
  std::size_t line;
  float width;
  std::string words; // in lines where a single one is wider than the room
  std::size_t lines = 1;
};

SwatchPlace swatchPlace(const Ui& ui, const LegendEntry& entry, float width) {
  const ImFont* font = ui.fonts.small;
  const float wide = ui.px(kSwatchWords) + textSize(font, entry.label).x;
  if (wide <= width)
    return {&entry, 0, 0, wide, entry.label};
  SwatchPlace place{&entry, 0, 0, width, inLines(font, entry.label, width - ui.px(kSwatchWords))};
  place.lines += static_cast<std::size_t>(std::count(place.words.begin(), place.words.end(), '\n'));
  return place;
}

std::vector<SwatchPlace> swatchPlaces(const Ui& ui, std::span<const LegendEntry> entries,
                                      float width) {
  std::vector<SwatchPlace> places;
  float x = 0;
  std::size_t line = 0;
  for (const LegendEntry& entry : entries) {
    SwatchPlace place = swatchPlace(ui, entry, width);
    if (x > 0 && x + place.width > width) {
      x = 0;
      line += places.back().lines;
    }
    place.x = x;
    place.line = line;
    x += place.width + ui.px(kSwatchGap);
    places.push_back(std::move(place));
  }
  return places;
}

// Lines of words, `line` points from one to the next; a word that is too long for them is cut.
void drawLabel(const Ui& ui, ImVec2 at, float line, const std::string& words, float room) {
  ImFont* font = ui.fonts.small;
  for (std::size_t from = 0; from < words.size(); at.y += line) {
    const std::size_t end = std::min(words.find('\n', from), words.size());
    drawText(font, ImVec2(at.x, std::round(at.y)), ui.colors().dim,
             cutToWidth(font, words.substr(from, end - from), room));
    from = end + 1;
  }
}

} // namespace

Lines::Lines(const Rect& area) : right_(contentRight()) {
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  setContentRight(area.x1);
  ImGui::BeginGroup();
}

Lines::~Lines() {
  ImGui::EndGroup();
  setContentRight(right_);
}

void drawWalk(const ViewContext& context, const Rect& area, const Walk& walk, bool below) {
  constexpr float kWidestSlider = 320;
  const Ui& ui = context.ui;
  const auto step = [&](const char* label, const char* sign, const WalkStep& of) {
    if (iconButton(ui, label, sign, {of.tooltip, of.possible}))
      context.actions.run(of.action);
  };
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  if (button(ui, context.playing ? "❚❚ Pause###play" : "▶ Play###play",
             {walk.play.tooltip, walk.play.possible, ui.px(92)}))
    context.actions.run(walk.play.action);
  ImGui::SameLine(0, ui.px(10));
  step("step back", "◀", walk.back);
  ImGui::SameLine(0, ui.px(6));
  step("step", "▶", walk.forward);
  ImGui::SameLine(0, ui.px(16));
  const float left = below ? area.x0 : ImGui::GetCursorScreenPos().x;
  setContentRight(std::min(area.x1, left + ui.px(kWidestSlider)));
  // The slider's line of words stands above its bar.
  ImGui::SetCursorScreenPos(ImVec2(left, area.y0 + ui.px(below ? 36 : -8)));
}

std::optional<std::size_t> drawTabs(const Ui& ui, const Rect& area, std::span<const TabWords> tabs,
                                    std::size_t selected) {
  const WidgetScope scope(ui.log, "Pictures");
  const TabGrid grid = tabGrid(ui, area, tabs);
  std::optional<std::size_t> chosen;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, grid.padding);
  float x = grid.left;
  float y = area.y0 + ui.px(grid.column > 0 ? 1 : 4);
  for (std::size_t k = 0; k < tabs.size(); ++k) {
    if (grid.column > 0 && k == grid.columns) {
      x = grid.left;
      y += textSize(ui.fonts.bold, "X").y + 2 * grid.padding.y + ui.px(2);
    }
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    const std::string cut =
        grid.column > 0 ? cutToWidth(ui.fonts.bold, tabs[k].label, grid.column - 2 * grid.padding.x)
                        : std::string();
    if (tab(ui, tabs[k].label, k == selected, {tabs[k].tooltip}, cut))
      chosen = k;
    x = grid.column > 0 ? x + grid.column + ui.px(kTabGap)
                        : ImGui::GetItemRectMax().x + ui.px(kTabGap);
  }
  ImGui::PopStyleVar();
  return chosen;
}

Rect areaOfPictures(const ViewContext& context, float hint) {
  Rect area = context.area;
  if (context.presented) {
    area.y0 -= context.ui.px(kTabsHeight);
    area.y1 += hint;
  }
  return area;
}

PictureFrame pictureFrame(const Ui& ui, const Rect& area, const PictureWords& words) {
  PictureFrame frame;
  const float left = area.x0 + ui.px(kViewMargin);
  const float right = area.x1 - ui.px(kViewMargin);
  float top = area.y0 + ui.px(10);
  frame.tabs = {left, top, right, top + ui.px(kTabsHeight)};
  top = frame.tabs.y1;
  frame.title = {left, top, right, top + titleHeight(ui, words.title, right - left)};
  float bottom = area.y1 - ui.px(10);
  ImFont* font = words.captionFont ? words.captionFont : ui.fonts.small;
  // Beyond one of small type.
  float lines = wrappedHeight(font, words.caption, right - left) - fontSize(ui.fonts.small);
  if (lines < 0 || lines > kMostCaption * heightOf(area))
    lines = 0;
  frame.caption = {left, bottom - ui.px(kLineHeight) - lines, right, bottom};
  bottom = frame.caption.y0 - ui.px(4);
  const std::size_t swatches = swatchLines(ui, words.legend, right - left);
  if (swatches > 0) {
    frame.legend = {left, bottom - static_cast<float>(swatches) * ui.px(kLineHeight), right,
                    bottom};
    bottom = frame.legend.y0 - ui.px(6);
  }
  frame.room = {left, frame.title.y1, right, bottom};
  return frame;
}

std::string pictureTitle(const ViewContext& context, const std::string& title) {
  const bool said = context.titled || (context.presented && !wordsOf(context.scene).title.empty());
  return said ? std::string() : title;
}

std::string pictureCaption(const ViewContext& context, const std::string& caption) {
  const bool said = context.presented && !wordsOf(context.scene).caption.empty();
  return said ? std::string() : caption;
}

float titleHeight(const Ui& ui, const std::string& title, float width) {
  if (title.empty())
    return ui.px(kNoTitle);
  if (textSize(ui.fonts.smallBold, title).x <= width)
    return ui.px(kTitleHeight);
  return wrappedHeight(ui.fonts.smallBold, title, width) + ui.px(4);
}

float headingHeight(const Ui& ui, const std::string& title, float width) {
  return title.empty() ? 0 : titleHeight(ui, title, width) + ui.px(4);
}

void drawPictureTitle(const Ui& ui, const Rect& area, const std::string& title) {
  if (title.empty())
    return;
  const float width = widthOf(area);
  const bool large = textSize(ui.fonts.bold, title).x <= width;
  ImFont* font = large ? ui.fonts.bold : ui.fonts.smallBold;
  const bool line = textSize(font, title).x <= width;
  const ImVec2 at(area.x0, area.y0 + (line ? ui.px(6) : 0));
  drawText(font, at, ui.colors().text, line ? title : inLines(font, title, width));
  recordText(ui, title, at, ImVec2(area.x1, area.y1));
}

std::string panelHeading(const Ui& ui, const FigurePanel& panel, float width) {
  const auto fits = [&](const std::string& words) {
    return textSize(ui.fonts.small, words).x <= width;
  };
  if (fits(panel.title) || panel.briefly.empty())
    return panel.title;
  const auto brief = std::find_if(panel.briefly.begin(), panel.briefly.end(), fits);
  return brief == panel.briefly.end() ? panel.briefly.back() : *brief;
}

void drawLineIn(const Ui& ui, const Rect& area, const std::string& words) {
  drawLine(ui, ImVec2(area.x0, area.y0), {area.x0, area.x1}, ui.colors().dim, words);
}

void drawCaptionIn(const Ui& ui, const Rect& area, const std::string& words, ImFont* font) {
  if (!font)
    font = ui.fonts.small;
  const float width = widthOf(area);
  const bool fits = wrappedHeight(font, words, width) <= heightOf(area) + 1;
  if (!fits || (font == ui.fonts.small && textSize(font, words).x <= width))
    return drawLineIn(ui, area, words);
  const Lines lines(area);
  const UseFont use(font);
  StyleColors style;
  style.set(ImGuiCol_Text, ui.colors().dim);
  gui::words(ui, words);
}

void drawSwatches(const Ui& ui, const Rect& area, float line,
                  std::span<const LegendEntry> entries) {
  for (const SwatchPlace& place : swatchPlaces(ui, entries, widthOf(area))) {
    const float x = area.x0 + place.x;
    const float y = std::round(area.y0 + line * static_cast<float>(place.line));
    ImFont* font = ui.fonts.small;
    const float top = std::round(y + (fontSize(font) - ui.px(kSwatch)) / 2);
    const Rect swatch{x, top, x + ui.px(kSwatch), top + ui.px(kSwatch)};
    fill(swatch, color(toFloats(place.entry->color)));
    if (place.entry->color == figureColors(figureTheme(ui.theme)).ground)
      box(swatch, color(ui.colors().border), 1);
    drawLabel(ui, ImVec2(x + ui.px(kSwatchWords), y), line, place.words,
              widthOf(area) - place.x - ui.px(kSwatchWords));
    const float below = line * static_cast<float>(place.lines - 1);
    recordText(ui, place.entry->label, ImVec2(x, y),
               ImVec2(std::min(x + place.width, area.x1), y + below + fontSize(font)));
  }
}

float swatchesWidth(const Ui& ui, std::span<const LegendEntry> entries) {
  const auto places = swatchPlaces(ui, entries, std::numeric_limits<float>::max());
  return places.empty() ? 0 : places.back().x + places.back().width;
}

std::size_t swatchLines(const Ui& ui, std::span<const LegendEntry> entries, float width) {
  const auto places = swatchPlaces(ui, entries, width);
  return places.empty() ? 0 : places.back().line + places.back().lines;
}

void chooseRandomInput(ActionSink& actions, const std::string& generator, Index most) {
  actions.edit("random input", [generator, most](Scene& s) {
    RandomInput random;
    random.generator = generator;
    random.n = std::clamp<Index>(s.length.n.value_or(kDefaultLength), 1, most);
    if (s.length.n && *s.length.n > most)
      s.length.n.reset(); // then it is the input's
    InputSpec next;
    next.source = random;
    takeInput(s, next);
  });
}

void frameCell(const Ui& ui, const ValuesMark& mark, const Rect& box, const Hover& hover) {
  const auto& cells = mark.cells;
  if (!hover.query || !hover.key || *hover.query < cells.rowBegin || *hover.query >= cells.rowEnd ||
      *hover.key < cells.keyBegin || *hover.key >= cells.keyEnd)
    return;
  const float wide = widthOf(box) / static_cast<float>(cells.keyEnd - cells.keyBegin);
  const float high = heightOf(box) / static_cast<float>(cells.rowEnd - cells.rowBegin);
  const float x = box.x0 + wide * static_cast<float>(*hover.key - cells.keyBegin);
  const float y = box.y0 + high * static_cast<float>(*hover.query - cells.rowBegin);
  gui::box({x, y, x + wide, y + high}, color(ui.colors().text), ui.px(1.5F));
}

} // namespace attention::gui
