// DeepSpeed's sparsity configurations are layouts of dense blocks of at least 16 tokens; a mask has
// one where its edges are those of such blocks (deepspeed/ops/sparse_attention/sparsity_config.py).
#include "core/code/source.h"
#include "core/pattern/mechanism/all.h"

#include "core/support/error.h"

#include <numeric>
#include <vector>

namespace attention {
namespace {

constexpr Index kSmallestBlock = 16;
constexpr Index kLargestBlock = 128;

[[noreturn]] void throwNone(const Pattern& pattern, const std::string& reason) {
  throw Error(ErrorCode::Unsupported, "to",
              description(pattern).name + " has no DeepSpeed SparsityConfig: " + reason);
}

// The largest of 16, 32, 64, 128 that divides all of `lengths`.
Index blockOf(const Pattern& pattern, const std::vector<Index>& lengths) {
  Index common = 0;
  std::string found;
  for (const Index length : lengths) {
    common = std::gcd(common, length);
    found += (found.empty() ? "" : ", ") + std::to_string(length);
  }
  Index block = kLargestBlock;
  while (block >= kSmallestBlock && common % block != 0)
    block /= 2;
  if (block < kSmallestBlock)
    throwNone(pattern, "its layouts have blocks of at least 16 tokens, and " + found +
                           " are not all multiples of 16");
  return block;
}

// The number of blocks of `what`, as text; make_layout refuses more than a row has.
std::string ofRow(const Pattern& pattern, const std::string& what, Index blocks, Index row) {
  if (blocks > row)
    throwNone(pattern, "its layouts cannot have more blocks in " + what + " than in a row, and " +
                           std::to_string(blocks) + " is more than " + std::to_string(row));
  return std::to_string(blocks);
}

using Argument = std::pair<std::string, std::string>;

std::string configSource(const std::string& name, Index block, bool causal,
                         const std::vector<Argument>& arguments) {
  std::string text = "from deepspeed.ops.sparse_attention import " + name + "\n\n";
  if (causal)
    text +=
        "# The layout is causal by blocks: pass a causal attn_mask to SparseSelfAttention too.\n";
  text += "sparsity_config = " + name + "(\n    num_heads=1,\n    block=" + std::to_string(block) +
          ",\n";
  for (const auto& [key, value] : arguments)
    text.append("    ").append(key).append("=").append(value).append(",\n");
  return text + ")\n";
}

std::string direction(bool causal) {
  return causal ? "\"unidirectional\"" : "\"bidirectional\"";
}

struct Configuration {
  const Pattern& pattern;
  Index n;

  template <class M>
  std::string operator()(const M&) const {
    throwNone(pattern, "only full, fixed, block_local and bigbird patterns have one; --to flex and "
                       "--to xformers can rebuild every mask");
  }

  std::string operator()(const Strided&) const {
    throwNone(pattern, "its layouts have no strides, so it has Child et al.'s fixed pattern but "
                       "not the strided one");
  }

  std::string operator()(const Longformer&) const {
    throwNone(pattern, "BSLongformerSparsityConfig counts its window in blocks, so its edges are "
                       "steps and not a band; bigbird with random_blocks 0 has that layout");
  }

  std::string operator()(const Full& full) const {
    if (full.causal)
      throwNone(pattern, "dense causal attention is dense attention with a causal attn_mask");
    return configSource("DenseSparsityConfig", blockOf(pattern, {n}), false, {});
  }

  std::string operator()(const BlockLocal& local) const {
    if (local.wrap)
      throwNone(pattern, "LocalSlidingWindowSparsityConfig does not wrap");
    if (!local.causal && local.before != local.after)
      throwNone(pattern, "LocalSlidingWindowSparsityConfig has as many blocks before as after");
    const Index block = blockOf(pattern, {local.blockSize, n});
    if (block != local.blockSize)
      throwNone(pattern, "LocalSlidingWindowSparsityConfig moves its window by single blocks, "
                         "which must have 16, 32, 64 or 128 tokens");
    return configSource(
        "LocalSlidingWindowSparsityConfig", block, local.causal,
        {{"num_sliding_window_blocks", ofRow(pattern, "a window", 2 * local.before + 1, n / block)},
         {"attention", direction(local.causal)}});
  }

  std::string operator()(const Fixed& fixed) const {
    const Index l = strideOf(fixed, n);
    const Index c = columnsOf(fixed, n);
    if (fixed.head != Factor::Union || fixed.subblock != 0 ||
        fixed.reading == Fixed::Reading::Inclusive)
      throwNone(pattern, "FixedSparsityConfig is the union of both heads with the last c columns "
                         "of a block (head union, subblock 0, reading exclusive)");
    if (n % l != 0 && fixed.tail == Fixed::Tail::Formula)
      throwNone(pattern,
                "FixedSparsityConfig shifts the columns of a short last block; give tail shift");
    const Index block = blockOf(pattern, {l, c, n});
    if (l % c != 0)
      throwNone(pattern, "FixedSparsityConfig needs a block length that c divides");
    return configSource("FixedSparsityConfig", block, fixed.causal,
                        {{"num_local_blocks", std::to_string(l / block)},
                         {"num_global_blocks", std::to_string(c / block)},
                         {"attention", direction(fixed.causal)}});
  }

  std::string operator()(const BigBird& bigbird) const {
    if (bigbird.randomBlocks > 0)
      throwNone(
          pattern,
          "BigBirdSparsityConfig draws its own random blocks; only random_blocks 0 can be written");
    if (bigbird.globalLast > 0)
      throwNone(pattern,
                "BigBirdSparsityConfig has global blocks only at the start (global_last 0)");
    const Index block = blockOf(pattern, {bigbird.blockSize, n});
    if (block != bigbird.blockSize)
      throwNone(pattern, "its blocks must have 16, 32, 64 or 128 tokens");
    return configSource(
        "BigBirdSparsityConfig", block, bigbird.causal,
        {{"num_random_blocks", "0"},
         {"num_sliding_window_blocks", ofRow(pattern, "a window", bigbird.windowBlocks, n / block)},
         {"num_global_blocks", ofRow(pattern, "global rows", bigbird.globalFirst, n / block)},
         {"attention", direction(bigbird.causal)}});
  }
};

} // namespace

std::string deepSpeedSource(const Pattern& pattern, const Lengths& lengths) {
  if (!lengths.square())
    throwNone(pattern, "its layouts are square");
  return std::visit(Configuration{pattern, lengths.keys}, pattern.mechanism());
}

} // namespace attention
