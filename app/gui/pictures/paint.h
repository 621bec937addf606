// Rectangles in the window's draw list.
#pragma once

#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/widget_log.h"
#include "core/plot/display_list.h"

namespace attention::gui {

// While it lives, drawing is clipped to a rectangle.
class Clip {
public:
  explicit Clip(const Rect& r);
  ~Clip();
  Clip(Clip&&) = delete;
};

void fill(const Rect& r, ImU32 tint, float rounding = 0);
// Dims a picture of earlier parameters.
void dim(const Ui& ui, const Rect& r);
// A frame of `width` points just outside `r`.
void box(const Rect& r, ImU32 tint, float width);

// As cornersOf says.
void drawMarker(const ImVec2& centre, const Marker& marker, float radius, ImU32 tint);

// The first pixel of a cell that begins at point `at`, in points: where the gap before it is drawn.
// Ties go to the earlier pixel, as they do where the texture is sampled.
float gapAt(float at, float density);

ImVec4 toFloats(const Color& c, float alpha = 1);

constexpr float kViewMargin = 26; // about a view, at scale 1
constexpr float kPointReach = 14; // within which a point of a plot is pointed at, at scale 1

inline float widthOf(const Rect& r) {
  return r.x1 - r.x0;
}
inline float heightOf(const Rect& r) {
  return r.y1 - r.y0;
}

} // namespace attention::gui
