// The stage of a presentation: where title, words, picture, caption and footer stand; draws all of
// it except the picture.
#pragma once

#include "app/gui/present/present_words.h"
#include "app/gui/widgets/ui.h"

#include <optional>
#include <string>

namespace attention::gui {

constexpr const char* kStageRegion = "Present";

struct Stage {
  Rect area;
  Rect head;                 // the title, or all the words of a lesson
  bool above = false;        // the words stand above the picture, the question beside them
  Rect picture;              // of the view
  std::optional<Rect> image; // of a single mask, below the words; else in the picture
  Rect caption;              // caption of a figure; empty if there is none
  Rect foot;                 // source, place and time
  std::string heading;       // the title, or the longer one
  // The type of title and words, the largest that fits.
  ImFont* title = nullptr;
  ImFont* words = nullptr;
  ImFont* question = nullptr;
};

Stage stageOf(const Ui& ui, const PresentWords& said, const Rect& area);

void drawStage(const PanelContext& context, const PresentWords& said, const Stage& stage);

// Instead of all that: nothing, in black or in the theme's background.
void drawNothing(const Ui& ui, const Rect& area, bool black);

// A spotlight: dims `area` of the window, over all that is drawn, except a disk around the pointer;
// nothing if the pointer is outside it.
void drawSpotlight(const Ui& ui, const Rect& area);

} // namespace attention::gui
