// Models of tests/golden/models against what transformers 5.24 computed of them, and SmolLM2
// where tools/get_model.sh downloaded it.
#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/model/logits.h"
#include "core/model/loss.h"
#include "core/model/model_path.h"
#include "core/model/verify_model.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace attention;
using namespace attention::test;

namespace {

namespace fs = std::filesystem;

const fs::path kModels = fs::path(ATTENTION_TEST_DATA) / "golden/models";

nlohmann::json jsonOf(const fs::path& path) {
  return nlohmann::json::parse(textOfFile(path));
}

// Logits of all tokens, or an encoder's final states.
Matrix<float> answers(const ForwardStates& states) {
  if (states.model->encoder)
    return *states.final;
  LogitRows logits(*states.model, states.final->view(), {});
  Matrix<float> z(logits.rows(), logits.vocabulary());
  for (Index i = 0; i < z.rows(); ++i)
    std::ranges::copy(logits.row(i), z.view().row(i).begin());
  return z;
}

} // namespace

TEST_CASE("a folder's model computes what transformers computes", "[model]") {
  const std::string name = GENERATE("llama", "gpt2", "qwen3", "gemma2", "mistral", "bert");
  INFO(name);
  std::vector<std::string> arrays;
  verifyModel(kModels / name, [&](const ArrayCheck& check) {
    INFO(check.name << " deviates by " << check.deviation << " of " << check.largest
                    << check.message);
    CHECK(check.passed());
    CHECK(check.largest > 0);
    arrays.push_back(check.name);
  });
  CHECK(arrays.size() == (name == "bert" ? 2 : 4));
}

TEST_CASE("a GGUF file's model computes what transformers computes", "[model]") {
  const std::string name =
      GENERATE("llama", "gpt2", "qwen3", "gemma2", "mistral", "bert", "quantised");
  INFO(name);
  const fs::path folder = kModels / "gguf";
  const auto model = openModel(folder / (name + ".gguf"));
  const auto ids = jsonOf(folder / (name + ".ids.json")).get<std::vector<Index>>();
  const Matrix<float> found = answers(forward(model, ids));
  const Matrix<float> expected =
      slice<float>(readArrays(folder / (name + ".npy")).arrays[0].tensor);
  REQUIRE(found.rows() == expected.rows());
  REQUIRE(found.cols() == expected.cols());
  double deviation = 0;
  double largest = 0;
  for (std::size_t i = 0; i < expected.values().size(); ++i) {
    const auto wanted = static_cast<double>(expected.values()[i]);
    largest = std::max(largest, std::abs(wanted));
    deviation = std::max(deviation, std::abs(static_cast<double>(found.values()[i]) - wanted));
  }
  INFO(deviation << " of " << largest);
  CHECK(deviation <= kModelTolerance * largest);
}

TEST_CASE("an array that is not computed, or has another shape, does not pass", "[model]") {
  const fs::path folder = fs::temp_directory_path() / "attention-verify-model";
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy(kModels / "llama", folder);
  fs::permissions(folder / "expected.safetensors", fs::perms::owner_all);
  fs::copy_file(kModels / "bert/expected.safetensors", folder / "expected.safetensors",
                fs::copy_options::overwrite_existing);
  int failed = 0;
  verifyModel(folder, [&](const ArrayCheck& check) { failed += check.passed() ? 0 : 1; });
  CHECK(failed == 2);
  fs::remove_all(folder);
}

TEST_CASE("a file of ids alone does not pass, and an encoder has neither logits nor a loss",
          "[model]") {
  const TemporaryFolder folder;
  for (const char* file : {"config.json", "model.safetensors"})
    fs::copy_file(kModels / "bert" / file, folder / file);
  const std::string ids = R"("ids":{"dtype":"I64","shape":[2],"data_offsets":[0,16]})";
  const std::string two = raw(std::vector<std::int64_t>{3, 5});
  const auto expect = [&](const std::string& more, const std::string& data) {
    folder.write("expected.safetensors", safetensors("{" + ids + more + "}", two + data));
    std::vector<std::string> messages;
    verifyModel(folder / "", [&](const ArrayCheck& check) { messages.push_back(check.message); });
    return messages;
  };
  CHECK(contains(errorOf([&] { expect("", ""); }),
                 "has no array besides ids; it must have one of hidden, attention, logits and "
                 "loss"));
  CHECK(expect(R"(,"logits":{"dtype":"F32","shape":[2,1],"data_offsets":[16,24]})"
               R"(,"loss":{"dtype":"F32","shape":[1],"data_offsets":[24,28]})",
               std::string(12, '\0')) ==
        std::vector<std::string>{"is expected, but an encoder has no logits",
                                 "is expected, but an encoder has no loss"});
}

TEST_CASE("SmolLM2 has the losses that transformers gives under the same masks", "[model]") {
  const auto expected = jsonOf(kModels / "smollm2/losses.json");
  REQUIRE(expected["rows"].size() == 5);
  const fs::path path = broughtModels() / "SmolLM2-135M-Instruct.Q4_1.gguf";
  if (!fs::exists(path)) {
    WARN("skipped: " << path.string() << " is not there; tools/get_model.sh brings it");
    return;
  }
  const auto model = openModel(path);
  const auto ids = expected["ids"].get<std::vector<Index>>();
  const auto variants =
      variantsFromJson(jsonOf(kModels / "smollm2/variants.json"), *model, "variants.json");
  const LossTable table = lossTable(model, ids, variants);
  REQUIRE(table.rows.size() == expected["rows"].size());
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = expected["rows"][r];
    INFO(row["pattern"]);
    CHECK(*table.rows[r].loss == Approx(row["loss"].get<double>()).margin(2e-3));
    CHECK(*table.rows[r].kl == Approx(row["kl"].get<double>()).margin(2e-3));
    CHECK(*table.rows[r].top1 == Approx(row["top1"].get<double>()).margin(0.01));
    if (row.contains("pairs"))
      CHECK(table.rows[r].pairs == row["pairs"].get<double>());
  }
}
