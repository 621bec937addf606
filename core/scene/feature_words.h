// What the kinds of features are, for the tooltips of all controls that offer them.
#pragma once

#include "core/attention/features/feature_map.h"

namespace attention {

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
