#include "core/pattern/expression.h"

#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

using namespace attention;

namespace {

bool holds(const std::string& text, Index i, Index j, const Variables& variables = {}) {
  return Expression(text, 10, variables).holds(i, j);
}

std::string failure(const std::string& text, Index i = 3, Index j = 2) {
  try {
    holds(text, i, j);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::Expr);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("Formulas follow the precedence of the specification", "[expr]") {
  CHECK(holds("2 + 3 * 4 == 14", 0, 0));
  CHECK(holds("(2 + 3) * 4 == 20", 0, 0));
  CHECK(holds("-2 * 3 == -6 && --2 == 2 && 2*-3 == -6", 0, 0));
  CHECK(holds("-7 // 2 == -4 && -7 % 3 == 2 && 7 // -2 == -4 && 7 % -3 == -2", 0, 0));
  CHECK(holds("10 - 3 - 2 == 5 && 100 // 5 // 2 == 10", 0, 0));
  CHECK(holds("(1 | 2 ^ 3 & 1) == (1 | (2 ^ (3 & 1)))", 0, 0));
  CHECK(holds("3 & 1 + 1 == 2", 0, 0)); // & below +, above ==
  CHECK(holds("0 <= i - j < 4", 5, 2));
  CHECK_FALSE(holds("0 <= i - j < 3", 5, 2));
  CHECK(holds("1 < 2 < 3 != 4", 0, 0));
  CHECK(holds("!i == j", 1, 2)); // !(i == j)
  CHECK_FALSE(holds("!i == j", 2, 2));
  CHECK(holds("not not i", 1, 0));
  CHECK(holds("i == (!j)", 1, 0));
  CHECK(holds("false && false || true", 0, 0));
  CHECK(holds("true or false and false", 0, 0));
  CHECK(holds("5", 0, 0));
  CHECK(holds("(2 && 3) + (0 || 7) == 2", 0, 0)); // truth values are 0 and 1
  CHECK(holds("abs(j - i) == 3 && min(i, j, 4) == 2 && max(i, j) == 5", 5, 2));
  CHECK(holds("n == 10 && w == -2", 0, 0, {{"w", -2}}));
  CHECK(holds("j <= i\n && true\t", 1, 1));
}

TEST_CASE("Formulas stop at the value that decides", "[expr]") {
  CHECK_FALSE(holds("false && i // 0", 0, 0));
  CHECK(holds("true || 1 % 0", 0, 0));
  CHECK_FALSE(holds("1 > 2 > 1 // 0", 0, 0));
  CHECK(failure("true && i // 0") == "expr divides by zero at position 11 for i = 3, j = 2");
  CHECK(failure("i % (j - 2) == 0") == "expr divides by zero at position 3 for i = 3, j = 2");
}

TEST_CASE("Formulas that break the grammar say where", "[expr]") {
  CHECK(failure("") == "expr is empty; allowed is a formula such as j <= i");
  CHECK(failure("i <") ==
        "expr has its end where a number, a name or \"(\" is allowed at position 4");
  CHECK(failure("i / 2") == "expr has \"/\", which no formula has, at position 3");
  CHECK(failure("x < 1").find("unknown name \"x\"") != std::string::npos);
  CHECK(failure("open(1)").find("unknown function \"open\"") != std::string::npos);
  for (const char* text : {"j ** 2 > 1",
                           "min(i) < 2",
                           "abs(i, j) > 0",
                           "i == !j",
                           "i.real",
                           "'a' == 'a'",
                           "[i]",
                           "+i > 0",
                           "i if j else n",
                           "i << 2",
                           "i = j",
                           "i & & j",
                           "(i",
                           "i)",
                           "i j",
                           "1.5 < i",
                           "1x",
                           "007",
                           "min(i, )",
                           "i <> j",
                           "\xE2\x88\x92i",
                           "9223372036854775808",
                           "i < not j",
                           "abs",
                           "~i",
                           "i; j",
                           "#"}) {
    INFO(text);
    CHECK(!failure(text).empty());
  }
}

TEST_CASE("Formulas that overflow 64 bits say so", "[expr]") {
  const std::string largest = "9223372036854775807";
  for (const std::string& text :
       {largest + " + 1", "-" + largest + " - 2", largest + " * 2", "-(-" + largest + " - 1)",
        "abs(-" + largest + " - 1)", "(-" + largest + " - 1) // -1"}) {
    INFO(text);
    CHECK(failure(text).find("overflows 64 bits") != std::string::npos);
  }
  CHECK(holds("(-" + largest + " - 1) % -1 == 0", 0, 0));
}

TEST_CASE("Formulas nest 256 deep and no deeper", "[expr]") {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '(') + "i" +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  CHECK(holds(nested(256), 1, 0));
  CHECK(failure(nested(257)).find("nesting deeper than 256") != std::string::npos);
  CHECK(!failure(std::string(100000, '(')).empty());
  CHECK(!failure(std::string(100000, '-') + "1").empty());
  CHECK(!failure(std::string(100000, '!') + "1").empty());
  std::string sum = "i";
  for (int k = 0; k < 50000; ++k)
    sum += " + 1";
  CHECK(holds(sum + " == 50001", 1, 0)); // length is no depth
  std::string deepStack = "1";
  for (int k = 0; k < 200; ++k)
    deepStack = "1 + (" + deepStack + ")";
  CHECK(holds(deepStack + " == 201", 0, 0));
}

TEST_CASE("Cells that a causal formula forbids are not evaluated", "[expr]") {
  const auto p = preparedFrom("expr", R"({"expr": "1 // (i - j + 1) >= 0", "causal": true})", 8);
  CHECK(p->pairs() == 36);
  CHECK(codeOf([] { preparedFrom("expr", R"({"expr": "1 // (i - j + 1) >= 0"})", 8)->pairs(); }) ==
        "E_EXPR");
}

TEST_CASE("Formulas equal the patterns that they write out", "[expr]") {
  const auto same = [](const std::string& formula, const Pattern& pattern) {
    const auto a = preparedFrom("expr", "{\"expr\": \"" + formula + "\"}", 16);
    const auto b = prepare(pattern, squareLengths(16));
    for (Index i = 0; i < 16; ++i)
      for (Index j = 0; j < 16; ++j)
        REQUIRE(a->contains(i, j) == b->contains(i, j));
  };
  same("j <= i && (i - j <= 4 || (i - j) % 4 == 0)", Strided{4});
  same("i // 4 == j // 4 and not j > i or (j % 4 >= 3 and j <= i)", Fixed{4, 1});
  same("!(j <= i)", Compose(Operation::Complement, {Causal{}}));
}
