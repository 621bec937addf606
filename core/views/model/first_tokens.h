// What the first tokens of a text tell of a variant before the whole is computed. A decoder's token
// reads nothing behind it, so its loss is the same in a shorter text, if its masks are.
#pragma once

#include "core/model/variant.h"
#include "core/support/run.h"

#include <optional>

namespace attention {

// How many of n tokens are worth computing first: an eighth, or up to a quarter where the first
// rows of the masks are the model's own. Nothing where those of all the quarter are, where there
// are few tokens, of an encoder, and where the masks of the shorter text are not the beginning of
// the whole one's, as random ones, or may not be, as those that read data. O(n · ranges of a row)
// for every different mask. Throws Stopped.
std::optional<Index> firstTokensOf(const Model& model, const ModelVariant& variant, Index n,
                                   const Run& run = {});

} // namespace attention
