// Variants: which rule wins, where two of them part, their JSON and its errors.
#include "core/model/variant.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
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

TEST_CASE("a key/value head stands for the query heads that share it", "[model]") {
  const auto heads = [](const char* text) { return indicesFromText(text, 9, "heads", 3); };
  CHECK(heads("kv1") == std::vector<Index>{3, 4, 5});
  CHECK(heads("kv0-1") == std::vector<Index>{0, 1, 2, 3, 4, 5});
  CHECK(heads("8, kv0") == std::vector<Index>{8, 0, 1, 2});
  const auto refused = [&](const char* text, Index kvHeads) {
    return codeAndSubject([&] { indicesFromText(text, 9, "heads", kvHeads); });
  };
  for (const char* text : {"kv", "kva", "kv1-", "k1", "1kv"})
    CHECK(refused(text, 3) == "E_TYPE heads");
  for (const char* text : {"kv3", "kv0-3", "kv1-0", "kv-1"})
    CHECK(refused(text, 3) == "E_RANGE heads");
  CHECK(refused("kv0", 0) == "E_TYPE heads"); // of layers there are no such groups
  const ModelVariant variant = parsed(withRule(R"({"heads": "kv1", "pattern": )" + kFull + "}"))[0];
  CHECK(*variant.rules[0].heads == std::vector<Index>{2, 3});
  CHECK(problem(withRule(R"({"heads": "kv2", "pattern": )" + kFull + "}")) ==
        "E_RANGE: v.json[0].rules[0].heads is \"kv2\"; it must be key/value heads from 0 to 1, or "
        "ascending ranges of them");
}

TEST_CASE("heads are widened to those that share their keys and values", "[model]") {
  const auto model = smallModel(); // two key/value heads for four
  CHECK(groupOf(*model, 1) == "kv0");
  CHECK(groupOf(*model, 2) == "kv1");
  CHECK(wholeGroups("3", *model) == "kv1");
  CHECK(wholeGroups("2,0,3", *model) == "kv1,kv0");
  CHECK(wholeGroups("kv0", *model) == "kv0");
  CHECK(wholeGroups("all", *model) == "all");
  CHECK(codeAndSubject([&] { wholeGroups("4", *model); }) == "E_RANGE heads");
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
  CHECK(problem(withRule(R"({"pattern": {"mechanism": "locl"}})"))
            .starts_with("E_UNKNOWN: v.json[0].rules[0].pattern: mechanism \"locl\" is unknown"));
}
