// The exact coverage of a lattice, one row of pixels at a time, for users who need no more: a
// picture then takes the memory of its colours, not of its counts.
#pragma once

#include "core/pattern/coverage.h"
#include "core/pattern/term_strips.h"

#include <span>
#include <vector>

namespace attention {

class CoverageRows {
public:
  // Both must outlive this.
  CoverageRows(const Prepared& pattern, const Lattice& lattice);

  // Planes of counts: one per part, or one for all where there are more than kMostPartsShown.
  std::size_t planes() const { return planes_; }
  // Whether counts are exact; else rows are sampled (sampled_rows.h).
  bool exact() const { return exact_; }

  // Adds the attended pairs of pixel (row, b) to counts[plane][b], which must start at zero:
  // planes() spans of a row's pixels. Any number of threads may call at once.
  void add(Index row, std::span<const std::span<Index>> counts, const Run& run = {}) const;

private:
  struct PlanedTerm {
    std::size_t plane;
    TermStrips strips;
  };

  std::size_t plane(std::size_t part) const { return planes_ == 1 ? 0 : part; }
  void addClosed(Index row, std::span<const std::span<Index>> counts) const;
  void addTable(const Cells& cells, Index top, Index bottom, std::span<Index> counts) const;
  void addAsked(Index row, std::span<const std::span<Index>> counts, const Run& run) const;

  const Prepared& pattern_;
  const Lattice& lattice_;
  std::size_t planes_;
  bool exact_;
  std::vector<PlanedTerm> terms_; // of a closed form
};

} // namespace attention
