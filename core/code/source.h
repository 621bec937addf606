// A pattern as source for other libraries: code that rebuilds its mask, readable enough to paste.
#pragma once

#include "core/code/score_source.h"
#include "core/pattern/pattern.h"

#include <span>
#include <string>
#include <string_view>

namespace attention {

enum class CodeTarget { Flex, Numpy, Jax, DeepSpeed, Xformers, Transformers, Tikz };

struct CodeTargetName {
  CodeTarget target;
  std::string_view name;  // "flex"
  std::string_view title; // "FlexAttention (PyTorch)"
};
std::span<const CodeTargetName> codeTargets();

// E_RANGE lists the known names; `others` are further words allowed in its place.
CodeTarget codeTargetNamed(const std::string& name, std::span<const std::string> others = {});

// The whole source, ending in a newline. For a pattern that depends on the data it lists the cells
// that `data` gave, and says so. Errors as prepare; E_RANGE where listed cells are more than a
// source holds (mask_formula.h); E_UNSUPPORTED where DeepSpeed has no configuration for the mask,
// with the reason. `scores`: what FlexAttention does to scores besides the mask.
std::string sourceOf(const Pattern& pattern, const Lengths& lengths, CodeTarget target,
                     const Run& run = {}, const PatternData& data = {},
                     const CodeScores& scores = {});

// The DeepSpeed SparsityConfig whose layout is the pattern's mask (a causal one together with the
// causal mask that DeepSpeed takes beside it).
std::string deepSpeedSource(const Pattern& pattern, const Lengths& lengths);

} // namespace attention
