// Timings as a table with what follows from them, as JSON and as a file.
#pragma once

#include "app/cli/picture_flags.h"
#include "app/cli/report.h"
#include "core/analysis/timing/measure.h"

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

namespace attention::cli {

struct TimeReport {
  std::span<const ScoredMethod> methods;
  const TimingOptions& options;
  std::uint64_t seed = 0;
  Timings timings;
};

// rows, exponents, peak_gflops and crossovers with the keys of cli.md; beside them the samples, the
// parts, the predictions, noise, and what was left out. Times are seconds.
Json json(const TimeReport& report);

void printTable(std::ostream& out, const TimeReport& report);

// .csv, .json, or a picture. E_IO, E_RANGE.
void write(const TimeReport& report, const std::string& path, const PictureOptions& how,
           const Run& run);

} // namespace attention::cli
