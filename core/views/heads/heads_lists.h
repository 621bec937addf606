// Lists of the heads of an input and what they do.
#pragma once

#include "core/export/csv_table.h"
#include "core/views/heads/measured_heads.h"

#include <array>
#include <optional>
#include <string_view>

namespace attention {

// A measure of a head under its name in files: "previous_occurrence".
struct HeadMeasure {
  std::string_view name;
  std::optional<double> (*of)(const MeasuredHead& head); // nothing if it does not exist
};

// In the order of files; the last one is the mass that a pattern captures.
const std::array<HeadMeasure, 9>& headMeasureList();

// A line per head: layer, head and all measures, empty if one does not exist.
CsvTable headsTable(std::span<const MeasuredHead> heads);

} // namespace attention
