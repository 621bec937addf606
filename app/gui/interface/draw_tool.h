// With what and how the Mask view draws by hand: no part of the Scene, and no step of undo.
#pragma once

#include "core/pattern/pattern.h"
#include "core/pattern/value.h"
#include "core/scene/scene.h"
#include "core/scene/settings.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace attention::gui {

struct DrawTool {
  enum class Kind { Brush, Rectangle, Block, Row, Column, Diagonal };

  bool on = false;
  Kind kind = Kind::Brush;
  bool remove = false; // Shift turns it over
  Index brush = 1;     // side of the brush in cells
  Index block = 8;     // side of a block
  bool mirror = false;
  std::optional<Index> period;
  // What was drawn on before nothing was chosen, and the file and the strokes of that time: where
  // these differ, another mask is drawn.
  struct Below {
    Pattern pattern;
    std::filesystem::path file;
    std::vector<Stroke> strokes;
  };
  std::optional<Below> below = {};
};

const Settings<DrawTool>& drawToolSettings();

// Whether strokes have one pattern to go to: in the Mask view, unless it shows panels of a figure.
bool canDraw(const Scene& scene);

} // namespace attention::gui
