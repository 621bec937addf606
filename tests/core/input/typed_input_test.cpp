// A small typed input: its JSON, its checks, and what it is loaded as.
#include "core/input/input.h"
#include "core/support/json_text.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <nlohmann/json.hpp>

#include <limits>

using namespace attention;
using namespace attention::test;

namespace {

const std::string kCat =
    R"({"words": ["the", "cat"], "q": [[1, 0], [0.5, -2]], "k": [[2, 1], [0, 1]], "v": [[3], [5]]})";

TypedInput cat() {
  return typedInputOf(kCat, "typed");
}

std::string errorIn(const std::string& text) {
  return errorOf([&] { typedInputOf(text, "typed"); });
}

// The example with one field replaced.
std::string with(const std::string& field, const std::string& value) {
  nlohmann::json json = parseJson(kCat, "typed");
  json[field] = parseJson(value, "value");
  return json.dump();
}

} // namespace

TEST_CASE("typed words with numbers are an input like any other") {
  InputSpec spec;
  spec.source = cat();
  const auto input = loadInput(spec);
  CHECK(input->queries == 2);
  CHECK(input->keys == 2);
  CHECK(input->d == 2);
  CHECK(input->dv == 1);
  CHECK(input->heads == 1);
  CHECK_FALSE(input->headAxis);
  CHECK(input->tokens == std::vector<std::string>{"the", "cat"});
  CHECK(input->q<double>(0)(1, 1) == -2);
  CHECK(input->k<float>(0)(0, 0) == 2.0F);
  CHECK(input->v<double>(0).values() == std::vector<double>{3, 5});
  CHECK(input->description == "typed · 1 head · n 2 · d 2");
  CHECK(input->contentHash.empty());
}

TEST_CASE("typed inputs survive JSON") {
  InputSpec spec;
  spec.source = cat();
  CHECK(inputSpecFromJson(parseJson(toJson(spec).dump(), "s")) == spec);
  CHECK(toJson(spec)["kind"] == "typed");
  CHECK(unknownFields(toJson(spec)).empty());
  nlohmann::json more = toJson(spec);
  more["heads"] = 3;
  CHECK(unknownFields(more) == std::vector<std::string>{"heads"});
  CHECK(typedInputOf(toJson(cat()).dump(), "typed") == cat());
}

TEST_CASE("errors in a typed input name their place") {
  CHECK(errorIn("[1]").starts_with("E_TYPE: typed is [1]; it must be an object such as {"));
  CHECK(errorIn("{").starts_with("E_TYPE: typed"));
  CHECK(errorIn(R"({"words": ["a"], "q": [[1]], "k": [[1]]})") ==
        "E_TYPE: typed.v is missing; it must be a list with a row of numbers for each word");
  CHECK(errorIn(with("words", "[]")) == "E_RANGE: typed.words is 0 words; it must be 1 to 1024");
  CHECK(errorIn(with("words", R"(["a", 3])")) == "E_TYPE: typed.words[1] is 3; it must be a text");
  CHECK(errorIn(with("q", "7")) ==
        "E_TYPE: typed.q is 7; it must be a list with a row of numbers for each word");
  CHECK(errorIn(with("q", "[1, 2]")) == "E_TYPE: typed.q[0] is 1; it must be a list of numbers");
  CHECK(errorIn(with("k", R"([[1, 2], [1, "x"]])")) ==
        "E_TYPE: typed.k[1][1] is \"x\"; it must be a number");
  CHECK(errorIn(with("k", "[[1, 2], [1]]")) ==
        "E_SHAPE: typed.k[1] has 1 number; it must have 2, as typed.k[0] has");
  CHECK(errorIn(with("v", "[[1]]")) ==
        "E_SHAPE: typed.v has 1 row; it must have 2, one for each word");
  CHECK(errorIn(with("k", "[[1], [2]]")) ==
        "E_SHAPE: typed.k has 1 number per word; it must have 2, as typed.q has");
  CHECK(errorIn(with("v", "[[], []]")) ==
        "E_RANGE: typed.v is 0 numbers per word; it must be 1 to 256");
  CHECK(errorIn(with("w", "1")) ==
        "E_UNKNOWN: typed.w is unknown; it must be one of words, q, k and v");
  CHECK(errorOf([] {
          inputSpecFromJson(parseJson(R"({"kind": "typed", "words": ["a"]})", "s"));
        }) == "E_TYPE: input.q is missing; it must be a list with a row of numbers for each word");
}

TEST_CASE("a typed input that was edited to nonsense is refused when it is loaded") {
  InputSpec spec;
  TypedInput typed = cat();
  typed.v(1, 0) = std::numeric_limits<double>::quiet_NaN();
  spec.source = typed;
  CHECK(errorOf([&] { loadInput(spec); }) ==
        "E_NONFINITE: input.v[1][0] is NaN; it must be a finite number");
  spec.source = TypedInput();
  CHECK(errorOf([&] { loadInput(spec); }) ==
        "E_RANGE: input.words is 0 words; it must be 1 to 1024");
  typed = cat();
  typed.words[0] = std::string(5000, 'x');
  spec.source = typed;
  CHECK(contains(errorOf([&] { loadInput(spec); }), "input.words[0] is a word of 5000 bytes"));
  spec.source = cat();
  spec.head = 1;
  CHECK(contains(errorOf([&] { loadInput(spec); }), "E_RANGE: head-index is 1; it must be 0"));
}

TEST_CASE("control characters of a typed word are shown, not passed on") {
  TypedInput typed = cat();
  typed.words[1] = "a\nb";
  InputSpec spec;
  spec.source = typed;
  CHECK(loadInput(spec)->tokens[1].find('\n') == std::string::npos);
}
