#include "core/pattern/mechanism/radial.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/frame_cells.h"
#include "core/pattern/row_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace attention {
namespace {

// gen_log_mask_shrinked and shrink_mask_strict: a block is on where more than 60 % of its columns
// with a cell have more than a third of a block of them.
class RadialRows {
public:
  RadialRows(const Radial& radial, Index n)
      : size_(radial.blockSize), blocks_(n / size_), frames_(*radial.frames),
        tokens_(*radial.tokensPerFrame), border_(frames_ * tokens_ / size_),
        sink_(radial.model == Radial::Model::Wan), widths_(radialWidths(radial)) {}

  Index blocks() const { return blocks_; }

  // Marks the blocks of block row R.
  void mark(Index R, std::vector<char>& on) const {
    std::fill(on.begin(), on.end(), R >= border_ ? 1 : 0);
    std::fill(on.begin() + border_, on.end(), 1);
    if (R >= border_)
      return;
    const Index side = sideLength();
    const Index first = std::max<Index>(ceilDiv((R + 1) * size_ - side, tokens_), 0);
    const Index last = std::min(((R + 1) * size_ - 1) / tokens_, frames_ - 1);
    for (Index f = first; f <= last; ++f)
      markFrames(R, f, on);
  }

private:
  struct Span {
    Index begin = 0;
    Index end = 0;
  };

  // A frame is padded to whole blocks; what its last block has beyond them is left out.
  Index sideLength() const { return ceilDiv(tokens_, size_) * size_; }
  // The positions of a frame that a block holds.
  Span positions(Index block, Index frame) const {
    const Index start = frame * tokens_;
    return {std::max<Index>(block * size_ - start, 0),
            std::min((block + 1) * size_ - start, tokens_)};
  }
  Index width(Index f, Index g) const {
    return sink_ && g == 0 ? tokens_ - 1 : widths_[static_cast<std::size_t>(std::abs(f - g))];
  }

  void markFrames(Index R, Index f, std::vector<char>& on) const {
    const Span rows = positions(R, f);
    if (rows.begin >= rows.end)
      return;
    for (Index g = 0; g < frames_; ++g) {
      const Index w = width(f, g);
      if (w < 0)
        continue;
      const Span band{std::max<Index>(rows.begin - w, 0), std::min(rows.end + w, tokens_)};
      const Index start = g * tokens_;
      const Index end =
          std::min({(start + band.end - 1) / size_ + 1, (start + sideLength()) / size_, blocks_});
      for (Index C = (start + band.begin) / size_; C < end; ++C) {
        char& block = on[static_cast<std::size_t>(C)];
        if (block == 0)
          block = isOn(rows, intersected(positions(C, g), band), w) ? 1 : 0;
      }
    }
  }

  static Span intersected(const Span& a, const Span& b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
  }

  // Of the columns, each of which has a cell, those with more than a third of a block.
  bool isOn(const Span& rows, const Span& columns, Index w) const {
    const Index some = columns.end - columns.begin;
    if (some <= 0)
      return false;
    const auto cells = [&](Index c) {
      return std::min(rows.end, c + w + 1) - std::max(rows.begin, c - w);
    };
    Index many = 0;
    const bool whole = columns.end - 1 - w <= rows.begin && columns.begin + w >= rows.end - 1;
    if (whole)
      many = 3 * (rows.end - rows.begin) > size_ ? some : 0;
    else
      for (Index c = columns.begin; c < columns.end; ++c)
        many += 3 * cells(c) > size_ ? 1 : 0;
    return 10 * many > 6 * some;
  }

  Index size_;
  Index blocks_;
  Index frames_;
  Index tokens_;
  Index border_; // blocks from here on hold text
  bool sink_;
  std::vector<Index> widths_;
};

// The blocks that its code computes: those in which enough columns of a pair of frames hold enough
// of its band. For n tokens, of which the block size is a divisor. O((n / b)² + edges · b).
std::shared_ptr<const RowTable> radialBlocks(const Radial& radial, Index n, const Run& run) {
  const RadialRows rows(radial, n);
  std::vector<char> on(static_cast<std::size_t>(rows.blocks()));
  RowTable table;
  std::vector<KeyRun> runs;
  for (Index R = 0; R < rows.blocks(); ++R) {
    run.report(static_cast<double>(R) / static_cast<double>(rows.blocks()));
    rows.mark(R, on);
    runs.clear();
    for (Index C = 0; C < rows.blocks(); ++C) {
      if (on[static_cast<std::size_t>(C)] == 0)
        continue;
      const Index begin = C * radial.blockSize;
      if (!runs.empty() && runs.back().end == begin)
        runs.back().end += radial.blockSize;
      else
        runs.push_back({begin, begin + radial.blockSize});
    }
    table.appendGroup((R + 1) * radial.blockSize, runs);
  }
  return std::make_shared<const RowTable>(std::move(table));
}

double powerAbove(Index x) { // 2^(bits of x)
  return std::ldexp(1.0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))));
}

std::vector<Part> tokenParts(const Radial& radial, Index n) {
  const auto cells = std::make_shared<const FrameCells>(
      radialWidths(radial), *radial.tokensPerFrame, radial.model == Radial::Model::Wan);
  const Index canvas = *radial.frames * *radial.tokensPerFrame;
  std::vector<Part> parts{{"frames", "bands between frames", counted(cells),
                           [cells](Index i, Index j) { return cells->explain(i, j); }}};
  if (canvas < n)
    parts.push_back(textBehind(canvas));
  return parts;
}

Part blockPart(const Radial& radial, Index n, const Run& run) {
  const auto table = radialBlocks(radial, n, run);
  return {"blocks", "blocks that are computed", table,
          [table, size = radial.blockSize](Index i, Index j) {
            return "block (" + std::to_string(i / size) + ", " + std::to_string(j / size) +
                   (table->contains(i, j) ? ") is computed" : ") is left out");
          }};
}

void widthParameters(DescriptionBuilder<Radial>& builder) {
  builder
      .given("frames", "F", &Radial::frames, "Frames of the video", ParameterType::Integer, true,
             atLeast(1))
      .given("tokens_per_frame", "t", &Radial::tokensPerFrame,
             "Tokens per frame; those after the last frame are text", ParameterType::Integer, true,
             atLeast(1))
      .integer("block_size", "B", &Radial::blockSize,
               "Tokens per block, and the least half width of a band", "tokens", atLeast(1))
      .real("decay", "", &Radial::decay, "Factor of the widths of bands",
            [](const Radial&, Index) {
              return Bounds{std::numeric_limits<double>::denorm_min(),
                            std::numeric_limits<double>::max(), "a number above 0"};
            })
      .integer("split", "", &Radial::split,
               "Where bands would be narrower, only some distances of frames are kept", "",
               atLeast(1));
}

} // namespace

const Description& describe(const Radial&) {
  static const Description kDescription = [] {
    DescriptionBuilder<Radial> builder("radial", "Radial", "Structure");
    builder.summary("Video: the further apart two frames are, the narrower the band between them.")
        .source("Li et al. 2025 (Radial Attention); mit-han-lab/radial-attention, attn_mask.py")
        .definition({"frames f, g at distance D, positions r, c: |r − c| ≤ w",
                     "w = t for D ≤ 1, else max(decay · base, B),  base = 2^bits(t) / 2^bits(D)",
                     "base < split: only D mod ⌊split/base⌋ = 0"})
        .conventions("The code keeps whole blocks, of which more than 60 % of the columns have "
                     "more than B/3 cells. Wan sees all of the first frame, Hunyuan does not.")
        .complexity("O(n √n log n d)");
    widthParameters(builder);
    builder
        .choice("model", &Radial::model, "Whose mask it is",
                {{Radial::Model::Wan, "wan", "Wan", "All see the first frame"},
                 {Radial::Model::Hunyuan, "hunyuan", "Hunyuan", "The first frame is as others"}})
        .choice("reading", &Radial::reading, "Which cells count",
                {{Radial::Reading::Code, "code", "blocks", "The whole blocks that are computed"},
                 {Radial::Reading::Token, "token", "tokens", "The bands themselves"}});
    return builder.build();
  }();
  return kDescription;
}

std::vector<Index> radialWidths(const Radial& radial) {
  const Index t = *radial.tokensPerFrame;
  const auto split = static_cast<double>(radial.split);
  std::vector<Index> widths;
  for (Index distance = 0; distance < *radial.frames; ++distance) {
    const double base = powerAbove(t) / powerAbove(distance);
    const double every = std::floor(split / base);
    if (base < split && std::fmod(static_cast<double>(distance), every) != 0) {
      widths.push_back(-1);
      continue;
    }
    const double wide = std::max(base * radial.decay, static_cast<double>(radial.blockSize));
    const bool all = distance <= 1 || wide >= static_cast<double>(t - 1);
    widths.push_back(all ? t - 1 : static_cast<Index>(wide));
  }
  return widths;
}

void checkLengths(const Radial& radial, const Lengths& lengths) {
  requireInLayout("radial", lengths);
  const Index n = lengths.keys;
  if (*radial.frames > n / *radial.tokensPerFrame)
    throwRange("frames",
               std::to_string(*radial.frames) + " of " + std::to_string(*radial.tokensPerFrame) +
                   " tokens",
               "so few that they fit into n = " + std::to_string(n));
  if (radial.reading == Radial::Reading::Code && n % radial.blockSize != 0)
    throwRange("block_size", std::to_string(radial.blockSize),
               "a divisor of n = " + std::to_string(n) + " where reading is code");
}

std::shared_ptr<const Prepared> prepared(const Radial& radial, const Lengths& lengths,
                                         const Run& run) {
  if (radial.reading == Radial::Reading::Token)
    return fromParts(lengths, tokenParts(radial, lengths.keys));
  return fromParts(lengths, {blockPart(radial, lengths.keys, run)});
}

} // namespace attention
