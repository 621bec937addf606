// A pattern in words: what it is called in legends, titles and lists of layers, and its definition.
#pragma once

#include "core/pattern/pattern.h"

#include <span>
#include <string>
#include <vector>

namespace attention {

// What a control of the parameter is called: "block size", "factor". The specification's "head"
// chooses A¹, A² or both; a head is a model's elsewhere.
std::string titleText(const ParameterFacts& parameter);

// What the mechanism is called: "Local"; of full attention that keeps to j ≤ i "Full causal".
std::string mechanismTitle(const Pattern& pattern);

// "Local, window 3, causal", "LSH (Reformer), 4 rounds", "Local ∪ Strided, factor 2", "mask.npy":
// the title with every parameter that was given, and with a default where another of `among` was
// given a value of its own. Long texts and lists are shortened.
std::string titleText(const Pattern& pattern, std::span<const Pattern* const> among = {});

// The same without parameters that all of `among` have alike: what tells it from them. Whole where
// none is another.
std::string titleAmong(const Pattern& pattern, std::span<const Pattern* const> among);

// Its definition as its parameters choose it. The lines of its description; where a parameter
// chooses one factor, the factor's line and "Sᵢ = A¹ᵢ".
std::vector<std::string> definitionOf(const Pattern& pattern);

} // namespace attention
