#include "core/views/model/variant_names.h"

#include "core/pattern/pattern_title.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/compare/match_pairs.h"

#include <algorithm>

namespace attention {
namespace {

constexpr std::size_t kNamedRules = 2;
constexpr const char* kChanged = " (changed)";

bool isOne(const std::string& places) {
  return std::all_of(places.begin(), places.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "layer 14", "layers 0-1"; empty of all.
std::string placesOf(const std::string& places, const std::string& one) {
  return places == "all" ? std::string() : (isOne(places) ? one : one + "s") + " " + places;
}

// "layer 14: Strided", "head 3 of layers 0-1: Local, window 4".
std::string nameOfRule(const ModelRuleSpec& rule) {
  const std::string layers = placesOf(rule.layers, "layer");
  const std::string heads = placesOf(rule.heads, "head");
  const std::string where = heads + (heads.empty() || layers.empty() ? "" : " of ") + layers;
  return (where.empty() ? where : where + ": ") + sizedTitle(rule.pattern);
}

// A name that no other of the variants has.
std::string freeFor(const std::vector<ModelVariantSpec>& variants, std::size_t place,
                    const std::string& wanted) {
  std::vector<ModelVariantSpec> others = variants;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
  return freeVariantName(others, wanted);
}

} // namespace

std::string sizedTitle(const Pattern& pattern, std::optional<Index> n,
                       std::span<const Pattern* const> among) {
  const Parameter* main = mainParameter(pattern);
  if (!main)
    return titleText(pattern, among);
  Pattern sized = pattern;
  const Value value = main->resolved(pattern, n.value_or(1));
  const auto* number = std::get_if<Index>(&value);
  if (!number)
    return titleText(pattern, among);
  if (n && std::holds_alternative<std::monostate>(main->given(pattern)))
    main->set(sized, value);
  Pattern other = sized; // beside another value a default is told too
  main->set(other, Value(*number + 1));
  std::vector<const Pattern*> all(among.begin(), among.end());
  all.push_back(&other);
  return titleText(sized, all);
}

std::string nameOfRules(std::span<const ModelRuleSpec> rules) {
  if (rules.empty())
    return kByHand;
  std::string name;
  for (std::size_t k = 0; k < std::min(rules.size(), kNamedRules); ++k)
    name += (k == 0 ? "" : "; ") + nameOfRule(rules[k]);
  if (rules.size() > kNamedRules)
    name += " and " + countText(rules.size() - kNamedRules, "more rule");
  return name;
}

void renameByRules(std::vector<ModelVariantSpec>& variants, std::size_t place,
                   std::span<const ModelRuleSpec> before) {
  ModelVariantSpec& variant = variants[place];
  if (!variant.rules.empty() && variant.name == freeFor(variants, place, nameOfRules(before)))
    variant.name = freeFor(variants, place, nameOfRules(variant.rules));
}

void giveHeadsNamed(ModelSpec& spec, const Pattern& pattern, Index layer,
                    const std::string& heads) {
  const auto chosen = chosenVariant(spec);
  const std::vector<ModelRuleSpec> before =
      chosen ? spec.variants[*chosen].rules : std::vector<ModelRuleSpec>();
  giveHeads(spec, pattern, layer, heads);
  const std::size_t place = chosenVariant(spec).value();
  ModelVariantSpec& variant = spec.variants[place];
  if (variant.rules == before)
    return;
  const std::string named = variant.name;
  renameByRules(spec.variants, place, before);
  if (variant.name == named && named.find(kChanged) == std::string::npos)
    variant.name = freeFor(spec.variants, place, named + kChanged);
}

} // namespace attention
