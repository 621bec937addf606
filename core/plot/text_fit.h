// Text that fits: shortened with … or broken into lines, by a measure of widths.
#pragma once

#include "core/plot/display_list.h"

#include <string>
#include <string_view>
#include <vector>

namespace attention {

// The style of the measured type.
struct Type {
  double size = 13; // pixels
  bool bold = false;
};

// `text` if it is at most `width` wide, else its beginning with … (empty if not even that fits).
// Control characters become spaces.
std::string fitted(std::string_view text, double width, const Type& type,
                   const TextMeasure& measure);

// The same, keeping the beginning and the end with … between them: for texts that begin alike.
std::string fittedInTheMiddle(std::string_view text, double width, const Type& type,
                              const TextMeasure& measure);

// `text` in lines of at most `width`, broken at spaces that lineBreak allows; a longer word is
// broken after a slash, or shortened.
std::vector<std::string> wrapped(std::string_view text, double width, const Type& type,
                                 const TextMeasure& measure);

// Whether the lines hold all of a text, with nothing cut.
bool sayAll(const std::vector<std::string>& lines, std::string_view text);

// A measure that calls the given one once per text, since measuring is expensive. The given one
// must outlive it.
TextMeasure remembering(const TextMeasure& measure);

// `text` where it is at most `width` wide, else what stands in it before the last comma or the last
// of " of ", " at ", " by ", " between " and " (" outside parentheses, and so on: "MSE, m = 64"
// is "MSE", "a (4, 0)" is "a". Empty if none fits.
std::string shortName(std::string_view text, double width, const Type& type,
                      const TextMeasure& measure);

// The name of an axis in that width: fewer words before the part after the last comma, which may be
// the unit: "angle between the points, degrees" is "angle, degrees". Without it where not even that
// fits.
std::string axisName(std::string_view text, double width, const Type& type,
                     const TextMeasure& measure);

} // namespace attention
