#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"

#include "tests/catch.h"

#include <nlohmann/json.hpp>

using namespace attention;

TEST_CASE("Shortened text ends with a whole character") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc…");
  CHECK(shortened("aäöü", 3) == "aä…");
  CHECK(shortened("aäöü", 4) == "aä…");
  CHECK(shortened("a€b", 2) == "a…");
  CHECK(shortened("a\U0001F600b", 4) == "a…");
  // Not UTF-8 at all: the bytes are cut at the limit.
  CHECK(shortened("\x80\x80\x80\x80\x80\x80", 5).size() == 5 + 3);
}

TEST_CASE("A text begins with a capital, where its first letter is ASCII") {
  CHECK(capitalised("mean of all") == "Mean of all");
  CHECK(capitalised("Mean") == "Mean");
  CHECK(capitalised("z") == "Z");
  CHECK(capitalised("ℓ tokens") == "ℓ tokens");
  CHECK(capitalised("4 keys") == "4 keys");
  CHECK(capitalised("").empty());
}

TEST_CASE("Excerpts are printable, whatever they are cut from") {
  std::string text = "x";
  for (int k = 0; k < 40; ++k)
    text += "é";
  CHECK(excerpt(text).find("\xEF\xBF\xBD") == std::string::npos);
  CHECK(excerpt("a\nb") == "\"a\\nb\"");
  CHECK(excerpt("\"j") == "'\"j'"); // no quote stands beside its own like
  CHECK(excerpt("j\"") == "'j\"'");
}

TEST_CASE("Labels in another encoding stay apart") {
  CHECK(printableLabel("caf\xE9") == "caf\\xe9");
  CHECK(printableLabel("caf\xE8") == "caf\\xe8");
  CHECK(printableLabel("caf\xC3\xA9 \xF0\x9F") == "café \\xf0\\x9f");
}

TEST_CASE("Text is split and trimmed and read as numbers") {
  CHECK(split("", ',').empty());
  CHECK(split("a,,b,", ',') == std::vector<std::string_view>{"a", "", "b", ""});
  CHECK(trimmed(" \t a b\r\n") == "a b");
  CHECK(trimmed(" \n").empty());
  CHECK(numberOf<int>("12") == 12);
  CHECK_FALSE(numberOf<int>("12 "));
  CHECK(numberOf<int>("+12") == 12);
  CHECK_FALSE(numberOf<int>("+-12"));
  CHECK_FALSE(numberOf<int>("+"));
  CHECK_FALSE(numberOf<int>("99999999999"));
  CHECK(isWholeNumber("-99999999999999999999"));
  CHECK_FALSE(isWholeNumber("-"));
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(-0.1F) == "-0.1");
  CHECK(shortest(static_cast<double>(-0.1F)) == "-0.10000000149011612");
  CHECK(endingOf("a/B.NPY") == ".npy");
}

TEST_CASE("JSON with a number beyond float64 is an error in plain words") {
  for (const char* text : {"1e999", "[-1e999]", "{\"a\": 1e400}"})
    try {
      parseJson(text, "x");
      FAIL(text);
    } catch (const Error& error) {
      CHECK(error.text() == "E_TYPE: x holds a number beyond float64; every number must be at "
                            "most 1.8e308 in size");
    }
}

TEST_CASE("Parts of a run report one rising share") {
  std::vector<double> shares;
  const Run run{{}, [&](double share) { shares.push_back(share); }};
  partOf(run, 0, 0.25).report(1);
  const Run rest = partOf(run, 0.25, 1);
  for (Index k = 0; k < 3; ++k)
    stepOf(rest, k, 3).report(1);
  CHECK(shares == std::vector<double>{0.25, 0.5, 0.75, 1});
}

TEST_CASE(
    "Characters that break or turn lines are written as bytes, and their neighbours are kept") {
  const auto kept = [](const std::string& sign) { return printableLabel(sign) == sign; };
  CHECK(printableLabel("\u2028") == "\\xe2\\x80\\xa8");
  for (const char* sign :
       {"\u2028", "\u2029", "\u202A", "\u202C", "\u202E", "\u0080", "\u009F", "\x7F"})
    CHECK_FALSE(kept(sign));
  for (const char* sign : {"\u2027", "\u202F", "\u00A0", "~"})
    CHECK(kept(sign));
}

TEST_CASE("Numbers to read have three digits, and a tie goes to the even one") {
  CHECK(readableNumber(0) == "0");
  CHECK(readableNumber(122.5) == "122");
  CHECK(readableNumber(123.5) == "124");
  CHECK(readableNumber(12.34) == "12.3");
  CHECK(readableNumber(-1e-4) == kMinusSign + std::string("1 × 10⁻⁴"));
}
