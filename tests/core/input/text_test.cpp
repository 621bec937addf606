// Text formats: token labels, JSON.
#include "core/input/tokens.h"
#include "core/support/json_text.h"
#include "core/support/text.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <nlohmann/json.hpp>

using namespace attention;
using namespace attention::test;

namespace {

std::vector<std::string> tokens(const std::string& text) {
  return parseTokens(bytesOf(text), "t.txt");
}

} // namespace

TEST_CASE("token labels are lines or a JSON array and control characters are escaped") {
  CHECK(tokens("[CLS]\nthe\r\n\tcat\n\n") ==
        std::vector<std::string>{"[CLS]", "the", "\\tcat", ""});
  CHECK(tokens(" [\"a\", \"b\\n\", \"\\u001b[1m\", \"é\"]") ==
        std::vector<std::string>{"a", "b\\n", "\\x1b[1m", "é"});
  CHECK(printableLabel("a\x80z\xC0\xAF\xED\xA0\x80") == R"(a\x80z\xc0\xaf\xed\xa0\x80)");
  CHECK(printableLabel("\xE2\x80\xAEx") == "\\xe2\\x80\\xaex"); // reverses the line
  CHECK(contains(errorOf([] { tokens("[\"a\", 3]"); }), "label 1 is 3; it must be a text"));
  CHECK(contains(errorOf([] { tokens("[\"a\""); }), "is not JSON"));
  CHECK(contains(errorOf([] { parseTokens(bytesOf("{}"), "t.json"); }),
                 "t.json is {}; it must be a list of texts"));
  CHECK(contains(errorOf([] { tokens(""); }), "E_RANGE"));
  CHECK(contains(errorOf([] { tokens("[]"); }), "E_RANGE"));
  CHECK(contains(errorOf([] { tokens(std::string(5000, 'x')); }), "a label of 5000 bytes"));
}

TEST_CASE("files of other kinds are no token labels") {
  const TemporaryFolder folder;
  const std::string array = npy("<f8", "(1, 1)", raw<double>({1}));
  CHECK(errorOf([&] { readTokens(folder.write("a.npy", array)); }) ==
        "E_UNSUPPORTED: " + (folder / "a.npy").string() +
            " is not text; labels must be lines of text or a JSON list");
  CHECK(errorOf([] { tokens(""); }) == "E_RANGE: t.txt has no label; it must have at least one");
}

TEST_CASE("JSON has a limit on nesting and no key twice") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK_NOTHROW(parseJson(nested(64), "a"));
  CHECK(contains(errorOf([&] { parseJson(nested(65), "a"); }), "nested deeper than 64"));
  CHECK(contains(errorOf([&] { parseJson(std::string(1000000, '['), "a"); }), "deeper than 64"));
  CHECK(contains(errorOf([&] { parseJson(R"({"a":{"b":1,"b":2}})", "s.json"); }),
                 "E_TYPE: s.json has the key \"b\" twice"));
  CHECK_NOTHROW(parseJson(R"({"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":2}]})", "a"));
  CHECK(contains(errorOf([&] { parseJson("{\"a\":1", "s.json"); }), "s.json is not JSON"));
}
