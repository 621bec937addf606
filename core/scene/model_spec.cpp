#include "core/scene/model_spec.h"

#include "core/model/variant.h"
#include "core/scene/settings_builder.h"
#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

// How many layers or heads a list may name before a model says how many it has.
constexpr Index kMostNamed = 1024;

void requireFew(const std::string& subject, std::size_t found, std::size_t most, const char* of) {
  if (found > most)
    throwRange(subject, countText(found, of), "at most " + std::to_string(most));
}

void checkVariant(const ModelSpec& spec, std::size_t place) {
  const ModelVariantSpec& variant = spec.variants[place];
  const std::string at = "model.variants[" + std::to_string(place) + "]";
  if (variant.name.empty())
    throwRange(at + ".name", excerpt(variant.name), "a text that is not empty");
  if (variant.name == kAsItIs)
    throwRange(at + ".name", excerpt(variant.name),
               "another name; this one is the model with its own masks");
  const auto before = spec.variants.begin() + static_cast<std::ptrdiff_t>(place);
  if (std::any_of(spec.variants.begin(), before,
                  [&](const ModelVariantSpec& other) { return other.name == variant.name; }))
    throwRange(at + ".name", excerpt(variant.name), "different from the names of earlier variants");
  requireFew(at + ".rules", variant.rules.size(), kMostModelRules, "rule");
  for (std::size_t k = 0; k < variant.rules.size(); ++k) {
    const std::string rule = at + ".rules[" + std::to_string(k) + "].";
    placesFromText(variant.rules[k].layers, kMostNamed, rule + "layers");
    placesFromText(variant.rules[k].heads, kMostNamed, rule + "heads", kMostNamed);
  }
}

} // namespace

const Settings<ModelRuleSpec>& modelRuleSettings() {
  using S = ModelRuleSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .text("layers", &S::layers, "Which layers: all, or a list such as 0-9,12")
          .text("heads", &S::heads,
                "Which heads of them: all, a list such as 0,3, or kv0-1 for those that share "
                "key/value heads 0 and 1")
          .build();
  return kAll;
}

const Settings<ModelSweepSpec>& modelSweepSettings() {
  using S = ModelSweepSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .choice(
              "over", &S::over, "What differs from one point to the next",
              {{ModelSweep::Layers, "layers", "layers", "The pattern in one layer after another"},
               {ModelSweep::Heads, "heads", "heads",
                "The pattern in one head of a layer after another"},
               {ModelSweep::Parameter, "parameter", "parameter",
                "A number of the pattern, which all layers and heads have"}})
          .boolean("variants", &S::variants,
                   "The variants beside each other, where there are any, not the pattern")
          .boolean(
              "others", &S::others,
              "The pattern in all layers (or heads of the layer) but one, which stays as it is")
          .label("all but one layer or head")
          .visibleIf([](const S& of) { return of.over != ModelSweep::Parameter; })
          .integer("layer", "", &S::layer, "The layer whose heads are changed", "", atLeast(0))
          .visibleIf([](const S& of) { return of.over == ModelSweep::Heads; })
          .text(
              "parameter", &S::parameter,
              "Which parameter; empty: the one that sets most of the pairs, such as a window or a "
              "stride")
          .visibleIf([](const S& of) { return of.over == ModelSweep::Parameter; })
          .integers("values", "", &S::values, "The values that the parameter takes", atLeast(0))
          .none("16, 32, 64 … n")
          .visibleIf([](const S& of) { return of.over == ModelSweep::Parameter; })
          .build();
  return kAll;
}

const Settings<ModelSpec>& modelSettings() {
  using S = ModelSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .text("model", &S::model, "A .gguf file, a folder with config.json, or a model's name")
          .none("a file, folder or name")
          .text("text", &S::text, "The file that the text is read from")
          .none("the sample, or typed text")
          .text("typed", &S::typed, "The text itself, where no file is named")
          .integers("ids", "", &S::ids, "Token ids instead of a text", atLeast(0))
          .integer("n", "", &S::n, "How many tokens the model reads from the start of the text", "",
                   between(1, kMostModelTokens))
          .label("tokens n")
          .handy(2048)
          .boolean("own", &S::own, "Also compute the pattern above, in all layers and heads")
          .label("the pattern in every head")
          .boolean("single", &S::single,
                   "Also the loss of every prediction, pale, of the model as it is and of the "
                   "chosen variant; the curves are means over positions")
          .label("single values")
          .visibleIf([](const S& of) { return of.picture == ModelPicture::Costs; })
          .integer("chosen", "", &S::chosen, "The variant that rules are added to", "",
                   [](const S& of, Index) {
                     return Bounds{0, static_cast<double>(of.variants.size()) - 1};
                   })
          .visibleIf([](const S& of) { return !of.variants.empty(); })
          .choice("picture", &S::picture, "What is shown",
                  {{ModelPicture::Costs, "costs", "costs", "What each variant costs the model"},
                   {ModelPicture::Text, "text", "text",
                    "The text, shaded where the chosen variant predicts it worse"},
                   {ModelPicture::Sweep, "sweep", "sweep",
                    "Which layers, heads or numbers of the pattern matter"},
                   {ModelPicture::Layers, "layers", "layers",
                    "The masks of all layers and heads of the chosen variant"}})
          .build();
  return kAll;
}

std::optional<std::size_t> chosenVariant(const ModelSpec& spec) {
  if (spec.variants.empty())
    return std::nullopt;
  const auto last = static_cast<Index>(spec.variants.size()) - 1;
  return static_cast<std::size_t>(std::clamp<Index>(spec.chosen, 0, last));
}

void giveHeads(ModelSpec& spec, const Pattern& pattern, Index layer, const std::string& heads) {
  if (spec.variants.empty())
    spec.variants.push_back({kByHand, {}});
  std::vector<ModelRuleSpec>& rules = spec.variants[*chosenVariant(spec)].rules;
  const std::string layers = std::to_string(layer);
  // Heads of a layer that are given the same pattern one after another are one rule.
  if (heads != "all" && !rules.empty() && rules.back().layers == layers &&
      rules.back().heads != "all" && rules.back().pattern == pattern) {
    const auto given = split(rules.back().heads, ',');
    if (std::find(given.begin(), given.end(), heads) == given.end())
      rules.back().heads += "," + heads;
  } else if (rules.size() < kMostModelRules)
    rules.push_back({layers, heads, pattern});
}

std::string freeVariantName(std::span<const ModelVariantSpec> variants, const std::string& wanted) {
  std::string name = wanted;
  const auto taken = [&] {
    return std::any_of(variants.begin(), variants.end(),
                       [&](const ModelVariantSpec& variant) { return variant.name == name; });
  };
  for (int k = 2; taken(); ++k)
    name = wanted + " (" + std::to_string(k) + ")";
  return name;
}

ModelInput modelInput(const ModelSpec& spec) {
  return {spec.model, spec.text, spec.typed, spec.ids, spec.n};
}

void check(const ModelSpec& spec) {
  checkSettings(modelSettings(), spec, "model");
  checkSettings(modelSweepSettings(), spec.sweep, "model.sweep");
  requireFew("model.sweep.values", spec.sweep.values.size(), kMostSweptValues, "value");
  requireFew("model.variants", spec.variants.size(), kMostModelVariants, "variant");
  for (std::size_t place = 0; place < spec.variants.size(); ++place)
    checkVariant(spec, place);
}

} // namespace attention
