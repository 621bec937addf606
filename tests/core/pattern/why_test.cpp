#include "core/pattern/pattern.h"

#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

using namespace attention;

namespace {

std::string why(const std::string& name, const std::string& params, Index n, Index i, Index j) {
  return preparedFrom(name, params, n)->why(i, j).text;
}

} // namespace

TEST_CASE("Reasons say the rule with its numbers", "[why]") {
  CHECK(why("strided", R"({"stride": 11})", 100, 97, 64) == "(97 − 64) mod 11 = 0");
  CHECK(why("local", R"({"window": 4, "causal": true})", 100, 9, 3) == "9 − 3 = 6 > 3");
  CHECK(why("causal", "{}", 100, 3, 5) == "3 − 5 = −2 < 0");
  CHECK(why("longformer", R"({"window": 2, "globals": [5]})", 100, 50, 5) == "key 5 is global");
  CHECK(why("longformer", R"({"window": 2, "globals": [5]})", 100, 5, 50) == "query 5 is global");
  CHECK(why("graph", R"({"edges": [[3, 9]]})", 10, 3, 9) == "(3, 9) is an edge");
  CHECK(why("graph", R"({"kind": "grid", "rows": 3, "cols": 4})", 12, 6, 7) ==
        "cells (1, 2) and (1, 3) are neighbours");
  CHECK(why("document", R"({"lengths": [3, 4, 5]})", 12, 9, 8) == "both in document 2 and 8 ≤ 9");
  CHECK(why("document", R"({"lengths": [3, 4, 5]})", 12, 9, 2) ==
        "query in document 2, key in document 0");
  CHECK(why("vertical_slash", R"({"vertical": [5], "slash": [6]})", 12, 9, 3) ==
        "9 − 3 = 6 is a slash offset");
  CHECK(why("expr", R"({"expr": "j <= i && (i - j) % w == 0", "vars": {"w": 4}})", 12, 9, 5) ==
        "5 <= 9 && (9 - 5) % 4 == 0 is true");
  CHECK(why("given", R"({"mask": {"pairs": [[0, 1]]}})", 2, 0, 1) ==
        "cell (0, 1) of the mask is 1");
}

TEST_CASE("Random blocks say which block row drew them", "[why]") {
  const auto p = preparedFrom("bigbird", R"({"block_size": 2, "random_blocks": 1, "seed": 5})", 16);
  // The specification's drawing: block row 1 drew block 4.
  const Explanation drawn = p->why(2, 8);
  CHECK(drawn.attends);
  CHECK(p->parts()[static_cast<std::size_t>(drawn.part)].name == "random");
  CHECK(drawn.text == "block 4 is one of the random blocks of block row 1");
  CHECK(p->why(2, 6).text.find("block 3 is none of the random blocks of block row 1") !=
        std::string::npos);
}
