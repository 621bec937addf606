// The kernel-error sweep as JSON, as files and as lines.
#pragma once

#include "app/cli/report.h"
#include "core/analysis/kernel_error.h"

#include <iosfwd>
#include <string>

namespace attention::cli {

// `input` says what the repeats were drawn from.
Json json(const KernelErrorResult& result, const KernelErrorOptions& options, const Json& input);

// A table, the JSON, or every repeat's error [m, curves, repeats]. E_IO.
void write(const std::string& path, const KernelErrorResult& result,
           const KernelErrorOptions& options, const Json& input);

// A line per row after a heading, and the baseline.
void printTable(std::ostream& out, const KernelErrorResult& result);

} // namespace attention::cli
