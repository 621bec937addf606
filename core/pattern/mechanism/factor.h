// The factors of factorized attention (Child et al. 2019, §4.2): A¹, A², or their union.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

enum class Factor { First, Second, Union };

// The choice 'head' of strided and fixed attention.
std::vector<ChoiceOf<Factor>> factorChoices();

// That of a head: both, or by turns A¹ and A² (eq. 7 and 8).
Factor factorOfHead(const HeadOptions& options, Index index);

// The parts that a factor takes from A¹ and A².
std::vector<Part> factorParts(Factor factor, Part first, Part second);

} // namespace attention
