// What a file says about its model: how scores are made, which mask each layer has, tokens, ids.
#include "core/attention/modifiers_json.h"
#include "core/input/model_metadata.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "tests/catch.h"
#include "tests/core/input/model_file_for_tests.h"
#include "tests/core/input/npz_for_tests.h"

#include <nlohmann/json.hpp>

using namespace attention;
using namespace attention::test;

namespace {

using Metadata = nlohmann::ordered_json;

constexpr Index kLayers = 2;
constexpr Index kN = 3;

// q, k and v [2, 1, 3, 1] of zeros, and a mask [2, 3, 3] from `mask` if it has 18 cells.
std::string fileOf(const Metadata& metadata, const std::vector<std::uint8_t>& mask = {}) {
  Metadata header{{"__metadata__", metadata}};
  std::size_t at = 0;
  const auto add = [&](const char* name, const char* dtype, const std::vector<Index>& shape,
                       std::size_t bytes) {
    header[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
    at += bytes;
  };
  for (const char* name : {"q", "k", "v"})
    add(name, "F32", {kLayers, 1, kN, 1}, 24);
  if (!mask.empty())
    add("mask", "BOOL", {kLayers, kN, kN}, 18);
  return safetensors(header.dump(), std::string(72, '\0') + raw(mask));
}

std::shared_ptr<const Input> loaded(const Metadata& metadata,
                                    const std::vector<std::uint8_t>& mask = {}) {
  const TemporaryFolder folder;
  InputSpec spec;
  FileInput files;
  files.input = folder.write("m.safetensors", fileOf(metadata, mask));
  spec.source = files;
  return loadInput(spec);
}

std::string errorWith(const char* key, const std::string& text) {
  return errorOf([&] { loaded({{key, text}}); });
}

} // namespace

TEST_CASE("scale and soft cap are read from keys of their own and from modifiers") {
  const auto old = loaded({{"scale", "0.5"}, {"softcap", "20.0"}});
  CHECK(old->modifiers.scale == 0.5);
  CHECK(old->modifiers.softcap == 20.0);
  const auto by =
      loaded({{"scale", "0.5"}, {"modifiers", R"({"softcap": 30, "order": ["softcap", "bias"]})"}});
  CHECK(by->modifiers.scale == 0.5);
  CHECK(by->modifiers.softcap == 30.0);
  CHECK_FALSE(loaded({{"modifiers", "{}"}})->modifiers.softcap);
  CHECK_FALSE(
      loaded({{"softcap", "null"}})->modifiers.softcap); // as json.dumps writes Python's None
  CHECK_FALSE(
      loaded({{"scale", "null"}, {"modifiers", R"({"softcap": null})"}})->modifiers.softcap);
  CHECK(loaded({{"modifiers", R"({"scale": 2})"}})->modifiers.scale == 2.0);
  CHECK(loaded({{"softcap", "5"}, {"modifiers", R"({"softcap": 5})"}})->modifiers.softcap == 5.0);
  CHECK(contains(errorWith("modifiers", R"({"softcap": 5, "scale": "x"})"), "modifiers.scale"));
  CHECK(contains(errorOf([] {
                   loaded({{"softcap", "5"}, {"modifiers", R"({"softcap": 6})"}});
                 }),
                 "they must agree"));
}

TEST_CASE("all modifiers are read from a file, and what is wrong with them is named") {
  const ScoreModifiers read =
      loaded({{"modifiers", R"({"temperature": 2, "sink": [0.5], "order": ["bias", "softcap"],
                               "bias": {"kind": "alibi", "slopes": [0.25], "side": "signed"}})"}})
          ->modifiers;
  CHECK(read.temperature == 2);
  CHECK(read.sink == HeadNumbers{{0.5}});
  CHECK(read.biasFirst);
  CHECK(std::get<AlibiBias>(read.bias) == AlibiBias{HeadNumbers{{0.25}}, AlibiSide::Signed});
  const std::string t5 = R"({"bias": {"kind": "t5", "table": [[1], [2], [3], [4]],
                                      "bidirectional": false, "max_distance": 9}})";
  CHECK(std::get<T5Bias>(loaded({{"modifiers", t5}})->modifiers.bias) ==
        T5Bias{{{1}, {2}, {3}, {4}}, false, 9});
  CHECK(toJson(scoreModifiers(nlohmann::json::parse(t5), "x")) == nlohmann::json::parse(t5));
  CHECK(contains(errorWith("modifiers", R"({"sink": [1, 2]})"), "E_SHAPE"));
  CHECK(contains(errorWith("modifiers", R"({"sink": "a"})"), "metadata modifiers.sink"));
  CHECK(contains(errorWith("modifiers", R"({"bias": {"kind": "rotary"}})"), "E_UNKNOWN"));
  CHECK(contains(errorWith("modifiers", R"({"bias": {"slope": 1}})"), "modifiers.bias.kind"));
  CHECK(contains(errorWith("modifiers", R"({"bias": {"kind": "alibi", "slope": 1}})"),
                 "modifiers.bias.slope is not a parameter"));
  CHECK(contains(errorWith("modifiers", R"({"bias": {"kind": "relative", "table": [1, 2]}})"),
                 "E_SHAPE"));
  CHECK(errorWith("modifiers", R"({"temperature": 1, "bias": null, "sink": null})").empty());
  CHECK(contains(errorWith("modifiers", R"({"cap": 1})"), "E_UNKNOWN"));
  CHECK(contains(errorWith("modifiers", R"({"order": ["softcap", "softcap"]})"), "E_RANGE"));
  CHECK(contains(errorWith("modifiers", "[]"), "E_TYPE"));
}

TEST_CASE("lists of modifiers must have one number for each of the file's heads") {
  const auto ofTwoHeads = [](const std::string& modifiers) {
    std::vector<ModelArray> arrays;
    for (const char* name : {"q", "k", "v"})
      arrays.push_back({name, "F32", {1, 2, 3, 1}, std::string(24, '\0')});
    const TemporaryFolder folder;
    FileInput files;
    files.input = folder.write("m.safetensors", modelFile({{"modifiers", modifiers}}, arrays));
    return loadedFrom(files)->modifiers;
  };
  CHECK(ofTwoHeads(R"({"sink": [1, 2]})").sink == HeadNumbers{{1, 2}});
  CHECK(std::get<T5Bias>(ofTwoHeads(R"({"bias": {"kind": "t5", "table": [[1, 2], [3, 4]],
                                               "bidirectional": false}})")
                             .bias)
            .table.size() == 2);
  CHECK(contains(errorOf([&] { ofTwoHeads(R"({"sink": [1]})"); }),
                 "modifiers.sink has 1 number; it must have one for each of the 2 heads"));
}

TEST_CASE("each layer has the pattern or the mask that the file gives it") {
  const auto input = loaded(
      {{"patterns", R"([{"mechanism": "local", "params": {"window": 2, "causal": true}}, null])"},
       {"layers", "[4, 7]"}},
      {1, 1, 1, 1, 1, 1, 1, 1, 1, /* layer 7: */ 1, 0, 0, 0, 1, 1, 0, 0, 0});
  REQUIRE(input->ownMasks.size() == 2);
  Local local;
  local.window = 2;
  local.causal = true;
  CHECK(input->ownMasks[0] == Pattern(local));
  const auto second = prepare(input->ownMasks[1], squareLengths(kN));
  for (Index i = 0; i < kN; ++i)
    for (Index j = 0; j < kN; ++j)
      CHECK(second->contains(i, j) == ((i == 0 && j == 0) || (i == 1 && j >= 1)));
  CHECK(input->batchLabels == std::vector<std::string>{"layer 4", "layer 7"});
}

TEST_CASE("older files name their mask in one word, and a missing mask is reported") {
  CHECK(loaded({{"mask", "full"}})->ownMasks == std::vector<Pattern>(2, Pattern(Full{})));
  CHECK(loaded({{"mask", "causal"}})->ownMasks == std::vector<Pattern>(2, Pattern(Causal{})));
  const auto other = loaded({{"mask", "other"}});
  CHECK(other->ownMasks.empty());
  CHECK(contains(other->maskProblem, "neither full nor causal"));
  const auto held = loaded({{"mask", "other"}}, std::vector<std::uint8_t>(18, 1));
  CHECK(held->ownMasks.size() == 2);
  CHECK(held->maskProblem.empty());
}

TEST_CASE("raw pieces are kept, and labels are what people read") {
  const auto byteLevel = loaded({{"tokens", R"(["Alice", "Ġwas", "Ã©Ċ"])"}, {"ids", "[5, 6, 7]"}});
  CHECK(byteLevel->pieces == std::vector<std::string>{"Alice", "Ġwas", "Ã©Ċ"});
  CHECK(byteLevel->tokens == std::vector<std::string>{"Alice", "was", "é\\n"});
  CHECK(byteLevel->ids == std::vector<Index>{5, 6, 7});
  const auto pieces = loaded({{"tokens", R"(["▁the", "##ing", "▁"])"}});
  CHECK(pieces->tokens == std::vector<std::string>{"the", "##ing", "▁"});
}

TEST_CASE("texts of the metadata are read with quotes and without") {
  CHECK(loaded({{"model", "\"org/name\""}})->metadata.at("model") == "org/name");
  CHECK(loaded({{"model", "org/name"}})->metadata.at("model") == "org/name");
}

TEST_CASE("arrays of an archive state scale and soft cap, and what cannot be read is named") {
  const TemporaryFolder folder;
  const std::string zeros(12, '\0');
  const auto load = [&](const std::string& extra, const std::string& name) {
    InputSpec spec;
    FileInput files;
    // A .safetensors file without text, as an archive has none.
    const std::string header = R"({"q":{"dtype":"F32","shape":[3,1],"data_offsets":[0,12]},)"
                               R"("k":{"dtype":"F32","shape":[3,1],"data_offsets":[12,24]},)"
                               R"("v":{"dtype":"F32","shape":[3,1],"data_offsets":[24,36]},")" +
                               name + R"(":{"dtype":"F32","shape":[)" +
                               std::to_string(extra.size() / 4) + R"(],"data_offsets":[36,)" +
                               std::to_string(36 + extra.size()) + "]}}";
    files.input = folder.write("a.safetensors", safetensors(header, zeros + zeros + zeros + extra));
    spec.source = files;
    return loadInput(spec);
  };
  CHECK(load(raw(std::vector<float>{20}), "softcap")->modifiers.softcap == 20.0);
  CHECK(load(raw(std::vector<float>{0.5F}), "scale")->modifiers.scale == 0.5);
  CHECK(contains(errorOf([&] {
                   load(raw(std::vector<float>{1, 2}), "softcap");
                 }),
                 "it must be one number"));
  CHECK(contains(errorOf([&] { load(raw(std::vector<float>{-1}), "softcap"); }), "above 0"));
  for (const char* key :
       {"scale", "softcap"}) { // switches, as people may mean them, are no numbers
    const std::string column = npy("<f4", "(3, 1)", std::string(12, '\0'));
    FileInput files;
    files.input =
        folder.write("s.npz", npzOf({{"q.npy", column},
                                     {"k.npy", column},
                                     {std::string(key) + ".npy", npy("|b1", "()", "\1")}}));
    CHECK(contains(errorOf([&] { loadedFrom(files); }), "is true; it must be a number"));
  }
  CHECK(contains(errorOf([&] { load(raw(std::vector<float>{1}), "modifiers"); }), "modifiers"));
}

TEST_CASE("texts and single numbers of an archive mean what the metadata of other files mean") {
  const TemporaryFolder folder;
  const std::string numbers = npy("<f4", "(3, 1)", std::string(12, '\0'));
  const auto load = [&](std::vector<ZipMember> members) {
    for (const char* name : {"q.npy", "k.npy", "v.npy"})
      members.push_back({name, numbers});
    InputSpec spec;
    FileInput files;
    files.input = folder.write("a.npz", zipOf(members));
    spec.source = files;
    return loadInput(spec);
  };
  // NumPy's U: four bytes per character, padded with zeros.
  const auto wide = [](const std::vector<std::u32string>& texts, const std::string& shape) {
    std::size_t longest = 0;
    for (const std::u32string& text : texts)
      longest = std::max(longest, text.size());
    std::string bytes;
    for (const std::u32string& text : texts)
      for (std::size_t k = 0; k < longest; ++k)
        bytes += littleEndian(k < text.size() ? text[k] : 0, 4);
    return npy("<U" + std::to_string(longest), shape, bytes);
  };
  const auto input =
      load({{"scale.npy", npy("<f8", "()", raw(std::vector<double>{0.125}))},
            {"softcap.npy", wide({U"20"}, "()"), true},
            {"model.npy", npy("|S5", "()", std::string("gpt2\0", 5))},
            {"patterns.npy", wide({UR"([{"mechanism": "causal", "params": {}}])"}, "(1,)")},
            {"tokens.npy", wide({U"ein", U"Öl", U"猫𝄞"}, "(3,)")}});
  CHECK(input->modifiers.scale == 0.125);
  CHECK(input->modifiers.softcap == 20.0);
  CHECK(input->metadata.at("model") == "gpt2");
  CHECK(input->tokens == std::vector<std::string>{"ein", "Öl", "猫𝄞"});
  REQUIRE(input->ownMasks.size() == 1);
  CHECK(input->ownMasks[0] == Pattern(Causal{}));
  const std::vector<std::pair<ZipMember, std::string>> wrong{
      {{"scale.npy", wide({U"wide"}, "()")}, "metadata scale"},
      {{"softcap.npy", npy("<f8", "()", raw(std::vector<double>{-1}))}, "metadata softcap"},
      {{"patterns.npy", numbers}, "array \"patterns\" of numbers; it must be one JSON text"},
      {{"tokens.npy", npy("<U1", "()", littleEndian(0xD800, 4))}, "holds the number 55296"}};
  for (const auto& [member, said] : wrong)
    CHECK(contains(errorOf([&, named = member] { load({named}); }), said));
}
