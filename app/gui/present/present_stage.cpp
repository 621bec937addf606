#include "app/gui/present/present_stage.h"

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/region.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// At scale 1.
constexpr float kMargin = 40;
constexpr float kTop = 30;
constexpr float kMaskEdge = 14;   // around the content of a mask's view
constexpr float kFoot = 46;       // with a line of words
constexpr float kUnderFoot = 18;  // below them
constexpr float kGap = 22;        // between words and picture
constexpr float kAfterTitle = 12; // and between parts of the words
constexpr float kAfterWords = 24;
constexpr float kReveal = 44; // the button
constexpr float kRevealWidth = 150;
constexpr float kUnderHead = 6;
constexpr float kBetween = 48;     // columns of words
constexpr float kAroundTiles = 90; // axes and captions
constexpr float kMostAbove = 0.5F; // share of the height, words above a picture
constexpr float kPlainly = 1.1F;   // larger
constexpr float kLeastImage = 150; // below the words, with its captions
// Share of the width, for words beside a picture that needs much of it, or is no wider than high.
constexpr float kNarrowWords = 0.26F;
constexpr float kWideWords = 0.34F;

constexpr ImGuiWindowFlags kStill =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav;

// Equally high with and without the answer, so that revealing it moves nothing.
float questionHeight(const Ui& ui, const PresentWords& said, const Stage& type, float width) {
  if (said.question.empty())
    return 0;
  const float choices = choicesHeight(said.choices, type.words, width);
  return wrappedHeight(type.question, said.question, width) + ui.px(kAfterTitle) + choices +
         (choices > 0 ? ui.px(kAfterTitle) : 0) +
         std::max(ui.px(kReveal), wrappedHeight(type.words, said.answer, width));
}

float columnHeight(const Ui& ui, const PresentWords& said, const Stage& type, float width) {
  const float height = wrappedHeight(type.title, said.title, width) + ui.px(kAfterTitle) +
                       wrappedHeight(type.words, said.words, width);
  const float question = questionHeight(ui, said, type, width);
  return question > 0 ? height + ui.px(kAfterWords) + question : height;
}

// Of the two columns of words above a picture.
float halfWidth(const Ui& ui, const Rect& head) {
  return std::floor((head.x1 - head.x0 - ui.px(kBetween)) / 2);
}

// Whole points, so that words are wrapped exactly where they were measured.
Rect whole(float x0, float y0, float x1, float y1) {
  return {std::floor(x0), std::floor(y0), std::floor(x1), std::floor(y1)};
}

struct Column {
  bool large = true; // type
  float least = 0;   // share of the width
  float below = 0;   // points that are kept free below the words
};

// Words on the left, the picture on the right; long words take more of the width, up to about half.
// Returns whether they fit.
bool placeColumn(const Ui& ui, const PresentWords& said, const Column& column, Stage& stage) {
  const Fonts& f = ui.fonts;
  stage.title = column.large ? f.large : f.title;
  stage.words = column.large ? f.reading : f.text;
  stage.question = column.large ? f.readingBold : f.bold;
  const float left = stage.area.x0 + ui.px(kMargin);
  const float width = stage.area.x1 - ui.px(kMargin) - left;
  const float top = stage.area.y0 + ui.px(kTop);
  const float room = stage.foot.y0 - top - column.below;
  for (const float share : {kNarrowWords, 0.3F, kWideWords, 0.4F, 0.46F}) {
    if (share < column.least)
      continue;
    stage.head = whole(left, top, left + share * width, stage.foot.y0);
    if (columnHeight(ui, said, stage, stage.head.x1 - stage.head.x0) <= room)
      return true;
  }
  return false;
}

// Uses smaller type where the words do not fit in the large one.
void placeBeside(const Ui& ui, const PresentWords& said, Stage& stage) {
  const float least = said.tiles > 1 || said.image ? kNarrowWords : kWideWords;
  if (!placeColumn(ui, said, {true, least}, stage))
    placeColumn(ui, said, {false, least}, stage);
}

// The words above the picture, the question at their right.
void placeAbove(const Ui& ui, const PresentWords& said, Stage& stage) {
  const Fonts& f = ui.fonts;
  stage.above = true;
  const float left = stage.area.x0 + ui.px(kMargin);
  const float right = stage.area.x1 - ui.px(kMargin);
  const float top = stage.area.y0 + ui.px(kTop);
  for (const bool large : {true, false}) {
    stage.title = large ? f.large : f.title;
    stage.words = large ? f.reading : f.text;
    stage.question = large ? f.readingBold : f.bold;
    stage.head = whole(left, top, right, stage.foot.y0);
    const float half = halfWidth(ui, stage.head);
    stage.head.y1 =
        std::ceil(top + wrappedHeight(stage.title, said.title, right - left) + ui.px(kAfterTitle) +
                  std::max(wrappedHeight(stage.words, said.words, half),
                           questionHeight(ui, said, stage, half)) +
                  ui.px(2));
    if (stage.head.y1 - top <= kMostAbove * (stage.foot.y0 - top))
      return;
  }
}

Rect pictureOf(const Ui& ui, const PresentWords& said, const Stage& stage) {
  // Views keep their own distance; an image stands right after it.
  const float edge = ui.px(said.image && !stage.image ? kMargin - kMaskEdge : kMargin / 2);
  if (stage.above)
    return {stage.area.x0 + edge, stage.head.y1 + ui.px(kUnderHead), stage.area.x1 - edge,
            stage.foot.y0};
  return {stage.head.x1 + ui.px(kGap), stage.area.y0 + ui.px(kTop) / 2, stage.area.x1 - edge,
          stage.foot.y0};
}

struct Tiles {
  float each = 0; // height
  float all = 0;  // with what stands around them
};

// The size for this many boxes, roughly as the view lays out masks.
Tiles tilesIn(const Ui& ui, const PresentWords& said, const Rect& room) {
  const float around = ui.px(kAroundTiles);
  const float width = room.x1 - room.x0 - around;
  const float height = room.y1 - room.y0 - around;
  Tiles best;
  for (std::size_t columns = 1; columns <= said.tiles; ++columns) {
    const std::size_t lines = (said.tiles + columns - 1) / columns;
    const auto rows = static_cast<float>(lines);
    const float each =
        std::min(width / static_cast<float>(columns) / said.tileShape, height / rows);
    if (each > best.each)
      best = {each, rows * each + around};
  }
  return best;
}

// Half of the height that a picture leaves free goes above it.
Rect centred(const Ui& ui, const PresentWords& said, Rect room) {
  if (said.tiles > 1 && !said.plots)
    room.y0 += std::floor(std::max(room.y1 - room.y0 - tilesIn(ui, said, room).all, 0.0F) / 2);
  return room;
}

// The image of tokens below the words, where it fits there.
void placeImage(const Ui& ui, const PresentWords& said, Stage& stage) {
  const float gaps = ui.px(kAfterWords + kAfterTitle);
  if (!placeColumn(ui, said, {true, kWideWords, gaps + ui.px(kLeastImage)}, stage))
    return;
  Rect& head = stage.head;
  const float words = columnHeight(ui, said, stage, head.x1 - head.x0);
  head.y1 = std::floor(head.y0 + words + ui.px(kAfterWords));
  stage.image = whole(head.x0, head.y1, head.x1, stage.foot.y0 - ui.px(kAfterTitle));
}

// Words beside the picture, or above it where that makes it clearly larger.
void placeLesson(const Ui& ui, const PresentWords& said, Stage& stage) {
  if (said.image)
    placeImage(ui, said, stage);
  if (stage.image)
    return;
  placeBeside(ui, said, stage);
  if (said.tiles == 0)
    return;
  Stage other = stage;
  placeAbove(ui, said, other);
  const bool fits = other.head.y1 - other.head.y0 <= kMostAbove * (stage.foot.y0 - other.head.y0);
  if (fits && tilesIn(ui, said, pictureOf(ui, said, other)).each >
                  kPlainly * tilesIn(ui, said, pictureOf(ui, said, stage)).each)
    stage = other;
}

// The title above the picture, the caption below.
void placeFigure(const Ui& ui, const PresentWords& said, Stage& stage) {
  const Fonts& f = ui.fonts;
  const float left = std::floor(stage.area.x0 + ui.px(kMargin));
  const float right = std::floor(stage.area.x1 - ui.px(kMargin));
  const float top = stage.area.y0 + ui.px(kTop);
  const auto fits = [&](ImFont* font, const std::string& title) {
    return textSize(font, title).x <= right - left;
  };
  if (!said.longer.empty() && fits(f.title, said.longer))
    stage.heading = said.longer;
  stage.title = fits(f.large, stage.heading) ? f.large : f.title;
  stage.words = f.text;
  const float high = wrappedHeight(stage.title, stage.heading, right - left) + ui.px(2);
  stage.head = whole(left, top, right, top + high);
  if (said.caption.empty())
    return;
  const float height = wrappedHeight(stage.words, said.caption, right - left);
  stage.caption = whole(left, stage.foot.y0 - height, right, stage.foot.y0);
}

void drawTitle(const Ui& ui, const Stage& stage) {
  const UseFont font(stage.title);
  words(ui, stage.heading);
}

void drawQuestion(const PanelContext& c, const Stage& stage, const PresentWords& said) {
  const Ui& ui = c.ui;
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  {
    const UseFont font(stage.question);
    words(ui, said.question);
  }
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(kAfterTitle) - spacing);
  if (!said.choices.words.empty()) {
    drawChoices(c, said.choices, stage.words);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(kAfterTitle));
  }
  const UseFont font(stage.words);
  if (said.revealed)
    return words(ui, said.answer);
  StyleColors style;
  style.set(ImGuiCol_Text, ui.colors().accentText);
  if (button(ui, "reveal ↵",
             {"Think first; then show the answer (Enter or →)", true, ui.px(kRevealWidth)}))
    c.actions.run("present.reveal");
}

// Title and words, the question below them or at their right.
void drawHead(const PanelContext& c, const Stage& stage, const PresentWords& said) {
  const Ui& ui = c.ui;
  drawTitle(ui, stage);
  if (said.words.empty() && said.question.empty())
    return;
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(kAfterTitle) - spacing);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (stage.above)
    setContentRight(at.x + halfWidth(ui, stage.head));
  if (!said.words.empty()) {
    const UseFont font(stage.words);
    words(ui, said.words);
  }
  if (said.question.empty())
    return;
  if (!stage.above) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(kAfterWords) - spacing);
    return drawQuestion(c, stage, said);
  }
  ImGui::SetCursorScreenPos(ImVec2(stage.head.x1 - halfWidth(ui, stage.head), at.y));
  setContentRight(stage.head.x1);
  ImGui::BeginGroup();
  drawQuestion(c, stage, said);
  ImGui::EndGroup();
}

// The source's room beside place and time.
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
  stage.heading = said.title;
  stage.foot =
      whole(area.x0 + ui.px(kMargin), area.y1 - ui.px(kFoot), area.x1 - ui.px(kMargin), area.y1);
  const float width = sourceWidth(ui, said, stage.foot);
  stage.foot.y0 -=
      wrappedHeight(ui.fonts.small, said.source, width) - fontSize(ui.fonts.small); // more lines
  if (said.beside) {
    placeLesson(ui, said, stage);
    stage.picture = centred(ui, said, pictureOf(ui, said, stage));
  } else {
    const float edge = ui.px(kMargin) / 2;
    placeFigure(ui, said, stage);
    const bool captioned = stage.caption.y1 > stage.caption.y0;
    stage.picture = {area.x0 + edge, stage.head.y1 + ui.px(kUnderHead), area.x1 - edge,
                     captioned ? stage.caption.y0 - ui.px(kUnderHead) : stage.foot.y0};
  }
  return stage;
}

void drawStage(const PanelContext& c, const PresentWords& said, const Stage& stage) {
  const Ui& ui = c.ui;
  const Region region(ui, kStageRegion, stage.area, ui.colors().view, kStill, false);
  ImGui::SetCursorScreenPos(ImVec2(stage.head.x0, stage.head.y0));
  // A column that is too long even in small type scrolls.
  beginChild("words", ImVec2(stage.head.x1 - stage.head.x0, stage.head.y1 - stage.head.y0), false,
             said.beside && !stage.above ? 0 : kStill);
  drawHead(c, stage, said);
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
  const Region region(ui, kStageRegion, area, black ? ImVec4(0, 0, 0, 1) : ui.colors().view, kStill,
                      false);
  if (black)
    recordText(ui, "black screen", ImVec2(area.x0, area.y0), ImVec2(area.x1, area.y1));
}

} // namespace attention::gui
