// The cells of masks of few tokens on their way from the last pattern to the present one.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"
#include "core/views/mask/cell_motion.h"

#include <memory>
#include <vector>

namespace attention::gui {

struct MaskScreen;

class MaskMotion {
public:
  // Once per frame, and before the masks are drawn.
  void follow(const ViewMotion& motion);
  void show(const MaskScreen& screen);
  // Whether the cells of any mask, or of one, are under way; then they are drawn here.
  bool running() const;
  bool moves(std::size_t tile) const;
  void draw(const MaskFrame& frame, std::size_t tile) const;

private:
  using Tiles = std::vector<std::shared_ptr<const Prepared>>;
  void begin(const Tiles& now, FigureTheme theme);

  Tiles before_;                    // what was shown when the change came
  Tiles shown_;                     // in the last frame
  ViewMotion motion_;               // that is followed
  std::vector<CellMotion> motions_; // of the masks, or none
};

} // namespace attention::gui
