#include "core/pattern/expression.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/strided.h"

#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

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

TEST_CASE("A pasted mask_mod is a formula, whole or from its body on", "[expr]") {
  const auto text = [](const std::string& pasted) { return Expression(pasted, 10, {}).text(); };
  CHECK(text("return q_idx >= kv_idx") == "q_idx >= kv_idx");
  CHECK(text("  return ((q_idx >= kv_idx) &\n  (kv_idx < 4))  # a prefix\n") ==
        "((q_idx >= kv_idx) &   (kv_idx < 4))");
  CHECK(text("def causal(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx") == "q_idx >= kv_idx");
  CHECK(text("def causal(b, h, q_idx, kv_idx): return True") == "true");
  const std::string sliding = "def sliding(batch, head, q, k) -> bool:\n"
                              "    # within the window\n"
                              "    near = q - k < 3\n"
                              "    seen = (q >= k) & \\\n near\n"
                              "    return seen | (k == 0)\n";
  CHECK(text(sliding) == "((q_idx >= kv_idx) &   (q_idx - kv_idx < 3)) | (kv_idx == 0)");
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < 10; ++j)
      CHECK(holds(sliding, i, j) == ((i >= j && i - j < 3) || j == 0));
  CHECK(holds("q = q_idx // 2; k = kv_idx // 2; return q == k", 5, 4));
  CHECK(holds("w = size\nreturn q_idx - kv_idx < w", 5, 4, {{"size", 2}})); // vars still hold
  CHECK(text("i = j\nreturn i == 2 and abs(i) == 20") == "(j) == 2 and abs((j)) == 20");
}

TEST_CASE("What a pasted mask_mod has beyond formulas is named, with what to strip", "[expr]") {
  CHECK(failure("def f(b, h, q, k):\n  if q > 3:\n    return q >= k") ==
        "expr has \"if q > 3:\", which is neither name = formula nor return formula: strip it");
  CHECK(failure("import torch\nreturn q_idx >= kv_idx").find("expr has") == 0);
  CHECK(failure("return q_idx >= kv_idx; print(1)") ==
        "expr has \"print(1)\", which stands after return: strip it");
  CHECK(failure("w = 3") ==
        "expr has names but returns nothing; its last line must be return formula");
  CHECK(failure("def f(q, k): return q >= k").find("must have the four arguments") !=
        std::string::npos);
  CHECK(failure("def f(b: int, h, q, k): return q >= k").find("strip types and defaults") !=
        std::string::npos);
  CHECK(failure("return torch.logical_and(q_idx >= kv_idx, kv_idx < 4)") ==
        "expr has \".\", which no formula has (write torch.logical_and(a, b) as a & b, ~a as !a, "
        "and strip other calls, methods and lookups), at position 6 of "
        "\"torch.logical_and(q_idx >= kv_idx, kv_idx < 4)\"");
  CHECK(failure("w = 0\nreturn q_idx % w", 3, 2).find("at position 7 of \"q_idx % (0)\"") !=
        std::string::npos);
  std::string doubling = "a = q_idx\n";
  for (int k = 0; k < 40; ++k)
    doubling += "a = a + a\n";
  CHECK(failure(doubling + "return a").find("too long") != std::string::npos);
}

namespace {

std::string oneOf(Dice& dice, const std::vector<std::string>& words) {
  return words[static_cast<std::size_t>(dice.within(0, static_cast<Index>(words.size()) - 1))];
}

// Numbers large and small, products that overflow, divisions by zero behind short circuits and
// elsewhere.
std::string randomFormula(Dice& dice, int depth) {
  if (depth == 0)
    return oneOf(dice, {"i", "j", "n", "0", "1", "2", "3", "7", "64", "(i - j)", "w", "big"});
  const auto part = [&] { return "(" + randomFormula(dice, depth - 1) + ")"; };
  switch (dice.within(0, 6)) {
  case 0:
    return oneOf(dice, {"-", "!", "not "}) + part();
  case 1:
    return "abs" + part();
  case 2: {
    const std::string name = oneOf(dice, {"min", "max"});
    return name + "(" + part() + ", " + part() + ", " + part() + ")";
  }
  case 3: {
    const std::vector<std::string> compare = {"<", "<=", ">", ">=", "==", "!="};
    std::string chain = part() + oneOf(dice, compare) + part();
    for (Index links = dice.within(0, 2); links > 0; --links)
      chain += oneOf(dice, compare) + part();
    return chain;
  }
  case 4: {
    std::string parts = part();
    const std::string sign = oneOf(dice, {" && ", " || "});
    for (Index more = dice.within(1, 3); more > 0; --more)
      parts += sign + part();
    return parts;
  }
  default:
    return part() + oneOf(dice, {"+", "-", "*", "//", "%", "%", "&", "^", "|"}) + part();
  }
}

// The bits of a span one key after another, or the failure of the first that fails.
std::string markedAlone(const Expression& formula, Index i, const KeySpan& keys,
                        std::vector<std::uint64_t>& bits) {
  try {
    for (Index j = keys.begin; j < keys.end; ++j)
      if (formula.holds(i, j))
        bits[static_cast<std::size_t>((j - keys.begin) / 64)] |= std::uint64_t{1}
                                                                 << (j - keys.begin) % 64;
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string marked(const Expression& formula, Index i, const KeySpan& keys,
                   std::vector<std::uint64_t>& bits) {
  try {
    formula.mark(i, keys, bits);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Whether no key fails.
bool checkSpan(const Expression& formula, Index i, const KeySpan& keys) {
  const auto words = static_cast<std::size_t>(ceilDiv(keys.end - keys.begin, 64));
  std::vector<std::uint64_t> alone(words);
  std::vector<std::uint64_t> together(words, 0x5a5a);
  const std::string failure = markedAlone(formula, i, keys, alone);
  REQUIRE(marked(formula, i, keys, together) == failure);
  if (failure.empty())
    REQUIRE(together == alone);
  return failure.empty();
}

} // namespace

TEST_CASE("Formulas over many keys at once give what each key gives, failures too", "[expr]") {
  Dice dice(3100);
  int whole = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::string text = randomFormula(dice, static_cast<int>(dice.within(1, 4)));
    CAPTURE(text);
    const Index big = dice.chance(2) ? INT64_MAX - 300 : Index{1} << dice.within(30, 62);
    const Expression formula(text, 700, {{"w", dice.within(-9, 9)}, {"big", big}});
    const Index begin = dice.within(0, 300);
    whole += checkSpan(formula, dice.within(0, 700), {begin, begin + dice.within(0, 600)}) ? 1 : 0;
  }
  CHECK(whole > 2000); // most formulas never fail
}

TEST_CASE("Formulas of usual masks give over many keys what each key gives", "[expr]") {
  const std::string text = GENERATE(
      "j <= i && (i - j) % 4 < 2", "0 <= i - j < 100", "i // 64 == j // 64 || j < 4",
      "j > 0 && i % j == 0", "i != j && j % (i - j) == 1", "(i & j) == 0", "i * j % 7 == 3",
      "!(i - j > 50 or i < j)", "(j <= i) + (j % 3 == 0) == 2", "abs(i - j) < 9 | j % 128 == 127",
      "min(i, j) // 10 % 2 == 0", "i", "j", "i - 250", "(j // 16 ^ i // 16) & 1", "-j % -5 == -2");
  CAPTURE(text);
  const Expression formula(text, 700, {});
  for (const Index i : {0, 1, 63, 250, 299, 699})
    for (const KeySpan& keys : {KeySpan{0, 700}, KeySpan{37, 650}, KeySpan{200, 264}})
      CHECK(checkSpan(formula, i, keys));
}

TEST_CASE("Keys of numbers too large for vectors leave nothing behind for the next keys",
          "[expr]") {
  const std::string text = GENERATE("j % 7 == 0 || ((j < 100) * 4503599627370496 + j) % 5 == 3",
                                    "j % 7 != 0 && ((j < 100) * 4503599627370496 + j) % 5 == 3",
                                    "0 < j % 3 < ((j < 100) * 4503599627370496 + j) % 7");
  CAPTURE(text);
  const Expression formula(text, 2000, {});
  CHECK(checkSpan(formula, 5, {0, 2000}));
}

TEST_CASE("Formulas stop at the value that decides", "[expr]") {
  CHECK_FALSE(holds("false && i // 0", 0, 0));
  CHECK(holds("true || 1 % 0", 0, 0));
  CHECK_FALSE(holds("1 > 2 > 1 // 0", 0, 0));
  CHECK(failure("true && i // 0") == "expr divides by zero at position 11 for i = 3, j = 2");
  CHECK(failure("i % (j - 2) == 0") == "expr divides by zero at position 3 for i = 3, j = 2");
}

TEST_CASE("Formulas that break the grammar are errors that say where", "[expr]") {
  CHECK(failure("") == "expr is empty; it must be a formula such as j <= i");
  CHECK(failure("i <") ==
        "expr has its end where a number, a name or \"(\" is expected at position 4");
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
  CHECK(holds(sum + " == 50001", 1, 0)); // length is not depth
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

TEST_CASE("Formulas equal the patterns that they spell out", "[expr]") {
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

TEST_CASE("Formulas know the names of FlexAttention's mask_mod", "[expr]") {
  CHECK(holds("q_idx >= kv_idx", 3, 3));
  CHECK_FALSE(holds("q_idx >= kv_idx", 3, 4));
  CHECK(holds("(b == 0) & (h == 0)", 3, 4));
  CHECK(holds("h == 2 and b == 0", 3, 4, {{"h", 2}})); // a head that was asked for
  CHECK(Expression("q_idx - kv_idx < 3", 10, {}).withNumbers(7, 5) == "7 - 5 < 3");
  CHECK(failure("q_id < 1").find("i or q_idx, j or kv_idx") != std::string::npos);
  CHECK(messageOf([] {
          preparedFrom("expr", R"({"expr": "i < 1", "vars": {"q_idx": 1}})", 4);
        }).find("kv_idx") != std::string::npos);
}
