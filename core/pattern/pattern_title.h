// A pattern in words: what it is called in legends, titles and lists of layers, and its definition.
#pragma once

#include "core/pattern/pattern.h"

#include <span>
#include <string>
#include <vector>

namespace attention {

// What a control of the parameter is called: "block size", "factor". The specification's "head"
// chooses A¹, A² or both; elsewhere a head is always a model's.
std::string titleText(const ParameterFacts& parameter);

// A default that is one value whatever the length is; else nothing.
Value fixedDefault(const Parameter& parameter, const Pattern& pattern);

// What the mechanism is called: "Local"; for full attention restricted to j ≤ i "Full causal".
std::string mechanismTitle(const Pattern& pattern);

// "Local, window 3, causal", "LSH (Reformer), 4 rounds", "Local ∪ Strided, factor 2", "mask.npy":
// the title with every given parameter, and also with a default where another of `among` has a
// different value. Long texts and lists are shortened.
std::string titleText(const Pattern& pattern, std::span<const Pattern* const> among = {});

// The same without parameters that are equal in all of `among`: only what tells it apart. The whole
// title where all are equal.
std::string titleAmong(const Pattern& pattern, std::span<const Pattern* const> among);

// Its definition for its parameters: the lines of its description; where a parameter chooses one
// factor, the factor's line and "Sᵢ = A¹ᵢ".
std::vector<std::string> definitionOf(const Pattern& pattern);

} // namespace attention
