// attnx reach --rollout.
#pragma once

#include "app/cli/command.h"

namespace attention::cli {

// Weighted reach (attention rollout) of the layers of an input, with the weights of attention over
// patterns. The layers are the items of the input's leading axis, the patterns in turn.
// E_UNSUPPORTED, E_RANGE, and what attend throws.
int printRollout(const Arguments& arguments, const Context& context);

} // namespace attention::cli
