// What a plain forward pass makes of the weights that were read, beside what transformers 5.24
// made of them.
#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/model/model.h"
#include "tests/catch.h"
#include "tests/core/model/twins/plain_forward.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

using namespace attention;
using namespace attention::test;

namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(ATTENTION_TEST_DATA) / "golden/models";

// `expected` ends in the wanted numbers: of hidden states the last ones count.
void checkForward(const Model& model, const std::vector<Index>& ids, const Tensor& expected) {
  const Matrix<double> made = plainForward(model, ids);
  const Index begin = expected.elements() - made.rows() * made.cols();
  REQUIRE(begin >= 0);
  double largest = 0;
  double deviation = 0;
  for (Index i = 0; i < made.rows(); ++i)
    for (Index c = 0; c < made.cols(); ++c) {
      const double wanted = number(expected, begin + i * made.cols() + c);
      largest = std::max(largest, std::abs(wanted));
      deviation = std::max(deviation, std::abs(wanted - made(i, c)));
    }
  CHECK(largest > 1);
  CHECK(deviation < 2e-5 * largest);
}

} // namespace

TEST_CASE("weights of a folder give what transformers makes of them", "[model]") {
  const std::string name =
      GENERATE("llama", "gpt2", "qwen3", "gemma2", "mistral", "bert", "small/llama_linear",
               "small/llama_llama3", "small/qwen2", "small/gemma3", "small/phi3", "small/olmo2",
               "small/smollm3", "small/gpt_neox");
  INFO(name);
  const auto model = openModel(kGolden / name);
  const ArrayFile expected = readArrays(kGolden / name / "expected.safetensors");
  const Tensor given = expected.get("ids");
  std::vector<Index> ids;
  for (Index i = 0; i < given.elements(); ++i)
    ids.push_back(integer(given, i));
  checkForward(*model, ids, expected.get(model->encoder ? "hidden" : "logits"));
}

TEST_CASE("weights of a GGUF file give what transformers makes of them", "[model]") {
  const std::string name =
      GENERATE("gguf/llama", "gguf/gpt2", "gguf/qwen3", "gguf/gemma2", "gguf/mistral", "gguf/bert",
               "gguf/quantised", "small/gguf/llama_linear", "small/gguf/llama_llama3",
               "small/gguf/qwen2", "small/gguf/gemma3", "small/gguf/phi3", "small/gguf/olmo2",
               "small/gguf/smollm3", "small/gguf/gpt_neox");
  INFO(name);
  const auto model = openModel(kGolden / (name + ".gguf"));
  const auto ids = nlohmann::json::parse(textOfFile(kGolden / (name + ".ids.json")));
  checkForward(*model, ids.get<std::vector<Index>>(),
               readArrays(kGolden / (name + ".npy")).arrays.front().tensor);
}
