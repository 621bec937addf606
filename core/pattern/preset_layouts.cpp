#include "core/pattern/presets.h"

#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"

#include <optional>
#include <utility>

namespace attention {
namespace {

using Arguments = std::span<const Index>;

PresetArgument tokens(const char* name, Index fallback, const char* meaning) {
  return {name, fallback, 1, meaning};
}

// Windows on an image of v[0] × v[1] tokens.
Pattern onImage(Arguments v, Index kernel, Index stride) {
  Neighborhood pattern;
  pattern.shape = IndexList{v[0], v[1]};
  pattern.kernel = kernel;
  pattern.stride = stride;
  return pattern;
}

Pattern swin(Arguments v) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    if (v[side] % v[2] != 0)
      throwRange("window", std::to_string(v[2]),
                 "a divisor of height " + std::to_string(v[0]) + " and width " +
                     std::to_string(v[1]));
  return onImage(v, v[2], v[2]);
}

void requireUpTo(const char* argument, Index value, Index most) {
  if (value > most)
    throwRange(argument, std::to_string(value), "an integer of at most " + std::to_string(most));
}

Pattern slidingTiles(Arguments v) {
  requireUpTo("tile", v[3], kMaxLength);
  requireUpTo("window", v[4], kMaxLength);
  Neighborhood pattern;
  pattern.reading = Neighborhood::Reading::Sta;
  pattern.shape = IndexList{v[0], v[1], v[2]};
  pattern.tile = v[3];
  pattern.kernel = v[3] * v[4];
  return pattern;
}

Pattern longNet(Arguments v) {
  requireUpTo("segment", v[0], kMaxLength);
  requireUpTo("branches", v[1], 20);
  std::vector<Index> segments;
  std::vector<Index> dilations;
  for (Index k = 0; k < v[1]; ++k) {
    segments.push_back(v[0] << k);
    dilations.push_back(Index{1} << k);
  }
  DilatedSegments pattern;
  pattern.segments = IndexList(std::move(segments));
  pattern.dilations = IndexList(std::move(dilations));
  return pattern;
}

// The best v[0] tokens of the first head, and behind each the best v[1] of the second.
Pattern medusa(Arguments v) {
  requireUpTo("first", v[0], 1000);
  requireUpTo("second", v[1], 1000);
  std::vector<std::vector<Index>> paths;
  for (Index first = 0; first < v[0]; ++first) {
    paths.push_back({first});
    for (Index second = 0; second < v[1]; ++second)
      paths.push_back({first, second});
  }
  Tree pattern;
  pattern.paths = PathList(std::move(paths));
  pattern.prefix = v[2];
  return pattern;
}

Pattern gemma(Arguments v, std::optional<Index> window) {
  Spans pattern;
  pattern.spans = PairList{{v[0], v[1]}};
  pattern.window = window;
  return pattern;
}

Pattern radialWan(Arguments v) {
  Radial pattern;
  pattern.frames = v[0];
  pattern.tokensPerFrame = v[1];
  pattern.blockSize = v[2];
  pattern.split = v[3];
  return pattern;
}

std::vector<PresetArgument> image() {
  return {tokens("height", 8, "rows of the image"), tokens("width", 8, "columns of the image")};
}

std::vector<PresetArgument> with(std::vector<PresetArgument> arguments,
                                 std::vector<PresetArgument> more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<Preset> canvases() {
  return {
      {"natten-2d", "NATTEN, an image", "k × k keys, moved inside at borders", "k²",
       "SHI-Labs/NATTEN, na2d",
       with(image(), {tokens("kernel", 3, "k: rows and columns of the window")}),
       [](Arguments v) { return onImage(v, v[2], 1); }},
      {"swin", "Swin windows", "windows side by side: s = k", "w²",
       "Liu et al. 2021 (Swin), as NATTEN with stride = kernel",
       with(image(), {tokens("window", 4, "w: side of a window, a divisor of the image's sides")}),
       swin},
      {"sliding-tiles",
       "Sliding tiles, video",
       "tiles of t³ see windows of whole tiles",
       "",
       "Zhang et al. 2025 (STA), hao-ai-lab/FastVideo",
       {tokens("frames", 4, "frames of the video"), tokens("height", 4, "rows of a frame"),
        tokens("width", 4, "columns of a frame"), tokens("tile", 2, "t: side of a tile"),
        tokens("window", 1, "tiles of the window, along each axis")},
       slidingTiles},
      {"longnet",
       "LongNet",
       "segments w, 2w, 4w … with dilations 1, 2, 4 …",
       "",
       "Ding et al. 2023 (LongNet), section 3",
       {tokens("segment", 8, "w: tokens of the shortest segments"),
        tokens("branches", 3, "lengths of segments")},
       longNet},
      {"radial-wan",
       "Radial, Wan",
       "bands that become half as wide each time the distance between frames doubles",
       "",
       "mit-han-lab/radial-attention, attn_mask.py",
       {tokens("frames", 8, "frames of the video"),
        tokens("tokens-per-frame", 8, "tokens of a frame"),
        tokens("block-size", 2, "tokens of a block, 128 in the code"),
        tokens("split", 4, "least width without gaps, 128 in the code")},
       radialWan},
  };
}

std::vector<Preset> textsAndDrafts() {
  return {
      {"llama4-chunks",
       "Llama 4, chunks",
       "causal within a chunk",
       "up to c",
       "transformers, attention_chunk_size of Llama 4",
       {tokens("chunk", 16, "c: tokens of a chunk, 8192 in Scout")},
       [](Arguments v) -> Pattern {
         return BlockLocal{v[0], 0, 0, true};
       }},
      {"llama4-chunks-padded",
       "Llama 4, chunks after padding",
       "chunks begin after the padding",
       "up to c",
       "transformers, chunked_overlay with left padding",
       {tokens("chunk", 16, "c: tokens of a chunk"),
        {"padding", 5, 0, "tokens before the text, which none sees"}},
       [](Arguments v) -> Pattern {
         return Expr{"j <= i && j >= padding && (j - padding) // chunk == (i - padding) // chunk",
                     {{"chunk", v[0]}, {"padding", v[1]}},
                     false};
       }},
      {"gemma3-image",
       "Gemma 3, an image in text",
       "causal; the image sees itself",
       "",
       "gemma_pytorch, full layers of Gemma 3",
       {{"start", 12, 0, "first token of the image"},
        tokens("tokens", 20, "tokens of the image, 256 in Gemma 3")},
       [](Arguments v) { return gemma(v, std::nullopt); }},
      {"gemma3-image-window",
       "Gemma 3, an image and a window",
       "the window also cuts the image",
       "",
       "gemma_pytorch, sliding layers of Gemma 3",
       {{"start", 12, 0, "first token of the image"},
        tokens("tokens", 20, "tokens of the image, 256 in Gemma 3"),
        tokens("window", 12, "W: keys of text, 512 or 1024 in Gemma 3")},
       [](Arguments v) { return gemma(v, v[2]); }},
      {"bd3-lm",
       "Block diffusion, BD3-LM",
       "a noised half beside a clean one",
       "",
       "kuleshov-group/bd3lms, models/dit.py",
       {tokens("block", 4, "tokens that are denoised at once")},
       [](Arguments v) -> Pattern { return BlockDiffusion{v[0]}; }},
      {"medusa",
       "Medusa's tree",
       "drafts of two heads after a prefix",
       "",
       "Cai et al. 2024 (Medusa), figure 2",
       {tokens("first", 2, "best tokens of the first head"),
        tokens("second", 3, "best tokens of the second, after each"),
        {"prefix", 55, 0, "tokens before the drafts"}},
       medusa},
  };
}

// Sparse VideoGen's two kinds of heads, with a prompt before the frames.
std::vector<Preset> videoHeads() {
  const PresetArgument prompt{"prompt", 16, 0, "tokens before the frames"};
  const PresetArgument width{"bands", 2, 1, "w: frames that a band is wide"};
  return {
      {"svg-spatial",
       "Sparse VideoGen, spatial head",
       "keys near the query in token order",
       "",
       "attention-gym, svg.py",
       {prompt,
        tokens("tokens", 8, "tokens of a frame"),
        width,
        tokens("rounding", 4, "widths are multiples of it"),
        {"sink", 0, 0, "first tokens of the video that all see"}},
       [](Arguments v) -> Pattern {
         return Expr{"i < prompt || j < prompt + sink || abs(i - j) < bands * tokens // rounding "
                     "* rounding",
                     {{"prompt", v[0]},
                      {"tokens", v[1]},
                      {"bands", v[2]},
                      {"rounding", v[3]},
                      {"sink", v[4]}},
                     false};
       }},
      {"svg-spatial-original",
       "Sparse VideoGen, original code",
       "band width rounded up, and the end included (≤)",
       "",
       "svg-project/Sparse-VideoGen, svg/models/wan/utils.py",
       {tokens("tokens", 8, "tokens of a frame; all see the first one"), width,
        tokens("rounding", 4, "widths are multiples of it, 128 in the code")},
       [](Arguments v) -> Pattern {
         return Expr{"j < tokens || abs(i - j) <= (bands * tokens + rounding - 1) // rounding * "
                     "rounding",
                     {{"tokens", v[0]}, {"bands", v[1]}, {"rounding", v[2]}},
                     false};
       }},
      {"svg-temporal",
       "Sparse VideoGen, temporal head",
       "keys at nearby places in every frame",
       "",
       "attention-gym, svg.py",
       {prompt, tokens("frames", 6, "frames of the video"),
        tokens("tokens", 8, "tokens of a frame"), width},
       [](Arguments v) -> Pattern {
         return Expr{"i < prompt || j < prompt || abs((i - prompt) % tokens - (j - prompt) % "
                     "tokens) < bands * tokens // frames",
                     {{"prompt", v[0]}, {"frames", v[1]}, {"tokens", v[2]}, {"bands", v[3]}},
                     false};
       }},
  };
}

} // namespace

std::vector<Preset> layoutPresets() {
  std::vector<Preset> all = canvases();
  for (const auto& more : {textsAndDrafts(), videoHeads()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace attention
