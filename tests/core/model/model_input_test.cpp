// A model that reads a text as an input: what its layers hold beside a captured file, in any order,
// and the spec as JSON.
#include "core/model/capture.h"
#include "core/model/model_input.h"
#include "core/pattern/mechanism/causal.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/figure/tiny_model.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <stop_token>
#include <thread>

using namespace attention;

namespace {

InputSpec specOf(const TinyModel& tiny, const std::string& text = "it is a truth") {
  ModelInput of;
  of.model = tiny.path().string();
  of.typed = text;
  InputSpec spec;
  spec.source = of;
  return spec;
}

} // namespace

TEST_CASE("A model's layers are those of a captured file, in whatever order they are asked for",
          "[model]") {
  const std::string name = GENERATE("llama", "gemma2", "gpt2", "bert");
  const TinyModel tiny(name);
  const auto input = openInput(specOf(tiny));
  const auto file = tiny.path() / "captured.safetensors";
  captureTo(file, openModel(tiny.path()), input->ids);
  FileInput files;
  files.input = file.string();
  InputSpec spec;
  spec.source = files;
  const auto captured = openInput(spec);
  CHECK(input->queries == 13);
  CHECK(input->batches == captured->batches);
  CHECK(input->heads == captured->heads);
  CHECK(input->kvHeads == captured->kvHeads);
  ScoreModifiers stated = input->modifiers; // a file states the usual scale too
  stated.scale = stated.scale.value_or(std::pow(static_cast<double>(input->d), -0.5));
  CHECK(stated == captured->modifiers);
  CHECK(input->ownMasks == captured->ownMasks);
  CHECK(input->attends == captured->attends);
  CHECK(input->batchLabels == captured->batchLabels);
  for (const Index layer : {input->batches - 1, Index{0}, input->batches / 2, Index{0}})
    for (Index head = input->heads - 1; head >= 0; --head) {
      INFO(name << " layer " << layer << " head " << head);
      CHECK(input->q<float>(head, layer) == captured->q<float>(head, layer));
      CHECK(input->k<double>(head, layer) == captured->k<double>(head, layer));
      CHECK(input->v<float>(head, layer) == captured->v<float>(head, layer));
    }
  CHECK(codeAndSubject([&] { input->q<float>(input->heads, 0); }) == "E_RANGE head-index");
  CHECK(codeAndSubject([&] { input->q<float>(0, input->batches); }) == "E_RANGE batch");
}

TEST_CASE("Several threads may ask for different layers of a model", "[model]") {
  const TinyModel tiny;
  const auto input = openInput(specOf(tiny));
  const auto alone = openInput(specOf(tiny));
  std::array<Matrix<float>, 3> found;
  {
    std::array<std::jthread, 3> threads;
    for (Index layer = 0; layer < 3; ++layer)
      threads[static_cast<std::size_t>(layer)] = std::jthread([&, layer] {
        for (int again = 0; again < 5; ++again)
          found[static_cast<std::size_t>(layer)] = input->q<float>(1, layer);
      });
  }
  for (Index layer = 0; layer < 3; ++layer)
    CHECK(found[static_cast<std::size_t>(layer)] == alone->q<float>(1, layer));
}

TEST_CASE("A layer whose computation was stopped is computed when it is asked for again",
          "[model]") {
  const TinyModel tiny;
  const auto input = openInput(specOf(tiny));
  std::stop_source stop;
  stop.request_stop();
  Run stopped;
  stopped.stop = stop.get_token();
  CHECK_THROWS_AS(input->q<float>(0, 2, stopped), Stopped);
  CHECK(input->q<float>(0, 2) == openInput(specOf(tiny))->q<float>(0, 2));
}

TEST_CASE("A model's input has its text: words, pieces, ids, the first n of them", "[model]") {
  const TinyModel tiny;
  InputSpec spec = specOf(tiny, "a bc");
  auto& of = std::get<ModelInput>(spec.source);
  const auto input = openInput(spec);
  CHECK(input->ids == std::vector<Index>{1, 0, 2, 3});
  CHECK(input->pieces == std::vector<std::string>{"a", "Ġ", "b", "c"});
  CHECK(input->tokens.size() == 4);
  CHECK(input->metadata.at("text") == "the typed text");
  of.n = 2;
  CHECK(openInput(spec)->queries == 2);
  of.ids = {5, 6, 7};
  of.n = 512;
  CHECK(openInput(spec)->pieces == std::vector<std::string>{"e", "f", "g"});
  CHECK(openInput(spec)->metadata.at("text") == "the given ids");
  CHECK(modelTextName(ModelInput()) == "pride_and_prejudice_1.txt");
}

TEST_CASE("What a model's input cannot be read from is named", "[model]") {
  const TinyModel tiny;
  const auto codeOf = [&](const auto& change) {
    InputSpec spec = specOf(tiny);
    change(std::get<ModelInput>(spec.source));
    return codeAndSubject([&] { openInput(spec)->q<float>(0); });
  };
  CHECK(codeOf([](ModelInput& of) { of.model.clear(); }) == "E_TYPE input.model");
  CHECK(codeOf([](ModelInput& of) { of.model = "/nowhere"; }) == "E_IO /nowhere");
  CHECK(codeOf([](ModelInput& of) { of.text = "/nowhere.txt"; }) == "E_IO /nowhere.txt");
  CHECK(codeOf([](ModelInput& of) { of.n = 0; }) == "E_RANGE n");
  CHECK(codeOf([](ModelInput& of) { of.ids = {999}; }) == "E_RANGE ids");
}

TEST_CASE("A model's input is written to a scene and read from it", "[model]") {
  InputSpec spec;
  spec.source = ModelInput{"m.gguf", "t.txt", "typed", {1, 2}, 33};
  spec.batch = 3;
  spec.head = 1;
  CHECK(inputSpecFromJson(toJson(spec)) == spec);
  CHECK(unknownFields(toJson(spec)).empty());
  CHECK(codeAndSubject([] {
          inputSpecFromJson({{"kind", "model"}, {"model", "m"}, {"ids", {-1}}});
        }) == "E_RANGE input.ids[0]");
  CHECK(codeAndSubject([] {
          inputSpecFromJson({{"kind", "model"}, {"model", 3}});
        }) == "E_TYPE input.model");
}
