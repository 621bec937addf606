// Curves over an axis of numbers, with the spread around them: error against features, share
// reached against layers, time against n.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/mask_color.h"
#include "core/plot/number_axis.h"
#include "core/support/matrix.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

// The spread of a value.
struct Band {
  double low = 0;
  double high = 0;
  bool operator==(const Band&) const = default;
};

enum class CurveKind {
  Data,   // with a dot or a marker per point where there are few
  Theory, // what is expected for the data in the same hue: thin, without dots
  Level,  // something known to compare with: thin, grey, without dots
  Single, // the single values behind curves that are means of them: pale, without dots or a label
  Bars,   // one bar from zero per value, without a label
  Points  // hollow squares without a line: bounds, points of interest
};

constexpr std::size_t kGreyHue = static_cast<std::size_t>(-1); // of bars beside those in hues

// Distinguished by hue and by dash or marker, so that it does not depend on colour alone.
struct Curve {
  std::string label;       // stands at the curve's end
  std::string fitted = {}; // after the label, which may be shortened while this is not: "n²"
  std::size_t hue = 0;     // index into FigureColors::series, or kGreyHue
  Dash dash = Dash::Solid;
  CurveKind kind = CurveKind::Data;
  std::optional<Marker> marker = {}; // of data; none: dots
  std::vector<Point> points; // with x ascending; what is not finite, or outside the axes, is a gap
  std::vector<Band> bands;   // one per point, or empty
  std::string briefly = {};  // the label in fewer words; empty: the label up to its comma
  bool operator==(const Curve&) const = default;
};

// "Full  n²".
inline std::string nameOf(const Curve& curve) {
  return curve.fitted.empty() ? curve.label : curve.label + "  " + curve.fitted;
}

// Numbers as colours behind the curves, over the whole of both axes.
struct Field {
  std::shared_ptr<const Matrix<float>> values; // rows from the top
  Ramp ramp = Ramp::Diverging;
  float top = 1; // the end of the ramp
  // What the pointer tells: the names of both axes and of a number.
  std::string across = "x";
  std::string down = "y";
  std::string number = "value";
  bool decades = false; // numbers are logarithms to base 10
};

// A dashed line at a value of x with words at its top.
struct Upright {
  double x = 0;
  std::string label;
  bool operator==(const Upright&) const = default;
};

// A place with words beside it: where two curves cross, a mechanism among others.
struct NamedPoint {
  Point at;
  std::string label;
  std::optional<std::size_t> hue = {}; // of its dot; absent: the colour of the words
  bool operator==(const NamedPoint&) const = default;
};

struct CurvesMark {
  NumberAxis x;
  NumberAxis y;
  std::vector<Curve> curves;
  std::optional<Field> field = {};
  std::vector<Upright> uprights = {};
  std::vector<NamedPoint> named = {};
  double aspect = 0.6; // height for a width of 1
};

// The Pareto front of a plot of costs: through the points (cost, value) that no other one beats in
// both, dashed and without a marker; points that are not finite are left out.
Curve frontCurve(std::span<const Point> points, bool moreIsBetter);

} // namespace attention
