// Whether a file can be written where an argument says, looked at before the work that fills it: a
// mistyped ending or folder costs nothing then.
#pragma once

#include "app/cli/arguments.h"

#include <span>
#include <string_view>

namespace attention::cli {

// The path that `flag` gives. E_UNSUPPORTED: its ending is none of `endings` (".npy"); E_IO: its
// folder is missing or closed to us, or it is a folder itself, a device or another special file.
std::string outputPath(const Arguments& arguments, std::string_view flag,
                       std::span<const std::string_view> endings);

// The same for the flags of a command that writes arrays, each a .npy file of its own. E_TYPE: two
// of them name one file, or --output is missing without --json.
void requireArrayOutputs(const Arguments& arguments, std::span<const std::string_view> flags);

} // namespace attention::cli
