// What a cell's reason says is computed again: every comparison in it must be true, whether the
// cell is in or out.
#include "core/pattern/pattern.h"

#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"
#include "tests/core/pattern/twins/twins.h"

#include <regex>

using namespace attention;

namespace {

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The operators of formulas as in S4.16, without words for what a number is.
std::string asFormulas(std::string text) {
  for (const auto& [from, to] :
       std::initializer_list<std::pair<const char*, const char*>>{{"−", "-"},
                                                                  {"≤", "<="},
                                                                  {"≥", ">="},
                                                                  {" mod ", " % "},
                                                                  {" = ", " == "},
                                                                  {"⌊", "("},
                                                                  {"⌋", ")"},
                                                                  {"/", " // "},
                                                                  {" acts as token ", "; "},
                                                                  {"block of key ", ""},
                                                                  {"of query ", ""},
                                                                  {"query ", ""},
                                                                  {"key ", ""}})
    replaceAll(text, from, to);
  return text;
}

// The comparisons of numbers in a reason; words beside them are left out.
std::vector<std::string> comparisons(const std::string& reason) {
  static const std::regex kSeparators("; |, |: | and |, but ");
  static const std::regex kNumbers("[-0-9 ()+*/%<>=]*[<>=][-0-9 ()+*/%<>=]*");
  static const std::regex kPartNames(R"(([0-9)]) \([^()]*\)$)"); // "(window, global)" behind a rule
  std::string text = asFormulas(reason);
  static const std::regex kWithin(R"((-?\d+) within (-?\d+) … (-?\d+))");
  if (text.find(" within ") != std::string::npos)
    text = std::regex_replace(text, kWithin, "$2 <= $1 <= $3");
  std::vector<std::string> found;
  for (std::sregex_token_iterator at(text.begin(), text.end(), kSeparators, -1), end; at != end;
       ++at) {
    const std::string clause = std::regex_replace(at->str(), kPartNames, "$1");
    if (std::regex_match(clause, kNumbers))
      found.push_back(clause);
  }
  return found;
}

// Mechanisms with numbers in every cell's reason.
bool isArithmetic(const Pattern& pattern) {
  static const std::vector<std::string> kNames{
      "causal", "local", "sliding_window", "dilated", "block_local", "strided", "fixed", "sinks"};
  const std::string& name = description(pattern).name;
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

} // namespace

TEST_CASE("Every comparison in a reason is true when it is computed", "[why][twins]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Index computed = 0;
  for (int seed = 0; seed < 10; ++seed) {
    Dice dice(900000 + 1000 * mechanism + seed);
    const Index n = dice.within(1, 14);
    const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
    INFO(shortText(pattern) << ", n = " << n << ", seed " << seed);
    const auto p = prepare(pattern, squareLengths(n), randomData(n));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const std::string reason = p->why(i, j).text;
        REQUIRE(reason.find("107374182") == std::string::npos); // no bound is 2^30, which is none
        const auto clauses = comparisons(reason);
        for (const std::string& clause : clauses)
          if (twins::valueOf(clause, {}) == 0)
            FAIL("(" << i << ", " << j << "): " << reason << " (" << clause << ")");
        computed += static_cast<Index>(clauses.size());
      }
    if (isArithmetic(pattern) && n > 1)
      CHECK(computed >= n * n); // nothing was skipped
    computed = isArithmetic(pattern) ? 0 : computed;
  }
}

TEST_CASE("Reasons of formulas insert the numbers and give the result", "[why][twins]") {
  for (int seed = 0; seed < 40; ++seed) {
    Dice dice(950000 + seed);
    const Index n = dice.within(1, 16);
    const Pattern pattern = randomPattern(dice, Pattern(Expr{}).mechanism().index(), n);
    const auto& expr = *pattern.as<Expr>();
    INFO(shortText(pattern) << ", n = " << n << ", seed " << seed);
    const auto p = prepare(pattern, squareLengths(n));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        if (expr.causal && j > i)
          continue;
        const Explanation why = p->why(i, j);
        const std::string ending = why.attends ? " is true" : " is false";
        REQUIRE(why.text.ends_with(ending));
        const std::string formula = why.text.substr(0, why.text.size() - ending.size());
        REQUIRE((twins::valueOf(formula, {}) != 0) == why.attends);
      }
  }
}

TEST_CASE("Reasons name the query and the key that were asked for", "[why][twins]") {
  const auto numbers = [](const std::string& text) {
    static const std::regex kNumber("[0-9]+");
    std::vector<Index> found;
    for (std::sregex_iterator at(text.begin(), text.end(), kNumber), end; at != end; ++at)
      found.push_back(std::stoll(at->str()));
    return found;
  };
  // Numbers that no parameter has, so that they can only be the cell's.
  const Index n = 2000;
  for (const Pattern& pattern :
       {Pattern(Causal{}), Pattern(Local{9, true}), Pattern(Strided{7, Factor::Second}),
        Pattern(Dilated{4, 4, 3}), Pattern(SlidingWindow{5, 5})}) {
    const auto p = prepare(pattern, squareLengths(n));
    for (const auto& [i, j] : {IndexPair{1234, 1230}, {1230, 1234}, {1801, 1111}, {1111, 1801}}) {
      const auto said = numbers(p->why(i, j).text);
      INFO(shortText(pattern) << ": " << p->why(i, j).text);
      const auto query = std::find(said.begin(), said.end(), i);
      const auto key = std::find(said.begin(), said.end(), j);
      CHECK(query != said.end());
      CHECK(key != said.end());
      CHECK((query < key || p->why(i, j).text.starts_with("key "))); // i − j, not j − i
    }
  }
}
