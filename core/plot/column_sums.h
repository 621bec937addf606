// A strip above a matrix with a bar for each of its columns: for attention, the mass that each key
// receives. The largest are labelled beside their bars, so that a sink is seen at once.
#pragma once

#include "core/plot/color.h"
#include "core/plot/display_list.h"
#include "core/support/integers.h"

#include <string>
#include <vector>

namespace attention {

struct ColumnLabel {
  Index column = 0;  // place in `shares`
  std::string text;  // "“[CLS]” 59 %"
  std::string brief; // "59 %", where that does not fit
  bool operator==(const ColumnLabel&) const = default;
};

struct ColumnSums {
  std::vector<double> shares;      // one for each column that is shown; negative where it lost
  std::vector<ColumnLabel> labels; // of the largest, falling
};

// What the strip takes above a matrix, with the gap below it, in sizes of type.
constexpr double kSumsHeight = 2.7;
constexpr double kSumsGap = 0.35;

// Where the strip of a matrix in `box` lies.
Box sumsBox(const Box& box, double type);

// Bars in the first hue, or where any share is negative in the hues of differences. Columns that
// are narrower than a pixel share one, which has the largest of them; labelled bars are at least
// three pixels wide. Labels cover neither bars nor one another: where bars leave them no room,
// these are lower by a line of type, and labels without a place are left out. `beyond`: pixels at
// the right of the matrix that words may take too.
void drawColumnSums(const ColumnSums& sums, const Box& box, double beyond, double type,
                    FigureTheme theme, const TextMeasure& measure, DisplayList& list);

} // namespace attention
