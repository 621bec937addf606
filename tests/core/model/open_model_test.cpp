// Models of tests/golden/models, opened from folders and GGUF files.
#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/model/capture.h"
#include "core/model/logits.h"
#include "core/pattern/pattern_json.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

using namespace attention;
using namespace attention::test;

namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(ATTENTION_TEST_DATA) / "golden/models";

std::vector<float> rowOf(const WeightMatrix& matrix, Index r) {
  std::vector<float> row(static_cast<std::size_t>(matrix.cols));
  readRow(matrix, r, row);
  return row;
}

// Row r of a matrix in the folder's own file.
std::vector<float> stored(const fs::path& folder, const std::string& name, Index r) {
  const Matrix<float> all = slice<float>(readArrays(folder / "model.safetensors").get(name));
  const auto row = all.view().row(r);
  return {row.begin(), row.end()};
}

// What head h's row i is as llama.cpp's converter orders the rows of a head.
Index pairedRow(Index h, Index i, Index d) {
  return h * d + (i < d / 2 ? 2 * i : 2 * (i - d / 2) + 1);
}

std::string errorOfOpening(const fs::path& path) {
  return errorOf([&] { openModel(path); });
}

// The weights of a folder and of the GGUF file that was made of it.
void checkSameWeights(const Model& a, const Model& b) {
  REQUIRE(a.layers.size() == b.layers.size());
  CHECK(a.width == b.width);
  CHECK(a.kvHeads == b.kvHeads);
  CHECK(a.headWidth == b.headWidth);
  CHECK(a.feedForwardWidth == b.feedForwardWidth);
  CHECK(a.vocabulary == b.vocabulary);
  CHECK(a.normEpsilon == Approx(b.normEpsilon).epsilon(1e-6));
  CHECK(a.embeddingFactor == b.embeddingFactor);
  CHECK(a.logitCap == b.logitCap);
  CHECK(a.encoder == b.encoder);
  CHECK(a.parallelBlocks == b.parallelBlocks);
  CHECK(a.activation == b.activation);
  CHECK(a.finalNorm.weight == b.finalNorm.weight);
  CHECK(a.logits.weight.rows == b.logits.weight.rows);
  CHECK(a.context == b.context);
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    const ModelLayer& x = a.layers[i];
    const ModelLayer& y = b.layers[i];
    INFO("layer " << i);
    CHECK(x.modifiers.softcap == y.modifiers.softcap);
    REQUIRE((x.rotation == nullptr) == (y.rotation == nullptr));
    if (x.rotation)
      for (std::size_t k = 0; k < x.rotation->frequencies.size(); ++k)
        CHECK(x.rotation->frequencies[k] == Approx(y.rotation->frequencies[k]).epsilon(1e-6));
    for (Index h = 0; h < a.kvHeads; ++h)
      for (Index r = 0; r < a.headWidth; ++r) {
        const Index there = y.pairedRows ? pairedRow(h, r, a.headWidth) : h * a.headWidth + r;
        REQUIRE(rowOf(x.key.weight, h * a.headWidth + r) == rowOf(y.key.weight, there));
        if (!x.key.bias.empty())
          REQUIRE(x.key.bias[static_cast<std::size_t>(h * a.headWidth + r)] ==
                  y.key.bias[static_cast<std::size_t>(there)]);
      }
    for (const auto part : {&ModelLayer::value, &ModelLayer::output, &ModelLayer::gate,
                            &ModelLayer::up, &ModelLayer::down}) {
      const Linear& left = x.*part;
      const Linear& right = y.*part;
      CHECK(left.bias == right.bias);
      REQUIRE(left.weight.rows == right.weight.rows);
      for (Index r = 0; r < left.weight.rows; ++r)
        REQUIRE(rowOf(left.weight, r) == rowOf(right.weight, r));
    }
    for (const auto norms : {&ModelLayer::attentionNorms, &ModelLayer::feedForwardNorms}) {
      CHECK((x.*norms).before.weight == (y.*norms).before.weight);
      CHECK((x.*norms).after.weight == (y.*norms).after.weight);
      CHECK((x.*norms).after.bias == (y.*norms).after.bias);
    }
    CHECK(x.queryNorm.weight == y.queryNorm.weight);
    CHECK(x.keyNorm.weight == y.keyNorm.weight);
  }
}

// A copy of a model that is large enough to be mapped; what follows its tensors is not read.
fs::path mappedModel(const TemporaryFolder& folder) {
  const fs::path path = folder / "a.gguf";
  fs::copy_file(kGolden / "gguf/llama.gguf", path);
  fs::resize_file(path, kMapFrom + 4096);
  return path;
}

std::string hasChanged(const fs::path& path) {
  return "E_IO: cannot read " + path.string() +
         ": it has changed since it was opened; it must be opened again";
}

} // namespace

TEST_CASE("a folder of llama is opened with its own weights", "[model]") {
  const auto model = openModel(kGolden / "llama");
  CHECK(model->family == "llama");
  CHECK(model->name == "llama");
  CHECK(model->note.empty());
  CHECK(model->width == 64);
  CHECK(model->heads == 4);
  CHECK(model->kvHeads == 2);
  CHECK(model->headWidth == 16);
  CHECK(model->feedForwardWidth == 96);
  CHECK(model->vocabulary == 160);
  CHECK(model->context == 128);
  REQUIRE(model->layers.size() == 3);
  const ModelLayer& layer = model->layers[1];
  CHECK_FALSE(layer.pairedRows);
  CHECK(toJson(layer.pattern)["mechanism"] == "causal");
  const std::string of = "model.layers.1.";
  CHECK(rowOf(layer.key.weight, 31) ==
        stored(kGolden / "llama", of + "self_attn.k_proj.weight", 31));
  CHECK(rowOf(layer.down.weight, 63) == stored(kGolden / "llama", of + "mlp.down_proj.weight", 63));
  CHECK(rowOf(model->logits.weight, 159) == stored(kGolden / "llama", "lm_head.weight", 159));
}

TEST_CASE("GPT-2's matrices are read by columns, fused and with their biases", "[model]") {
  const auto model = openModel(kGolden / "gpt2");
  const Linear& key = model->layers[2].key;
  const Tensor fused =
      readArrays(kGolden / "gpt2/model.safetensors").get("transformer.h.2.attn.c_attn.weight");
  const std::vector<float> row = rowOf(key.weight, 5);
  for (Index c = 0; c < 64; ++c)
    CHECK(row[static_cast<std::size_t>(c)] == static_cast<float>(number(fused, c * 192 + 64 + 5)));
  CHECK(key.bias.size() == 64);
  CHECK(model->positions.rows == 128);
  CHECK(model->logits.weight.data == model->embedding.data);
}

TEST_CASE("BERT is an encoder with norms behind the sums", "[model]") {
  const auto model = openModel(kGolden / "bert");
  CHECK(model->encoder);
  CHECK(model->afterSum);
  CHECK(model->logits.empty());
  CHECK(model->finalNorm.empty());
  CHECK(model->tokenType.size() == 64);
  CHECK(model->embeddingNorm.bias.size() == 64);
  CHECK(model->layers[0].attentionNorms.before.empty());
  CHECK(model->layers[0].attentionNorms.after.bias.size() == 64);
  CHECK(toJson(model->layers[0].pattern)["mechanism"] == "full");
}

TEST_CASE("a GGUF file has the weights of the folder that it was made of", "[model]") {
  const std::string name = GENERATE("llama_linear", "llama_llama3", "qwen2", "gemma3", "phi3",
                                    "olmo2", "smollm3", "gpt_neox");
  INFO(name);
  const auto folder = openModel(kGolden / "small" / name);
  const auto gguf = openModel(kGolden / "small/gguf" / (name + ".gguf"));
  checkSameWeights(*folder, *gguf);
  for (std::size_t i = 0; i < folder->layers.size(); ++i) {
    CHECK(toJson(folder->layers[i].pattern) == toJson(gguf->layers[i].pattern));
    CHECK(*folder->layers[i].modifiers.scale ==
          Approx(*gguf->layers[i].modifiers.scale).epsilon(1e-9));
  }
}

TEST_CASE("Mistral's window is in its folder, and a GGUF file says that it is not", "[model]") {
  const auto folder = openModel(kGolden / "mistral");
  CHECK(toJson(folder->layers[2].pattern)["params"]["window"] == 12);
  CHECK(folder->note.empty());
  const auto gguf = openModel(kGolden / "gguf/mistral.gguf");
  CHECK(gguf->family == "llama");
  CHECK(gguf->name == "mistral");
  CHECK(contains(gguf->note, "does not store the sliding window"));
  CHECK(openModel(kGolden / "gguf/llama.gguf")->note.empty());
}

TEST_CASE("quantised weights stay as they are stored", "[model]") {
  const auto model = openModel(kGolden / "gguf/quantised.gguf");
  CHECK(model->layers[0].query.weight.type == WeightType::Q4_0);
  CHECK(model->layers[0].down.weight.type == WeightType::Q3_K);
  CHECK(model->embedding.type == WeightType::Q8_0);
  CHECK_FALSE(model->layers[0].attentionNorms.before.empty());
}

TEST_CASE("shards are found by their index", "[model]") {
  const TemporaryFolder folder;
  const std::string one = kGolden / "small/qwen2/model.safetensors";
  fs::copy_file(kGolden / "small/qwen2/config.json", folder / "config.json");
  fs::copy_file(one, folder / "model-1.safetensors");
  fs::copy_file(one, folder / "model-2.safetensors");
  nlohmann::json map;
  int shard = 0;
  for (const NamedArray& array : readArrays(one).arrays)
    map[array.name()] = "model-" + std::to_string(1 + shard++ % 2) + ".safetensors";
  const auto index = [&] { return nlohmann::json{{"weight_map", map}}.dump(); };
  folder.write("model.safetensors.index.json", index());
  checkSameWeights(*openModel(folder / ""), *openModel(kGolden / "small/qwen2"));
  map["model.norm.weight"] = "../model-1.safetensors";
  folder.write("model.safetensors.index.json", index());
  CHECK(contains(errorOfOpening(folder / ""), "the name of a file in the same folder"));
  map["model.norm.weight"] = "model-3.safetensors";
  folder.write("model.safetensors.index.json", index());
  CHECK(contains(errorOfOpening(folder / ""), "E_IO"));
  map["model.norm.weight"] = "model-1.safetensors";
  map["none"] = "model-1.safetensors";
  folder.write("model.safetensors.index.json", index());
  CHECK(contains(errorOfOpening(folder / ""), "has no array \"none\""));
  folder.write("model.safetensors.index.json", "{}");
  CHECK(contains(errorOfOpening(folder / ""), "weight_map is missing"));
}

TEST_CASE("what is no model is called what it is", "[model]") {
  const TemporaryFolder folder;
  CHECK(contains(errorOfOpening(folder / "none.gguf"), "E_IO"));
  CHECK(contains(errorOfOpening(folder / ""), "config.json"));
  fs::copy_file(kGolden / "small/qwen2/config.json", folder / "config.json");
  CHECK(contains(errorOfOpening(folder / ""), "has neither model.safetensors"));
  const std::string pickled = folder.write("pytorch_model.bin", "\x80\x02pickle");
  CHECK(contains(errorOfOpening(folder / ""), "pytorch_model.bin is pickled"));
  CHECK(contains(errorOfOpening(folder / ""), "save_pretrained"));
  CHECK(contains(errorOfOpening(pickled), "is pickled"));
  CHECK(contains(errorOfOpening(folder / "config.json"), "it must be a .gguf file, or a folder"));
  const std::string gguf = folder.write("a.gguf", "GGUF");
  CHECK(contains(errorOfOpening(gguf), "E_UNSUPPORTED"));
}

TEST_CASE("a tensor that is missing or of another shape is named", "[model]") {
  const TemporaryFolder folder;
  fs::copy_file(kGolden / "small/qwen2/model.safetensors", folder / "model.safetensors");
  auto config = nlohmann::json::parse(textOfFile(kGolden / "small/qwen2/config.json"));
  config.erase("layer_types");
  const auto errorWith = [&](const char* field, const nlohmann::json& value) {
    auto changed = config;
    changed[field] = value;
    folder.write("config.json", changed.dump());
    return errorOfOpening(folder / "");
  };
  const std::string file = (folder / "model.safetensors").string();
  CHECK(errorWith("num_key_value_heads", 1) ==
        "E_SHAPE: " + file +
            ": tensor \"model.layers.0.self_attn.k_proj.weight\" has shape (16, 32); it must be "
            "(8, 32)");
  CHECK(contains(errorWith("num_hidden_layers", 3),
                 "E_UNKNOWN: " + file + " has no tensor \"model.layers.2"));
  CHECK(contains(errorWith("hidden_size", 40), "E_SHAPE"));
  CHECK(contains(errorWith("model_type", "bloom"), "config.json: model_type is \"bloom\""));
  CHECK(contains(errorWith("model_type", "gpt2"), "E_UNKNOWN"));
}

TEST_CASE("older files of BERT call weights and biases of norms gamma and beta", "[model]") {
  const TemporaryFolder folder;
  fs::copy_file(kGolden / "bert/config.json", folder / "config.json");
  const auto whole = MappedFile::open(kGolden / "bert/model.safetensors");
  const std::string bytes(reinterpret_cast<const char*>(whole->bytes().data()),
                          whole->bytes().size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  std::string header = bytes.substr(8, length);
  for (const auto& [name, older] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"},
                                    std::pair{"LayerNorm.bias", "LayerNorm.beta"}})
    for (std::size_t at = 0; (at = header.find(name, at)) != std::string::npos;)
      header.replace(at, std::strlen(name), older);
  folder.write("model.safetensors", safetensors(header, bytes.substr(8 + length)));
  checkSameWeights(*openModel(folder / ""), *openModel(kGolden / "bert"));
}

TEST_CASE("a file that shrinks while its model is used ends in a sentence", "[model]") {
  const TemporaryFolder folder;
  const fs::path path = mappedModel(folder);
  const auto model = openModel(path);
  requireUnchanged(*model);
  CHECK(rowOf(model->logits.weight, 0) != std::vector<float>(64));
  fs::resize_file(path, 4096);
  CHECK(rowOf(model->layers[2].down.weight, 63) == std::vector<float>(96));
  CHECK(errorOf([&] { requireUnchanged(*model); }) == hasChanged(path));
}

TEST_CASE("nothing is computed of a file that shrinks on the way", "[model]") {
  const TemporaryFolder folder;
  const fs::path path = mappedModel(folder);
  const auto model = openModel(path);
  const std::vector<Index> ids{3, 5, 8, 13};
  const ForwardStates states = forward(model, ids);
  const std::vector finals{states.final};
  CHECK(predictions(*model, ids, finals).front().loss.size() == 3);
  // The end of the file is gone once the last layer has begun; none of what is gone is its query.
  ForwardOptions cuts;
  cuts.watch = [&](const LayerView& view) {
    if (view.layer == 2)
      fs::resize_file(path, 4096);
  };
  CHECK(errorOf([&] { forward(model, ids, {}, cuts); }) == hasChanged(path));
  CHECK(errorOf([&] { predictions(*model, ids, finals); }) == hasChanged(path));
  LogitRows rows(*model, states.final->view(), {});
  CHECK(errorOf([&] { rows.row(0); }) == hasChanged(path));
  const fs::path captured = folder / "c.safetensors";
  CHECK(errorOf([&] { captureTo(captured, model, ids); }) == hasChanged(path));
  CHECK_FALSE(fs::exists(captured));
}

namespace {

// The golden llama with the fields `changes` of its configuration, and where `biased` a bias of 3
// for the queries of layer 0.
fs::path changedLlama(const TemporaryFolder& folder, const nlohmann::json& changes,
                      bool biased = false) {
  auto config = nlohmann::json::parse(textOfFile(kGolden / "llama/config.json"));
  config.update(changes);
  folder.write("config.json", config.dump());
  const auto whole = MappedFile::open(kGolden / "llama/model.safetensors");
  const std::string bytes(reinterpret_cast<const char*>(whole->bytes().data()),
                          whole->bytes().size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  auto header = nlohmann::json::parse(bytes.substr(8, length));
  std::string data = bytes.substr(8 + length);
  if (biased) {
    const std::string bias = raw(std::vector<float>(64, 3));
    header["model.layers.0.self_attn.q_proj.bias"] = {
        {"dtype", "F32"}, {"shape", {64}}, {"data_offsets", {data.size(), data.size() + 256}}};
    data += bias;
  }
  folder.write("model.safetensors", safetensors(header.dump(), data));
  return folder / "";
}

} // namespace

// As transformers 5.24.0 does: it says that it does not tie weights that are both stored and
// differ, and leaves out tensors that its modules lack.
TEST_CASE("a stored head is used although the configuration ties it", "[model]") {
  const TemporaryFolder folder;
  const auto model = openModel(changedLlama(folder, {{"tie_word_embeddings", true}}));
  CHECK(model->logits.weight.data != model->embedding.data);
  CHECK(rowOf(model->logits.weight, 159) == stored(kGolden / "llama", "lm_head.weight", 159));
}

TEST_CASE("a bias is read only where the configuration has one", "[model]") {
  const TemporaryFolder folder;
  CHECK(openModel(changedLlama(folder, nlohmann::json::object(), true))
            ->layers[0]
            .query.bias.empty());
  const auto biased = openModel(changedLlama(folder, {{"attention_bias", true}}, true));
  CHECK(biased->layers[0].query.bias == std::vector<float>(64, 3));
  CHECK(biased->layers[0].key.bias.empty()); // which is not stored
}

TEST_CASE("a vocabulary of another size than the embedding is refused", "[model]") {
  const TemporaryFolder folder;
  CHECK(errorOfOpening(changedLlama(folder, {{"vocab_size", 999}})) ==
        "E_SHAPE: " + (folder / "config.json").string() +
            ": vocab_size is 999; it must be 160, the rows of tensor "
            "\"model.embed_tokens.weight\" in " +
            (folder / "model.safetensors").string());
}

TEST_CASE("a width of feed-forward layers other than the tensors' is refused", "[model]") {
  const TemporaryFolder folder;
  const std::string file = (folder / "config.json").string();
  CHECK(errorOfOpening(changedLlama(folder, {{"intermediate_size", 48}})) ==
        "E_SHAPE: " + file +
            ": intermediate_size is 48; it must be 96, the width of the feed-forward tensors");
  CHECK(contains(errorOfOpening(changedLlama(folder, {{"intermediate_size", 1.5}})),
                 file + ": intermediate_size is 1.5; it must be an integer"));
}

TEST_CASE("an error of a configuration names the file, the field and what is allowed", "[model]") {
  const TemporaryFolder folder;
  const std::string file = (folder / "config.json").string() + ": ";
  const auto errorWith = [&](const char* field, const nlohmann::json& value) {
    return errorOfOpening(changedLlama(folder, {{field, value}}));
  };
  CHECK(errorWith("vocab_size", 0) == "E_RANGE: " + file +
                                          "vocab_size is 0; it must be from 1 to " +
                                          std::to_string(Index{1} << 24));
  CHECK(errorWith("num_hidden_layers", "three") ==
        "E_TYPE: " + file + "num_hidden_layers is \"three\"; it must be an integer");
  CHECK(errorWith("num_key_value_heads", 3) ==
        "E_RANGE: " + file + "num_key_value_heads is 3; it must be a divisor of the heads, 4");
  for (const char* field : {"hidden_size", "num_attention_heads", "max_position_embeddings",
                            "rms_norm_eps", "hidden_act", "rope_theta", "vocab_size", "head_dim",
                            "intermediate_size", "num_hidden_layers"}) {
    const std::string error = errorWith(field, nlohmann::json::array());
    INFO(field << ": " << error);
    const bool names = contains(error, file + field + " ") || error.empty();
    CHECK(names);
  }
}
