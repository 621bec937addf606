// What the commands on masks share: lengths, heads, and prepared patterns from the arguments.
#pragma once

#include "app/cli/command.h"
#include "core/pattern/heads.h"
#include "core/pattern/prepared.h"

#include <memory>
#include <vector>

namespace attention::cli {

// --n, --n-q, --n-k, --align; --heads, --head-mode, --num-subblocks, --dilations.
std::vector<Flag> maskFlags();
// `own` after the flags above, and --json where `json`.
std::vector<Flag> withMaskFlags(std::vector<Flag> own, bool json);

// --align in force. E_RANGE.
Align alignFrom(const Arguments& arguments);

// Whether the mechanism's own heads are asked for, and which (S4.17).
bool hasHeadFlags(const Arguments& arguments);
HeadOptions headsFrom(const Arguments& arguments);

// Throws E_N where no length is given, E_SHAPE where n-q and n-k differ without --align.
Lengths lengthsFrom(const Arguments& arguments);

// One prepared pattern a head (S4.17): one without --heads.
std::vector<std::shared_ptr<const Prepared>> preparedHeads(const Arguments& arguments,
                                                           const Context& context);

// The pattern of index `k`, prepared for the arguments' lengths, its files read.
std::shared_ptr<const Prepared> preparedPattern(const Arguments& arguments, std::size_t k,
                                                const Context& context);

// The only one of the heads; E_UNSUPPORTED where there are several.
std::shared_ptr<const Prepared> onlyHead(const Arguments& arguments, const Context& context);

} // namespace attention::cli
