// What the first tokens of a text tell of a variant before the whole is computed. A decoder's token
// reads nothing behind it, so its loss is the same in a shorter text, if its masks are.
#pragma once

#include "core/model/variant.h"
#include "core/support/run.h"

#include <optional>

namespace attention {

constexpr Index kLeastFirstTokens = 64; // with fewer there is nothing to see

// How many of the first of n tokens see in every head what they see in the model as it is: their
// predictions are its own, without computing them. n where all masks are the model's own, of an
// encoder n or 0. 0 where masks read data, or are refused for n tokens. O(n · ranges of a row) for
// every different mask. Throws Stopped.
Index ownTokens(const Model& model, const ModelVariant& variant, Index n, const Run& run = {});

// How many of n tokens are worth computing first, where the first `own` are known: an eighth, or up
// to a quarter where that shows more than is known. Nothing where a quarter is known, where there
// are few tokens, of an encoder, and where the masks of the shorter text are not the beginning of
// the whole one's, as random ones, or may not be, as those that read data. Cost and throws as
// above.
std::optional<Index> firstTokensOf(const Model& model, const ModelVariant& variant, Index n,
                                   Index own, const Run& run = {});

} // namespace attention
