#include "app/gui/pictures/paint.h"

#include "app/gui/platform/imgui_compat.h"
#include "app/gui/widgets/drawing.h"

#include <cmath>
#include <vector>

namespace attention::gui {

Clip::Clip(const Rect& r) {
  ImGui::GetWindowDrawList()->PushClipRect(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y1), true);
}
Clip::~Clip() {
  ImGui::GetWindowDrawList()->PopClipRect();
}

void fill(const Rect& r, ImU32 tint, float rounding) {
  if (r.x0 < r.x1 && r.y0 < r.y1)
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y1), tint,
                                              rounding);
}

void dim(const Ui& ui, const Rect& r) {
  constexpr float kShare = 0.55F; // of the ground over the picture
  ImVec4 veil = ui.colors().view;
  veil.w = kShare;
  fill(r, color(veil));
}

void box(const Rect& r, ImU32 tint, float width) {
  fill({r.x0 - width, r.y0 - width, r.x1 + width, r.y0}, tint);
  fill({r.x0 - width, r.y1, r.x1 + width, r.y1 + width}, tint);
  fill({r.x0 - width, r.y0, r.x0, r.y1}, tint);
  fill({r.x1, r.y0, r.x1 + width, r.y1}, tint);
}

void drawMarker(const ImVec2& centre, const Marker& marker, float radius, ImU32 tint) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = static_cast<float>(kOutline) * radius;
  std::vector<ImVec2> corners;
  for (const Point& corner :
       cornersOf(marker.shape, {static_cast<double>(centre.x), static_cast<double>(centre.y)},
                 static_cast<double>(radius)))
    corners.emplace_back(static_cast<float>(corner.x), static_cast<float>(corner.y));
  const auto count = static_cast<int>(corners.size());
  if (marker.hollow && corners.empty())
    list.AddCircle(centre, radius, tint, 0, width);
  else if (marker.hollow)
    list.AddPolyline(corners.data(), count, tint, ImDrawFlags_Closed, width);
  else if (corners.empty())
    list.AddCircleFilled(centre, radius, tint);
  else
    list.AddConvexPolyFilled(corners.data(), count, tint);
}

float gapAt(float at, float density) {
  constexpr float kTie = 0.51F;
  return std::ceil(at * density - kTie) / density;
}

ImVec4 toFloats(const Color& c, float alpha) {
  return ImVec4(static_cast<float>(c.r) / 255.0F, static_cast<float>(c.g) / 255.0F,
                static_cast<float>(c.b) / 255.0F, alpha);
}

} // namespace attention::gui
