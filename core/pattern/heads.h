// The attention heads of a mechanism (S4.17): factorized attention gives each head its factor or
// its sub-block (Child et al. 2019, eq. 7 and 8), Longformer its dilation, BigBird its random
// stream. A model's heads are a different thing and are never meant here.
#pragma once

#include "core/pattern/pattern.h"

#include <string_view>
#include <vector>

namespace attention {

// The most heads that are distinguished.
constexpr Index kMostHeads = 4096;

struct HeadOptions {
  Index heads = 1;
  bool alternate = false;            // factors by turns (eq. 8), else merged in every head (eq. 7)
  Index subblocks = 1;               // fixed: distinct sub-blocks over the heads, 1 … ⌊l / c⌋
  std::vector<Index> dilations = {}; // longformer: one per head; empty: the pattern's for all
  bool operator==(const HeadOptions&) const = default;
};

// One pattern per head; mechanisms without heads of their own give the same for all. E_RANGE:
// heads, num_subblocks; E_SHAPE: the numbers of dilations and heads differ.
std::vector<Pattern> headPatterns(const Pattern& pattern, const HeadOptions& options, Index n);

// Names of the parameters that headPatterns gives each head, whatever the pattern, or what it is
// drawn on, has.
std::vector<std::string_view> setByHeads(const Pattern& pattern, const HeadOptions& options);

// Whether its heads, or those of what it is drawn on, read that option: "alternate", "subblocks",
// "dilations".
bool headsRead(const Pattern& pattern, std::string_view option);

// Layer r ≥ 0 of interleaved factors (eq. 6): A^(1 + r mod 2) of strided and fixed attention; other
// mechanisms stay unchanged.
Pattern layerPattern(const Pattern& pattern, Index layer);

} // namespace attention
