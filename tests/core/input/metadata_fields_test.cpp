// Every key of a file's metadata, with a wrong type and with bad values.
#include "core/input/model_metadata.h"
#include "tests/catch.h"
#include "tests/core/input/model_file_for_tests.h"

#include <set>

using namespace attention;
using namespace attention::test;

namespace {

using Metadata = std::map<std::string, std::string>;

// Two layers of three tokens.
std::shared_ptr<const Input> loaded(const Metadata& metadata) {
  const TemporaryFolder folder;
  FileInput files;
  files.input = folder.write("m.safetensors", modelFile(metadata, zeroArrays(2, 3)));
  return loadedFrom(files);
}

struct Field {
  const char* key;
  std::string text;
  const char* code; // empty: it is read
};

// A value of a type that no key has.
const std::vector<std::string> kNoValue{"true", "{}", "[[]]", R"([{"a": 1}])"};

const std::vector<Field> kFields{
    {"scale", "wide", "E_TYPE"},
    {"scale", R"("0.5")", "E_TYPE"},
    {"scale", "[0.5]", "E_TYPE"},
    {"scale", "NaN", "E_NONFINITE"},
    {"scale", "-Infinity", "E_NONFINITE"},
    {"scale", "1e999", "E_TYPE"},
    {"scale", "1e39", ""},
    {"scale", "null", ""},
    {"softcap", R"("50")", "E_TYPE"},
    {"softcap", "[50]", "E_TYPE"},
    {"softcap", "0", "E_RANGE"},
    {"softcap", "-3", "E_RANGE"},
    {"softcap", "Infinity", "E_NONFINITE"},
    {"softcap", "1e39", ""},
    {"softcap", "1e301", ""},
    {"modifiers", "{", "E_TYPE"},
    {"modifiers", "[]", "E_TYPE"},
    {"modifiers", "7", "E_TYPE"},
    {"modifiers", R"({"scale": "x"})", "E_TYPE"},
    {"modifiers", R"({"scale": 1e999})", "E_TYPE"},
    {"modifiers", R"({"softcap": []})", "E_TYPE"},
    {"modifiers", R"({"softcap": 0})", "E_RANGE"},
    {"modifiers", R"({"temperature": "x"})", "E_TYPE"},
    {"modifiers", R"({"temperature": 0})", "E_RANGE"},
    {"modifiers", R"({"temperature": 2})", ""},
    {"modifiers", R"({"temperature": 1})", ""},
    {"modifiers", R"({"sink": "x"})", "E_TYPE"},
    {"modifiers", R"({"sink": [0, "x"]})", "E_TYPE"},
    {"modifiers", R"({"sink": [0, 1]})", "E_SHAPE"},
    {"modifiers", R"({"bias": 3})", "E_TYPE"},
    {"modifiers", R"({"bias": {"kind": "alibi"}})", ""},
    {"modifiers", R"({"bias": {"kind": "t5", "table": []}})", "E_TYPE"},
    {"modifiers", R"({"bias": {"kind": "t5", "table": [[1], [2], [3]]}})", "E_RANGE"},
    {"modifiers", R"({"bias": {"kind": "t5", "table": [[1, 2], [1, 2], [1, 2]]}})", "E_SHAPE"},
    {"modifiers", R"({"bias": {"kind": "relative"}})", "E_SHAPE"},
    {"modifiers", R"({"bias": {"kind": "relative", "table": [1, "x", 2]}})", "E_TYPE"},
    {"modifiers", R"({"bias": {"kind": "alibi", "slopes": "steep"}})", "E_RANGE"},
    {"modifiers", R"({"bias": {"kind": "alibi", "side": "left"}})", "E_RANGE"},
    {"modifiers", R"({"cap": 1})", "E_UNKNOWN"},
    {"modifiers", R"({"order": "softcap"})", "E_TYPE"},
    {"modifiers", R"({"order": null})", "E_TYPE"},
    {"modifiers", R"({"order": []})", "E_RANGE"},
    {"modifiers", R"({"order": ["softcap"]})", "E_RANGE"},
    {"modifiers", R"({"order": ["softcap", "softcap"]})", "E_RANGE"},
    {"modifiers", R"({"order": ["softcap", "bias", "bias"]})", "E_RANGE"},
    {"modifiers", R"({"order": ["softcap", "sink"]})", "E_RANGE"},
    {"modifiers", R"({"order": ["softcap", 1]})", "E_RANGE"},
    {"modifiers", R"({"order": ["softcap", "bias"]})", ""},
    {"modifiers", R"({"order": ["bias", "softcap"], "softcap": 5})", ""},
    {"tokens", "[1, 2, 3]", "E_TYPE"},
    {"tokens", R"(["a", "b"])", "E_SHAPE"},
    {"tokens", R"(["one"])", "E_SHAPE"},
    {"tokens", "[]", "E_RANGE"},
    {"tokens", "", "E_RANGE"},
    {"tokens", R"(["a", "b", "c"])", ""},
    {"tokens", "[CLS]\na\nb", ""},
    {"ids", "7", "E_TYPE"},
    {"ids", R"("1,2,3")", "E_TYPE"},
    {"ids", "[1, 2.5, 3]", "E_TYPE"},
    {"ids", R"([1, "2", 3])", "E_TYPE"},
    {"ids", "[1, -2, 3]", "E_RANGE"},
    {"ids", "[1, 18446744073709551615, 3]", "E_RANGE"},
    {"ids", "[1, 2]", "E_SHAPE"},
    {"ids", "[1, 2, 3]", ""},
    {"patterns", "causal", "E_TYPE"},
    {"patterns", R"("causal")", "E_TYPE"},
    {"patterns", R"([{"mechanism": "causal"}])", "E_SHAPE"},
    {"patterns", "[5, 5]", "E_TYPE"},
    {"patterns", R"([{"mechanism": "causal"}, {"mechanism": "sparkling"}])", "E_UNKNOWN"},
    {"patterns", R"([{"mechanism": "causal"}, {"mechanism": "local", "params": {"window": -1}}])",
     "E_RANGE"},
    {"patterns", R"([{"mechanism": "causal"}, null])", "E_TYPE"}, // no array "mask"
    {"patterns", R"([{"mechanism": "causal"}, {"mechanism": "full"}])", ""},
    {"mask", "sideways", "E_RANGE"},
    {"mask", "7", "E_TYPE"},
    {"mask", "causal", ""},
    {"mask", R"("full")", ""},
    {"layers", "first", "E_TYPE"},
    {"layers", R"(["0", "1"])", "E_TYPE"},
    {"layers", "[0, 1.5]", "E_TYPE"},
    {"layers", "0,b", "E_TYPE"},
    {"layers", "[0, -1]", "E_RANGE"},
    {"layers", "[3, 3]", "E_RANGE"},
    {"layers", "[0, 1, 2]", "E_SHAPE"},
    {"layers", "0", "E_SHAPE"},
    {"layers", "[4, 7]", ""},
    {"heads", "[1, 2.5, 3]", "E_TYPE"},
    {"heads", "[1, -1]", "E_RANGE"},
    {"heads", "[0, 1, 2, 3, 4, 5, 6]", "E_SHAPE"},
    {"heads", "12", ""}, // how many there are, as other programs write it
    {"heads", "all", ""},
    {"layers", "4,7", ""},
    {"layers", R"("4, 7")", ""},
    {"layers", "null", ""},
    {"model", "7", "E_TYPE"},
    {"model", R"(["a"])", "E_TYPE"},
    {"model", R"("org/name")", ""},
    {"model", "org/name", ""},
    {"revision", "7", "E_TYPE"},
    {"revision", "0abc12", ""},
    {"text", "[1984]", "E_TYPE"},
    {"text", "[1984] by George Orwell", ""},
    {"license", "3", "E_TYPE"},
    {"license", "MIT", ""},
    {"axis0", "4", "E_TYPE"},
    {"axis0", "batch", ""},
    {"colour", "{{{", ""}};

} // namespace

TEST_CASE("every key of the metadata is read or refused by name, by type and by value") {
  std::set<std::string> keys;
  for (const Field& field : kFields) {
    keys.insert(field.key);
    const std::string said = errorOf([&] { loaded({{field.key, field.text}}); });
    INFO(field.key << " " << field.text << ": " << said);
    CHECK(said.starts_with(field.code));
    CHECK(said.empty() == std::string_view(field.code).empty());
    if (said.empty())
      continue;
    CHECK(contains(said, std::string("m.safetensors: metadata ") + field.key));
    CHECK(
        (contains(said, "must") || contains(said, "is not JSON") || contains(said, "is unknown")));
    CHECK_FALSE(contains(said, "json.exception"));
  }
  for (const std::string& key : keys)
    for (const std::string& value : kNoValue) {
      const bool none = key == "colour" || (key == "modifiers" && value == "{}") ||
                        (key == "heads" && !value.starts_with('['));
      INFO(key << " " << value);
      CHECK(errorOf([&] { loaded({{key, value}}); }).empty() == none);
    }
}

TEST_CASE("numbers of layers label the leading axis, whatever form they have") {
  const std::vector<std::string> labels{"layer 4", "layer 7"};
  for (const char* text : {"[4, 7]", "4,7", R"("4, 7")"})
    CHECK(loaded({{"layers", text}})->batchLabels == labels);
  CHECK(loaded({{"layers", "null"}})->batchLabels.empty());
}

TEST_CASE("numbers of heads name them, where there is one for each") {
  const auto plain = loaded({});
  CHECK(headNumbers(*plain).empty());
  CHECK(headNumber(*plain, plain->heads - 1) == plain->heads - 1);
  std::string list = "[11";
  for (Index head = 1; head < plain->heads; ++head)
    list += ", " + std::to_string(11 + 2 * head);
  const auto named = loaded({{"heads", list + "]"}});
  CHECK(std::ssize(headNumbers(*named)) == plain->heads);
  CHECK(headNumber(*named, plain->heads - 1) == 9 + 2 * plain->heads);
  CHECK(headNumbers(*loaded({{"heads", std::to_string(plain->heads)}})).empty());
}

TEST_CASE("sentences about lists use the singular for one item") {
  const auto error = [](const char* key, const std::string& text) {
    return errorOf([&] { loaded({{key, text}}); });
  };
  CHECK(contains(error("patterns", R"([{"mechanism": "causal"}])"),
                 "has 1 pattern; it must have one for each layer, 2"));
  CHECK(contains(error("layers", "0"), "has 1 number; it must have one for each layer, 2"));
  CHECK(contains(error("ids", "[1]"), "has 1 id; it must have one for each token, 3"));
  CHECK(contains(error("tokens", R"(["one"])"), "has 1 label; it must have one for each token, 3"));
}
