// The kernel-error sweep as JSON, as files and as lines.
#pragma once

#include "app/cli/report.h"
#include "core/analysis/kernel_error.h"

#include <iosfwd>
#include <string>

namespace attention::cli {

// `input` says what the repeats were drawn from.
Json json(const KernelErrorResult& result, const KernelErrorOptions& options, const Json& input);

// E_UNSUPPORTED: neither .csv, .json nor .npy.
void requireKernelErrorEnding(const std::string& path);
// A table, the JSON, or every repeat's error [m, curves, repeats]. E_IO.
void write(const std::string& path, const KernelErrorResult& result,
           const KernelErrorOptions& options, const Json& input);

// A line a row, as it comes, after a heading.
class KernelErrorPrinter {
public:
  explicit KernelErrorPrinter(std::ostream& out) : out_(out) {}
  void operator()(const KernelErrorRow& row);

private:
  std::ostream& out_;
  bool headed_ = false;
};

} // namespace attention::cli
