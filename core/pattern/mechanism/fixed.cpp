#include "core/pattern/mechanism/fixed.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/heads.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// The summary columns A²: those of whole blocks, and the shifted ones of a short last block.
PrimitiveSet summaries(const Fixed& fixed, Index n) {
  const Index l = strideOf(fixed, n);
  const Index c = columnsOf(fixed, n);
  const Index hi = l - fixed.subblock * c;
  const Index exclusive = hi - c;
  const Index lo =
      fixed.reading == Fixed::Reading::Inclusive ? std::max<Index>(0, exclusive - 1) : exclusive;
  const Index wholeEnd = n / l * l;
  if (fixed.tail == Fixed::Tail::Formula || wholeEnd == n)
    return {{columnComb(l, lo, hi, fixed.causal)}};
  const Index start = std::max<Index>(0, std::min(wholeEnd + lo, n - (hi - lo)));
  const Rect last{0, kUnbounded, start, std::min(start + hi - lo, n)};
  return {{columnComb(l, lo, hi, fixed.causal, {0, kUnbounded, 0, wholeEnd}),
           fixed.causal ? band(0, kUnbounded, 1, last) : area(last)}};
}

// When factors alternate, even heads are A¹, which has no summary columns; odd ones share the
// sub-blocks.
void makeHead(Fixed& fixed, const HeadOptions& options, Index index, Index n) {
  const Index most = strideOf(fixed, n) / std::max<Index>(columnsOf(fixed, n), 1);
  if (options.subblocks < 1 || options.subblocks > most)
    throwRange("num_subblocks", std::to_string(options.subblocks),
               "an integer from 1 to " + std::to_string(most) + " = ⌊ℓ / c⌋");
  fixed.head = factorOfHead(options, index);
  const Index turn = options.alternate ? index / 2 : index;
  fixed.subblock = fixed.head == Factor::First ? 0 : turn % options.subblocks;
}

} // namespace

Index strideOf(const Fixed& fixed, Index n) {
  return fixed.stride.value_or(roundedSqrt(n));
}

Index columnsOf(const Fixed& fixed, Index n) {
  return fixed.columns.value_or(std::max<Index>(1, strideOf(fixed, n) / 16));
}

const Description& describe(const Fixed&) {
  // May be called before anything has checked the other values.
  const auto columnBounds = [](const Fixed& fixed, Index n) {
    const auto l = static_cast<double>(strideOf(fixed, n));
    const double before = static_cast<double>(std::max<Index>(fixed.subblock, 0));
    return Bounds{1, std::max(1.0, std::floor(l / (before + 1)))};
  };
  const auto subblockBounds = [](const Fixed& fixed, Index n) {
    const Index l = std::max<Index>(strideOf(fixed, n), 1);
    return Bounds{0, static_cast<double>(
                         std::max<Index>(0, l / std::max<Index>(columnsOf(fixed, n), 1) - 1))};
  };
  static const Description kDescription =
      DescriptionBuilder<Fixed>("fixed", "Fixed", "Factorized")
          .summary("The query's own block, and the c summary columns at the end of every block.")
          .source("Child et al. 2019, §4.3")
          .definition({"A¹ᵢ = { j ≤ i : ⌊j/ℓ⌋ = ⌊i/ℓ⌋ }", "A²ᵢ = { j ≤ i : ℓ−c ≤ j mod ℓ < ℓ }",
                       "Sᵢ = A¹ᵢ ∪ A²ᵢ"})
          .conventions("The paper's example 120-128 reads as c + 1 columns; OpenAI's code has c. "
                       "DeepSpeed shifts the columns of a short last block.")
          .complexity("O(n √n d)")
          .integer("stride", "ℓ", &Fixed::stride, "Block length", "tokens", atLeast(1),
                   [](const Fixed&, Index n) { return roundedSqrt(n); })
          .integer("c", "c", &Fixed::columns, "Summary columns per block", "columns", columnBounds,
                   [](const Fixed& fixed, Index n) { return columnsOf(fixed, n); })
          .integer("subblock", "h", &Fixed::subblock,
                   "Which c columns of the block, counted from its end", "", subblockBounds)
          .choice("head", &Fixed::head, "Which factor the head uses", factorChoices())
          .choice("reading", &Fixed::reading, "Whether {t, …, ℓ} includes both ends",
                  {{Fixed::Reading::Exclusive, "exclusive", "c columns", "As in OpenAI's code"},
                   {Fixed::Reading::Inclusive, "inclusive", "c+1 columns",
                    "As in the paper's example 120-128"}})
          .choice(
              "tail", &Fixed::tail, "Summary columns of a short last block",
              {{Fixed::Tail::Formula, "formula", "formula", "Where the formula puts them"},
               {Fixed::Tail::Shift, "shift", "shift", "Moved into the block, as DeepSpeed does"}})
          .boolean("causal", &Fixed::causal, causalMeaning())
          .heads({"alternate", "subblocks"}, {"head", "subblock"}, makeHead)
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const Fixed& fixed, const Lengths& lengths, const Run&) {
  const Index l = strideOf(fixed, lengths.keys);
  Part first{"A¹", "A¹ own block", PrimitiveSet{{blocks(l, 0, 0, fixed.causal)}}};
  Part second{"A²", "A² summaries", summaries(fixed, lengths.keys)};
  return fromParts(lengths, factorParts(fixed.head, std::move(first), std::move(second)));
}

} // namespace attention
