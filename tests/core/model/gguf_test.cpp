#include "core/model/gguf.h"
#include "tests/catch.h"
#include "tests/core/model/gguf_for_tests.h"
#include "tests/memory_limit.h"

using namespace attention;
using namespace attention::test;

namespace {

std::string errorOfGguf(const std::string& file) {
  return errorOf([&] { parseGguf(bytesOf(file), "a.gguf"); });
}

std::string errorOfKey(const std::string& key) {
  GgufParts parts;
  parts.keys = {key};
  return errorOfGguf(parts.bytes());
}

std::string errorOfTensor(const std::string& tensor, std::size_t data = 64) {
  GgufParts parts;
  parts.tensors = {tensor};
  parts.data = std::string(data, '\0');
  return errorOfGguf(parts.bytes());
}

std::string list(unsigned type, std::uint64_t count, const std::string& values) {
  return littleEndian(type, 4) + littleEndian(count, 8) + values;
}

} // namespace

TEST_CASE("values of a GGUF file are read by their types", "[model]") {
  GgufParts parts;
  parts.keys = {ggufKey("u8", 0, "\xFF"),
                ggufKey("i8", 1, "\xFF"),
                ggufKey("i16", 3, littleEndian(0xFFFE, 2)),
                ggufInteger("u32", 4096),
                ggufKey("f32", 6, raw(std::vector<float>{0.5F})),
                ggufKey("yes", 7, "\1"),
                ggufWord("word", "llama"),
                ggufKey("u64", 10, littleEndian(~std::uint64_t{0}, 8)),
                ggufKey("f64", 12, raw(std::vector<double>{-0.25})),
                ggufKey("words", 9, list(8, 2, ggufText("a") + ggufText(""))),
                ggufKey("floats", 9, list(6, 2, raw(std::vector<float>{1, 2}))),
                ggufKey("integers", 9, list(5, 2, littleEndian(7, 4) + littleEndian(8, 4))),
                ggufKey("lists", 9, list(9, 1, list(0, 2, "ab")))};
  parts.version = 2;
  const std::string bytes = parts.bytes();
  const GgufFile file = parseGguf(bytesOf(bytes), "a.gguf");
  CHECK(file.integer("u8") == 255);
  CHECK(file.integer("i8") == -1);
  CHECK(file.integer("i16") == -2);
  CHECK(file.integer("u32") == 4096);
  CHECK(file.number("u32") == 4096.0);
  CHECK(file.number("f32") == 0.5);
  CHECK(file.flag("yes") == true);
  CHECK(file.text("word") == "llama");
  CHECK(file.number("u64") == std::ldexp(1.0, 64));
  CHECK(file.number("f64") == -0.25);
  CHECK(*file.texts("words") == std::vector<std::string>{"a", ""});
  CHECK(file.numbers("floats") == std::vector<double>{1, 2});
  CHECK(file.numbers("integers") == std::vector<double>{7, 8});
  CHECK(file.integers("integers") == std::vector<Index>{7, 8});
  CHECK(file.integers("u32") == std::vector<Index>{4096});
  CHECK(file.has("lists"));
  CHECK_FALSE(file.has("none"));
  CHECK_FALSE(file.integer("none"));
  CHECK(file.texts("none") == nullptr);
  CHECK(file.integers("none").empty());
  CHECK(errorOf([&] { file.integer("word"); }) ==
        "E_TYPE: a.gguf: the value of \"word\" is of another type; it must be an integer");
  CHECK(contains(errorOf([&] { file.texts("integers"); }), "it must be a list of texts"));
  CHECK(contains(errorOf([&] { file.flag("u32"); }), "it must be true or false"));
}

TEST_CASE("tensors of a GGUF file lie where its table says", "[model]") {
  GgufParts parts;
  parts.tensors = {ggufTensor("w", {3, 2}, 0, 32), ggufTensor("q", {32}, 8, 64),
                   ggufTensor("other", {32}, 20, 0)};
  parts.data = std::string(32, '\0') + raw(std::vector<float>{1, 2, 3, 4, 5, 6}) +
               std::string(8, '\0') + std::string(34, '\0');
  const std::string bytes = parts.bytes();
  const GgufFile file = parseGguf(bytesOf(bytes), "a.gguf");
  const GgufTensor& w = file.tensor("w");
  CHECK(w.shape == std::vector<Index>{2, 3});
  std::vector<float> row(3);
  readRow({WeightType::F32, 2, 3, w.data, 3}, 1, row);
  CHECK(row == std::vector<float>{4, 5, 6});
  CHECK(file.tensor("q").type == WeightType::Q8_0);
  CHECK(errorOf([&] { file.tensor("none"); }) ==
        "E_UNKNOWN: a.gguf has no tensor \"none\"; it has 3 other tensors");
  CHECK(errorOf([&] { file.tensor("other"); }) ==
        "E_UNSUPPORTED: a.gguf: tensor \"other\" is stored as IQ4_NL; it must be one of F32 F16 "
        "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K BF16");
}

TEST_CASE("files that are no GGUF of versions 2 and 3 are called what they are", "[model]") {
  CHECK(errorOfGguf("") == "E_UNSUPPORTED: a.gguf is empty");
  CHECK(contains(errorOfGguf("abcdefgh"), "does not begin with GGUF"));
  GgufParts parts;
  parts.version = 1;
  CHECK(errorOfGguf(parts.bytes()) == "E_UNSUPPORTED: a.gguf is GGUF version 1; it must be 2 or 3");
  parts.version = 3U << 24U;
  CHECK(contains(errorOfGguf(parts.bytes()), "big-endian"));
  CHECK(contains(errorOfGguf("GGUF"), "ends at byte 4, within the version"));
}

TEST_CASE("counts and lengths that a GGUF file cannot hold are refused unallocated", "[model]") {
  const MemoryLimit limit(std::size_t{256} << 20);
  const std::string huge = littleEndian(std::uint64_t{1} << 60, 8);
  const std::string head = "GGUF" + littleEndian(3, 4);
  CHECK(contains(errorOfGguf(head + huge + littleEndian(0, 8)), "the table of tensors has"));
  CHECK(contains(errorOfGguf(head + littleEndian(0, 8) + huge), "the metadata has"));
  CHECK(contains(errorOfKey(huge + std::string(32, 'a')), "a key has 1152921504606846976 entries"));
  CHECK(contains(errorOfKey(ggufKey("k", 8, huge)), "a text has"));
  CHECK(contains(errorOfKey(ggufKey("k", 9, littleEndian(0, 4) + huge)), "a list has"));
  CHECK(contains(errorOfKey(ggufKey("k", 9, littleEndian(8, 4) + huge)), "a list has"));
  CHECK(contains(errorOfKey(ggufKey("k", 13, "")), "has a value of type 13"));
}

TEST_CASE("a GGUF file's lists are nested at most four deep", "[model]") {
  std::string nested = list(0, 1, "a");
  for (int depth = 0; depth < 3; ++depth)
    nested = list(9, 1, nested);
  CHECK(errorOfKey(ggufKey("k", 9, nested)).empty());
  CHECK(errorOfKey(ggufKey("k", 9, list(9, 1, nested))) ==
        "E_UNSUPPORTED: a.gguf has lists nested deeper than 4");
}

TEST_CASE("keys and tensors of a GGUF file have names of their own", "[model]") {
  GgufParts parts;
  parts.keys = {ggufInteger("k", 1), ggufInteger("k", 2)};
  CHECK(errorOfGguf(parts.bytes()) == "E_UNSUPPORTED: a.gguf has the key \"k\" twice");
  parts.keys = {};
  parts.tensors = {ggufTensor("w", {1}, 0, 0), ggufTensor("w", {1}, 0, 32)};
  parts.data = std::string(64, '\0');
  CHECK(errorOfGguf(parts.bytes()) ==
        "E_UNSUPPORTED: a.gguf: tensor \"w\" is stored twice; it must be stored once");
}

TEST_CASE("tensors that leave a GGUF file are refused", "[model]") {
  CHECK(errorOfTensor(ggufTensor("w", {16}, 0, 0)).empty());
  CHECK(errorOfTensor(ggufTensor("w", {17}, 0, 0)) ==
        "E_UNSUPPORTED: a.gguf: tensor \"w\" needs 68 bytes at offset 0, but the data has "
        "only 64");
  CHECK(contains(errorOfTensor(ggufTensor("w", {1}, 0, 96)),
                 "at offset 96, but the data has only 64"));
  CHECK(contains(errorOfTensor(ggufTensor("w", {1}, 0, ~std::uint64_t{31})),
                 "but the data has only 64"));
  CHECK(contains(errorOfTensor(ggufTensor("w", {1}, 0, 4)), "must be a multiple of 32"));
  CHECK(contains(errorOfTensor(ggufTensor("w", {0}, 0, 0)), "an axis of length 0"));
  CHECK(contains(errorOfTensor(ggufTensor("w", {~std::uint64_t{0}}, 0, 0)),
                 "length 18446744073709551615"));
  const std::uint64_t large = std::uint64_t{1} << 31U;
  // No axis by itself is at fault.
  const std::string product = errorOfTensor(ggufTensor("w", {large, large, large}, 0, 0));
  CHECK(contains(product, "axes of so many numbers"));
  CHECK_FALSE(contains(product, "an axis of length"));
  CHECK(contains(errorOfTensor(ggufTensor("w", {1, 1, 1, 1, 1}, 0, 0)), "has 5 axes"));
  CHECK(contains(errorOfTensor(ggufTensor("w", {}, 0, 0)), "has 0 axes"));
  CHECK(contains(errorOfTensor(ggufTensor("w", {33}, 2, 0)), "a multiple of 32"));
}

TEST_CASE("a GGUF file's alignment is a power of two", "[model]") {
  GgufParts parts;
  parts.keys = {ggufInteger("general.alignment", 24)};
  CHECK(contains(errorOfGguf(parts.bytes()), "has general.alignment 24"));
  parts.keys = {ggufInteger("general.alignment", 0)};
  CHECK(contains(errorOfGguf(parts.bytes()), "has general.alignment 0"));
  parts.keys = {ggufInteger("general.alignment", 8)};
  parts.tensors = {ggufTensor("w", {1}, 0, 8)};
  parts.data = std::string(16, '\0');
  CHECK(errorOfGguf(parts.bytes()).empty());
}

TEST_CASE("a GGUF file that ends anywhere ends in a sentence", "[model]") {
  GgufParts parts;
  parts.keys = {ggufWord("general.architecture", "llama"),
                ggufKey("words", 9, list(8, 2, ggufText("ab") + ggufText("c")))};
  parts.tensors = {ggufTensor("w", {4, 2}, 0, 0)};
  parts.data = std::string(32, '\1');
  const std::string whole = parts.bytes();
  CHECK(errorOfGguf(whole).empty());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK(errorOfGguf(whole.substr(0, size)).starts_with("E_UNSUPPORTED: a.gguf"));
  }
}
