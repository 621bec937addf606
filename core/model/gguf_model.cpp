#include "core/model/model_parts.h"

#include "core/analysis/stack/stack.h"
#include "core/model/rotary_frequencies.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace attention {
namespace {

// The keys of the architecture: "attention.head_count" is llama.attention.head_count.
class GgufKeys {
public:
  GgufKeys(const GgufFile& gguf, std::string architecture)
      : gguf_(gguf), prefix_(std::move(architecture) + ".") {}

  const GgufFile& file() const { return gguf_; }
  std::string key(const char* name) const { return prefix_ + name; }

  // From 1 to `most`, or `fallback` where the key is absent; without a fallback it must be there.
  // A list of layers must be of one number.
  Index size(const char* name, Index most, std::optional<Index> fallback = {}) const {
    const std::vector<Index> values = gguf_.integers(key(name));
    if (values.empty() && fallback)
      return *fallback;
    if (values.empty())
      failMissing(name, "an integer of at least 1");
    if (std::any_of(values.begin(), values.end(), [&](Index v) { return v != values.front(); }))
      throw Error(ErrorCode::Unsupported, key(name),
                  key(name) + " differs between layers; it must be the same in all of them");
    if (values.front() < 1 || values.front() > most)
      throwRange(key(name), std::to_string(values.front()), "from 1 to " + std::to_string(most));
    return values.front();
  }

  double positive(const char* name, std::optional<double> fallback = {}) const {
    const std::optional<double> value = number(name);
    if (!value && !fallback)
      failMissing(name, "a number above 0");
    if (value && !(*value > 0 && std::isfinite(*value)))
      throwRange(key(name), shortest(*value), "a number above 0");
    return value ? *value : *fallback;
  }

  std::optional<double> number(const char* name) const { return gguf_.number(key(name)); }

private:
  [[noreturn]] void failMissing(const char* name, const char* allowed) const {
    throw Error(ErrorCode::Type, key(name),
                key(name) + " is missing; it must be " + std::string(allowed));
  }

  const GgufFile& gguf_;
  std::string prefix_;
};

void readSizes(const GgufKeys& keys, Model& model) {
  model.width = keys.size("embedding_length", kMostModelWidth);
  model.heads = keys.size("attention.head_count", kMostModelWidth);
  model.kvHeads = keys.size("attention.head_count_kv", model.heads, model.heads);
  if (model.heads % model.kvHeads != 0)
    throwRange(keys.key("attention.head_count_kv"), std::to_string(model.kvHeads),
               "a divisor of the heads, " + std::to_string(model.heads));
  if (model.width < model.heads)
    throwRange(keys.key("embedding_length"), std::to_string(model.width),
               "at least the number of heads, " + std::to_string(model.heads));
  model.headWidth = keys.size("attention.key_length", kMostModelWidth, model.width / model.heads);
  const Index values = keys.size("attention.value_length", kMostModelWidth, model.headWidth);
  if (values != model.headWidth)
    throw Error(ErrorCode::Unsupported, keys.key("attention.value_length"),
                keys.key("attention.value_length") + " is " + std::to_string(values) +
                    "; it must be the width of the keys, " + std::to_string(model.headWidth));
  model.context = keys.size("context_length", kMaxLength);
}

// Which layers slide: as a list or a period in the file says, else as the architecture has it.
std::vector<bool> slidingLayers(const GgufKeys& keys, const Family& family, std::size_t layers) {
  const std::string key = keys.key("attention.sliding_window_pattern");
  std::vector<Index> given = keys.file().integers(key);
  Index period = family.fullEvery;
  if (given.size() == 1 && given.front() > 0 && layers > 1)
    period = given.front();
  else if (given.size() == layers)
    return {given.begin(), given.end()};
  else if (!given.empty())
    throw Error(ErrorCode::Shape, key,
                key + " has " + std::to_string(given.size()) +
                    " entries; it must have one per layer, " + std::to_string(layers));
  std::vector<bool> slides(layers, true);
  for (std::size_t i = 0; period > 0 && i < layers; ++i)
    slides[i] = (static_cast<Index>(i) + 1) % period != 0;
  return slides;
}

// The tensor of factors by which frequencies are divided (Llama 3's scaling, worked out).
void divideFrequencies(const GgufFile& gguf, RotationSpec& spec) {
  constexpr std::string_view kName = "rope_freqs.weight";
  for (const char* name : {"rope_factors_long.weight", "rope_factors_short.weight"})
    if (gguf.hasTensor(name))
      rotationScalingNamed("the scaling of rotary positions", "longrope");
  if (!gguf.hasTensor(kName))
    return;
  const GgufTensor& tensor = gguf.tensor(kName);
  const Index pairs = (spec.width + 1) / 2;
  if (tensor.shape != std::vector{pairs} || blockOf(tensor.type).numbers != 1)
    throw Error(ErrorCode::Shape, std::string(kName),
                std::string(kName) + " must have " + std::to_string(pairs) +
                    " numbers, one per pair of a head, as F32, F16 or BF16");
  WeightMatrix factors;
  factors.type = tensor.type;
  factors.rows = 1;
  factors.cols = factors.stored = pairs;
  factors.data = tensor.data;
  std::vector<float> values(static_cast<std::size_t>(pairs));
  readRow(factors, 0, values);
  spec.divisors.assign(values.begin(), values.end());
}

struct GgufRotations {
  std::shared_ptr<const Rotation> full;
  std::shared_ptr<const Rotation> sliding;
};

// As llama.cpp takes it: a factor without a type is linear, and older files call it scale_linear
// (https://github.com/ggml-org/llama.cpp, src/llama-model.cpp, load_hparams).
void readScaling(const GgufKeys& keys, RotationSpec& spec) {
  const std::string key = keys.key("rope.scaling.type");
  const std::optional<std::string> type = keys.file().text(key);
  if (type && *type != "none" && *type != "linear")
    throw Error(ErrorCode::Unsupported, key,
                key + " is " + excerpt(*type) + "; it must be none or linear");
  const bool older = keys.number("rope.scale_linear") && !keys.number("rope.scaling.factor");
  const char* factor = older ? "rope.scale_linear" : "rope.scaling.factor";
  if (type == "none" || (!type && !keys.number(factor)))
    return;
  spec.scaling = RotationScaling::Linear;
  spec.factor = keys.positive(factor);
}

GgufRotations rotationsOf(const GgufKeys& keys, const Family& family, const Model& model) {
  RotationSpec spec;
  spec.width = keys.size("rope.dimension_count", model.headWidth, model.headWidth);
  const std::string width = keys.key("attention.key_length");
  if (family.pairedInGguf && model.headWidth % 2 != 0)
    throwRange(width, std::to_string(model.headWidth), "even, since its rows are stored in pairs");
  requireInHead(spec, width, model.headWidth);
  RotationSpec local = spec;
  spec.base = keys.positive("rope.freq_base", 10000.0);
  readScaling(keys, spec);
  divideFrequencies(keys.file(), spec);
  GgufRotations rotations;
  rotations.full = rotations.sliding = rotationOf(spec);
  if (family.localRotation) {
    local.base = keys.positive("rope.freq_base_swa", 10000.0);
    rotations.sliding = rotationOf(local);
  }
  return rotations;
}

void readLayers(const GgufKeys& keys, const Family& family, Model& model) {
  const auto layers = static_cast<std::size_t>(keys.size("block_count", kMostModelLayers));
  const GgufRotations rotations =
      family.rotates ? rotationsOf(keys, family, model) : GgufRotations();
  const std::vector<Index> windows = keys.file().integers(keys.key("attention.sliding_window"));
  const Index window = windows.empty() ? 0 : windows.front();
  const Pattern full = family.encoder ? Pattern() : Pattern(Causal{});
  const Pattern sliding = window > 0 ? patternFromJson(causalWindow(window)) : full;
  const std::vector<bool> slides = slidingLayers(keys, family, layers);
  const bool widest = family.layersOfWidest == std::ssize(slides);
  const Index scaled = widest ? model.width / model.heads : model.headWidth;
  model.layers.resize(layers);
  for (std::size_t i = 0; i < layers; ++i) {
    ModelLayer& layer = model.layers[i];
    const bool local = slides[i] && window > 0;
    layer.pattern = local ? sliding : full;
    layer.modifiers.scale = std::pow(static_cast<double>(scaled), -0.5);
    if (family.capsScores && keys.number("attn_logit_softcapping"))
      layer.modifiers.softcap = keys.positive("attn_logit_softcapping");
    layer.pairedRows = family.pairedInGguf;
    if (!family.skipsRotation || (i + 1) % 4 != 0)
      layer.rotation = local ? rotations.sliding : rotations.full;
  }
}

// llama.cpp may cut a model into several files.
void refuseSplit(const GgufFile& gguf) {
  const Index parts = gguf.integer("split.count").value_or(1);
  if (parts > 1)
    throw Error(ErrorCode::Unsupported, "split.count",
                "it is one of " + std::to_string(parts) +
                    " parts of a model; they must be joined (llama-gguf-split --merge)");
}

void refuseExperts(const GgufKeys& keys) {
  const std::string key = keys.key("expert_count");
  const Index experts = keys.file().integer(key).value_or(0);
  if (experts > 0)
    throw Error(ErrorCode::Unsupported, key,
                key + " is " + std::to_string(experts) +
                    ", a mixture of experts; it must be 0, one feed-forward block per layer");
}

// What the file leaves open.
std::string noteOf(const GgufFile& gguf, const Family& family) {
  std::string name =
      gguf.text("general.name").value_or("") + " " + gguf.text("general.basename").value_or("");
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (family.name != "llama" || name.find("mistral") == std::string::npos)
    return {};
  return "A GGUF file does not store the sliding window of Mistral 7B v0.1, 4096 keys in every "
         "layer; without it all layers are causal. “layers as in” in the Model view adds it.";
}

} // namespace

ConfigModel modelOfGguf(const GgufFile& gguf) {
  const std::optional<std::string> architecture = gguf.text("general.architecture");
  if (!architecture)
    throw Error(ErrorCode::Type, "general.architecture",
                "general.architecture is missing; it must be a text, as in \"llama\"");
  refuseSplit(gguf);
  const Family& family = familyOfArchitecture(*architecture);
  const GgufKeys keys(gguf, *architecture);
  refuseExperts(keys);
  const nlohmann::json defaults = nlohmann::json::parse(family.defaults);
  ConfigModel made;
  made.family = &family;
  made.tied = !gguf.hasTensor("output.weight");
  Model& model = made.model;
  model.family = family.name;
  model.note = noteOf(gguf, family);
  model.encoder = family.encoder;
  model.afterSum = family.afterSum;
  model.normKind = family.norm;
  readSizes(keys, model);
  model.normEpsilon =
      keys.positive(family.norm == NormKind::Rms ? "attention.layer_norm_rms_epsilon"
                                                 : "attention.layer_norm_epsilon");
  for (const char* name : {"hidden_act", "hidden_activation", "activation_function"})
    if (defaults.contains(name))
      model.activation = activationNamed(defaults[name].get<std::string>());
  if (defaults.contains("use_parallel_residual"))
    model.parallelBlocks = gguf.flag(keys.key("use_parallel_residual")).value_or(true);
  model.embeddingFactor = family.scaledEmbedding ? std::sqrt(static_cast<double>(model.width)) : 1;
  if (keys.number("final_logit_softcapping"))
    model.logitCap = keys.positive("final_logit_softcapping");
  readLayers(keys, family, model);
  made.feedForwardField = keys.key("feed_forward_length");
  if (const std::vector<Index> widths = gguf.integers(made.feedForwardField); !widths.empty())
    made.feedForward = widths.front();
  return made;
}

} // namespace attention
