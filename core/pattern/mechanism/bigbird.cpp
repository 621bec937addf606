#include "core/pattern/mechanism/bigbird.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/heads.h"
#include "core/support/number_text.h"
#include "core/support/philox.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace attention {
namespace {

constexpr Index kMostDraws = Index{1} << 27; // 1 GiB of runs
constexpr double kMostRepeats = 1024;        // each is read once more by attention

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

// The cells of block rows that are not global, with keys in [keyBegin, keyEnd): those between the
// global blocks, and tokens after the last block of keys.
std::vector<Rect> middleRows(const Layout& layout, Index keyBegin, Index keyEnd) {
  std::vector<Rect> middle;
  for (const auto& [begin, end] : {IndexPair{layout.firstGlobal, layout.lastGlobal},
                                   IndexPair{layout.count, kUnbounded / layout.size}})
    if (begin < end && keyBegin < keyEnd)
      middle.push_back({begin * layout.size, end * layout.size, keyBegin, keyEnd});
  return middle;
}

PrimitiveSet windowCells(const Layout& layout) {
  return {{blocks(layout.size, -layout.half, layout.half, layout.causal)}};
}

// The window without the global blocks.
PrimitiveSet middleWindow(const Layout& layout) {
  PrimitiveSet set;
  for (const Rect& clip :
       middleRows(layout, layout.firstGlobal * layout.size, layout.lastGlobal * layout.size))
    set.primitives.push_back(blocks(layout.size, -layout.half, layout.half, layout.causal, clip));
  return set;
}

// Block 0, as the rows that draw blocks see it.
PrimitiveSet firstBlock(const Layout& layout) {
  PrimitiveSet set;
  for (const Rect& clip : middleRows(layout, 0, layout.size))
    set.primitives.push_back(area(clip));
  return set;
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

// `repeats`: how many more times the rows that are not global count block 0.
std::string explainGlobal(const Layout& layout, Index repeats, Index i, Index j) {
  if (layout.causal && j > i)
    return "key " + std::to_string(j) + " > query " + std::to_string(i);
  if (repeats > 0 && j < layout.size && !layout.global(i / layout.size))
    return "block 0 of the key is global and, in transformers' evaluation, the random block of "
           "every block row, " +
           countText(static_cast<std::size_t>(repeats), "time") + ": the key counts " +
           std::to_string(repeats + 1) + " times";
  if (layout.global(j / layout.size))
    return "block " + std::to_string(j / layout.size) + " of the key is global";
  if (layout.global(i / layout.size))
    return "block " + std::to_string(i / layout.size) + " of the query is global";
  return "neither block " + std::to_string(i / layout.size) + " of the query nor block " +
         std::to_string(j / layout.size) + " of the key is global";
}

bool counts(const BigBird& bigbird) {
  return bigbird.reading == BigBird::Reading::HfEval;
}
bool draws(const BigBird& bigbird) {
  return !counts(bigbird);
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
                       "its random numbers cannot be reproduced. In evaluation, transformers "
                       "draws none: all r are block 0, which counts 1 + r times (reading hf_eval; "
                       "below (5 + 2r) b tokens it uses full attention instead).")
          .complexity("O(n b (w+g+r) d)")
          .integer("block_size", "b", &BigBird::blockSize, "Tokens per block", "tokens", atLeast(1))
          .integer("window_blocks", "w", &BigBird::windowBlocks,
                   "Blocks of the window, ⌊w/2⌋ on each side", "blocks",
                   steps(1, 2, "an odd integer of at least 1"))
          .integer(
              "global_first", "", &BigBird::globalFirst, "Global blocks at the start", "blocks",
              [](const BigBird& bigbird, Index) { return Bounds{counts(bigbird) ? 1.0 : 0.0}; })
          .integer("global_last", "", &BigBird::globalLast, "Global blocks at the end", "blocks",
                   atLeast(0))
          .integer("random_blocks", "r", &BigBird::randomBlocks, "Random blocks per block row",
                   "blocks",
                   [](const BigBird& bigbird, Index) {
                     return counts(bigbird) ? Bounds{0, kMostRepeats} : Bounds{0};
                   })
          .seed("seed", &BigBird::seed, "Seed of the random blocks")
          .visibleIf(draws)
          .integer("head", "h", &BigBird::head,
                   "Which random blocks to draw: each head has its own", "",
                   between(0, 4294967295.0))
          .visibleIf(draws)
          .boolean("causal", &BigBird::causal, causalMeaning())
          .choice("reading", &BigBird::reading, "Which blocks the random ones are",
                  {{BigBird::Reading::Paper, "paper", "paper", "Drawn for every block row"},
                   {BigBird::Reading::HfEval, "hf_eval", "transformers' evaluation",
                    "All are block 0, whose keys then count 1 + r times"}})
          .heads({}, {"head"},
                 [](BigBird& bigbird, const HeadOptions&, Index index, Index) {
                   bigbird.head = index;
                 })
          .build();
  return kDescription;
}

std::shared_ptr<const Prepared> prepared(const BigBird& bigbird, const Lengths& lengths,
                                         const Run& run) {
  const Layout layout = layoutOf(bigbird, lengths.keys);
  const Index repeats = counts(bigbird) ? bigbird.randomBlocks : 0;
  Part window{"window", "window blocks", windowCells(layout)};
  Part global{"global", "global blocks", globalCells(layout),
              [layout, repeats](Index i, Index j) { return explainGlobal(layout, repeats, i, j); }};
  if (counts(bigbird)) { // a cell of two parts would count twice
    window.cells = middleWindow(layout);
    window.explain = [whole = Cells(windowCells(layout))](Index i, Index j) {
      return explain(whole, i, j);
    };
    global.repeats.assign(static_cast<std::size_t>(repeats), firstBlock(layout));
    return std::make_shared<const Prepared>(lengths,
                                            std::vector<Part>{std::move(window), std::move(global)},
                                            Outputs{Combine::Lse, {}, {}}, Parts::Disjoint);
  }
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
