// What the Model view shows: a real model on a text, and what other masks of its heads cost it.
// Plain data of the Scene.
#pragma once

#include "core/input/input_spec.h"
#include "core/pattern/pattern.h"
#include "core/scene/settings.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

enum class ModelPicture { Costs, Text, Sweep, Layers };

// What differs from one point of a sweep to the next: the layer that has the pattern, the head of
// one layer, or a number of the pattern.
enum class ModelSweep { Layers, Heads, Parameter };

// Which part of a model matters: the Scene's pattern in one place at a time, or with one number
// after another. Where the spec has variants and not `own`, these are swept beside each other.
struct ModelSweepSpec {
  ModelSweep over = ModelSweep::Layers;
  bool others = false;       // all layers or heads but the one have the pattern
  Index layer = 0;           // whose heads
  std::string parameter;     // of the pattern; empty: the one that sets most of its pairs
  std::vector<Index> values; // of the parameter; empty: 16, 32, 64 … n
  bool variants = false;     // they are swept, where there are any, and not the pattern
  bool operator==(const ModelSweepSpec&) const = default;
};

// The pattern of some heads of some layers. Layers and heads are "all" or a list such as "0-9,12",
// heads also "kv1" for those that share key/value head 1, as `attnx model loss --variants` has
// them.
struct ModelRuleSpec {
  std::string layers = "all";
  std::string heads = "all";
  Pattern pattern;
  bool operator==(const ModelRuleSpec&) const = default;
};

// A later rule wins; what no rule names keeps the model's own mask.
struct ModelVariantSpec {
  std::string name;
  std::vector<ModelRuleSpec> rules;
  bool operator==(const ModelVariantSpec&) const = default;
};

struct ModelSpec {
  std::string model;      // a .gguf file, a folder, or the name of a model (model_path.h)
  std::string text;       // a file's name
  std::string typed;      // the text itself, where no file is named
  std::vector<Index> ids; // instead of a text: no tokenizer is needed
  Index n = 512;          // the first tokens, as many as there are
  bool own = true;        // the Scene's pattern in all layers and heads is one more variant
  bool single = false;    // the loss of every prediction behind the curves, which are means
  std::vector<ModelVariantSpec> variants;
  Index chosen = 0; // of the variants: the one that rules are added to
  ModelPicture picture = ModelPicture::Costs;
  ModelSweepSpec sweep;
  bool operator==(const ModelSpec&) const = default;
};

constexpr std::size_t kMostModelVariants = 4;
constexpr std::size_t kMostModelRules = 64; // of a variant
constexpr std::size_t kMostSweptValues = 64;
constexpr Index kMostModelTokens = Index{1} << 16;

const Settings<ModelRuleSpec>& modelRuleSettings(); // without its pattern
const Settings<ModelSweepSpec>& modelSweepSettings();
const Settings<ModelSpec>& modelSettings(); // without the variants and the sweep

// The place of the variant that rules are added to, whatever the spec says; nothing without any.
std::optional<std::size_t> chosenVariant(const ModelSpec& spec);

constexpr const char* kByHand = "by hand"; // a variant that begins without rules

// Gives heads of a layer ("3", "kv1" or "all") that pattern in the chosen variant; in a new one
// where there is none. A variant that has kMostModelRules stays as it is.
void giveHeads(ModelSpec& spec, const Pattern& pattern, Index layer, const std::string& heads);

// A name that none of the variants has: "Local, window 128", "Local, window 128 (2)".
std::string freeVariantName(std::span<const ModelVariantSpec> variants, const std::string& wanted);

// E_RANGE: a setting out of bounds, more than kMostModelVariants or kMostModelRules, a name that is
// empty or there twice; E_TYPE, E_RANGE: layers or heads that are no list.
void check(const ModelSpec& spec);

// The model of the Model view on its text as an input of the other views.
ModelInput modelInput(const ModelSpec& spec);

} // namespace attention
