// What a pattern is called where people read it: legends, titles, lists of layers.
#pragma once

#include "core/pattern/pattern.h"

#include <span>
#include <string>

namespace attention {

// What a control of the parameter is called: "block size", "factor". The specification's "head"
// chooses A¹, A² or both; a head is a model's elsewhere.
std::string titleText(const Parameter& parameter);

// "Local, window 3, causal", "LSH (Reformer), 4 rounds", "Local ∪ Strided, factor 2", "mask.npy":
// the title with every parameter that was given, and with a default where another of `among` was
// given a value of its own. Long texts and lists are shortened.
std::string titleText(const Pattern& pattern, std::span<const Pattern* const> among = {});

// The same without parameters that all of `among` have alike: what tells it from them. Whole where
// none is another.
std::string titleAmong(const Pattern& pattern, std::span<const Pattern* const> among);

} // namespace attention
