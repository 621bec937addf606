// Where numbers stand beside the points of a plot. A number is nearer to its own point than to any
// other or, where a crowd leaves no such place, as far from all others as a line of type is high.
// Where it is not plain which point it belongs to, a short line leads to it, which meets no other
// point, number or line. Between two numbers there is a gap, so that they are never read as one. A
// number that finds no such place has none: whoever shows the plot explains its points elsewhere.
#pragma once

#include "core/plot/label_places.h"

#include <optional>
#include <vector>

namespace attention {

struct NumberedDot {
  Point at;
  double radius;
  double width; // of its number, in pixels
};

struct NumberPlaces {
  double type;                                           // of all numbers, in pixels
  std::vector<std::optional<LabelPlaces::Place>> places; // of each dot; as high as digits
};

// In `box`, with numbers of `type` pixels, or somewhat smaller where more find a place so, and off
// the lines of `around` where there is another place. All are placed together: next comes always
// the point that has the fewest places left (of equals, the first), and takes one that leaves the
// others theirs; where some find none, these come first in another try. Cost O(dots² · places²) in
// a crowd, of 64 places a dot at most, for up to six tries in each of two sizes, near the dots and
// from afar.
NumberPlaces placeNumbers(const Box& box, double type, const std::vector<NumberedDot>& dots,
                          const LabelPlaces& around);

// How many dots have none.
std::size_t missing(const NumberPlaces& of);

} // namespace attention
