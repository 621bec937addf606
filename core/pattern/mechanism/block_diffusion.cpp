#include "core/pattern/mechanism/block_diffusion.h"

#include "core/pattern/description_builder.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

// Blocks of one half seen from another: the shape `blocks`, with rows and keys counted from where
// the halves begin. Halves that are no multiple of the block size have no primitive.
class HalfBlocks {
public:
  HalfBlocks(const Primitive& blocks, Index half, const Rect& place)
      : blocks_(blocks), half_(half), place_(place) {}

  bool contains(Index i, Index j) const {
    return place_.contains(i, j) &&
           attention::contains(blocks_, i - place_.rowBegin, j - place_.keyBegin);
  }
  void appendRow(Index i, KeyRanges& ranges) const {
    if (i < place_.rowBegin || i >= place_.rowEnd)
      return;
    const std::size_t first = ranges.size();
    attention::appendRow(blocks_, i - place_.rowBegin, ranges);
    for (std::size_t k = first; k < ranges.size(); ++k) {
      ranges[k].begin += place_.keyBegin;
      ranges[k].end += place_.keyBegin;
    }
  }
  Index count(const Rect& rect) const {
    const Rect r = intersection(rect, place_);
    return r.empty() ? 0
                     : attention::count(blocks_,
                                        {r.rowBegin - place_.rowBegin, r.rowEnd - place_.rowBegin,
                                         r.keyBegin - place_.keyBegin, r.keyEnd - place_.keyBegin});
  }
  // The last block may be short; before it, a block row has as many keys more than the one before.
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const {
    const Index lastBlock = half_ / blocks_.period * blocks_.period;
    for (const Index row : {Index{0}, lastBlock, half_})
      breaks.push_back(place_.rowBegin + row);
    return blocks_.period;
  }

private:
  Primitive blocks_; // cut to [0, half)²
  Index half_;
  Rect place_;
};

// What the cell (i, j) of the training mask is, in words.
struct Halves {
  Index half = 0;
  Index size = 1;

  std::string explain(Index i, Index j) const {
    const bool cleanQuery = i >= half;
    const bool cleanKey = j >= half;
    if (cleanQuery && !cleanKey)
      return "a clean query sees no noised key";
    const Index query = i % half / size;
    const Index key = j % half / size;
    const std::string a = std::to_string(query);
    const std::string b = std::to_string(key);
    if (!cleanKey)
      return query == key ? "both in noised block " + a
                          : "noised blocks " + a + " and " + b + ": " + b +
                                (key < query ? " < " : " > ") + a;
    if (!cleanQuery)
      return "noised block " + a + ", clean block " + b + ": " + b + (key < query ? " < " : " ≥ ") +
             a;
    return "clean blocks " + a + " and " + b + ": " + b + (key <= query ? " ≤ " : " > ") + a;
  }
};

Primitive blocksUpTo(Index size, Index last, Index half) {
  return blocks(size, -kUnbounded, last, false, {0, half, 0, half});
}

// The three kinds of cells, as BD3-LM names them: M_BD, M_OBC and M_BC.
std::vector<Part> trainParts(Index size, Index n) {
  const Index half = n / 2;
  const Index steps = half / size;
  const auto explain = [halves = Halves{half, size}](Index i, Index j) {
    return halves.explain(i, j);
  };
  const auto part = [&](const char* name, const char* label, Cells cells) {
    return Part{name, label, std::move(cells), explain};
  };
  const Primitive own = blocks(size, 0, 0, false, {0, half, 0, half});
  const Rect before{0, half, half, n};
  const Rect clean{half, n, half, n};
  const bool whole = half % size == 0;
  const auto placed = [&](Index last, const Rect& place) -> Cells {
    const Index shift = place.rowBegin == 0 ? steps : 0; // blocks that lie between the halves
    if (whole)
      return PrimitiveSet{{blocks(size, -kUnbounded, last + shift, false, place)}};
    return counted(std::make_shared<const HalfBlocks>(blocksUpTo(size, last, half), half, place));
  };
  return {part("noised", "noised, own block", PrimitiveSet{{own}}),
          part("before", "noised to clean, earlier blocks", placed(-1, before)),
          part("clean", "clean, up to its own block", placed(0, clean))};
}

} // namespace

const Description& describe(const BlockDiffusion&) {
  static const Description kDescription =
      DescriptionBuilder<BlockDiffusion>("block_diffusion", "Block diffusion", "Structure")
          .summary("A noised copy sees its own block and the clean text before it.")
          .source("Arriola et al. 2025 (BD3-LM); kuleshov-group/bd3lms, block_diff_mask")
          .definition({"noised i: Sᵢ = { noised j : J = I } ∪ { clean j : J < I }",
                       "clean i: Sᵢ = { clean j : J ≤ I },  I = ⌊(i mod n/2) / b⌋",
                       "sample: Sᵢ = { j : ⌊j/b⌋ ≤ ⌊i/b⌋ }"})
          .conventions("The first half of the tokens is noised, the second half clean. The last "
                       "block of a half may be short.")
          .complexity("O(n² d)")
          .given("block_size", "b", &BlockDiffusion::blockSize,
                 "Tokens per block, denoised at once", ParameterType::Integer, true, atLeast(1))
          .unit("tokens")
          .choice("part", &BlockDiffusion::part, "What the tokens are",
                  {{BlockDiffusion::Stage::Train, "train", "train",
                    "A noised copy of the text, then the clean text; n is even"},
                   {BlockDiffusion::Stage::Sample, "sample", "sample", "The text alone"}})
          .build();
  return kDescription;
}

void checkLengths(const BlockDiffusion& diffusion, const Lengths& lengths) {
  requireInLayout("block_diffusion", lengths);
  if (diffusion.part == BlockDiffusion::Stage::Train && lengths.keys % 2 != 0)
    throwRange("n", std::to_string(lengths.keys),
               "even where part is train: a noised half and a clean half");
}

std::shared_ptr<const Prepared> prepared(const BlockDiffusion& diffusion, const Lengths& lengths,
                                         const Run&) {
  const Index size = std::min(*diffusion.blockSize, kMaxLength);
  if (diffusion.part == BlockDiffusion::Stage::Train)
    return fromParts(lengths, trainParts(size, lengths.keys));
  return fromParts(lengths, {{"blocks", "blocks up to its own",
                              PrimitiveSet{{blocks(size, -kUnbounded, 0, false)}}}});
}

} // namespace attention
