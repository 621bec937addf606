// The receptive field of one token, at lengths where a whole matrix does not fit in memory: what
// influences it, what it influences, and through which tokens (S10).
#pragma once

#include "core/analysis/reach/reach.h"

#include <functional>
#include <optional>

namespace attention {

constexpr Index kMostFrontierTokens = Index{1} << 26; // 1 GiB for a path of a hundred layers

// One bit per token.
using TokenSet = std::vector<BitWord>;

// Row `token` of R_layers: the inputs that can influence output `token`. O(keys of the tokens met
// on the way + n); stops early where everything is reached. E_RANGE: token, n.
TokenSet influencing(const LayerStack& stack, Index token, Index layers, const Run& run = {});

// The same for every number of layers from 1 to `layers`, each passed to `each` once, in no
// particular order: all that end in the same pattern of the stack are followed together. Takes the
// time of `influencing` times the number of patterns in the stack.
using EachLayer = std::function<void(Index layers, const TokenSet&)>;
void eachInfluencing(const LayerStack& stack, Index token, Index layers, const EachLayer& each,
                     const Run& run = {});

// Column `token` of R_layers: the outputs that input `token` can influence. O(layers · ranges of
// all rows).
TokenSet influenced(const LayerStack& stack, Index token, Index layers, int threads = 0,
                    const Run& run = {});

// The same for every number of layers from 1 to `layers`, ascending; in the time of the last.
void eachInfluenced(const LayerStack& stack, Index token, Index layers, const EachLayer& each,
                    int threads = 0, const Run& run = {});

// A shortest path from output `query` down to input `key`: tokens[0] = query, tokens.back() = key,
// and step s goes through layer tokens.size() − 1 − s; a token that occurs twice is carried by the
// residual connection. Nothing where `mostLayers` layers do not suffice. Of several shortest paths,
// the one with the smallest tokens, compared from the top.
std::optional<std::vector<Index>> shortestPath(const LayerStack& stack, Index query, Index key,
                                               Index mostLayers, int threads = 0,
                                               const Run& run = {});

// A path through all of `layers` layers: tokens.size() is layers + 1, whether or not fewer suffice.
// It exists where R_layers[query][key]; with the residual connection tokens may stay in place.
// Without it, and with patterns that differ from layer to layer, a path through fewer layers
// belongs to another stack. Of several, the one as above. Also E_RANGE: layers that need more than
// 1 GiB of memory.
std::optional<std::vector<Index>> pathThrough(const LayerStack& stack, Index query, Index key,
                                              Index layers, int threads = 0, const Run& run = {});

// The path that answers by which tokens `key` influences `query` through `layers` layers: a
// shortest one, or one through all of them where nothing stays in place and the layers differ.
std::optional<std::vector<Index>> influencePath(const LayerStack& stack, Index query, Index key,
                                                Index layers, int threads = 0, const Run& run = {});

} // namespace attention
