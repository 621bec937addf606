// The frequencies of rotary positions, with what stretches them to longer texts.
#pragma once

#include "core/model/model.h"

#include <memory>
#include <string>
#include <string_view>

namespace attention {

enum class RotationScaling {
  None,
  Linear, // Chen et al., arXiv 2306.15595: positions are divided by `factor`
  Llama3, // The Llama 3 Herd of Models, arXiv 2407.21783: only waves longer than the text that the
          // model was trained on are, those a few times shorter stay, and between them it is mixed
};

// "default", "linear", "llama3". E_UNSUPPORTED names any other.
RotationScaling rotationScalingNamed(const std::string& subject, std::string_view name);

struct RotationSpec {
  Index width = 0;     // numbers of a head; an odd one counts as the next even one
  double base = 10000; // theta
  RotationScaling scaling = RotationScaling::None;
  double factor = 1;
  double lowFactor = 1;   // of Llama3: waves longer than original / lowFactor are stretched, and
  double highFactor = 4;  // those shorter than original / highFactor are not
  double original = 8192; // tokens that the model was trained on
  std::vector<double> divisors = {}; // of every frequency; empty: 1
  bool operator==(const RotationSpec&) const = default;
};

// Numbers that it turns: width, or the next even number.
constexpr Index turnedNumbers(const RotationSpec& spec) {
  return (spec.width + 1) / 2 * 2;
}

// E_RANGE names `field`, the width of a head, where the rotation turns more numbers than that.
void requireInHead(const RotationSpec& spec, const std::string& field, Index headWidth);

// E_RANGE: a base, a factor, a divisor or a length that is not a positive number,
// lowFactor ≥ highFactor.
std::shared_ptr<const Rotation> rotationOf(const RotationSpec& spec);

} // namespace attention
