#include "app/gui/views/mask/mask_motion.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/views/mask/mask_screen.h"

#include <algorithm>

namespace attention::gui {

void MaskMotion::follow(const ViewMotion& motion) {
  if (motion.change != motion_.change) {
    motions_.clear();
    before_ = shown_;
  }
  motion_ = motion;
}

void MaskMotion::show(const MaskScreen& screen) {
  const ViewContext& context = screen.context;
  Tiles now;
  for (const ShownMask& mask : screen.masks.tiles)
    now.push_back(mask.prepared);
  // A stroke is on the screen already when its cells come.
  if (motion_.share >= 1 || showsWeights(context) || context.draw.on) {
    motions_.clear();
    before_.clear();
  }
  if (now != shown_ && !before_.empty())
    begin(now, figureTheme(context.ui.theme));
  shown_ = std::move(now);
}

// Where all can be followed, else none.
void MaskMotion::begin(const Tiles& now, FigureTheme theme) {
  motions_.clear();
  const bool can = std::equal(before_.begin(), before_.end(), now.begin(), now.end(),
                              [](const auto& a, const auto& b) { return canMove(*a, *b); });
  if (!can)
    return;
  for (std::size_t tile = 0; tile < now.size(); ++tile)
    motions_.push_back(cellMotion(*before_[tile], *now[tile], theme));
}

bool MaskMotion::running() const {
  return std::any_of(motions_.begin(), motions_.end(),
                     [](const CellMotion& motion) { return !motion.paths.empty(); });
}

bool MaskMotion::moves(std::size_t tile) const {
  return tile < motions_.size() && !motions_[tile].paths.empty();
}

void MaskMotion::draw(const MaskFrame& frame, std::size_t tile) const {
  const Clip cut(frame.area);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const MovedCell& cell : cellsAt(motions_[tile], static_cast<double>(motion_.share))) {
    const double gap = (1 - cell.size) / 2; // around it
    const auto query = static_cast<double>(cell.query);
    list.AddRectFilled(ImVec2(frame.x(cell.key + gap), frame.y(query + gap)),
                       ImVec2(frame.x(cell.key + 1 - gap), frame.y(query + 1 - gap)),
                       IM_COL32(cell.color.r, cell.color.g, cell.color.b, cell.color.a));
  }
}

} // namespace attention::gui
