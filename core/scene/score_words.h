// Words about scores: what an input does to them before the softmax, and what kinds of features
// stand for them.
#pragma once

#include "core/attention/features/feature_map.h"
#include "core/attention/modifiers.h"
#include "core/attention/scoring.h"

#include <string>
#include <vector>

namespace attention {

// A sentence per modifier, in the order in which they apply: "Scores are capped at ±50."
std::vector<std::string> scoreSentences(const ScoreModifiers& modifiers);

// What keeps kernels that stand for exp(q·k / √d) from it: "caps its scores". Needs modifiers other
// than 1/√d.
std::string scoreChange(const ScoreModifiers& modifiers);

// The way from q·k to the score of query i and key j, number by number: "score 3.1 → capped 2.9 →
// bias −0.4 → 2.5". Empty where there is nothing but a scale.
std::string scorePath(const Scoring& scoring, double product, Index i, Index j);

// For the tooltips of all controls that offer kinds of features.
constexpr const char* meaningOf(FeatureMap map) {
  switch (map) {
  case FeatureMap::Trig:
    return "Random Fourier features, sine and cosine of w·x: may be negative";
  case FeatureMap::GaussianTrig:
    return "Random Fourier features without exp(|x|²/2): for the Gaussian kernel";
  case FeatureMap::Positive:
    return "exp(w·x − |x|²/2): FAVOR+ (Choromanski et al. 2021)";
  case FeatureMap::Hyperbolic:
    return "exp(±w·x − |x|²/2): two-sided, less variance";
  case FeatureMap::Relu:
    return "max(0, w·x): generalised attention";
  case FeatureMap::Elu1:
    return "Linear attention by elu + 1 (Katharopoulos et al. 2020)";
  }
  return "";
}

} // namespace attention
