// Receptive fields written out as numbers: the matrix of hops, and the growth over the layers.
#pragma once

#include "core/analysis/reach/reach.h"
#include "core/figure/csv_table.h"
#include "core/figure/reach_figure.h"
#include "core/support/run.h"

#include <filesystem>
#include <vector>

namespace attention {

// int32, n × n; −1 for never. Pairs that more layers lose again keep their least number, here and
// below.
void writeHopsNpy(const HopMatrix& hops, const std::filesystem::path& path, const Run& run = {});

// The heading i,j,hops, then a line a reached pair, by query and then by key. E_RANGE above
// kMaxMaskEntries pairs.
void writeHopsCsv(const HopMatrix& hops, const std::filesystem::path& path, const Run& run = {});

// A row per curve and layer.
CsvTable growthTable(const std::vector<ReachGrowth>& curves);

} // namespace attention
