#include "core/pattern/mechanism/block_local.h"

#include "core/pattern/description_builder.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

// More wraps than this (n_q ≫ n_k) are not written out.
constexpr Index kMostRounds = 64;

// The wrap as a predicate, for queries far beyond the keys.
AskedCells wrappedAsked(const BlockLocal& local, Index blocksOfKeys) {
  const auto offset = [=](Index i, Index j) {
    return floorMod(j / local.blockSize - i / local.blockSize + local.before, blocksOfKeys);
  };
  const auto in = [=](Index i, Index j) {
    return (!local.causal || j <= i) && offset(i, j) <= local.before + local.after;
  };
  const auto rule = [=](Index i, Index j) {
    if (local.causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    return "block " + std::to_string(j / local.blockSize) + " is " +
           std::to_string(offset(i, j) - local.before) + " after block " +
           std::to_string(i / local.blockSize) + " modulo " + std::to_string(blocksOfKeys);
  };
  return {in, rule};
}

// Offsets of blocks modulo their number: the window once for every round that a row can see.
Cells wrapped(const BlockLocal& local, const Lengths& lengths) {
  const Index count = ceilDiv(lengths.keys, local.blockSize);
  if (std::min(local.before, count) + std::min(local.after, count) + 1 >= count)
    return PrimitiveSet{{local.causal ? band(0, kUnbounded) : area(kEverywhere)}};
  const Index lastToken = std::max<Index>(lengths.queries + lengths.offset - 1, 0);
  const Index rounds = (lastToken / local.blockSize + local.after) / count;
  if (rounds > kMostRounds)
    return wrappedAsked(local, count);
  PrimitiveSet set;
  for (Index round = -rounds; round <= (local.causal ? 0 : 1); ++round)
    set.primitives.push_back(blocks(local.blockSize, round * count - local.before,
                                    round * count + local.after, local.causal));
  return set;
}

} // namespace

const Description& describe(const BlockLocal&) {
  static const Description kDescription =
      DescriptionBuilder<BlockLocal>("block_local", "Block local", "Windows")
          .summary("Every block attends to itself, x blocks before it and y blocks after it.")
          .source("Reformer's LocalSelfAttention, Kitaev et al. 2020")
          .definition({"Sᵢ = { j : −x ≤ ⌊j/b⌋ − ⌊i/b⌋ ≤ y }"})
          .conventions("Hugging Face's Reformer wraps: in an encoder the first chunk also sees the "
                       "last one; causal masking hides it. The last block may be short.")
          .complexity("O(n b (x+y+1) d)")
          .integer("block_size", "b", &BlockLocal::blockSize, "Tokens per block", "tokens",
                   atLeast(1))
          .integer("before", "x", &BlockLocal::before, "Blocks before the query's own", "blocks",
                   atLeast(0))
          .integer("after", "y", &BlockLocal::after, "Blocks after the query's own", "blocks",
                   atLeast(0))
          .boolean("causal", &BlockLocal::causal, causalMeaning())
          .boolean("wrap", &BlockLocal::wrap,
                   "Blocks wrap around: the last one comes before the first")
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const BlockLocal& local, const Lengths& lengths,
                                         const Run&) {
  Cells cells = local.wrap ? wrapped(local, lengths)
                           : Cells(PrimitiveSet{{blocks(local.blockSize, -local.before, local.after,
                                                        local.causal)}});
  return fromParts(lengths, {{"blocks", "neighbouring blocks", std::move(cells)}});
}

} // namespace attention
