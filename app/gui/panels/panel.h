// Panels: the parts of the sidebar and the inspector. Each is one function that reads a
// PanelContext and emits actions.
#pragma once

#include "app/gui/files/figure_list.h"
#include "app/gui/interface/draw_tool.h"
#include "app/gui/interface/view.h"
#include "app/gui/panels/figure_thumbnails.h"
#include "app/gui/panels/thumbnails.h"
#include "app/gui/results/pattern_offers.h"
#include "app/gui/state/document.h"
#include "app/gui/state/ui_state.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace attention::gui {

// Text that is being typed into a field, with what is wrong with it.
struct Draft {
  std::string text;
  std::string shown; // the value that the text was last made from
  std::string error;
  bool active = false; // the field has the keyboard
};

// What panels remember between frames and nothing else needs: half-typed text, the state that a
// drag began with.
struct PanelMemory {
  std::map<std::string, Draft, std::less<>> drafts;
  std::string dragged; // the control that is being dragged
  std::optional<Pattern> dragStart;
  bool randomOpen = false; // the card of the random generator
  bool scoresOpen = false; // the card of the score modifiers
  float pagesDown = 0;     // how far the inspector is asked to scroll, in its heights
  // Heights of a Steady part, by view, what of it is shown, and width.
  std::map<std::tuple<View, int, long>, float> tallest;
  std::string maskTarget; // path of the given mask whose file is being chosen: "0/1"
  DrawTool draw;          // of the Mask view
  std::string figureSearch;
  std::string modelSearch;        // of the Reach view
  std::string ruleLayers = "all"; // of the next rule of the Model view
  std::string ruleHeads = "all";
  std::string figureSeen; // the title of the figure that the list was last moved to
};

struct PanelContext {
  const Scene& scene;
  const Results& results;
  const Ui& ui;
  const UiState& habits;
  const Document& document;
  std::span<const ShownFigure> figures;
  const PatternOffers& offers;
  Thumbnails& thumbnails;
  FigureThumbnails& figureThumbnails;
  PanelMemory& memory;
  ActionSink& actions;
  bool playing = false; // the view moves by itself
  Hover hover = {};     // as the last Hover action said
};

} // namespace attention::gui
