#include "core/input/array_file.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

std::string error(const std::string& header, std::size_t bytes) {
  const std::string file = safetensors(header, std::string(bytes, '\0'));
  return errorOf([&] { parseSafetensors(bytesOf(file), "a.safetensors"); });
}

} // namespace

TEST_CASE("safetensors arrays and metadata are read in any order of their ranges") {
  const std::vector<float> values{1, 2, 3, 4};
  const std::vector<double> doubles{0.25, -8};
  const std::string bytes =
      safetensors("{\"__metadata__\":{\"model\":\"m\"}," + entry("k", "F64", "[2,1]", 16, 32) +
                      "," + entry("q", "F32", "[2,2]", 0, 16) + "}  ",
                  raw(values) + raw(doubles));
  const ArrayFile file = parseSafetensors(bytesOf(bytes), "a.safetensors");
  CHECK(slice<double>(file.get("q")) == Matrix<double>(2, 2, {1, 2, 3, 4}));
  CHECK(slice<double>(file.get("k")) == Matrix<double>(2, 1, {0.25, -8}));
  CHECK(file.metadata.at("model") == "m");
  CHECK(errorOf([&] { file.get("v"); }) ==
        "E_UNKNOWN: a.safetensors has no array \"v\"; it has k, q");
}

TEST_CASE("a file with many arrays names the first twelve and how many more there are") {
  std::string header;
  for (int k = 0; k < 14; ++k)
    header += (k == 0 ? "{" : ",") +
              entry(std::string(1, static_cast<char>('a' + k)), "BOOL", "[1]", k, k + 1);
  const std::string bytes = safetensors(header + "}", std::string(14, '\0'));
  const ArrayFile file = parseSafetensors(bytesOf(bytes), "a.safetensors");
  CHECK(errorOf([&] { file.get("v"); }) ==
        "E_UNKNOWN: a.safetensors has no array \"v\"; it has a, b, c, d, e, f, g, h, i, j, k, l "
        "and 2 more");
}

TEST_CASE("safetensors numbers need no alignment") {
  const std::vector<float> values{1, 2};
  const std::string bytes = safetensors("{" + entry("m", "BOOL", "[1]", 0, 1) + "," +
                                            entry("q", "F32", "[1,2]", 1, 9) + "}",
                                        std::string(1, '\1') + raw(values));
  const ArrayFile file = parseSafetensors(bytesOf(bytes), "a.safetensors");
  CHECK(slice<float>(file.get("q"))(0, 1) == 2.0F);
}

TEST_CASE("arrays of unreadable types are not an error until they are asked for") {
  const std::string bytes = safetensors(
      "{" + entry("ids", "F8_E4M3", "[8]", 0, 8) + "," + entry("s", "F32", "[]", 8, 12) + "," +
          entry("none", "F32", "[0,3]", 12, 12) + "," + entry("q", "F16", "[1,2]", 12, 16) + "}",
      std::string(16, '\0'));
  const ArrayFile file = parseSafetensors(bytesOf(bytes), "a.safetensors");
  CHECK(file.get("q").dtype == DType::Float16);
  CHECK(
      errorOf([&] { file.get("ids"); }) ==
      "E_TYPE: a.safetensors: array \"ids\" has dtype \"F8_E4M3\"; it must be BOOL, an integer (I8 "
      "to U64), F16, BF16, F32 or F64");
  CHECK(contains(errorOf([&] { file.get("s"); }), "E_SHAPE"));
  CHECK(contains(errorOf([&] { file.get("none"); }), "E_SHAPE"));
}

TEST_CASE("safetensors ranges that overlap, leave gaps or leave the file are refused") {
  const std::string q = entry("q", "F32", "[2,2]", 0, 16);
  CHECK(error("{" + q + "}", 16).empty());
  CHECK(contains(error("{" + q + "," + entry("k", "F32", "[2,2]", 8, 24) + "}", 24),
                 "array \"k\" overlaps another array at byte 8"));
  CHECK(contains(error("{" + q + "," + entry("k", "F32", "[2,2]", 20, 36) + "}", 36),
                 "begins at byte 20; it must be 16"));
  CHECK(contains(error("{" + q + "}", 20), "has 20 bytes of data; its arrays have 16"));
  CHECK(contains(error("{" + q + "}", 12), "lies at bytes 0 to 16; the file has 12"));
  CHECK(contains(error("{" + entry("q", "F32", "[2,2]", 0, 8) + "}", 8),
                 "does not fit its shape (2, 2) of F32"));
  CHECK(contains(error("{" + entry("q", "F32", "[2,2]", 16, 0) + "}", 16), "E_UNSUPPORTED"));
  CHECK(contains(error("{" + entry("q", "F32", "[2,2]", -16, 0) + "}", 16), "data_offsets"));
  CHECK(contains(error("{" + entry("q", "F32", "[4611686018427387904,4]", 0, 16) + "}", 16),
                 "does not fit"));
  CHECK(contains(error("{" + entry("q", "F32", "[2.0,2]", 0, 16) + "}", 16),
                 "not a list of integers"));
  CHECK(contains(error("{" + q + "," + q + "}", 16), "twice in one object"));
}

TEST_CASE("false safetensors headers are refused") {
  const auto whole = [](const std::string& bytes) {
    return errorOf([&] { parseSafetensors(bytesOf(bytes), "a.safetensors"); });
  };
  CHECK(contains(whole(""), "fewer than 8 bytes"));
  CHECK(contains(whole(littleEndian(std::uint64_t{1} << 40, 8) + "{}"), "its header has"));
  CHECK(contains(whole(littleEndian(~std::uint64_t{0}, 8) + "{}"), "its header has"));
  CHECK(contains(whole(safetensors("[]", "")), "not a JSON object"));
  CHECK(contains(whole(safetensors("{\"q\":3}", "")), "not described by a JSON object"));
  CHECK(contains(whole(safetensors("{\"q\":", "")), "is not JSON"));
  CHECK(contains(whole(safetensors("{\"__metadata__\":{\"a\":1}}", "")), "not text"));
  const std::string deep = "{\"q\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}";
  CHECK(contains(whole(safetensors(deep, "")), "nested deeper than 64"));
  const std::string good =
      safetensors("{" + entry("q", "F32", "[2,2]", 0, 16) + "}", std::string(16, '\0'));
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK(whole(good.substr(0, length)).substr(0, 13) == "E_UNSUPPORTED");
}

TEST_CASE("a number that may be an array or metadata stands in one of the two") {
  for (const std::string key : {"scale", "softcap", "ids", "layers", "heads"}) {
    const std::string array = entry(key, "I64", "[1]", 0, 8);
    const auto of = [&](const std::string& text) {
      return "{\"__metadata__\":{\"" + key + "\":\"" + text + "\"}," + array + "}";
    };
    CHECK(error(of("2"), 8) == "E_UNSUPPORTED: a.safetensors has an array and metadata that are "
                               "both called \"" +
                                   key + "\"; one of the two must be left out");
    const std::string none = safetensors(of("null"), std::string(8, '\0')); // Python's None
    CHECK(parseSafetensors(bytesOf(none), "a.safetensors").has(key));
  }
}
