// The pictures of the Kernels view as plots: matrices, normalisers, the ratio of errors, the order
// of multiplication, singular values. The curves of errors are in kernel_error_figure.h.
#pragma once

#include "core/export/csv_table.h"
#include "core/plot/figure.h"
#include "core/views/kernels/scene_kernels.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attention {

// The parts of a picture; those that it does not read may be null.
struct KernelsAnswer {
  std::shared_ptr<const KernelSweep> sweep;
  std::shared_ptr<const KernelMatrices> matrices;
  std::shared_ptr<const KernelSpectrum> spectrum;
  ProductShapes shapes;
  bool operator==(const KernelsAnswer&) const = default;
};

// Everything that the Scene's picture reads.
KernelsAnswer kernelsAnswer(const Scene& scene, const Lengths& lengths, const ModelHead& input,
                            const Run& run = {});
// E_RANGE where the picture has no numbers: a slice out of bounds, errors of entries that overflow
// in the sweep (which is complete or null).
void requirePicture(const KernelsSpec& spec, const KernelsAnswer& answer);
// Whether the answer has what the spec's picture reads.
bool complete(const KernelsSpec& spec, const KernelsAnswer& answer);
// The panels of the spec's picture, without legends; `answer` must be complete.
std::vector<FigurePanel> kernelsPanels(const KernelsSpec& spec, const KernelsAnswer& answer);
// "positive, orthogonal · m = 64".
std::string estimateText(const KernelMatrices& matrices);
std::string kernelsTitle(const KernelsSpec& spec, const KernelsAnswer& answer);
// What it is made of: "positive, orthogonal · m = 64 · L 1024 …".
std::string kernelsCaption(const KernelsSpec& spec, const KernelsAnswer& answer);
// Where the picture comes from: "After Choromanski et al. 2021, figure 4".
std::string kernelsSourceText(const KernelsSpec& spec, const KernelsAnswer& answer);
// Swatches of ramps and of bars; empty if curves carry their own labels.
std::vector<LegendEntry> kernelsLegend(const KernelsSpec& spec, const KernelsAnswer& answer,
                                       FigureTheme theme);

Figure kernelsFigure(const KernelsSpec& spec, const KernelsAnswer& answer, FigureTheme theme);

// A, Â and |A − Â| by cells; `top` of A for all three.
std::vector<Plot> matrixPlots(const KernelMatrices& matrices);
// A bar per row: above zero, below, and squares at zero. Bars that are too long are cut at the
// axis.
Plot normaliserPlot(const KernelMatrices& matrices);
// How many bars are cut.
Index cutNormalisers(const KernelMatrices& matrices);
// log10 of the ratio of errors over φ and l, with the slice marked.
Plot ratioPlot(double slice);
// The ratio at one length, and the two errors.
Plot slicePlot(double slice);
Plot sliceErrorsPlot(double slice, Index projections);
// The two orders of multiplication with their counts (product_order.h).
Plot orderDiagram(const ProductShapes& shapes);
Plot singularValuesPlot(const KernelSpectrum& spectrum);
Plot rankErrorPlot(const KernelSpectrum& spectrum);

// ---- what to see, in sentences, and the numbers that they tell ----

std::vector<std::string> readingOf(const KernelsSpec& spec, const KernelsAnswer& answer);

// The sweep's rows at the number of projections that is nearest to the chosen one, by their ratio.
using ErrorRows = std::vector<const KernelErrorRow*>;
ErrorRows rowsAt(const KernelSweep& sweep, Index chosen);
double errorOf(const KernelErrorRow& row, KernelsErrorOf what);
// How many of the values, from the first, make up that share of the sum of all.
Index valuesHolding(std::span<const double> values, double share);
constexpr double kMostOfSum = 0.9;
// The least error of any matrix of that rank; 0 where it needs none.
double bestErrorAt(const KernelSpectrum& of, Index rank);

// ---- the numbers behind the pictures, for files ----

// Errors by features and m, a line per curve and number of projections.
CsvTable errorTable(const KernelErrorResult& result);
// Every repeat's errors: float64, [m, curves, repeats]. E_IO.
void writeErrorsNpy(const KernelErrorResult& result, const KernelErrorOptions& options,
                    const std::filesystem::path& path);

// The rows of the picture: errors by features and m; entries of the matrices; normalisers; the
// ratio of errors over φ and l; counts; singular values with the least errors, then those of
// features. `answer` must be complete.
CsvTable kernelsTable(const KernelsSpec& spec, const KernelsAnswer& answer);

// Float64: the repeats' errors, numbers of projections × curves × repeats; A, Â, |A − Â| as 3 ×
// cells × cells; the normalisers; log10 of the ratio, 160 × 240; counts, 2 orders × 3; the singular
// values. Replaces `path` only by a complete file. E_IO.
void writeKernelsNpy(const KernelsSpec& spec, const KernelsAnswer& answer,
                     const std::filesystem::path& path);

} // namespace attention
