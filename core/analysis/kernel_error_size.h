// How large a sweep of kernel errors may be.
#pragma once

#include "core/support/integers.h"

namespace attention {

constexpr Index kMostErrorNumbers = Index{1} << 26;  // n d repeats: 2 GiB of Q, K, V and outputs
constexpr Index kMostErrorProducts = Index{1} << 44; // n d repeats (n + curves · m): minutes

// E_RANGE where Q, K, V of n × d numbers each, `repeats` of them, are more than that; `length`:
// what n is called.
void requireFewErrorNumbers(const char* length, Index n, Index d, Index repeats);

} // namespace attention
