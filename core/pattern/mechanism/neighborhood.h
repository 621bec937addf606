// Windows on a line, an image or a video (T1): NATTEN's neighbourhood attention and its relatives,
// with strides, dilation, causal axes and tiles.
#pragma once

#include "core/pattern/canvas_cells.h"
#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Neighborhood {
  enum class Reading { Natten, ZeroPad, Gym, Sta };
  enum class Layout { RowMajor, Tile };

  std::optional<IndexList> shape;    // tokens along each axis, the last one fastest; required
  std::optional<AxisNumbers> kernel; // required
  AxisNumbers stride = Index{1};
  AxisNumbers dilation = Index{1};
  AxisTruths causal = false;
  std::optional<AxisNumbers> tile;
  std::optional<Layout> layout; // Tile for Sta, else RowMajor
  Index text = 0;               // tokens behind the canvas, of Sta
  Reading reading = Reading::Natten;
  bool operator==(const Neighborhood&) const = default;
};

// The canvas of checked parameters, without the text.
CanvasCells canvasOf(const Neighborhood& neighborhood);

const Description& describe(const Neighborhood&);
void checkLengths(const Neighborhood& neighborhood, const Lengths& lengths);
std::shared_ptr<const Prepared> prepared(const Neighborhood& neighborhood, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
