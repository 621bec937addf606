#include "core/pattern/mechanism/dilated.h"

#include "core/pattern/description_builder.h"

#include <algorithm>

namespace attention {
namespace {

Index rightOf(const Dilated& dilated) {
  return dilated.right.value_or(dilated.causal ? 0 : dilated.left);
}

// The distance in tokens that `size` steps or tokens reach.
Index extent(const Dilated& dilated, Index size) {
  if (dilated.unit == Dilated::Unit::Tokens)
    return size;
  return std::min(size, kUnbounded / dilated.dilation + 1) * dilated.dilation;
}

} // namespace

const Description& describe(const Dilated&) {
  static const Description kDescription =
      DescriptionBuilder<Dilated>("dilated", "Dilated", "Windows")
          .summary("A sliding window with gaps: every r-th token.")
          .source("Beltagy et al. 2020, §3.1")
          .definition({"Sᵢ = { j : (i−j) mod r = 0, −b′ ≤ i−j ≤ a′ }",
                       "a′ = a r, b′ = b r (steps), or a, b (tokens)"})
          .conventions("Longformer counts attended positions (steps), attention-gym the extent "
                       "in tokens.")
          .complexity("O(n (a+b) d)")
          .integer("left", "a", &Dilated::left, "Reach before the query", "", atLeast(0))
          .integer("right", "b", &Dilated::right, "Reach after the query", "", atLeast(0),
                   [](const Dilated& dilated, Index) { return rightOf(dilated); })
          .visibleIf([](const Dilated& dilated) { return !dilated.causal; })
          .integer("dilation", "r", &Dilated::dilation, "Step from one attended token to the next",
                   "tokens", atLeast(1))
          .choice("unit", &Dilated::unit, "What left and right count",
                  {{Dilated::Unit::Steps, "steps", "steps", "Attended positions, as in Longformer"},
                   {Dilated::Unit::Tokens, "tokens", "tokens", "Tokens, as in attention-gym"}})
          .boolean("causal", &Dilated::causal, causalMeaning())
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Dilated& dilated, const Lengths& lengths,
                                         const Run&) {
  const Index after = dilated.causal ? 0 : extent(dilated, rightOf(dilated));
  const Primitive cells = band(-after, extent(dilated, dilated.left), dilated.dilation);
  return fromParts(lengths, {{"window", "dilated window", PrimitiveSet{{cells}}}});
}

} // namespace attention
