#include "app/gui/present/speaker_view.h"

#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/region.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace attention::gui {
namespace {

// A window of this size in points has type of normal size.
constexpr float kSpeakerWidth = 1000;
constexpr float kSpeakerHeight = 640;
// At scale 1.
constexpr float kAround = 24;
constexpr float kTopBar = 58;
constexpr float kColumnGap = 24;
constexpr float kPictureHead = 44;     // heading and title of a picture
constexpr float kNowShare = 0.6F;      // of the width: the current picture and the notes
constexpr float kPictureShare = 0.56F; // of the height below the bar
constexpr float kBetweenTimes = 28;
constexpr float kReading = 17; // em of notes at least, and at most
constexpr float kLargestNotes = 28;
// Times the type of small pictures.
constexpr double kTypeNow = 1.35;
constexpr double kTypeNext = 1.1;

constexpr ImGuiWindowFlags kUnmoved =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav;

// A time with what it is below it, its right end at `right`; returns its left end.
float drawTime(const Ui& ui, const std::string& name, const std::string& time, float right,
               float top) {
  ImFont* large = ui.fonts.large;
  ImFont* small = ui.fonts.small;
  const float width = std::max(textSize(large, time).x, textSize(small, name).x);
  const ImVec2 at(right - textSize(large, time).x, top);
  drawText(large, at, ui.colors().text, time);
  recordText(ui, name, at, ImVec2(right, top + fontSize(large)), time);
  drawText(small, ImVec2(right - textSize(small, name).x, top + fontSize(large)), ui.colors().dim,
           name);
  return right - width;
}

void drawTopBar(const Ui& ui, const SpeakerWords& said, const Rect& bar) {
  float left = bar.x1;
  if (!said.clock.empty())
    left = drawTime(ui, "time", said.clock, left, bar.y0) - ui.px(kBetweenTimes);
  left = drawTime(ui, "since the beginning", said.elapsed, left, bar.y0) - ui.px(kBetweenTimes);
  ImFont* font = ui.fonts.title;
  const ImVec2 at(bar.x0, bar.y0 + (fontSize(ui.fonts.large) - fontSize(font)) / 2);
  drawText(font, at, ui.colors().text, cutToWidth(font, said.place, left - bar.x0));
  recordText(ui, said.place, at, ImVec2(left, bar.y0 + fontSize(ui.fonts.large)));
}

// "NOW", the title below it; returns what is left of the area.
Rect drawPictureHead(const Ui& ui, const std::string& heading, const std::string& title,
                     const Rect& area, const ImVec4& tint) {
  drawText(ui.fonts.smallBold, ImVec2(area.x0, area.y0), tint, heading);
  recordText(ui, heading, ImVec2(area.x0, area.y0),
             ImVec2(area.x1, area.y0 + fontSize(ui.fonts.smallBold)));
  const ImVec2 at(area.x0, area.y0 + fontSize(ui.fonts.smallBold) + ui.px(3));
  drawText(ui.fonts.readingBold, at, ui.colors().text,
           cutToWidth(ui.fonts.readingBold, title, area.x1 - area.x0));
  recordText(ui, title, at, ImVec2(area.x1, at.y + fontSize(ui.fonts.readingBold)));
  return {area.x0, area.y0 + ui.px(kPictureHead), area.x1, area.y1};
}

void drawPicture(const Ui& ui, const SpeakerPicture& picture, const char* name, double type,
                 FigureThumbnails& pictures, const Rect& area) {
  pictures.draw(ui, {name, picture.title, {}, picture.scene}, area,
                type * static_cast<double>(ui.scale));
  ImGui::GetWindowDrawList()->AddRect(ImVec2(area.x0, area.y0), ImVec2(area.x1, area.y1),
                                      color(ui.colors().border), ui.px(3), 0, ui.px(1));
  recordText(ui, std::string("picture: ") + name, ImVec2(area.x0, area.y0),
             ImVec2(area.x1, area.y1), picture.title);
}

void drawPictures(const Ui& ui, const SpeakerWords& said, FigureThumbnails& pictures,
                  const Rect& area) {
  const UiColors& colors = ui.colors();
  const float middle = std::floor(area.x0 + kNowShare * (area.x1 - area.x0));
  const Rect now =
      drawPictureHead(ui, said.black ? "NOW: THE SCREEN IS BLACK" : "NOW", said.now.title,
                      {area.x0, area.y0, middle - ui.px(kColumnGap) / 2, area.y1},
                      said.black ? colors.warning : colors.dim);
  drawPicture(ui, said.now, "now", kTypeNow, pictures, now);
  const Rect right{middle + ui.px(kColumnGap) / 2, area.y0, area.x1, area.y1};
  const Rect next =
      drawPictureHead(ui, "NEXT", said.next ? said.next->title : said.end, right, colors.dim);
  if (said.next)
    drawPicture(ui, *said.next, "next", kTypeNext, pictures, next);
}

// A column that scrolls where its words are longer than it is high.
template <class Draw>
void column(const char* id, const Rect& area, const Draw& draw) {
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  beginChild(id, ImVec2(area.x1 - area.x0, area.y1 - area.y0), false, ImGuiWindowFlags_NoNav);
  draw();
  ImGui::EndChild();
}

struct Wording {
  std::string text;
  bool bold = false;
};

struct WordsFont {
  ImFont* plain = nullptr;
  ImFont* bold = nullptr;
};

// The largest of some sizes, from small to large, in which all have room below the cursor; else the
// smallest.
WordsFont fontFor(const std::vector<Wording>& all, std::span<const WordsFont> sizes) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const auto fits = [&](const WordsFont& font) {
    float high = 0;
    for (const Wording& each : all)
      high += wrappedHeight(each.bold ? font.bold : font.plain, each.text, room.x) +
              ImGui::GetStyle().ItemSpacing.y;
    return high <= room.y;
  };
  const auto largest = std::find_if(sizes.rbegin(), sizes.rend(), fits);
  return largest != sizes.rend() ? *largest : sizes.front();
}

void drawWordings(const Ui& ui, const std::vector<Wording>& all, std::span<const WordsFont> sizes) {
  const WordsFont chosen = fontFor(all, sizes);
  for (const Wording& each : all) {
    const UseFont font(each.bold ? chosen.bold : chosen.plain);
    words(ui, each.text);
  }
}

void drawNotes(const Ui& ui, const SpeakerWords& said) {
  sectionHeading(ui, "notes");
  const Fonts& fonts = ui.fonts;
  std::vector<WordsFont> sizes{{fonts.reading, fonts.readingBold}};
  for (const Fonts::Sized& of : fonts.plain)
    if (of.em > kReading && of.em <= kLargestNotes)
      sizes.push_back({of.font, fonts.readingBold});
  drawWordings(ui, {{said.notes.empty() ? "There are no notes on this picture." : said.notes}},
               sizes);
}

void drawAnswer(const Ui& ui, const SpeakerWords& said) {
  const char* key =
      said.within ? "→ moves the picture, Page Down shows the answer" : "→ shows the answer";
  sectionHeading(ui, "question", said.revealed ? "the answer is shown" : key);
  std::vector<Wording> all{{said.question, true}};
  for (std::size_t k = 0; k < said.choices.words.size(); ++k) {
    const Index number = static_cast<Index>(k) + 1;
    const bool right = number == said.choices.correct;
    all.push_back({std::to_string(number) + "  " + said.choices.words[k] + (right ? "  ✓" : "") +
                   (number == said.choices.chosen ? "  ← chosen" : "")});
  }
  all.push_back({said.answer});
  const Fonts& fonts = ui.fonts;
  drawWordings(
      ui, all,
      std::array{WordsFont{fonts.text, fonts.bold}, WordsFont{fonts.reading, fonts.readingBold}});
}

} // namespace

float speakerScale(float width, float height) {
  return std::clamp(std::min(width / kSpeakerWidth, height / kSpeakerHeight), 0.8F, 4.0F);
}

void drawSpeaker(const Ui& ui, const SpeakerWords& said, FigureThumbnails& pictures,
                 const Rect& area) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const Region region(ui, kSpeakerRegion, area, ui.colors().view, kUnmoved, false);
  ImGui::PopStyleVar();
  const float left = area.x0 + ui.px(kAround);
  const float right = area.x1 - ui.px(kAround);
  const float top = area.y0 + ui.px(kAround) / 2;
  const float bottom = area.y1 - ui.px(kAround) / 2;
  drawTopBar(ui, said, {left, top, right, top + ui.px(kTopBar)});
  const float body = top + ui.px(kTopBar);
  const float under = std::floor(body + kPictureShare * (bottom - body));
  drawPictures(ui, said, pictures, {left, body, right, under});
  const float words = under + ui.px(kColumnGap) / 2;
  const float middle = std::floor(left + kNowShare * (right - left));
  column("notes", {left, words, middle - ui.px(kColumnGap) / 2, bottom},
         [&] { drawNotes(ui, said); });
  if (!said.question.empty())
    column("question", {middle + ui.px(kColumnGap) / 2, words, right, bottom},
           [&] { drawAnswer(ui, said); });
}

} // namespace attention::gui
