// A model with other masks: rules that say which pattern some heads of some layers have.
#pragma once

#include "core/model/model.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct Rule {
  std::optional<std::vector<Index>> layers = {}; // nothing: all
  std::optional<std::vector<Index>> heads = {};  // nothing: all
  Pattern pattern;
  bool operator==(const Rule&) const = default;
};

// What the model under its own masks is called; no variant of a file may have this name.
constexpr const char* kAsItIs = "as it is";

// A later rule wins; what no rule names keeps the model's own mask.
struct ModelVariant {
  std::string name;
  std::vector<Rule> rules = {};
  bool operator==(const ModelVariant&) const = default;
};

const Pattern& patternOf(const Model& model, const ModelVariant& variant, Index layer, Index head);

// The first layer of which a head has another pattern; the number of layers where none has.
Index firstDifference(const Model& model, const ModelVariant& a, const ModelVariant& b);

// E_RANGE where a rule names a layer or a head that the model has not.
void checkVariant(const Model& model, const ModelVariant& variant);

// "0-9,12" as 0 … 9 and 12, in the order of the text, of numbers below `count`. Where the count
// query heads share `kvHeads` key/value heads, "kv0-1" stands for the heads of the first two of
// these. E_TYPE: no such list; E_RANGE: a number beyond, or a range that runs backwards.
std::vector<Index> indicesFromText(std::string_view text, Index count, const std::string& subject,
                                   Index kvHeads = 0);

// "all", which is nothing, or such a list.
std::optional<std::vector<Index>> placesFromText(std::string_view text, Index count,
                                                 const std::string& subject, Index kvHeads = 0);
// The list with all heads that share keys and values with its own: "0,4" becomes "kv0,kv1", "all"
// stays. Throws what placesFromText throws.
std::string wholeGroups(const std::string& places, const Model& model);
// "kv1": the heads that share keys and values with this one.
std::string groupOf(const Model& model, Index head);
// "all", or "0,3,4".
std::string placesText(const std::optional<std::vector<Index>>& places);

// [{"name": TEXT, "rules": [{"layers": "all" | "0-9,12", "heads": "all" | "0,3", "pattern":
// {…}}]}]; layers and heads that are left out are all. `subject` names the text in errors. E_TYPE;
// E_UNKNOWN: a field of another name; E_RANGE: as above, a name that is there twice, or kAsItIs;
// what patternFromJson throws.
std::vector<ModelVariant> variantsFromJson(const nlohmann::json& json, const Model& model,
                                           const std::string& subject);
nlohmann::ordered_json toJson(std::span<const ModelVariant> variants);

} // namespace attention
