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
    placesFromText(variant.rules[k].heads, kMostNamed, rule + "heads");
  }
}

} // namespace

const Settings<ModelRuleSpec>& modelRuleSettings() {
  using S = ModelRuleSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .text("layers", &S::layers, "Which layers: all, or a list such as 0-9,12")
          .text("heads", &S::heads, "Which heads of them: all, or a list such as 0,3")
          .build();
  return kAll;
}

const Settings<ModelSpec>& modelSettings() {
  using S = ModelSpec;
  static const Settings<S> kAll =
      SettingsBuilder<S>()
          .text("model", &S::model, "A .gguf file, a folder with config.json, or a model's name")
          .text("text", &S::text, "The file that the text is read from")
          .text("typed", &S::typed, "The text itself, where no file is named")
          .integers("ids", "", &S::ids, "Token ids instead of a text", atLeast(0))
          .integer("n", "", &S::n, "How many tokens the model reads from the start of the text", "",
                   between(1, kMostModelTokens))
          .label("tokens n")
          .handy(2048)
          .boolean("own", &S::own, "Also compute the pattern above, in all layers and heads")
          .label("pattern everywhere")
          .integer("chosen", "", &S::chosen, "The variant that rules are added to", "",
                   [](const S& of, Index) {
                     return Bounds{0, static_cast<double>(of.variants.size()) - 1};
                   })
          .visibleIf([](const S& of) { return !of.variants.empty(); })
          .choice("picture", &S::picture, "What is shown",
                  {{ModelPicture::Costs, "costs", "costs", "What each variant costs the model"},
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

void check(const ModelSpec& spec) {
  checkSettings(modelSettings(), spec, "model");
  requireFew("model.variants", spec.variants.size(), kMostModelVariants, "variant");
  for (std::size_t place = 0; place < spec.variants.size(); ++place)
    checkVariant(spec, place);
}

} // namespace attention
