// A mask of the Scene checked (spec T12), with the layer of a model that it is compared with, and
// what is to be said about it.
#pragma once

#include "core/analysis/check/mask_check.h"
#include "core/analysis/check/model_layers.h"
#include "core/scene/mask_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostCheckedTokens = 16384; // every row is read, and many patterns are tried

struct CheckedMask {
  MaskCheck check;
  std::vector<ModelWithLayer> models; // that have it, unless it is full or causal as most have
  std::string against;                // "layer 3 of Gemma 3 4B"; empty: none
  std::optional<Pattern> layer = {};  // its pattern
};

// E_RANGE: more than kMostCheckedTokens queries or keys; as maskOfLayer and checkMask.
CheckedMask checkedMask(const std::shared_ptr<const Prepared>& mask, const CheckSpec& spec,
                        const Run& run = {});

// ---- in words ----

// "local, window 4096, causal".
std::string textOf(const Match& match);
// Of the first match; "none of the known patterns" where nothing matches.
std::string nameText(const CheckedMask& checked);
// "Mistral 7B v0.1 (every layer)", "Gemma 2 9B (21 of 42 layers)".
std::string modelText(const ModelWithLayer& of);
// "(1, 0)": query and key.
std::string cellText(const IndexPair& cell);
// "3, the first (1, 0)"; "none".
std::string countedFrom(Index count, const std::optional<IndexPair>& first);
// "2: 6, 7"; "none".
std::string indicesText(const std::vector<Index>& indices);

// In a few phrases, to be seen at first glance: "equals causal · no key in the future · equal to
// layer 5 of Gemma 3 1B".
std::string answerOf(const CheckedMask& checked);
// For 'read this': what it equals, and what is wrong with it.
std::vector<std::string> readingOf(const CheckedMask& checked);

} // namespace attention
