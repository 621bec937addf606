// The speaker's view: what the audience sees and what comes next, as small pictures; the notes and
// the question with its answer in type that is read at a glance; the times.
#pragma once

#include "app/gui/frame/workbench.h"
#include "app/gui/lessons/answer_choices.h"
#include "app/gui/panels/figure_thumbnails.h"

#include <optional>
#include <string>

namespace attention::gui {

// ---- what it tells ----

struct SpeakerPicture {
  std::string title;
  Scene scene;
};

struct SpeakerWords {
  std::string place; // "Why full attention is quadratic · 3 of 10"; may be empty
  SpeakerPicture now;
  std::optional<SpeakerPicture> next; // of the view, the lesson, or the paper's figures
  std::string end;                    // instead of the next one
  std::string notes;                  // of a lesson's step, or the caption of a figure
  std::string question;               // of a lesson's step
  AnswerChoices choices;
  std::string answer;
  bool revealed = false;
  bool within = false; // → moves the picture before it shows the answer
  bool black = false;  // the audience sees a black screen
  std::string elapsed; // since the presentation began: "12:41", "1:02:41"
  std::string clock;   // "14:05"; empty where no time is known
};

// While the window presents.
SpeakerWords speakerWords(const Workbench& bench, std::optional<int> minuteOfDay);

// "12:41", and from an hour on "1:02:41".
std::string elapsedText(double seconds);

// ---- how it is drawn ----

constexpr const char* kSpeakerRegion = "Speaker";

// The scale of type for a window of that size in points.
float speakerScale(float width, float height);

// Over all of `area`.
void drawSpeaker(const Ui& ui, const SpeakerWords& said, FigureThumbnails& pictures,
                 const Rect& area);

} // namespace attention::gui
