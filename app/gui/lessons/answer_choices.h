// The choices of a step's question: numbered boxes to press. Once the question is answered, the
// right one and the chosen one are marked.
#pragma once

#include "app/gui/widgets/ui.h"
#include "core/support/integers.h"

#include <string>
#include <vector>

namespace attention::gui {

struct PanelContext;
struct Workbench;

struct AnswerChoices {
  std::vector<std::string> words; // without marks; none: the question has no choices
  Index correct = 0;              // of these, from 1
  Index chosen = 0;               // 0: none
  bool revealed = false;
};

// Of the step whose words are shown.
AnswerChoices choicesOf(const Workbench& bench);

// The height in points that they take in `font` and a width; 0 without choices.
float choicesHeight(const AnswerChoices& choices, ImFont* font, float width);

// Over the available width; the cursor then stands below them.
void drawChoices(const PanelContext& context, const AnswerChoices& choices, ImFont* font);

} // namespace attention::gui
