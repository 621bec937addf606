// What variants are called by their rules, and after those were changed.
#include "core/views/model/variant_names.h"

#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/catch.h"

namespace attention {
namespace {

ModelVariantSpec everywhere(const std::string& name, const Pattern& pattern) {
  return {name, {{"all", "all", pattern}}};
}

} // namespace

TEST_CASE("a title tells the main number, a default for the length that is given", "[model]") {
  CHECK(sizedTitle(Local{4, true}) == "Local, window 4, causal");
  CHECK(sizedTitle(Local{128, true}) == "Local, window 128, causal"); // though it is the default
  CHECK(sizedTitle(Strided{}) == "Strided");
  CHECK(sizedTitle(Strided{}, 1024) == "Strided, stride 32");
  CHECK(sizedTitle(Strided{}, 29) == "Strided, stride 5");
  CHECK(sizedTitle(Strided{7}, 1024) == "Strided, stride 7");
  CHECK(sizedTitle(patternNamed("causal"), 64) == "Causal");
}

TEST_CASE("rules give a variant its name", "[model]") {
  const Pattern local = Local{4, true};
  const auto name = [](std::vector<ModelRuleSpec> rules) { return nameOfRules(rules); };
  CHECK(name({}) == "by hand");
  CHECK(name({{"all", "all", local}}) == "Local, window 4, causal");
  CHECK(name({{"14", "all", Strided{}}}) == "layer 14: Strided");
  CHECK(name({{"0-1", "3", local}}) == "head 3 of layers 0-1: Local, window 4, causal");
  CHECK(name({{"all", "kv1", local}}) == "heads kv1: Local, window 4, causal");
  CHECK(name({{"all", "all", local}, {"14", "all", Strided{}}}) ==
        "Local, window 4, causal; layer 14: Strided");
  const ModelRuleSpec rule{"1", "all", local};
  CHECK(name({rule, rule, rule}).ends_with(" and 1 more rule"));
  CHECK(name({rule, rule, rule, rule}).ends_with(" and 2 more rules"));
}

TEST_CASE("a name that was made of rules follows them, another one says that they changed",
          "[model]") {
  ModelSpec spec;
  spec.variants = {everywhere("Local, window 128, causal", Local{128, true}),
                   everywhere("window 128", Local{128, true})};
  giveHeadsNamed(spec, Strided{}, 14, "all");
  CHECK(spec.variants[0].name == "Local, window 128, causal; layer 14: Strided");
  spec.chosen = 1;
  giveHeadsNamed(spec, Strided{}, 14, "all");
  CHECK(spec.variants[1].name == "window 128 (changed)");
  giveHeadsNamed(spec, Strided{}, 15, "all");
  CHECK(spec.variants[1].name == "window 128 (changed)"); // once
  // A rule removed by hand.
  std::vector<ModelVariantSpec> variants = spec.variants;
  const auto before = variants[0].rules;
  variants[0].rules.pop_back();
  renameByRules(variants, 0, before);
  CHECK(variants[0].name == "Local, window 128, causal");
  const auto named = variants[1].rules;
  variants[1].rules.pop_back();
  renameByRules(variants, 1, named);
  CHECK(variants[1].name == "window 128 (changed)"); // a name of the user's stays
}

TEST_CASE("what is given to heads by hand is named by what it is", "[model]") {
  ModelSpec spec;
  giveHeadsNamed(spec, Local{4, true}, 1, "2");
  REQUIRE(spec.variants.size() == 1);
  CHECK(spec.variants[0].name == "head 2 of layer 1: Local, window 4, causal");
  giveHeadsNamed(spec, Local{4, true}, 1, "3");
  CHECK(spec.variants[0].name == "heads 2,3 of layer 1: Local, window 4, causal");
  giveHeadsNamed(spec, Local{4, true}, 1, "3"); // it has it already
  CHECK(spec.variants[0].name == "heads 2,3 of layer 1: Local, window 4, causal");
  // Two that would be called alike are told apart.
  spec.variants.push_back(everywhere("other", Local{8, true}));
  spec.variants.push_back(everywhere("Local, window 4, causal", Local{4, true}));
  std::vector<ModelVariantSpec> variants = spec.variants;
  variants[0].rules = {{"all", "all", Local{4, true}}};
  renameByRules(variants, 0, spec.variants[0].rules);
  CHECK(variants[0].name == "Local, window 4, causal (2)");
}

} // namespace attention
