// What a presentation says beside its picture: the words of a lesson's step, or the title and the
// caption of a figure; its source, its place and the time.
#pragma once

#include "app/gui/frame/workbench.h"
#include "app/gui/lessons/answer_choices.h"

#include <optional>
#include <string>

namespace attention::gui {

struct PresentWords {
  std::string title;
  std::string longer;  // a longer title, where it fits one line
  bool beside = false; // the picture stands beside the words, else below the title
  // The number of masks shown, and the width over height of each. Several masks, or wide ones,
  // stand below the words of a lesson where that makes them larger. 0: another picture.
  std::size_t tiles = 0;
  bool plots = false; // below the tiles or beside them
  bool image = false; // of tokens, with a single mask: below the words or beside it
  float tileShape = 1;
  // Of a lesson's step, without marks; the reading of a mask has only words.
  std::string words;
  std::string question;
  AnswerChoices choices; // of the question
  std::string answer;
  bool revealed = false;

  std::string caption; // of a figure
  std::string source;  // "Child et al. 2019, figure 3 · n = 36"
  std::string place;   // "3 / 9 · 12:41"
};

PresentWords presentWords(const Workbench& bench, const PanelContext& context,
                          std::optional<int> minuteOfDay);

// A figure's or saved scene's own title, else what the view shows.
std::string shownTitle(const Scene& scene, const Results& results);

// "12:41"
std::string clockText(int minuteOfDay);

} // namespace attention::gui
