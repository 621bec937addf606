// Exact coverage of a lattice of pixels: how many attended pairs each pixel holds, and through
// which part. Pixel (a, b) covers the queries [rowEdges[a], rowEdges[a + 1]) and the keys
// [keyEdges[b], keyEdges[b + 1]); its count is the same integer on the CPU and in the shader,
// whatever n is, so nothing aliases (S12).
#pragma once

#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <cstddef>
#include <vector>

namespace attention {

// More parts than this are shown as one count.
constexpr std::size_t kMostPartsShown = 8;

struct Lattice {
  std::vector<Index> rowEdges; // ascending, pixels + 1 of them
  std::vector<Index> keyEdges;

  Index rows() const { return static_cast<Index>(rowEdges.size()) - 1; }
  Index cols() const { return static_cast<Index>(keyEdges.size()) - 1; }
};

// `rect` in rows × cols pixels of as equal a size as whole tokens allow.
Lattice latticeOver(const Rect& rect, Index rows, Index cols);

struct Coverage {
  Index rows = 0;
  Index cols = 0;
  // counts[part][pixel], pixels row by row: attended pairs whose first part is `part`; a pattern of
  // more than kMostPartsShown parts has a single plane.
  std::vector<std::vector<Index>> counts;
  bool exact = true; // false where rows were sampled

  Index total(Index row, Index col) const;
};

// Rows beyond which a pattern without closed form is sampled (architecture: 16 384).
constexpr Index kMostExactRows = 16384;

// Whether a lattice over so many queries is sampled: many rows without a closed form.
bool samplesCoverage(const Prepared& pattern, Index queries);

// Closed forms: a product per term and pixel, and corners where an edge of a term crosses
// (term_strips.h). Else a sum over the rows; where samplesCoverage(), over sampled rows of each
// pixel (sampled_rows.h), scaled up and marked in `exact`.
Coverage computeCoverage(const Prepared& pattern, const Lattice& lattice, const Run& run = {},
                         int threads = 1);

} // namespace attention
