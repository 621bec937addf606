// Closed forms of receptive fields (S10): where the reach of a stack is itself a pattern, at any n.
// Windows add up, dilated windows with the same step add up, blocks, sinks and rings widen,
// transitive patterns stay the same, and factorized attention is complete after two layers.
#pragma once

#include "core/analysis/reach/reach.h"
#include "core/pattern/pattern.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

// The pattern whose mask is R_T of the layers (lowest first), or nothing if the table has no
// form. Parameters must have been checked for n. O(layers).
std::optional<Pattern> reachForm(std::span<const Pattern> layers, Index n, bool residual);

// The reach of every layer of the stack from the closed forms, where all of them are known: at any
// n. `layers`: the pattern of each, lowest first, with files read; `data`: what they depend on.
// O(layers · count), and only O(layers) once a layer adds nothing.
std::optional<std::vector<LayerReach>> layersByForms(std::span<const Pattern> layers, Index n,
                                                     const PatternData& data, bool residual,
                                                     int threads = 0, const Run& run = {});

// The largest number of hops between two tokens where every layer is `layer`: for windows, sinks,
// blocks, rings, factorized attention, documents and non-causal patterns with global tokens;
// nothing for others or where the pattern depends on the data. O(1), or the time of counting the
// pairs.
std::optional<Index> maximumPathForm(const Pattern& layer, Index n, bool residual);

} // namespace attention
