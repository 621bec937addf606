#include "core/pattern/mechanism/prefix_lm.h"

#include "core/pattern/description_builder.h"

#include <algorithm>

namespace attention {

const Description& describe(const PrefixLm&) {
  static const Description kDescription =
      DescriptionBuilder<PrefixLm>("prefix_lm", "Prefix LM", "Structure")
          .summary("All tokens see the prefix; after it attention is causal.")
          .source("Raffel et al. 2020 (T5), §3.2.1; FlexAttention's prefix_lm")
          .definition({"Sᵢ = { j : j ≤ i or j < P₀ }"})
          .complexity("O(n² d)")
          .given("prefix", "P₀", &PrefixLm::prefix, "Length of the prefix", ParameterType::Integer,
                 true, atLeast(0))
          .unit("tokens")
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const PrefixLm& prefixLm, const Lengths& lengths,
                                         const Run&) {
  const Rect prefix{0, kUnbounded, 0, std::min(*prefixLm.prefix, kUnbounded)};
  return fromParts(lengths, {{"past", "all j ≤ i", PrimitiveSet{{band(0, kUnbounded)}}},
                             {"prefix", "prefix", PrimitiveSet{{area(prefix)}}}});
}

} // namespace attention
