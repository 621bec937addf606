// blocks.safetensors: bytes of every stored type, and their numbers by gguf.quants.dequantize of
// the Python package gguf 0.19.
#include "core/input/array_file.h"
#include "core/model/weight_matrix.h"
#include "tests/catch.h"

#include <filesystem>

using namespace attention;

namespace {

constexpr std::array kTypes{WeightType::F32,  WeightType::F16,  WeightType::BF16, WeightType::Q4_0,
                            WeightType::Q4_1, WeightType::Q5_0, WeightType::Q5_1, WeightType::Q8_0,
                            WeightType::Q2_K, WeightType::Q3_K, WeightType::Q4_K, WeightType::Q5_K,
                            WeightType::Q6_K};

ArrayFile blocks() {
  return readArrays(std::filesystem::path(ATTENTION_TEST_DATA) /
                    "golden/models/small/blocks.safetensors");
}

} // namespace

TEST_CASE("stored numbers of every type are those that the gguf package reads", "[model]") {
  const ArrayFile file = blocks();
  for (const WeightType type : kTypes) {
    INFO(name(type));
    const Tensor bytes = file.get(std::string(name(type)) + ".bytes");
    const Tensor numbers = file.get(std::string(name(type)) + ".numbers");
    const WeightBlock block = blockOf(type);
    REQUIRE(bytes.elements() / block.bytes * block.numbers == numbers.elements());
    // A row of half the numbers, and the last of several rows.
    const Index cols = numbers.elements() / 2;
    for (const Index rows : {Index{1}, Index{2}}) {
      WeightMatrix matrix{type, rows, numbers.elements() / rows, bytes.data};
      matrix.stored = matrix.cols;
      std::vector<float> row(static_cast<std::size_t>(matrix.cols));
      readRow(matrix, rows - 1, row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        INFO(i);
        const Index flat = (rows - 1) * cols + static_cast<Index>(i);
        REQUIRE(row[i] == static_cast<float>(number(numbers, flat)));
      }
      CHECK(storedBytes(matrix) == bytes.elements());
    }
  }
}

TEST_CASE("every half is the float that it says, infinity and NaN included", "[model]") {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const WeightMatrix matrix{WeightType::F16, 1, 1, reinterpret_cast<const std::byte*>(&half), 1};
    float value = 0;
    readRow(matrix, 0, std::span(&value, 1));
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const auto fraction = static_cast<double>(bits & 1023U);
    const double sign = bits >> 15U != 0 ? -1 : 1;
    if (exponent == 31) {
      CHECK((fraction != 0 ? std::isnan(value) : value == sign * INFINITY));
      continue;
    }
    const double expected = exponent == 0 ? sign * std::ldexp(fraction, -24)
                                          : sign * std::ldexp(1024 + fraction, exponent - 25);
    if (static_cast<double>(value) != expected || std::signbit(value) != (sign < 0))
      FAIL(bits << " is " << value << ", not " << expected);
  }
}
