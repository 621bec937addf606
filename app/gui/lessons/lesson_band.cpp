#include "app/gui/lessons/lesson.h"

#include "app/gui/frame/workbench.h"
#include "app/gui/lessons/answer_choices.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/region.h"
#include "app/gui/widgets/words.h"
#include "core/views/scene_words.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kPadding = 18; // at scale 1, like all that follow
constexpr float kGap = 32;     // between the words and the question
constexpr float kHead = 42;    // place in the lesson, and the buttons
constexpr float kUnder = 14;   // the words
constexpr float kWordsShare = 0.6F;

// What the band says, without marks.
struct Said {
  std::string title;
  std::string words;
  std::string question;
  AnswerChoices choices;
  std::string answer;
};

// For a figure opened within the step, its own title and caption.
Said saidIn(const Workbench& bench) {
  if (const LessonStep* step = speakingStep(bench))
    return {step->title, plainWords(step->words), plainWords(step->question), choicesOf(bench),
            plainWords(step->answer)};
  const SceneWords own = wordsOf(bench.document.scene());
  return {own.title, own.caption, {}, {}, {}};
}

struct Columns {
  float words = 0;
  float question = 0;
};
Columns columnsOf(const Ui& ui, float width) {
  const float room = width - 2 * ui.px(kPadding) - ui.px(kGap);
  return {room * kWordsShare, room * (1 - kWordsShare)};
}

void drawWords(const Ui& ui, const Said& said) {
  {
    const UseFont bold(ui.fonts.bold);
    words(ui, said.title);
  }
  words(ui, said.words);
}

void drawQuestion(const Workbench& bench, const PanelContext& c, const Said& said) {
  const Ui& ui = c.ui;
  if (said.question.empty())
    return;
  {
    const UseFont bold(ui.fonts.bold);
    words(ui, said.question);
  }
  drawChoices(c, said.choices, ui.fonts.text);
  if (bench.lesson->revealed)
    words(ui, said.answer);
  else if (button(ui, "reveal", {"Think first; then show the answer (Alt+Down)"}))
    c.actions.run("lesson.reveal");
}

// The place in the lesson and the ways through it. They stand above the words, whose height differs
// from step to step, so that “next” stays under the pointer.
void drawHead(const Workbench& bench, const PanelContext& c, const Rect& area) {
  const Ui& ui = c.ui;
  const OpenLesson& at = *bench.lesson;
  const Lesson& lesson = bench.lessons[at.lesson];
  const float y = area.y0 + ui.px(8);
  const bool speaks = speakingStep(bench) != nullptr;
  const float buttons = ui.px(speaks ? 352 : 384);
  const std::string place = lesson.title + " · " + std::to_string(at.step + 1) + " of " +
                            std::to_string(lesson.steps.size());
  const ImVec2 corner(area.x0 + ui.px(kPadding), y + ui.px(6));
  const float end = area.x1 - buttons - ui.px(kPadding);
  drawText(ui.fonts.small, corner, ui.colors().dim,
           cutToWidth(ui.fonts.small, place, end - corner.x));
  recordText(ui, place, corner, ImVec2(end, y + ui.px(kHead - 8)));
  ImGui::SetCursorScreenPos(ImVec2(area.x1 - buttons, y));
  if (speaks ? button(ui, "start over", {"Reset this step, whatever you have changed in it"})
             : button(ui, "back to the step", {"The lesson's own picture and words"}))
    c.actions.run("lesson.restart");
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "◀ back", {"The previous step (Alt+Left)", at.step > 0}))
    c.actions.run("lesson.back");
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "next ▶", {"The next step (Alt+Right)", at.step + 1 < lesson.steps.size()}))
    c.actions.run("lesson.next");
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "HTML", {"A web page of the lesson's steps, with their questions and answers"}))
    c.actions.run("lesson.export");
  ImGui::SameLine(0, ui.px(8));
  if (iconButton(ui, "leave", "×", {"Back to the scene from before the lesson"}))
    c.actions.run("lesson.leave");
}

// A column of the band, which scrolls where its words are longer than it is high.
template <class Draw>
void column(const char* id, bool begins, const Rect& area, const Draw& draw) {
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  if (begins)
    scrollNextToTop();
  beginChild(id, ImVec2(area.x1 - area.x0, area.y1 - area.y0), false);
  draw();
  ImGui::EndChild();
}

} // namespace

float lessonHeight(const Workbench& bench, const Ui& ui, float width, float most) {
  if (!lessonStep(bench))
    return 0;
  const Said said = saidIn(bench);
  const Columns columns = columnsOf(ui, width);
  const float line = fontSize(ui.fonts.text);
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  const float left = wrappedHeight(ui.fonts.bold, said.title, columns.words) + gap +
                     wrappedHeight(ui.fonts.text, said.words, columns.words);
  // Equally high with and without the answer, so that revealing it moves nothing.
  const float right =
      wrappedHeight(ui.fonts.bold, said.question, columns.question) + gap +
      choicesHeight(said.choices, ui.fonts.text, columns.question) +
      std::max(wrappedHeight(ui.fonts.text, said.answer, columns.question), 2 * line);
  return std::min(most, std::max(left, right) + ui.px(kHead + kUnder));
}

void drawLesson(const Workbench& bench, const PanelContext& c, const Rect& area) {
  const Ui& ui = c.ui;
  const Region region(ui, "Lesson", area, ui.colors().panel,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Said said = saidIn(bench);
  const Columns columns = columnsOf(ui, area.x1 - area.x0);
  const float top = area.y0 + ui.px(kHead);
  const float bottom = area.y1 - ui.px(4);
  const float left = area.x0 + ui.px(kPadding);
  const float middle = left + columns.words + ui.px(kGap);
  const bool begins = bench.lesson->begins;
  drawHead(bench, c, area);
  column("words", begins, {left, top, left + columns.words, bottom}, [&] { drawWords(ui, said); });
  column("question", begins, {middle, top, middle + columns.question, bottom},
         [&] { drawQuestion(bench, c, said); });
  if (ImGui::GetIO().KeyAlt) // Alt with an arrow is a step
    keepArrows();
}

void drawLessonControl(Workbench& bench, const Ui& ui) {
  const LessonStep* step = speakingStep(bench);
  if (!step || step->control.empty())
    return;
  const ImGuiIO& io = ImGui::GetIO();
  bool& touched = bench.lesson->touched;
  touched = touched || io.MouseWheel != 0 || ImGui::IsAnyMouseDown();
  const Widget* widget = ui.log.find(step->control);
  if (!widget)
    return;
  // Once the user has scrolled or pressed, pending requests are dropped.
  ui.log.show(touched || wholeInSight(*widget) ? "" : step->control);
  if (!widget->visible)
    return;
  const float around = ui.px(4);
  ImDrawList* list = ImGui::GetForegroundDrawList();
  // If it is half scrolled away, its frame ends where it does.
  list->PushClipRect(ImVec2(widget->sight.x0 - around, widget->sight.y0),
                     ImVec2(widget->sight.x1 + around, widget->sight.y1));
  list->AddRect(ImVec2(widget->rect.x0 - around, widget->rect.y0 - around),
                ImVec2(widget->rect.x1 + around, widget->rect.y1 + around),
                color(ui.colors().accent), ui.px(6), 0, ui.px(2));
  list->PopClipRect();
}

void unfoldForLesson(Workbench& bench, const Ui& ui) {
  const LessonStep* step = speakingStep(bench);
  if (!step || step->control.empty() || bench.lesson->unfolded || sidebarShown(bench))
    return;
  if (ui.log.find(step->control))
    return;
  bench.lesson->unfolded = true;
  showSidebar(bench, true);
}

} // namespace attention::gui
