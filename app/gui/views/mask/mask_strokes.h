// Drawing by hand over the matrix: from the path of the pointer to a stroke of the pattern, and the
// stroke as it will be under the pointer, wherever it comes again.
#pragma once

#include "app/gui/interface/draw_tool.h"
#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"
#include "app/gui/widgets/canvas.h"

#include <optional>
#include <span>
#include <vector>

namespace attention::gui {

// How the pointer goes over the cells, queries as the tokens that they act as.
struct StrokePath {
  std::vector<Cell> cells; // where it was, frame by frame; they need not touch
  bool dragged = false;    // it has moved since it went down
  bool turned = false;     // Shift was held: add and remove change places
  Index reach = 1;         // cells that the pointer covers
};

// The stroke that the tool makes of a path with at least one cell.
Stroke strokeAlong(const DrawTool& tool, const StrokePath& path, const Lengths& lengths);

// What the matrices keep while the pointer is down.
class StrokesByHand {
public:
  // Goes on with the stroke of that matrix, or ends it, which edits the pattern.
  void take(const ViewContext& context, const CanvasInput& input, std::size_t tile,
            const MaskFrame& frame, const Lengths& lengths);
  // The stroke under the pointer, also before the button goes down.
  void draw(const Ui& ui, const MaskFrame& frame, const Lengths& lengths) const;
  // Before the canvases of a frame.
  void beginFrame(bool drawing);

private:
  void goOn(const CanvasInput& input, const Cell& cell);

  std::optional<StrokePath> path_; // of the stroke that goes on
  std::size_t tile_ = 0;           // in that matrix
  std::optional<Stroke> shown_;
};

} // namespace attention::gui
