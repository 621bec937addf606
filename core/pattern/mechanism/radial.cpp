#include "core/pattern/mechanism/radial.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/frame_cells.h"
#include "core/pattern/mechanism/bounded.h"
#include "core/pattern/mechanism/radial_blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace attention {
namespace {

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
      .given("tokens_per_frame", "t", &Radial::tokensPerFrame, "Tokens of a frame; text follows",
             ParameterType::Integer, true, atLeast(1))
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
