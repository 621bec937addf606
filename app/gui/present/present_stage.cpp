#include "app/gui/present/present_stage.h"

#include "app/gui/frame/region.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// At scale 1.
constexpr float kMargin = 40;
constexpr float kTop = 30;
constexpr float kFoot = 46;       // with a line of words
constexpr float kUnderFoot = 18;  // below them
constexpr float kGap = 22;        // between words and picture
constexpr float kAfterTitle = 12; // and between parts of the words
constexpr float kAfterWords = 24;
constexpr float kReveal = 44; // the button
constexpr float kRevealWidth = 150;
constexpr float kUnderHead = 6;

constexpr ImGuiWindowFlags kStill =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav;

float columnHeight(const Ui& ui, const PresentWords& said, const Stage& type, float width) {
  float height = wrappedHeight(type.title, said.title, width) + ui.px(kAfterTitle) +
                 wrappedHeight(type.words, said.words, width);
  if (said.question.empty())
    return height;
  // As high with the answer as without, so that revealing it moves nothing.
  height +=
      ui.px(kAfterWords) + wrappedHeight(type.question, said.question, width) + ui.px(kAfterTitle);
  return height + std::max(ui.px(kReveal), wrappedHeight(type.words, said.answer, width));
}

// Whole points, so that words are broken where they were measured.
Rect whole(float x0, float y0, float x1, float y1) {
  return {std::floor(x0), std::floor(y0), std::floor(x1), std::floor(y1)};
}

// Words at the left, the picture at the right; where the words are long they take more of the
// width, then smaller type.
void placeBeside(const Ui& ui, const PresentWords& said, Stage& stage) {
  const Fonts& f = ui.fonts;
  const float left = stage.area.x0 + ui.px(kMargin);
  const float width = stage.area.x1 - ui.px(kMargin) - left;
  const float top = stage.area.y0 + ui.px(kTop);
  const float room = stage.foot.y0 - top;
  for (const bool large : {true, false})
    for (const float share : {0.34F, 0.4F, 0.46F}) {
      stage.title = large ? f.large : f.title;
      stage.words = large ? f.reading : f.text;
      stage.question = large ? f.readingBold : f.bold;
      stage.head = whole(left, top, left + share * width, stage.foot.y0);
      if (columnHeight(ui, said, stage, stage.head.x1 - stage.head.x0) <= room)
        return;
    }
}

// The title above the picture, the caption below.
void placeFigure(const Ui& ui, const PresentWords& said, Stage& stage) {
  const Fonts& f = ui.fonts;
  const float left = std::floor(stage.area.x0 + ui.px(kMargin));
  const float right = std::floor(stage.area.x1 - ui.px(kMargin));
  const float top = stage.area.y0 + ui.px(kTop);
  stage.title = textSize(f.large, said.title).x <= right - left ? f.large : f.title;
  stage.words = f.text;
  const float high = wrappedHeight(stage.title, said.title, right - left) + ui.px(2);
  stage.head = whole(left, top, right, top + high);
  if (said.caption.empty())
    return;
  const float height = wrappedHeight(stage.words, said.caption, right - left);
  stage.caption = whole(left, stage.foot.y0 - height, right, stage.foot.y0);
}

void drawWords(const Ui& ui, const Stage& stage, const PresentWords& said) {
  {
    const UseFont font(stage.title);
    words(ui, said.title);
  }
  if (!said.lesson)
    return;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(kAfterTitle) -
                       ImGui::GetStyle().ItemSpacing.y);
  const UseFont font(stage.words);
  words(ui, said.words);
}

void drawQuestion(const PanelContext& c, const Stage& stage, const PresentWords& said) {
  const Ui& ui = c.ui;
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(kAfterWords) - spacing);
  {
    const UseFont font(stage.question);
    words(ui, said.question);
  }
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(kAfterTitle) - spacing);
  const UseFont font(stage.words);
  if (said.revealed)
    return words(ui, said.answer);
  StyleColors style;
  style.set(ImGuiCol_Text, ui.colors().accentText);
  if (button(ui, "reveal ↵",
             {"Think first; then show the answer (Enter, Space, →)", true, ui.px(kRevealWidth)}))
    c.actions.run("present.reveal");
}

// What the source has beside place and time.
float sourceWidth(const Ui& ui, const PresentWords& said, const Rect& foot) {
  const float gap = said.place.empty() ? 0 : ui.px(kGap);
  return std::floor(foot.x1 - textSize(ui.fonts.small, said.place).x - gap - foot.x0);
}

void drawFoot(const Ui& ui, const PresentWords& said, const Rect& foot) {
  ImFont* font = ui.fonts.small;
  const float bottom = foot.y1 - ui.px(kUnderFoot);
  const ImVec2 at(foot.x1 - textSize(font, said.place).x, bottom - fontSize(font));
  drawText(font, at, ui.colors().dim, said.place);
  if (!said.place.empty())
    recordText(ui, "place and time", at, ImVec2(foot.x1, bottom), said.place);
  const float width = sourceWidth(ui, said, foot);
  ImGui::SetCursorScreenPos(ImVec2(foot.x0, bottom - wrappedHeight(font, said.source, width)));
  setContentRight(foot.x0 + width);
  caption(ui, said.source);
}

} // namespace

Stage stageOf(const Ui& ui, const PresentWords& said, const Rect& area) {
  Stage stage;
  stage.area = area;
  stage.foot =
      whole(area.x0 + ui.px(kMargin), area.y1 - ui.px(kFoot), area.x1 - ui.px(kMargin), area.y1);
  const float width = sourceWidth(ui, said, stage.foot);
  stage.foot.y0 -=
      wrappedHeight(ui.fonts.small, said.source, width) - fontSize(ui.fonts.small); // more lines
  const float edge = ui.px(kMargin) / 2; // views keep a distance of their own
  if (said.beside) {
    placeBeside(ui, said, stage);
    stage.picture = {stage.head.x1 + ui.px(kGap), area.y0 + ui.px(kTop) / 2, area.x1 - edge,
                     stage.foot.y0};
  } else {
    placeFigure(ui, said, stage);
    const bool captioned = stage.caption.y1 > stage.caption.y0;
    stage.picture = {area.x0 + edge, stage.head.y1 + ui.px(kUnderHead), area.x1 - edge,
                     captioned ? stage.caption.y0 - ui.px(kUnderHead) : stage.foot.y0};
  }
  return stage;
}

void drawStage(const PanelContext& c, const PresentWords& said, const Stage& stage) {
  const Ui& ui = c.ui;
  const Region region(ui, "Present", stage.area, ui.colors().view, kStill, false);
  ImGui::SetCursorScreenPos(ImVec2(stage.head.x0, stage.head.y0));
  // A column that is too long even in small type scrolls.
  beginChild("words", ImVec2(stage.head.x1 - stage.head.x0, stage.head.y1 - stage.head.y0), false,
             said.beside ? 0 : kStill);
  drawWords(ui, stage, said);
  if (!said.question.empty())
    drawQuestion(c, stage, said);
  ImGui::EndChild();
  if (stage.caption.y1 > stage.caption.y0) {
    ImGui::SetCursorScreenPos(ImVec2(stage.caption.x0, stage.caption.y0));
    setContentRight(stage.caption.x1);
    const UseFont font(stage.words);
    words(ui, said.caption);
  }
  drawFoot(ui, said, stage.foot);
}

void drawNothing(const Ui& ui, const Rect& area, bool black) {
  const Region region(ui, "Present", area, black ? ImVec4(0, 0, 0, 1) : ui.colors().view, kStill,
                      false);
  if (black)
    recordText(ui, "black screen", ImVec2(area.x0, area.y0), ImVec2(area.x1, area.y1));
}

} // namespace attention::gui
