#include "app/gui/present/present_stage.h"

#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kShare = 0.15F; // the disk's radius, of the window's shorter side
constexpr float kSoft = 1.15F;  // where the edge ends, in radii
constexpr float kDim = 0.72F;   // share of the light that is removed
constexpr int kCorners = 96;    // of the disk

// Rings of vertices around the pointer with triangles between: clear inside the first, dimmed from
// the second to beyond the window.
void drawRings(ImDrawList& list, ImVec2 centre, const std::array<float, 3>& radii) {
  constexpr int kRings = 3;
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  const auto at = [](int ring, int k) {
    return static_cast<ImDrawIdx>(ring * kCorners + k % kCorners);
  };
  list.PrimReserve((kRings - 1) * kCorners * 6, kRings * kCorners);
  const auto first = static_cast<ImDrawIdx>(list._VtxCurrentIdx);
  for (int ring = 0; ring < kRings; ++ring)
    for (int k = 0; k < kCorners; ++k) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / kCorners;
      const float radius = radii[static_cast<std::size_t>(ring)];
      list.PrimWriteVtx(
          ImVec2(centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)), white,
          color(ImVec4(0, 0, 0, ring == 0 ? 0 : kDim)));
    }
  for (int ring = 0; ring + 1 < kRings; ++ring)
    for (int k = 0; k < kCorners; ++k)
      for (const ImDrawIdx corner : {at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring, k),
                                     at(ring + 1, k + 1), at(ring + 1, k)})
        list.PrimWriteIdx(static_cast<ImDrawIdx>(first + corner));
}

} // namespace

void drawSpotlight(const Ui& ui, const Rect& area) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  if (pointer.x < area.x0 || pointer.x >= area.x1 || pointer.y < area.y0 || pointer.y >= area.y1)
    return;
  const float width = area.x1 - area.x0;
  const float height = area.y1 - area.y0;
  const float radius = kShare * std::min(width, height);
  drawRings(*ImGui::GetForegroundDrawList(), pointer,
            {radius, radius * kSoft, 2 * (width + height)});
  Widget widget; // in no window
  widget.label = "spotlight";
  widget.rect = {pointer.x - radius, pointer.y - radius, pointer.x + radius, pointer.y + radius};
  widget.grip = widget.rect;
  ui.log.record(std::move(widget));
}

} // namespace attention::gui
