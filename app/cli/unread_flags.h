// Flags of patterns and of a mechanism's heads that would be without effect.
#pragma once

#include "app/cli/arguments.h"

#include <iosfwd>

namespace attention::cli {

// Notes where --head-mode alternate, --num-subblocks or --dilations is given for a mechanism that
// does not read it, or a parameter that each of the heads has for itself.
void sayUnreadHeads(const Arguments& arguments, const Grammar& grammar, std::ostream& notes);

// Notes which parameters of the patterns are given although others make them meaningless.
void sayUnreadParameters(const Arguments& arguments, std::ostream& notes);

} // namespace attention::cli
