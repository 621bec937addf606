// What a page says where one points at a plot: the data of assets/page/facts.js as JSON.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/figure.h"
#include "core/support/run.h"

#include <string>
#include <vector>

namespace attention {

struct PlacedMark {
  Plot plot;
  Box box;          // what its mark fills
  double type = 13; // size of its type
};

// The areas of a plot, each one JSON object: the rows of a mask with its rules (of up to 64 × 64
// cells with the reason for each), shares of pairs where it has more than 4096 rows or columns,
// values of a matrix to three digits, the points of curves, boxes with words. E_RANGE: a mask
// whose rows take more bytes than a page may hold.
std::vector<std::string> pageAreas(const PlacedMark& mark, const TextMeasure& measure,
                                   const Run& run);

} // namespace attention
