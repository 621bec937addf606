// What patterns and variants are called where nobody has named them: with the number that matters
// most, and by the rules.
#pragma once

#include "core/scene/model_spec.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

// As titleText, and with its main parameter where that is a default: "Local, window 128". A default
// that depends on the length is told where `n` is given.
std::string sizedTitle(const Pattern& pattern, std::optional<Index> n = {},
                       std::span<const Pattern* const> among = {});

// "Local, window 128; layer 14: Strided"; of more than two rules how many the others are. kByHand
// without any.
std::string nameOfRules(std::span<const ModelRuleSpec> rules);

// The name of a variant whose rules were `before`: where it was made of them, it is made of those
// that it has now; else it stays.
void renameByRules(std::vector<ModelVariantSpec>& variants, std::size_t place,
                   std::span<const ModelRuleSpec> before);

// As giveHeads. The name follows the rules, or, where it says something else, that it is changed.
void giveHeadsNamed(ModelSpec& spec, const Pattern& pattern, Index layer, const std::string& heads);

} // namespace attention
