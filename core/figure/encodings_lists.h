// Axial positional encodings written out as numbers.
#pragma once

#include "core/figure/csv_table.h"
#include "core/scene/encodings_spec.h"
#include "core/support/run.h"

#include <filesystem>

namespace attention {

constexpr Index kMostTableNumbers = 4'000'000; // of an encoding as a table

// A row a position: j, its rows of E1 and E2, then e0, e1 … Errors as axialShape; E_RANGE above
// kMostTableNumbers numbers.
CsvTable encodingsTable(const EncodingsSpec& spec, const Run& run = {});

// As .csv that table, else E as float32 in .npy. Replaces `path` only by a complete file. E_IO.
void writeEncodings(const EncodingsSpec& spec, const std::filesystem::path& path,
                    const Run& run = {});

} // namespace attention
