// Variants: which rule wins, where two of them part, their JSON and its errors.
#include "core/model/variant.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/model/small_weights.h"

#include <nlohmann/json.hpp>

using namespace attention;
using namespace attention::test;

namespace {

std::vector<ModelVariant> parsed(const std::string& text) {
  return variantsFromJson(nlohmann::json::parse(text), *smallModel(), "v.json");
}

std::string problem(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    return error.text();
  }
  return {};
}

const std::string kFull = R"({"mechanism": "full", "params": {}})";

std::string withRule(const std::string& rule) {
  return R"([{"name": "a", "rules": [)" + rule + "]}]";
}

} // namespace

TEST_CASE("a later rule wins, and what no rule names keeps the model's mask", "[model]") {
  const auto model = smallModel();
  const ModelVariant variant =
      parsed(R"([{"name": "a", "rules": [{"layers": "1-2", "heads": "all", "pattern": )" + kFull +
             R"(}, {"layers": "all", "heads": "0,3", "pattern": {"mechanism": "local"}}]}])")[0];
  CHECK(patternOf(*model, variant, 0, 1).is<Causal>());
  CHECK(patternOf(*model, variant, 1, 1).is<Full>());
  CHECK(patternOf(*model, variant, 2, 3).is<Local>());
  CHECK(patternOf(*model, variant, 3, 0).is<Local>());
}

TEST_CASE("layers and heads that are left out are all", "[model]") {
  const ModelVariant variant = parsed(withRule(R"({"pattern": )" + kFull + "}"))[0];
  CHECK_FALSE(variant.rules[0].layers);
  CHECK(patternOf(*smallModel(), variant, 3, 3).is<Full>());
}

TEST_CASE("two variants part at the first layer of which a head differs", "[model]") {
  const auto model = smallModel();
  const ModelVariant last{"a", {{std::vector<Index>{2, 3}, std::vector<Index>{1}, Full{}}}};
  CHECK(firstDifference(*model, {}, last) == 2);
  CHECK(firstDifference(*model, last, last) == 4);
  const ModelVariant same{"b", {{{}, {}, Causal{}}}};
  CHECK(firstDifference(*model, {}, same) == 4);
}

TEST_CASE("lists of layers are numbers and ranges", "[model]") {
  CHECK(indicesFromText("0-2,5, 4", 6, "layers") == std::vector<Index>{0, 1, 2, 5, 4});
  const auto refused = [](const char* text) {
    try {
      indicesFromText(text, 6, "layers");
    } catch (const Error& error) {
      return std::string(name(error.code()));
    }
    return std::string();
  };
  for (const char* text : {"", "a", "1,", "1-", "-", "1;2", "0x1"})
    CHECK(refused(text) == "E_TYPE");
  for (const char* text : {"6", "0-6", "3-2", "-1"})
    CHECK(refused(text) == "E_RANGE");
}

TEST_CASE("what is no variant is refused by name", "[model]") {
  CHECK(problem("{}").starts_with("E_TYPE: v.json is {}"));
  CHECK(problem("[1]").starts_with("E_TYPE: v.json[0] is 1; it must be an object"));
  CHECK(problem(R"([{"name": "a"}])") == "E_TYPE: v.json[0] has no rules; it must be a list");
  CHECK(problem(R"([{"name": "", "rules": []}])").starts_with("E_TYPE: v.json[0].name"));
  CHECK(problem(R"([{"name": "a", "rules": [], "rule": 1}])") ==
        "E_UNKNOWN: v.json[0] has the field \"rule\"; it must be one of name, rules");
  CHECK(problem(R"([{"name": "a", "rules": []}, {"name": "a", "rules": []}])")
            .starts_with("E_RANGE: v.json[1].name"));
  CHECK(problem(R"([{"name": "as it is", "rules": []}])") ==
        "E_RANGE: v.json[0].name is \"as it is\"; it must be another name; this one is the model "
        "with its own masks");
  CHECK(problem(withRule(R"({"layers": "all"})")) ==
        "E_TYPE: v.json[0].rules[0] has no pattern; it must be a pattern");
  CHECK(problem(withRule(R"({"layers": [1], "pattern": )" + kFull + "}"))
            .starts_with("E_TYPE: v.json[0].rules[0].layers"));
  CHECK(problem(withRule(R"({"heads": "4", "pattern": )" + kFull + "}"))
            .starts_with("E_RANGE: v.json[0].rules[0].heads"));
  CHECK(problem(withRule(R"({"head": "1", "pattern": )" + kFull + "}"))
            .starts_with("E_UNKNOWN: v.json[0].rules[0]"));
  CHECK(problem(withRule(R"({"pattern": {"mechanism": "locl"}})")).starts_with("E_UNKNOWN"));
}
