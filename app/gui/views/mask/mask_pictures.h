// The pictures of the view's matrices, by shader or by jobs: exact shares of the pattern, or the
// attention weights of the model head.
#pragma once

#include "app/gui/pictures/raster_picture.h"
#include "app/gui/views/mask/mask_screen.h"

#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

// What one matrix shows beside its picture.
struct Standing {
  bool sampled = false;
  bool late = false; // a newer raster is being made
  double progress = 0;
  std::optional<float> largestWeight; // where weights are shown
  std::string problem;                // why there is no newer picture
  Index group = 1; // where tiles lie over it: so many along a side stand as one square
};

class MaskPictures {
public:
  MaskPictures(const gl::ShaderSources& shaders, bool byShader);

  // As many as there are masks.
  void resize(std::size_t tiles) { pictures_.resize(tiles); }
  // Requests the picture of a matrix.
  Standing ask(const MaskScreen& screen, std::size_t tile);
  // Draws the newest available one.
  void paint(const MaskScreen& screen, std::size_t tile) const {
    pictures_[tile].draw(screen.frames[tile], screen.density);
  }

private:
  Standing show(const MaskScreen& screen, std::size_t tile);
  bool showWeights(const MaskScreen& screen, std::size_t tile, const TexelAxes& axes,
                   Standing& standing);

  std::optional<MaskShader> shader_; // only where there is a graphics processor
  std::vector<RasterPicture> pictures_;
};

} // namespace attention::gui
