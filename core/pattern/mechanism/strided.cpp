#include "core/pattern/mechanism/strided.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/heads.h"

namespace attention {

const Description& describe(const Strided&) {
  static const Description kDescription =
      DescriptionBuilder<Strided>("strided", "Strided", "Factorized")
          .summary("The previous ℓ positions, and every ℓ-th position before them.")
          .source("Child et al. 2019, §4.3")
          .definition({"A¹ᵢ = { max(0, i−ℓ), …, i }", "A²ᵢ = { j ≤ i : (i−j) mod ℓ = 0 }",
                       "Sᵢ = A¹ᵢ ∪ A²ᵢ"})
          .conventions("The paper's formula gives ℓ previous positions and the query (ℓ + 1); "
                       "OpenAI's code gives ℓ including the query.")
          .complexity("O(n √n d)")
          .integer("stride", "ℓ", &Strided::stride, "Band width and spacing of the diagonals",
                   "tokens", atLeast(1), [](const Strided&, Index n) { return roundedSqrt(n); })
          .choice("head", &Strided::head, "Which factor the head uses", factorChoices())
          .choice("reading", &Strided::reading, "What 'the previous ℓ' means",
                  {{Strided::Reading::Paper, "paper", "paper ℓ+1", "i−ℓ … i, as the formula says"},
                   {Strided::Reading::Code, "code", "code ℓ", "i−ℓ+1 … i, as OpenAI's code does"}})
          .boolean("causal", &Strided::causal, causalMeaning())
          .heads({"alternate"}, {"head"},
                 [](Strided& strided, const HeadOptions& options, Index index, Index) {
                   strided.head = factorOfHead(options, index);
                 })
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Strided& strided, const Lengths& lengths,
                                         const Run&) {
  const Index l = strided.stride.value_or(roundedSqrt(lengths.keys));
  const Index width = strided.reading == Strided::Reading::Paper ? l : l - 1;
  const Index past = strided.causal ? 0 : -width;
  Part first{"A¹", "A¹ previous ℓ", PrimitiveSet{{band(past, width)}}};
  Part second{"A²", "A² every ℓ-th",
              PrimitiveSet{{band(strided.causal ? 0 : -kUnbounded, kUnbounded, l)}}};
  return fromParts(lengths, factorParts(strided.head, std::move(first), std::move(second)));
}

} // namespace attention
