// The last good picture of a view. Where the Scene asks for something that cannot be made, it stays
// on the screen, dimmed, and the error takes the place of its title.
#pragma once

#include "app/gui/interface/view.h"

#include <optional>
#include <string>

namespace attention::gui {

// The words above a picture.
struct ShownTitle {
  std::string words;
  bool wrong = false; // they say what is wrong
};

// For a picture called `title`, which is the last good one where there is an error.
ShownTitle shownTitle(const ViewContext& context, const std::string& title,
                      const std::optional<Problem>& problem);

// In an area as high as titleHeight of the words.
void drawShownTitle(const Ui& ui, const Rect& area, const ShownTitle& title);

// What stands in place of a picture that has not been made: its problem, or what is being done
// (empty: nothing is).
void drawUnmade(const ViewContext& context, const std::optional<Problem>& problem,
                const char* working);

// Dims the view below the area of the title where the picture is an older one.
void dimLastGood(const ViewContext& context, const Rect& area, const ShownTitle& title);

} // namespace attention::gui
