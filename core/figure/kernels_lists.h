// The numbers behind the pictures of the Kernels view, for files.
#pragma once

#include "core/figure/csv_table.h"
#include "core/figure/kernels_figure.h"

#include <filesystem>

namespace attention {

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
