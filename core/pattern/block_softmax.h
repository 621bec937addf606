// Weights by which blocks are chosen: softmaxes, orders by falling weight, and how many of the
// largest reach a share (S26 – S28).
#pragma once

#include "core/support/integers.h"

#include <span>
#include <vector>

namespace attention {

// The softmax of the numbers, in place; −∞ gives 0, and so does everything where all are −∞.
void softmax(std::span<double> scores);

// Their indices by falling weight; equal ones by index.
std::vector<Index> byFallingWeight(std::span<const double> weights);

// How many prefixes of `falling` weights have a sum of at most `share`.
Index prefixesWithin(std::span<const double> falling, double share);

} // namespace attention
