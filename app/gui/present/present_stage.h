// The stage of a presentation: where title, words, picture, caption and foot stand, and all of it
// drawn but the picture.
#pragma once

#include "app/gui/present/present_words.h"
#include "app/gui/widgets/ui.h"

#include <optional>
#include <string>

namespace attention::gui {

constexpr const char* kStageRegion = "Present";

struct Stage {
  Rect area;
  Rect head;                 // the title; of a lesson all its words
  bool above = false;        // these stand above the picture, the question beside the words
  Rect picture;              // of the view
  std::optional<Rect> image; // of a single mask, below the words; else in the picture
  Rect caption;              // of a figure; empty where there is none
  Rect foot;                 // source, place and time
  std::string heading;       // the title, or the longer one
  // The type of title and words, the largest that has room.
  ImFont* title = nullptr;
  ImFont* words = nullptr;
  ImFont* question = nullptr;
};

Stage stageOf(const Ui& ui, const PresentWords& said, const Rect& area);

void drawStage(const PanelContext& context, const PresentWords& said, const Stage& stage);

// Instead of all that: nothing, in black or in the theme's ground.
void drawNothing(const Ui& ui, const Rect& area, bool black);

// A light on what is pointed at: dims `area` of the window but for a disk around the pointer, over
// all that is drawn; nothing where the pointer is outside of it.
void drawSpotlight(const Ui& ui, const Rect& area);

} // namespace attention::gui
