#include "core/pattern/mechanism/causal.h"

#include "core/pattern/description_builder.h"

namespace attention {

const Description& describe(const Causal&) {
  static const Description kDescription =
      DescriptionBuilder<Causal>("causal", "Causal", "Dense")
          .summary("Every query attends to itself and to everything before it.")
          .source("Vaswani et al. 2017, §3.2.3")
          .definition({"Sᵢ = { j : j ≤ i }"})
          .complexity("O(n² d)")
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Causal&, const Lengths& lengths, const Run&) {
  return fromParts(lengths, {{"past", "all j ≤ i", PrimitiveSet{{band(0, kUnbounded)}}}});
}

} // namespace attention
