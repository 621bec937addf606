#include "core/pattern/mechanism/full.h"

#include "core/pattern/description_builder.h"

namespace attention {

const Description& describe(const Full&) {
  static const Description kDescription = DescriptionBuilder<Full>("full", "Full", "Dense")
                                              .summary("Every query attends to every key.")
                                              .source("Vaswani et al. 2017, §3.2")
                                              .definition({"Sᵢ = { 0, …, n−1 }"})
                                              .complexity("O(n² d)")
                                              .boolean("causal", &Full::causal, causalMeaning())
                                              .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Full& full, const Lengths& lengths, const Run&) {
  const Primitive cells = full.causal ? band(0, kUnbounded) : area(kEverywhere);
  return fromParts(lengths,
                   {{"all", full.causal ? "all j ≤ i" : "all keys", PrimitiveSet{{cells}}}});
}

} // namespace attention
