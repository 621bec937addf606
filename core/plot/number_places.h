// Places numbers beside the points of a plot. A number is closer to its own point than to any other
// or, where a crowd leaves no such place, at least a line's height away from all others. Where it
// is not clear which point it belongs to, a short line leads to it, which crosses no other point,
// number or line. Between two numbers there is a gap, so that they are never read as one. A number
// without such a place is left out: whoever shows the plot explains its points elsewhere.
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

// Places numbers of `type` pixels in `box`, or somewhat smaller where that places more, and avoids
// the lines of `around` where there is another place. All are placed together: the next is always
// the point with the fewest places left (of equals, the first), and it takes one that leaves the
// others theirs; where some find none, these come first in another try. Cost O(dots² · places²) in
// a crowd, with at most 64 places per dot, for up to six tries in each of two sizes, near the dots
// and from afar.
NumberPlaces placeNumbers(const Box& box, double type, const std::vector<NumberedDot>& dots,
                          const LabelPlaces& around);

// How many dots have no number.
std::size_t missing(const NumberPlaces& of);

} // namespace attention
