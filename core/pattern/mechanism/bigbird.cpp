#include "core/pattern/mechanism/bigbird.h"

#include "core/pattern/description_builder.h"
#include "core/support/philox.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace attention {
namespace {

constexpr Index kMostDraws = Index{1} << 27; // 1 GiB of runs

// The layout in blocks.
struct Layout {
  Index size;        // b
  Index count;       // blocks of keys, ⌈n/b⌉
  Index half;        // window blocks on each side
  Index firstGlobal; // blocks [0, firstGlobal) and [lastGlobal, count) are global
  Index lastGlobal;
  Index random;
  bool causal;

  bool global(Index block) const {
    return block < firstGlobal || (block >= lastGlobal && block < count);
  }
};

Layout layoutOf(const BigBird& b, Index n) {
  const Index size = std::min(b.blockSize, kUnbounded);
  const Index count = ceilDiv(n, size);
  const Index first = std::min(b.globalFirst, count);
  const Index last = std::max(first, count - std::min(b.globalLast, count));
  return {size,           count,   std::min(b.windowBlocks / 2, kUnbounded), first, last,
          b.randomBlocks, b.causal};
}

// The blocks that a non-global block row may draw, in ascending order: two intervals around its
// window.
struct Legal {
  Index leftBegin, leftEnd, rightBegin, rightEnd;

  Legal(const Layout& layout, Index row)
      : leftBegin(layout.firstGlobal),
        leftEnd(std::clamp(row - layout.half, layout.firstGlobal, layout.lastGlobal)),
        rightBegin(std::clamp(row + layout.half + 1, layout.firstGlobal, layout.lastGlobal)),
        rightEnd(layout.causal ? rightBegin : layout.lastGlobal) {}

  Index size() const { return leftEnd - leftBegin + rightEnd - rightBegin; }
  Index operator[](Index k) const {
    const Index left = leftEnd - leftBegin;
    return k < left ? leftBegin + k : rightBegin + k - left;
  }
};

// Draws blocks by a partial Fisher-Yates shuffle of the legal ones (S4.10).
class RandomBlocks {
public:
  RandomBlocks(const BigBird& bigbird, const Layout& layout)
      : stream_{bigbird.seed, philox::Purpose::BigBird, static_cast<std::uint32_t>(bigbird.head)},
        layout_(layout), slots_(static_cast<std::size_t>(layout.count)) {
    std::iota(slots_.begin(), slots_.end(), Index{0});
  }

  // Sorted.
  std::vector<Index> draw(Index row) {
    const Legal legal(layout_, row);
    const Index wanted = std::min(layout_.random, legal.size());
    std::vector<Index> chosen;
    swaps_.clear();
    for (Index t = 0; t < wanted; ++t) {
      const auto at = static_cast<std::uint64_t>(row * layout_.count + t);
      const auto left = static_cast<std::uint64_t>(legal.size() - t);
      const bool all = wanted == legal.size(); // the order does not matter
      const auto k =
          all ? t : t + static_cast<Index>(philox::below(philox::draw(stream_, at).a, left));
      swapSlots(t, k);
      chosen.push_back(legal[slot(t)]);
    }
    for (auto swap = swaps_.rbegin(); swap != swaps_.rend(); ++swap)
      std::swap(slot(swap->first), slot(swap->second));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

private:
  Index& slot(Index k) { return slots_[static_cast<std::size_t>(k)]; }
  void swapSlots(Index a, Index b) {
    std::swap(slot(a), slot(b));
    swaps_.emplace_back(a, b);
  }

  philox::Stream stream_;
  const Layout& layout_;
  std::vector<Index> slots_; // 0, 1, 2, … between two rows
  std::vector<IndexPair> swaps_;
};

std::shared_ptr<const RowTable> randomTable(const BigBird& bigbird, const Layout& layout,
                                            const Lengths& lengths, const Run& run) {
  const Index tokens = std::max<Index>(lengths.queries + lengths.offset, 0);
  const Index rows = ceilDiv(tokens, layout.size);
  if (std::min(layout.random, layout.count) > kMostDraws / std::max<Index>(rows, 1))
    throwRange("random_blocks", std::to_string(bigbird.randomBlocks),
               "at most 2^27 blocks drawn in all " + std::to_string(rows) + " block rows");
  RowTable table;
  RandomBlocks blocks(bigbird, layout);
  std::vector<KeyRun> runs;
  for (Index row = 0; row < rows; ++row) {
    if (row % 4096 == 0)
      run.report(static_cast<double>(row) / static_cast<double>(rows));
    runs.clear();
    if (!layout.global(row))
      for (const Index block : blocks.draw(row)) {
        const Index begin = block * layout.size;
        const Index end = std::min(begin + layout.size, lengths.keys);
        if (!runs.empty() && runs.back().end == begin)
          runs.back().end = end;
        else
          runs.push_back({begin, end, false});
      }
    table.appendGroup(std::min((row + 1) * layout.size, tokens), runs);
  }
  return std::make_shared<const RowTable>(std::move(table));
}

PrimitiveSet globalCells(const Layout& layout) {
  PrimitiveSet set;
  const auto lines = [&](Index begin, Index end) {
    for (const Rect& clip : {Rect{begin, end, 0, kUnbounded}, Rect{0, kUnbounded, begin, end}})
      if (begin < end)
        set.primitives.push_back(layout.causal ? band(0, kUnbounded, 1, clip) : area(clip));
  };
  lines(0, layout.firstGlobal * layout.size);
  lines(layout.lastGlobal * layout.size, layout.count * layout.size);
  return set;
}

// "block 3 is one of the random blocks of block row 12".
std::string explainRandom(const Layout& layout, const RowTable& table, Index i, Index j) {
  const std::string row = "block row " + std::to_string(i / layout.size);
  if (layout.global(i / layout.size))
    return row + " is global and draws no random blocks";
  return "block " + std::to_string(j / layout.size) +
         (table.contains(i, j) ? " is one" : " is not one") + " of the random blocks of " + row;
}

std::string explainGlobal(const Layout& layout, Index i, Index j) {
  if (layout.causal && j > i)
    return "key " + std::to_string(j) + " > query " + std::to_string(i);
  if (layout.global(j / layout.size))
    return "block " + std::to_string(j / layout.size) + " of the key is global";
  if (layout.global(i / layout.size))
    return "block " + std::to_string(i / layout.size) + " of the query is global";
  return "neither block " + std::to_string(i / layout.size) + " of the query nor block " +
         std::to_string(j / layout.size) + " of the key is global";
}

} // namespace

const Description& describe(const BigBird&) {
  static const Description kDescription =
      DescriptionBuilder<BigBird>("bigbird", "BigBird", "Global tokens")
          .summary("Blocks: a window, global blocks at both ends, and random blocks in every row.")
          .source("Zaheer et al. 2020, §2 and appendix D")
          .definition({"R = ⌊i/b⌋, C = ⌊j/b⌋", "|R−C| ≤ ⌊w/2⌋, or R or C global,",
                       "or C one of the r random blocks of R"})
          .conventions("Google and Hugging Face make the first and the last block global, "
                       "DeepSpeed only the first (global_last 0). Random blocks come from outside "
                       "the window and the global blocks; they differ from the original's, since "
                       "its random numbers cannot be reproduced.")
          .complexity("O(n b (w+g+r) d)")
          .integer("block_size", "b", &BigBird::blockSize, "Tokens per block", "tokens", atLeast(1))
          .integer("window_blocks", "w", &BigBird::windowBlocks,
                   "Blocks of the window, ⌊w/2⌋ on each side", "blocks",
                   steps(1, 2, "an odd integer of at least 1"))
          .integer("global_first", "", &BigBird::globalFirst, "Global blocks at the start",
                   "blocks", atLeast(0))
          .integer("global_last", "", &BigBird::globalLast, "Global blocks at the end", "blocks",
                   atLeast(0))
          .integer("random_blocks", "r", &BigBird::randomBlocks, "Random blocks per block row",
                   "blocks", atLeast(0))
          .seed("seed", &BigBird::seed, "Seed of the random blocks")
          .integer("head", "h", &BigBird::head,
                   "Which random blocks to draw: each head has its own", "",
                   between(0, 4294967295.0))
          .boolean("causal", &BigBird::causal, causalMeaning())
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const BigBird& bigbird, const Lengths& lengths,
                                         const Run& run) {
  const Layout layout = layoutOf(bigbird, lengths.keys);
  Part window{"window", "window blocks",
              PrimitiveSet{{blocks(layout.size, -layout.half, layout.half, layout.causal)}}};
  Part global{"global", "global blocks", globalCells(layout),
              [layout](Index i, Index j) { return explainGlobal(layout, i, j); }};
  std::vector<Part> parts{std::move(window), std::move(global)};
  if (bigbird.randomBlocks > 0) { // else a closed form of any length
    const auto table = randomTable(bigbird, layout, lengths, run);
    parts.push_back({"random", "random blocks", table, [layout, table](Index i, Index j) {
                       return explainRandom(layout, *table, i, j);
                     }});
  }
  return fromParts(lengths, std::move(parts));
}

} // namespace attention
