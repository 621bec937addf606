// Curves over an axis of numbers, with what spreads about them: error against features, share
// reached against layers, time against n.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/number_axis.h"

#include <string>
#include <vector>

namespace attention {

// What a value spreads over.
struct Band {
  double low = 0;
  double high = 0;
  bool operator==(const Band&) const = default;
};

enum class CurveKind {
  Data,
  Theory, // what is expected of the data in the same hue: thin, without dots
  Level   // something known to compare with: thin, grey, without dots
};

// Told apart by hue and by dash, so that it does not hang on colour alone.
struct Curve {
  std::string label;   // stands at the curve's end
  std::size_t hue = 0; // index into FigureColors::series
  Dash dash = Dash::Solid;
  CurveKind kind = CurveKind::Data;
  std::vector<Point> points; // rising x; what is not finite, or outside of the axes, is a gap
  std::vector<Band> bands;   // one a point, or empty
  bool operator==(const Curve&) const = default;
};

struct CurvesMark {
  NumberAxis x;
  NumberAxis y;
  std::vector<Curve> curves;
  double aspect = 0.6; // height for a width of 1
};

} // namespace attention
