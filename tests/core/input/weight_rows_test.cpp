// Rows of ready attention weights: what they sum to, and that none is negative.
#include "core/input/input.h"
#include "core/input/npy_writer.h"
#include "core/input/weight_rows.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace attention;
using namespace attention::test;

namespace {

// A row of softmax weights over that many keys, computed in floats.
std::vector<float> softmaxRow(Index keys, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 4);
  std::vector<float> row(static_cast<std::size_t>(keys));
  float sum = 0;
  for (float& x : row)
    sum += x = std::exp(normal(random));
  for (float& x : row)
    x /= sum;
  return row;
}

// The bits of a float rounded to the nearest bfloat16.
std::uint16_t bfloat(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

Tensor tensorOf(const std::vector<float>& numbers, std::vector<Index> shape) {
  Tensor tensor;
  tensor.file = "w.npy";
  tensor.shape = std::move(shape);
  tensor.data = reinterpret_cast<const std::byte*>(numbers.data());
  return tensor;
}

} // namespace

TEST_CASE("rounding of a softmax is within the tolerance, in floats and in bfloat16") {
  for (const Index keys : {1, 7, 300, 4096})
    for (unsigned seed = 0; seed < 4; ++seed) {
      const std::vector<float> row = softmaxRow(keys, seed);
      CHECK_FALSE(firstOddRow(tensorOf(row, {1, keys})));
      std::vector<std::uint16_t> rounded;
      for (const float x : row)
        rounded.push_back(bfloat(x));
      Tensor coarse;
      coarse.file = "w.safetensors";
      coarse.dtype = DType::BFloat16;
      coarse.shape = {1, keys};
      coarse.data = reinterpret_cast<const std::byte*>(rounded.data());
      CHECK_FALSE(firstOddRow(coarse));
    }
}

TEST_CASE("the first row that is off is found, whatever its head, and described") {
  // [2, 2, 2, 2]: layers, heads, queries, keys.
  std::vector<float> numbers;
  for (int row = 0; row < 8; ++row)
    numbers.insert(numbers.end(), {0.25F, 0.75F});
  const Tensor all = tensorOf(numbers, {2, 2, 2, 2});
  CHECK_FALSE(firstOddRow(all));
  numbers[10] = numbers[11] = 0; // a query without a key
  CHECK_FALSE(firstOddRow(all));
  numbers[12] = 0.255F;
  const auto odd = firstOddRow(all);
  REQUIRE(odd);
  CHECK(textOf(*odd, all, "layer") == "Row 0 of head 1, layer 1, in w.npy sums to 1.005, not 1");
  CHECK(textOf(*firstOddRow(tensorOf(numbers, {4, 2, 2})), all, "layer").starts_with("Row 0"));
  numbers[3] = 0.7F; // an earlier one
  CHECK(textOf(*firstOddRow(tensorOf(numbers, {8, 2})), tensorOf(numbers, {8, 2}), "") ==
        "Row 1 in w.npy sums to 0.95, not 1");
  numbers[15] = -1; // these are not weights: whatever uses them reports it
  CHECK_FALSE(firstOddRow(all));
}

TEST_CASE("square arrays without negative numbers, with rows that sum to 1, read as weights") {
  const std::vector<float> even{0.25F, 0.75F, 0.5F, 0.5F};
  CHECK(readsAsWeights(tensorOf(even, {2, 2})));
  CHECK(readsAsWeights(tensorOf({0.25F, 0.75F, 0.5F, 0.5F, 1, 0, 0, 0}, {2, 2, 2})));
  CHECK(readsAsWeights(tensorOf({0.2F, 0.5F, 0.3F, 0.4F}, {2, 2}))); // a sink has the rest
  CHECK_FALSE(readsAsWeights(tensorOf({0, 0, 0, 0}, {2, 2})));
  CHECK_FALSE(readsAsWeights(tensorOf(even, {1, 4})));
  CHECK_FALSE(readsAsWeights(tensorOf({-0.25F, 1.25F, 0.5F, 0.5F}, {2, 2})));
  CHECK_FALSE(readsAsWeights(tensorOf({0.25F, 0.75F, 0.5F, 0.6F}, {2, 2})));
  std::vector<float> rounded; // to bfloat16 before they were saved
  for (unsigned row = 0; row < 64; ++row)
    for (const float x : softmaxRow(64, row)) {
      const std::uint32_t bits = static_cast<std::uint32_t>(bfloat(x)) << 16U;
      float coarse = 0;
      std::memcpy(&coarse, &bits, sizeof coarse);
      rounded.push_back(coarse);
    }
  const Tensor saved = tensorOf(rounded, {64, 64});
  CHECK(firstOddRow(saved));
  CHECK(readsAsWeights(saved));
}

TEST_CASE("negative weights are refused wherever weights are read, but not where numbers are") {
  const TemporaryFolder folder;
  const std::vector<float> numbers{1, 0, 1.5F, -0.5F};
  writeNpy<float>((folder / "w.npy").string(), std::vector<Index>{2, 2},
                  std::span<const float>(numbers));
  InputSpec spec;
  FileInput files;
  files.attention = (folder / "w.npy").string();
  spec.source = files;
  const auto input = loadInput(spec);
  CHECK(contains(errorOf([&] { input->attention<float>(0); }),
                 "holds -0.5 at (1, 1); weights must not be negative"));
  CHECK(contains(errorOf([&] { input->attention<double>(0); }), "E_RANGE"));
  CHECK(input->attentionOfAnySign<double>(0)(1, 1) == -0.5);
  CHECK(input->oddRow.empty());
}
