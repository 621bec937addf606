// The error of random features against the number of projections as a figure (Choromanski et al.
// 2021, figure 4): of the output, and of the kernel's entries beside their closed form.
#pragma once

#include "core/analysis/kernel_error.h"
#include "core/analysis/layer_error.h"
#include "core/plot/figure.h"
#include "core/views/kernels/scene_kernels.h"

#include <optional>
#include <span>

namespace attention {

struct KernelErrorFigureOptions {
  std::string input; // what the repeats were drawn from, for the caption
  FigureTheme theme = FigureTheme::Light;
};

// The places of vertical lines: the chosen number of projections, and d ln d, where Theorem 4
// begins to hold.
struct KernelErrorMarks {
  std::optional<Index> chosen;
  std::optional<Index> d;
};

// The median of the output's mean squared error over the repeats, a band from the lower to the
// upper quartile, and the error of an all-zero output. Errors that overflow are gaps.
Plot outputErrorPlot(const KernelErrorResult& result, const KernelErrorOptions& options,
                     const KernelErrorMarks& marks = {});
// The mean squared error of the kernel's entries, its closed form dashed, Theorem 2's bound as
// squares (positive, orthogonal, m ≤ d). Nothing without entries (hasEntries).
std::optional<Plot> entryErrorPlot(const KernelErrorResult& result,
                                   const KernelErrorOptions& options,
                                   const KernelErrorMarks& marks = {});

// The relative error after each layer of a stack: the median over the repeats, a band from the
// lower to the upper quartile. `rows` as returned by layerErrors.
Plot layerErrorPlot(std::span<const LayerErrorRow> rows);

// Both side by side. Left: the median of the output's mean squared error over the repeats, a band
// from the lower to the upper quartile, and the error of an all-zero output. Right: the mean
// squared error of the kernel's entries with Lemma 2 dashed; left out where entries have no meaning
// (stabilised features). Errors that overflow are gaps. Rows may be a part of the sweep: a curve
// that grows.
Figure kernelErrorFigure(const KernelErrorResult& result, const KernelErrorOptions& options,
                         const KernelErrorFigureOptions& how = {});

// Whether the result has meaningful entries of the kernel to plot: not with stabilised features,
// nor where all overflow.
bool hasEntries(const KernelErrorResult& result);

// Whether the spec asks for the errors of entries and the sweep, though of plain features, has
// none: they overflow, at least so far.
bool entriesOverflow(const KernelsSpec& spec, const KernelSweep& sweep);

// Which errors of the sweep a picture of the spec shows: while a stack is being computed, the
// previous sweep stands in for it, and vice versa.
KernelsErrorOf errorOfSweep(const KernelsSpec& spec, const KernelSweep& sweep);

// Whether redraws missed the rare large errors that dominate the closed form of the kernel's error,
// as with positive features of long vectors: it is more than four times what they measured.
bool missesTail(const KernelErrorRow& row);

// "The mean of 15 redraws misses rare large errors: for positive, orthogonal at m = 64, 170 is
// measured, 2.2 × 10⁸ expected.", about the row that misses the most; empty if none does.
// Overflow reads "more than 10³⁰⁸". Only at `at` projections where that is given.
std::string missedTailText(const KernelErrorResult& result, Index repeats,
                           std::optional<Index> at = {});

// The hue and the dash of an estimator, the same in every plot.
Curve estimatorCurve(const Estimator& estimator);

} // namespace attention
