// What patterns are called in legends and lists.
#include "core/pattern/pattern_title.h"

#include "core/pattern/mechanism/all.h"

#include "tests/catch.h"

using namespace attention;

namespace {

Pattern patternWith(const char* mechanism,
                    std::initializer_list<std::pair<const char*, Value>> all) {
  Pattern pattern = patternNamed(mechanism);
  for (const auto& [parameter, value] : all)
    set(pattern, parameter, value);
  return pattern;
}

} // namespace

TEST_CASE("A title names the parameters that were given") {
  CHECK(titleText(patternNamed("strided")) == "Strided");
  CHECK(titleText(patternWith("local", {{"window", Index{3}}, {"causal", true}})) ==
        "Local, window 3, causal");
  CHECK(titleText(patternWith("strided", {{"causal", false}, {"head", std::string("2")}})) ==
        "Strided, factor A², not causal");
  CHECK(titleText(patternWith("lsh", {{"n_rounds", Index{4}}, {"chunk", Index{12}}})) ==
        "LSH (Reformer), 4 rounds, chunk 12");
  CHECK(titleText(patternWith("lsh", {{"n_rounds", Index{2}}, {"n_buckets", IndexList{8}}})) ==
        "LSH (Reformer), 8 buckets, 2 rounds");
  CHECK(titleText(patternWith("longformer", {{"globals", IndexList{0, 5}}})) ==
        "Longformer, globals {0, 5}");
  CHECK(titleText(patternWith("vertical_slash", {{"vertical", IndexList{0, 1, 2, 3, 4}}})) ==
        "Vertical-slash, vertical at 5 places");
  CHECK(titleText(patternWith("cluster", {{"labels", IndexList{0, 1, 2, 1, 0}}})) ==
        "Clusters, 5 labels");
  CHECK(titleText(patternWith("lsh", {{"n_buckets", IndexList{2, 2, 2, 2, 2}}})) ==
        "LSH (Reformer), buckets in 5 factors");
}

TEST_CASE("The definition of a single factor is that of the factor") {
  using Lines = std::vector<std::string>;
  for (const char* mechanism : {"strided", "fixed"}) {
    const Pattern whole = patternNamed(mechanism);
    const Lines& all = description(whole).definition;
    REQUIRE(all.size() == 3);
    CHECK(definitionOf(whole) == all);
    CHECK(definitionOf(patternWith(mechanism, {{"head", std::string("1")}})) ==
          Lines{all[0], "Sᵢ = A¹ᵢ"});
    CHECK(definitionOf(patternWith(mechanism, {{"head", std::string("2")}})) ==
          Lines{all[1], "Sᵢ = A²ᵢ"});
  }
  CHECK(definitionOf(patternNamed("causal")) == description(patternNamed("causal")).definition);
}

TEST_CASE("The title of a mask names its file") {
  MaskSource mask;
  mask.file = "models/head 3.npy";
  CHECK(titleText(patternWith("given", {{"mask", mask}})) == "Given mask, head 3.npy");
}

TEST_CASE("among others a pattern is named by what distinguishes it") {
  const auto among = [](const std::vector<Pattern>& all) {
    std::vector<const Pattern*> others;
    others.reserve(all.size());
    for (const Pattern& pattern : all)
      others.push_back(&pattern);
    std::vector<std::string> titles;
    titles.reserve(all.size());
    for (const Pattern& pattern : all)
      titles.push_back(titleAmong(pattern, others));
    return titles;
  };
  using Titles = std::vector<std::string>;
  const Pattern three = patternWith("local", {{"window", Index{3}}, {"causal", true}});
  const Pattern nine = patternWith("local", {{"window", Index{9}}, {"causal", true}});
  CHECK(among({three, nine}) == Titles{"Local, window 3", "Local, window 9"});
  CHECK(among({three, three}) == Titles{"Local, window 3, causal", "Local, window 3, causal"});
  CHECK(among({three}) == Titles{"Local, window 3, causal"});
  CHECK(among({three, patternNamed("full")}) == Titles{"Local, window 3, causal", "Full"});
  // The default of one is named if another differs from it.
  const Pattern plain = patternNamed("dilated");
  const Pattern far = patternWith("dilated", {{"dilation", Index{8}}});
  CHECK(among({plain, far}) == Titles{"Dilated, dilation 2", "Dilated, dilation 8"});
  CHECK(among({plain, plain}) == Titles{"Dilated", "Dilated"});
  const std::vector<const Pattern*> both{&plain, &far};
  CHECK(titleText(plain, both) == "Dilated, dilation 2");
  CHECK(titleText(three, both) == "Local, window 3, causal");
  const Pattern below = patternWith("expr", {{"expr", std::string("max(i, j) < 9")}});
  const Pattern above = patternWith("expr", {{"expr", std::string("max(i, j) > 6")}});
  CHECK(among({below, above}) == Titles{titleText(below), titleText(above)});
}

TEST_CASE("The title of a composition names its operands") {
  const Pattern local = patternNamed("local");
  const Pattern strided = patternNamed("strided");
  CHECK(titleText(Compose(Operation::Union, {local, strided})) == "Local ∪ Strided");
  CHECK(titleText(Compose(Operation::Complement, {local})) == "not Local");
  const Pattern nested = Compose(Operation::Intersection, {local, strided});
  CHECK(titleText(Compose(Operation::Difference, {patternNamed("causal"), nested})) ==
        "Causal ∖ (Local ∩ Strided)");
  CHECK(titleText(Compose(Operation::Union, {local, strided, local, strided})) ==
        "Compose of 4 patterns");
}
