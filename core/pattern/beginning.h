// The parameters a mechanism begins with when it is chosen for the first time: defaults come from
// papers and suit lengths of thousands, and at n = 144 a window of 512 is a full square that shows
// nothing.
#pragma once

#include "core/pattern/pattern.h"

#include <vector>

namespace attention {

// `standard` (defaults) with parameters that suit n keys: lengths in tokens that exceed about n/6,
// and block sizes that fit too few times, are halved until they do; the others keep the paper's
// values. Mechanisms that show nothing without further parameters get some: a formula, a prefix,
// documents, lines, operands, and for a graph its kind. A given mask begins without any.
Pattern beginning(const Pattern& standard, Index n);

// `after` is `before` with another choice, such as the policy of a cache: parameters that it
// brings, and for which nothing is given, begin with lengths that suit n keys.
Pattern begunChoice(const Pattern& before, Pattern after, Index n);

// A parameter that beginning() makes smaller than its source has it.
struct ShortenedParameter {
  const Parameter* parameter = nullptr; // of the description
  Index published = 0;
};

// Those of `pattern` that are smaller than published, if at least one of them still has the value
// with which it begins for n keys; the others may be from another length.
std::vector<ShortenedParameter> shortenedParameters(const Pattern& pattern, Index n);

// Whether its parameters are valid for n queries and n keys, as far as check() tells.
bool isValid(const Pattern& pattern, Index n);

// `pattern`, which is valid for some length, for n keys: where its layout fixes another length
// (canvases, spans, trees, frames), one alike that has n. Others stay as they are.
Pattern laidOut(Pattern pattern, Index n);

} // namespace attention
