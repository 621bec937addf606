// What the pictures of the Attention view that are one plot share: tabs and title above it, its
// caption and what pointer and keys do below it.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/view_words.h"
#include "core/plot/figure.h"

#include <functional>

namespace attention::gui {

struct SinglePicture {
  bool there = false; // else `problem` stands in its place
  const std::string& title;
  const std::string& caption;
  const std::optional<Problem>& problem;
  Hints hints;                   // what pointer and keys do
  ImFont* captionFont = nullptr; // none: small
};

// Where its parts lie.
PictureFrame singleFrame(const ViewContext& context, const SinglePicture& picture);

// Draws the frame, and by `drawRoom` what lies within it; what that points at is pushed.
void drawSingle(const ViewContext& context, const SinglePicture& picture,
                const std::function<void(const Rect& room, Hover& hover)>& drawRoom);

// Whether there is a picture of the Scene, or the last good one stays because the Scene asks for
// what cannot be made. R: a part of Results with `shown` and `problem`.
template <class R>
bool isThere(const ViewContext& context, const R& results) {
  const bool stays =
      isError(results.problem) && !std::holds_alternative<NoInput>(context.scene.input.source);
  return results.shown && (!results.problem || stays);
}

// A place on the screen in units of a diagram that fills `box`.
Point inDiagram(const Plot& plot, const Rect& box, float x, float y);

} // namespace attention::gui
