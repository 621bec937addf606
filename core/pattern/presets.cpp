#include "core/pattern/presets.h"

#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/text.h"

namespace attention {
namespace {

using Values = std::span<const Index>;

constexpr Index kWindow = 16; // small enough to see what it is

// Causal windows: W keys with the query itself, or W and the query.
Pattern lastWithItself(Values v) {
  return Local{v[0], true};
}
Pattern lastAndItself(Values v) {
  return SlidingWindow{v[0], 0};
}

Pattern odd(Values v) {
  if (v[0] % 2 == 0)
    throwRange("window", std::to_string(v[0]), "an odd integer of at least 1");
  return Local{v[0], false};
}

Pattern longformer(Values v, Longformer::Reading reading) {
  if (reading == Longformer::Reading::Total && v[0] % 2 != 0)
    throwRange("window", std::to_string(v[0]), "an even integer of at least 0");
  Longformer pattern;
  pattern.window = v[0];
  pattern.globals = IndexList{};
  pattern.reading = reading;
  return pattern;
}

// Query i is token i + n_k − n_q.
Pattern bottomRight(Values v) {
  const Index more = v[1] - v[0];
  if (more >= 0)
    return SlidingWindow{-1, more};
  return Expr{"i - j >= fewer", {{"fewer", -more}}, true};
}

Pattern globalBlocks(Values v, bool last) {
  BigBird pattern;
  pattern.blockSize = v[0];
  pattern.globalFirst = v[1];
  pattern.globalLast = last ? v[1] : 0;
  pattern.randomBlocks = 0;
  return pattern;
}

PresetArgument window(const char* meaning, Index least = 0) {
  return {"window", kWindow, least, meaning};
}
PresetArgument dilation() {
  return {"dilation", 2, 1, "d: step between keys"};
}

std::vector<Preset> causalWindows() {
  const PresetArgument w = window("W");
  return {
      {"child-paper",
       "Sparse Transformer, the text",
       "max(0, i − ℓ) … i",
       "ℓ + 1",
       "Child et al. 2019, §4.3",
       {window("ℓ", 1)},
       [](Values v) -> Pattern {
         return Strided{v[0], Factor::First};
       }},
      {"openai-sparse-attention",
       "openai/sparse_attention",
       "a band of ℓ − 1 below the diagonal",
       "ℓ",
       "openai/sparse_attention, get_attn_mask 'local'",
       {window("bandwidth", 1)},
       lastWithItself},
      {"attention-gym",
       "attention-gym",
       "q − kv ≤ W",
       "W + 1",
       "attention-gym, generate_sliding_window",
       {w},
       lastAndItself},
      {"transformers",
       "transformers, eager path",
       "0 ≤ i − j < W",
       "W",
       "transformers, sliding_window (eager path and visualiser)",
       {w},
       lastWithItself},
      {"flash-attention",
       "FlashAttention",
       "window_size (W, 0), inclusive",
       "W + 1",
       "FlashAttention, window_size",
       {window("left")},
       lastAndItself},
      {"mistral-paper",
       "Mistral 7B, the text",
       "i − W … i",
       "W + 1",
       "Jiang et al. 2023, §2",
       {w},
       lastAndItself},
      {"mistral-figure",
       "Mistral 7B, figure 1",
       "at most W tokens",
       "W",
       "Jiang et al. 2023, figure 1",
       {w},
       lastWithItself},
      {"axlearn",
       "axlearn",
       "W to the left, plus the query",
       "W + 1",
       "axlearn, sliding_window_causal_mask",
       {w},
       lastAndItself},
  };
}

std::vector<Preset> twoSidedWindows() {
  return {
      {"longformer-allenai",
       "Longformer, allenai",
       "w on one side: use 256 for 512",
       "2w + 1",
       "allenai/longformer, longformer.py",
       {window("attention_window")},
       [](Values v) { return longformer(v, Longformer::Reading::OneSided); }},
      {"longformer-transformers",
       "Longformer, transformers",
       "w in total, w/2 per side",
       "w + 1",
       "transformers, attention_window",
       {window("attention_window")},
       [](Values v) { return longformer(v, Longformer::Reading::Total); }},
      {"xformers-local",
       "xFormers",
       "W in total, odd",
       "W",
       "xformers, local_1d_pattern",
       {{"window", kWindow + 1, 1, "window_size"}},
       odd},
      {"sliding-window-viz",
       "sliding-window-viz-3D",
       "a radius r",
       "2r + 1",
       "sliding-window-viz-3D",
       {window("radius")},
       [](Values v) -> Pattern {
         return SlidingWindow{v[0], v[0]};
       }},
  };
}

std::vector<Preset> others() {
  return {
      {"longformer-dilated",
       "Dilation, Longformer",
       "i + d (j − w): the span grows",
       "2w + 1",
       "allenai/longformer, diagonaled_mm_tvm.py",
       {window("w: keys on each side"), dilation()},
       [](Values v) -> Pattern {
         return Dilated{v[0], v[0], v[1]};
       }},
      {"attention-gym-dilated",
       "Dilation, attention-gym",
       "|i − j| ≤ W and (i − j) mod d = 0",
       "2 ⌊W / d⌋ + 1",
       "attention-gym, dilated sliding window",
       {window("W: reach on each side"), dilation()},
       [](Values v) -> Pattern {
         return Dilated{v[0], v[0], v[1], Dilated::Unit::Tokens};
       }},
      {"causal-top-left",
       "Causal, torch is_causal",
       "j ≤ i",
       "i + 1",
       "PyTorch, scaled_dot_product_attention(is_causal=True)",
       {},
       [](Values) -> Pattern { return Causal{}; }},
      {"causal-bottom-right",
       "Causal, FlashAttention and MLX",
       "j ≤ i + n_k − n_q",
       "i + 1 + n_k − n_q",
       "FlashAttention 2.1, MLX",
       {{"queries", 1, 1, "n_q of the mask, aligned top-left"}, {"keys", 1, 1, "n_k of the mask"}},
       bottomRight},
      {"bigbird-google",
       "Global blocks, BigBird's code",
       "first and last g blocks",
       "",
       "google-research/bigbird, core/attention.py",
       {{"block-size", 16, 1, "tokens in a block"}, {"blocks", 1, 0, "g: global blocks"}},
       [](Values v) { return globalBlocks(v, true); }},
      {"bigbird-deepspeed",
       "Global blocks, DeepSpeed",
       "first g blocks",
       "",
       "DeepSpeed, BigBirdSparsityConfig",
       {{"block-size", 16, 1, "tokens in a block"}, {"blocks", 1, 0, "g: global blocks"}},
       [](Values v) { return globalBlocks(v, false); }},
  };
}

} // namespace

int Preset::argument(std::string_view wanted) const {
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (sameName(arguments[k].name, wanted))
      return static_cast<int>(k);
  return -1;
}

Pattern Preset::pattern(std::span<const Index> values) const {
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (values[k] < arguments[k].least)
      throwRange(arguments[k].name, std::to_string(values[k]),
                 "an integer of at least " + std::to_string(arguments[k].least));
  return make(values);
}

Pattern Preset::pattern() const {
  std::vector<Index> values;
  for (const PresetArgument& a : arguments)
    values.push_back(a.fallback);
  return pattern(values);
}

std::span<const Preset> allPresets() {
  static const std::vector<Preset> kAll = [] {
    std::vector<Preset> all = causalWindows();
    for (const auto& more : {twoSidedWindows(), others(), layoutPresets()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return kAll;
}

const Preset* findPreset(std::string_view name) {
  for (const Preset& preset : allPresets())
    if (sameName(preset.name, name))
      return &preset;
  return nullptr;
}

const Preset& presetNamed(std::string_view name) {
  if (const Preset* preset = findPreset(name))
    return *preset;
  std::vector<std::string> names;
  for (const Preset& preset : allPresets())
    names.push_back(preset.name);
  const std::string hint = nearestHint(name, names);
  throw Error(ErrorCode::Unknown, std::string(name),
              "preset " + excerpt(name) + " is unknown" +
                  (hint.empty() ? "; attnx patterns --presets lists them" : hint));
}

} // namespace attention
