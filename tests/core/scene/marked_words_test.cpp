#include "core/scene/marked_words.h"

#include "core/pattern/mechanism/all.h"
#include "tests/catch.h"

using namespace attention;

TEST_CASE("words show their facts and keep what only looks like one", "[scene]") {
  const std::string words = "[12](panel(1) - panel(0)) of n² = [64](pairs); a [note] (aside) stays";
  CHECK(plainWords(words) == "12 of n² = 64; a [note] (aside) stays");
  const std::vector<MarkedNumber> numbers{{"12", "panel(1) - panel(0)"}, {"64", "pairs"}};
  CHECK(numbersIn(words) == numbers);
  CHECK(plainWords("[open](never closed").size() == 19);
  CHECK(plainWords("a [note] (x), then ] and [12](n)") == "a [note] (x), then ] and 12");
}

TEST_CASE("a marked number is a parameter's value or a sum", "[scene]") {
  const auto now = [](const std::string& fact, const Pattern& pattern) {
    return wordsNow("[4](" + fact + ")", pattern);
  };
  const DilatedSegments segments{IndexList({4, 8192}), IndexList({1, 2})};
  CHECK(now("window", Local{5}) == "5");
  CHECK(now("left + right + 1", SlidingWindow{2, 3}) == "6");
  CHECK(now("segments[1]", segments) == "8\u2009192");
  CHECK(now("segments", segments) == "4, 8192");
  CHECK(now("vars.g", Expr{"i < g", {{"g", 2}}}) == "2");
  CHECK(now("of[1].left", Compose(Operation::Union, {Full{}, SlidingWindow{7, 0}})) == "7");
  CHECK(now("stride + 1", Strided{}) == "ℓ + 1"); // its default depends on the length
  CHECK(now("dilation", Dilated{}) == "2");
}

TEST_CASE("an ordinal number stays one", "[scene]") {
  for (const char* number :
       {"1st", "2nd", "3rd", "4th", "11th", "12th", "113th", "21st", "102nd"}) {
    Strided strided;
    strided.stride = std::stoi(number);
    CHECK(wordsNow("every [4th](stride) key", strided) == std::string("every ") + number + " key");
  }
}

TEST_CASE("what names no parameter of the pattern stays as it is written", "[scene]") {
  for (const char* fact : {"stride", "", "left +", "left[0]", "left.x", "lefts", "right[", "(left)",
                           "left + 9223372036854775807"}) {
    const std::string words = std::string("f[0](") + fact + ")";
    CHECK(wordsNow(words, SlidingWindow{1, 1}) == words);
  }
}
