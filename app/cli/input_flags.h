// INPUT on the command line: random draws, files, embeddings with weights, ready weights.
#pragma once

#include "app/cli/arguments.h"
#include "core/input/input.h"

#include <memory>
#include <vector>

namespace attention::cli {

std::vector<Flag> inputFlags();

// E_TYPE where no input, or several, are given.
InputSpec inputSpecFrom(const Arguments& arguments);

// Loads it; bundled samples are found beside the executable.
std::shared_ptr<const Input> inputFrom(const Arguments& arguments, const Run& run);

} // namespace attention::cli
