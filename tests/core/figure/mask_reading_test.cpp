// What 'read this' says is counted in the mask that it is about.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/dilated.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/sinks.h"
#include "core/pattern/mechanism/strided.h"
#include "core/views/mask/mask_words.h"

#include "core/pattern/pattern.h"
#include "tests/catch.h"

namespace attention {
namespace {

std::vector<std::string> readingOf(const Pattern& pattern, Index n, Base base) {
  const auto prepared = prepare(pattern, squareLengths(n));
  return readMask(*prepared, rowStatistics(*prepared), base);
}

TEST_CASE("A window is described as one stretch of keys", "[results]") {
  const auto sentences = readingOf(Local{.window = 5, .causal = true}, 32, Base::Causal);
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0] == "Query 31 sees keys 27–31 and nothing else.");
  CHECK(sentences[1] == "Key 0 is seen by 5 of 32 queries, key 16 by 5.");
}

TEST_CASE("Two parts are described with what the second one adds", "[results]") {
  const auto sentences = readingOf(Strided{.stride = 4}, 16, Base::Causal);
  REQUIRE(sentences.size() == 3);
  CHECK(sentences[0] == "Query 15 sees keys 11–15 and 2 of the 11 earlier keys.");
  CHECK(sentences[2] == "Of the 82 pairs A¹ gives 70, and A² adds 12.");
}

TEST_CASE("Dense masks, single tokens and masks without a diagonal are described as such",
          "[results]") {
  CHECK(readingOf(Causal{}, 9, Base::Causal).front() == "Query 8 sees every key up to itself.");
  CHECK(readingOf(Full{}, 9, Base::Full).front() == "Query 4 sees every key.");
  CHECK(readingOf(Expr{"j < i", {}, false}, 9, Base::Causal).front() ==
        "Query 8 does not see its own token; it sees 8 of 9 keys.");
  CHECK(readingOf(Expr{"i == j || j == 0", {}, false}, 9, Base::Causal).front() ==
        "Query 8 sees itself and 1 of the 8 earlier keys.");
  CHECK(readingOf(Expr{"false", {}, false}, 9, Base::Causal) ==
        std::vector<std::string>{"No query attends to any key."});
  CHECK(readingOf(Full{}, 1, Base::Full).size() == 1);
  CHECK(readingOf(Strided{}, 1, Base::Causal).size() == 1);
}

TEST_CASE("The stretch around a token ends at the first missing key", "[results]") {
  const Index n = GENERATE(7, 40, 129);
  for (const Pattern& pattern : allMechanisms()) {
    Pattern seen = pattern;
    if (seen.is<Sinks>())
      seen = Sinks{.sinks = 2, .window = 3};
    else if (!seen.is<Local>() && !seen.is<Dilated>() && !seen.is<Fixed>() && !seen.is<Strided>())
      continue;
    const auto prepared = prepare(seen, squareLengths(n));
    const Index query = n / 2;
    Index first = query;
    while (first > 0 && prepared->contains(query, first - 1))
      --first;
    Index last = query;
    while (last + 1 < n && prepared->contains(query, last + 1))
      ++last;
    if (first == last || (first == 0 && last == n - 1))
      continue;
    INFO(description(seen).name << " at " << n);
    const std::string words = readMask(*prepared, rowStatistics(*prepared), Base::Full).front();
    CHECK(words.find("sees keys " + std::to_string(first) + "–" + std::to_string(last)) !=
          std::string::npos);
  }
}

} // namespace
} // namespace attention
