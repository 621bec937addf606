// Captured files, read back as any input is.
#include "core/input/array_file.h"
#include "core/input/input.h"
#include "core/model/capture.h"
#include "core/pattern/mechanism/all.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/model/small_weights.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <unistd.h>

using namespace attention;
using namespace attention::test;

namespace {

// A file of its own, removed with it.
class OwnFile {
public:
  explicit OwnFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("attention-capture-" + std::to_string(::getpid()) + name)) {}
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  ~OwnFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace

TEST_CASE("a captured file holds Q, K and V of the chosen layers, and what a reader needs",
          "[model]") {
  const OwnFile file(".safetensors");
  const auto model = smallModel();
  const std::vector<Index> ids = someIds(12);
  CaptureOptions options;
  options.layers = {2, 0};
  options.pieces = std::vector<std::string>(12, "Ġa");
  captureTo(file.path(), model, ids, options);
  const ArrayFile arrays = readArrays(file.path());
  CHECK(arrays.get("q").shape == std::vector<Index>{2, 4, 12, 16});
  CHECK(arrays.get("k").shape == std::vector<Index>{2, 2, 12, 16});
  CHECK(arrays.get("v").shape == std::vector<Index>{2, 2, 12, 16});
  ForwardOptions watching;
  watching.watch = [&](const LayerView& view) {
    if (view.layer != 0 && view.layer != 2)
      return;
    const Index at = view.layer == 2 ? 0 : 1;
    const Matrix<float> q = slice<float>(arrays.get("q"), at, 3);
    const Matrix<float> v = slice<float>(arrays.get("v"), at, 1);
    for (Index i = 0; i < 12; ++i)
      for (Index c = 0; c < 16; ++c) {
        CHECK(q(i, c) == view.projected.q(i, 3 * 16 + c));
        CHECK(v(i, c) == view.projected.v(i, 16 + c));
      }
  };
  forward(model, ids, {}, watching);
  using nlohmann::json;
  CHECK(json::parse(arrays.metadata.at("scale")) == 0.25);
  CHECK(json::parse(arrays.metadata.at("modifiers")) == json::object());
  CHECK(json::parse(arrays.metadata.at("layers")) == json{2, 0});
  CHECK(json::parse(arrays.metadata.at("ids")).size() == 12);
  CHECK(json::parse(arrays.metadata.at("tokens"))[0] == "Ġa");
  CHECK(json::parse(arrays.metadata.at("patterns"))[1]["mechanism"] == "causal");
  InputSpec spec;
  FileInput source;
  source.input = file.path().string();
  spec.source = source;
  const auto input = loadInput(spec);
  CHECK(input->batchLabels == std::vector<std::string>{"layer 2", "layer 0"});
  CHECK(input->ownMasks.size() == 2);
  CHECK(input->kvHeads == 2);
}

TEST_CASE("layers that differ in their scale share one, and their queries make up for it",
          "[model]") {
  const auto model = smallModel(2);
  model->layers[0].modifiers.scale = 0.5;
  model->layers[1].modifiers.scale = 1;
  const OwnFile other("-other.safetensors");
  captureTo(other.path(), model, someIds(5));
  const ArrayFile arrays = readArrays(other.path());
  CHECK(nlohmann::json::parse(arrays.metadata.at("modifiers")) == nlohmann::json{{"scale", 0.5}});
  ForwardOptions watching;
  watching.watch = [&](const LayerView& view) {
    const Matrix<float> q = slice<float>(arrays.get("q"), view.layer, 1);
    const float factor = view.layer == 0 ? 1 : 2;
    for (Index c = 0; c < 16; ++c)
      CHECK(q(4, c) == factor * view.projected.q(4, 16 + c));
  };
  forward(model, someIds(5), {}, watching);
  CaptureOptions twice;
  twice.layers = {1, 0, 1};
  CHECK(codeAndSubject([&] { captureTo(other.path(), model, someIds(5), twice); }) ==
        "E_RANGE layers");
  model->layers[1].modifiers.softcap = 5;
  CHECK(codeAndSubject([&] { captureTo(other.path(), model, someIds(5)); }) ==
        "E_UNSUPPORTED layers");
}

TEST_CASE("a captured file may hold halves, and is whole or absent", "[model]") {
  const OwnFile file(".safetensors");
  const auto model = smallModel(2);
  CaptureOptions options;
  options.dtype = DType::Float16;
  options.layers = {1};
  captureTo(file.path(), model, someIds(5), options);
  const Tensor keys = readArrays(file.path()).get("k");
  CHECK(keys.dtype == DType::Float16);
  ForwardOptions watching;
  watching.watch = [&](const LayerView& view) {
    if (view.layer != 1)
      return;
    const Matrix<float> k = slice<float>(keys, 0, 1);
    for (Index i = 0; i < 5; ++i)
      for (Index c = 0; c < 16; ++c) {
        const float exact = view.projected.k(i, 16 + c);
        CHECK(k(i, c) == Approx(exact).epsilon(0x1p-11).margin(0x1p-25)); // half a digit
      }
  };
  forward(model, someIds(5), {}, watching);
  std::filesystem::remove(file.path());
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(captureTo(file.path(), model, someIds(5), options, {stop.get_token(), {}}),
                  Stopped);
  CHECK_FALSE(std::filesystem::exists(file.path()));
}
