// What the keys of a GGUF file say of its model, without tensors.
#include "core/model/model_parts.h"
#include "tests/catch.h"
#include "tests/core/model/gguf_for_tests.h"

#include <cmath>

using namespace attention;
using namespace attention::test;

namespace {

std::string real(const std::string& key, float value) {
  return ggufKey(key, 6, raw(std::vector<float>{value}));
}

// Four heads of width 4 in two layers, with further keys.
ConfigModel modelOf(std::vector<std::string> more) {
  GgufParts parts;
  parts.keys = {ggufWord("general.architecture", "llama"),
                ggufInteger("llama.block_count", 2),
                ggufInteger("llama.embedding_length", 16),
                ggufInteger("llama.attention.head_count", 4),
                ggufInteger("llama.context_length", 32),
                real("llama.attention.layer_norm_rms_epsilon", 1e-6F)};
  parts.keys.insert(parts.keys.end(), more.begin(), more.end());
  const std::string bytes = parts.bytes();
  return modelOfGguf(parseGguf(bytesOf(bytes), "a.gguf"));
}

// The frequency of the first pair, which is 1 where nothing is scaled.
double firstFrequency(std::vector<std::string> more) {
  return modelOf(std::move(more)).model.layers[1].rotation->frequencies[0];
}

std::string problem(std::vector<std::string> more) {
  return errorOf([&] { modelOf(std::move(more)); });
}

} // namespace

TEST_CASE("a GGUF file's factor of positions is linear, also without a type and by its old name",
          "[model]") {
  const std::string factor = real("llama.rope.scaling.factor", 4);
  CHECK(firstFrequency({}) == 1);
  CHECK(firstFrequency({factor}) == 0.25);
  CHECK(firstFrequency({ggufWord("llama.rope.scaling.type", "linear"), factor}) == 0.25);
  CHECK(firstFrequency({ggufWord("llama.rope.scaling.type", "none"), factor}) == 1);
  CHECK(firstFrequency({real("llama.rope.scale_linear", 2)}) == 0.5);
  CHECK(firstFrequency({real("llama.rope.scale_linear", 2), factor}) == 0.25);
  for (const char* type : {"yarn", "llama3", "default"})
    CHECK(problem({ggufWord("llama.rope.scaling.type", type), factor}) ==
          "E_UNSUPPORTED: llama.rope.scaling.type is \"" + std::string(type) +
              "\"; it must be none or linear");
  CHECK(contains(problem({ggufWord("llama.rope.scaling.type", "linear")}),
                 "llama.rope.scaling.factor is missing"));
}

TEST_CASE("a GGUF file's heads hold whole pairs of numbers", "[model]") {
  for (const unsigned width : {1U, 5U})
    CHECK(problem({ggufInteger("llama.attention.key_length", width),
                   ggufInteger("llama.rope.dimension_count", 1)}) ==
          "E_RANGE: llama.attention.key_length is " + std::to_string(width) +
              "; it must be even, since its rows are stored in pairs");
  CHECK(problem({ggufInteger("llama.rope.dimension_count", 3)}).empty());
  CHECK(contains(problem({ggufInteger("llama.rope.dimension_count", 5)}), "from 1 to 4"));
}

TEST_CASE("a GGUF file of experts is refused by name", "[model]") {
  CHECK(problem({ggufInteger("llama.expert_count", 8)}) ==
        "E_UNSUPPORTED: llama.expert_count is 8, a mixture of experts; it must be 0, one "
        "feed-forward block per layer");
  CHECK(problem({ggufInteger("llama.expert_count", 0)}).empty());
}
