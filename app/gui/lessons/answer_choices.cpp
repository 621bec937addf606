#include "app/gui/lessons/answer_choices.h"

#include "app/gui/frame/workbench.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// In sizes of the font: above and below the words, at their sides, between two boxes, and from the
// number to the words.
constexpr float kAbove = 0.35F;
constexpr float kSides = 0.6F;
constexpr float kBetween = 0.35F;
constexpr float kSignRoom = 1.4F;

float wordsWidth(ImFont* font, float width) {
  return width - fontSize(font) * (2 * kSides + kSignRoom);
}

float boxHeight(ImFont* font, const std::string& choice, float width) {
  return wrappedHeight(font, choice, wordsWidth(font, width)) + 2 * kAbove * fontSize(font);
}

// Rows of equal boxes, as many in a row as hold their words in one line.
struct Boxes {
  std::size_t columns = 1;
  float width = 0; // of a box
  float height = 0;
  float gap = 0;
};

Boxes boxesFor(const std::vector<std::string>& choices, ImFont* font, float width) {
  float widest = 0;
  for (const std::string& choice : choices)
    widest = std::max(widest, textSize(font, choice).x);
  Boxes boxes;
  boxes.gap = std::floor(kBetween * fontSize(font));
  for (std::size_t columns = choices.size(); columns > 0; --columns) {
    boxes.columns = columns;
    const float gaps = static_cast<float>(columns - 1) * boxes.gap;
    boxes.width = std::floor((width - gaps) / static_cast<float>(columns));
    if (choices.size() % columns == 0 && widest <= wordsWidth(font, boxes.width))
      break;
  }
  for (const std::string& choice : choices)
    boxes.height = std::max(boxes.height, std::ceil(boxHeight(font, choice, boxes.width)));
  return boxes;
}

// How a choice looks: its sign and colours, and what of it is said beside its words.
struct Look {
  std::string sign; // its number, ✓ or ✗
  ImVec4 signColor;
  ImVec4 textColor;
  ImVec4 border;
  const char* said = "";
};

Look lookOf(const UiColors& colors, const AnswerChoices& choices, Index number) {
  Look look{std::to_string(number), colors.accentText, colors.text, colors.border};
  if (!choices.revealed)
    return look;
  const bool chosen = number == choices.chosen;
  if (number == choices.correct)
    return {"✓", colors.good, colors.text, colors.good, chosen ? "right, chosen" : "right"};
  if (chosen)
    return {"✗", colors.bad, colors.text, colors.bad, "wrong, chosen"};
  look.signColor = look.textColor = colors.dim;
  return look;
}

void drawChoiceWords(const Ui& ui, ImFont* font, const Look& look, const Rect& box,
                     const std::string& words) {
  const float em = fontSize(font);
  const float y = box.y0 + kAbove * em;
  const float left = box.x0 + kSides * em;
  drawText(font, ImVec2(left, y), look.signColor, look.sign);
  const ImVec2 at(left + kSignRoom * em, y);
  const std::string lines = inLines(font, words, wordsWidth(font, box.x1 - box.x0));
  drawText(font, at, look.textColor, lines);
  recordText(ui, words, at, ImVec2(box.x1, box.y1), look.said);
}

// Returns whether it was pressed.
bool drawChoice(const Ui& ui, ImFont* font, const AnswerChoices& choices, Index number,
                const ImVec2& size) {
  const std::string& words = choices.words[static_cast<std::size_t>(number - 1)];
  const Look look = lookOf(ui.colors(), choices, number);
  if (!choices.revealed) {
    const std::string name = std::to_string(number);
    const Tile box =
        tile(ui, "choice " + name, size, false, {"Answer with this choice (" + name + ")"});
    drawChoiceWords(ui, font, look, box.area, words);
    return box.pressed;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect box{at.x, at.y, at.x + size.x, at.y + size.y};
  ImGui::GetWindowDrawList()->AddRect(at, ImVec2(box.x1, box.y1), color(look.border), ui.px(4), 0,
                                      ui.px(1));
  drawChoiceWords(ui, font, look, box, words);
  ImGui::Dummy(size);
  return false;
}

} // namespace

AnswerChoices choicesOf(const Workbench& bench) {
  AnswerChoices choices;
  const LessonStep* step = speakingStep(bench);
  if (!step)
    return choices;
  for (const std::string& choice : step->choices)
    choices.words.push_back(plainWords(choice));
  choices.correct = step->correct;
  choices.chosen = bench.lesson->chosen;
  choices.revealed = bench.lesson->revealed;
  return choices;
}

float choicesHeight(const AnswerChoices& choices, ImFont* font, float width) {
  if (choices.words.empty())
    return 0;
  const Boxes boxes = boxesFor(choices.words, font, width);
  const std::size_t rows = choices.words.size() / boxes.columns;
  return static_cast<float>(rows) * (boxes.height + boxes.gap);
}

void drawChoices(const PanelContext& c, const AnswerChoices& choices, ImFont* font) {
  const Boxes boxes = boxesFor(choices.words, font, availableWidth());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(boxes.gap, boxes.gap));
  for (std::size_t k = 0; k < choices.words.size(); ++k) {
    if (k % boxes.columns != 0)
      ImGui::SameLine();
    const Index number = static_cast<Index>(k) + 1;
    if (drawChoice(c.ui, font, choices, number, ImVec2(boxes.width, boxes.height)))
      c.actions.run("lesson.choose." + std::to_string(number));
  }
  ImGui::PopStyleVar();
}

} // namespace attention::gui
