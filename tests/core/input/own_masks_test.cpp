// The model's own masks as given in a file of Q, K and V: patterns and arrays of each layer.
#include "core/input/model_metadata.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/prepared.h"
#include "tests/catch.h"
#include "tests/core/input/model_file_for_tests.h"
#include "tests/core/input/npz_for_tests.h"
#include "tests/core/input/own_masks_for_tests.h"

#include <limits>

using namespace attention;
using namespace attention::test;

namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

// The error from loading two layers of three tokens with these patterns.
std::string patternsError(const std::string& first) {
  const std::string causal = R"({"mechanism": "causal"})";
  return errorOf([&] { loadedModel({{"patterns", "[" + first + ", " + causal + "]"}}, 2, 3); });
}

Index pairsOf(const Input& input, std::size_t layer) {
  return prepare(input.ownMasks[layer], squareLengths(input.keys))->pairs();
}

} // namespace

TEST_CASE("an additive layer of zeros attends to everything if another layer forbids something") {
  std::vector<float> cells(18, 0.0F);
  for (const std::size_t upper : {1U, 2U, 5U})
    cells[9 + upper] = kForbidden;
  const auto input = loadedModel({}, 2, 3, {{"mask", "F32", {2, 3, 3}, raw(cells)}});
  REQUIRE(input->ownMasks.size() == 2);
  CHECK(pairsOf(*input, 0) == 9);
  CHECK(pairsOf(*input, 1) == 6);
}

TEST_CASE("masks of layers may have axes of length one and either memory order") {
  const std::vector<std::uint8_t> cells{1, 1, 0, 0, 1, 0, 0, 0, 1};
  for (const std::vector<Index>& shape : {std::vector<Index>{3, 3}, {1, 3, 3}, {1, 1, 3, 3}})
    CHECK(pairsOf(*loadedModel({}, 1, 3, {{"mask", "BOOL", shape, raw(cells)}}), 0) == 4);
  std::vector<std::uint8_t> two = cells;
  two.insert(two.end(), 9, 1);
  for (const std::vector<Index>& shape :
       {std::vector<Index>{2, 3, 3}, {1, 2, 3, 3}, {2, 1, 3, 3}}) {
    const auto input = loadedModel({}, 2, 3, {{"mask", "BOOL", shape, raw(two)}});
    CHECK(pairsOf(*input, 0) == 4);
    CHECK(pairsOf(*input, 1) == 9);
  }
  CHECK(contains(errorOf([&] {
                   loadedModel({}, 1, 3, {{"mask", "BOOL", {2, 3, 3}, raw(two)}});
                 }),
                 "it must be (1, 3, 3)"));
  // Query 0 attends to keys 0 and 1: in Fortran's order the transposed bytes.
  const TemporaryFolder folder;
  const std::string zeros = npy("<f4", "(1, 1, 3, 1)", std::string(12, '\0'));
  const std::vector<std::uint8_t> columns{1, 0, 0, 1, 1, 0, 0, 0, 1};
  FileInput files;
  files.input =
      folder.write("m.npz", npzOf({{"q.npy", zeros},
                                   {"k.npy", zeros},
                                   {"v.npy", zeros},
                                   {"mask.npy", npy("|b1", "(3, 3)", raw(columns), true)}}));
  const auto input = loadedFrom(files);
  const auto mask = prepare(input->ownMasks.at(0), squareLengths(3));
  CHECK(mask->contains(0, 1));
  CHECK_FALSE(mask->contains(1, 0));
}

TEST_CASE("masks and biases beside queries that are not used are named") {
  for (const char* name :
       {"attn_mask", "attention_mask", "key_padding_mask", "MASK", "is_causal"}) {
    const auto input = loadedModel({}, 2, 3, {{name, "BOOL", {1, 3}, std::string(3, '\1')}});
    CHECK(input->ownMasks.empty());
    REQUIRE(input->notes.size() == 1);
    CHECK(contains(input->notes[0],
                   "m.safetensors: array \"" + std::string(name) +
                       "\" is not used; the model's own mask must be an array \"mask\" of shape "
                       "(2, 3, 3), where 1 attends."));
  }
  const auto biased = loadedModel({}, 1, 3, {{"attn_bias", "F32", {3, 3}, std::string(36, '\1')}});
  REQUIRE(biased->notes.size() == 1);
  CHECK(contains(biased->notes[0], "array \"attn_bias\" is not used; whatever changes the scores"));
  const auto sinks = loadedModel({}, 1, 3, {{"s_aux", "F32", {3}, std::string(12, '\1')}});
  REQUIRE(sinks->notes.size() == 1);
  CHECK(contains(sinks->notes[0], "array \"s_aux\" is not used"));
  CHECK(loadedModel({}, 1, 3, {{"mask", "BOOL", {3, 3}, std::string(9, '\1')}})->notes.empty());
}

TEST_CASE("metadata that speak of other scores and are not used are named") {
  for (const char* key :
       {"attn_logit_softcapping", "soft_cap", "Softcap", "temperature", "sink", "alibi"}) {
    const auto input = loadedModel({{key, "2"}}, 1, 3);
    REQUIRE(input->notes.size() == 1);
    CHECK(contains(input->notes[0],
                   "m.safetensors: metadata " + std::string(key) +
                       " is not used; whatever changes the scores must be in the metadata "
                       "\"modifiers\"."));
  }
  const auto window = loadedModel({{"sliding_window", "4096"}}, 1, 3);
  REQUIRE(window->notes.size() == 1);
  CHECK(contains(window->notes[0], "m.safetensors: metadata sliding_window is not used; a file "
                                   "names its own masks by \"patterns\"."));
  CHECK(loadedModel({{"softcap", "2"}, {"scale", "1"}, {"title", "causal"}}, 1, 3)->notes.empty());
}

TEST_CASE("arrays and metadata that nothing reads are listed") {
  const auto numbers = [](const char* name) {
    return ModelArray{name, "F32", {3}, std::string(12, '\0')};
  };
  const auto several = loadedModel({{"layout", "bnhd"}, {"author", "me"}}, 1, 3,
                                   {numbers("cos"), numbers("attn_weights")});
  REQUIRE(several->notes.size() == 1);
  CHECK(contains(several->notes[0],
                 "m.safetensors also holds attn_weights, cos and layout, which are not used."));
  CHECK(contains(loadedModel({}, 1, 3, {numbers("note")})->notes.at(0), "also holds note, which"));
  const auto one =
      loadedModel({}, 1, 3, {{"attention", "F32", {1, 1, 3, 3}, std::string(36, '\0')}});
  REQUIRE(one->notes.size() == 1); // ready weights are read where there are no queries
  CHECK(contains(one->notes[0], "m.safetensors also holds attention, which is not used."));
  std::vector<ModelArray> many;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
    many.push_back(numbers(name));
  CHECK(
      contains(loadedModel({}, 1, 3, many)->notes.at(0), "a, b, c, d, e, f, g and 2 more, which"));
}

TEST_CASE("a mask or scale of a single layer is not taken for that of all") {
  const std::string numbers(36, '\0');
  const auto input = loadedModel({}, 1, 3,
                                 {{"layer.0.mask", "F32", {3, 3}, numbers},
                                  {"layers.0.softcap", "F32", {9}, numbers},
                                  {"layer.0.wq", "F32", {9}, numbers}});
  REQUIRE(input->notes.size() == 3);
  CHECK(contains(input->notes[0], "array \"layer.0.mask\" is not used; the model's own mask"));
  CHECK(contains(input->notes[1], "array \"layers.0.softcap\" is not used; whatever changes"));
  CHECK(contains(input->notes[2], "also holds layer.0.wq, which is not used"));
}

TEST_CASE("numbers of layers and heads may be arrays of an archive") {
  const TemporaryFolder folder;
  const std::string zeros = npy("<f4", "(2, 1, 3, 1)", std::string(24, '\0'));
  const auto loaded = [&](const std::string& layers, const std::string& scale) {
    FileInput files;
    files.input =
        folder.write("m.npz", npzOf({{"q.npy", zeros},
                                     {"k.npy", zeros},
                                     {"v.npy", zeros},
                                     {"layers.npy", layers},
                                     {"heads.npy", npy("<i8", "(1,)", raw<std::int64_t>({9}))},
                                     {"scale.npy", scale}}));
    return loadedFrom(files);
  };
  const std::string half = npy("<f8", "()", raw<double>({0.5}));
  const auto input = loaded(npy("<i8", "(2,)", raw<std::int64_t>({3, 7})), half);
  CHECK(input->batchLabels == std::vector<std::string>{"layer 3", "layer 7"});
  CHECK(headNumber(*input, 0) == 9);
  const std::string one = npy("<i8", "(1,)", raw<std::int64_t>({3}));
  CHECK(contains(errorOf([&] { loaded(one, half); }), "layers has 1 number; it must have one for"));
  CHECK(contains(errorOf([&] { loaded(one, npy("|b1", "(1,)", "\1")); }), "E_TYPE"));
}

TEST_CASE("an array that a longer name chooses is none that is not used") {
  const std::string bytes(12, '\0');
  const TemporaryFolder folder;
  FileInput files;
  files.qName = "layer.1.q";
  files.kName = "layer.1.k";
  files.vName = "layer.1.v";
  std::vector<ModelArray> arrays = zeroArrays(1, 3);
  for (const char* name : {"layer.1.q", "layer.1.k", "layer.1.v", "layer.0.q"})
    arrays.push_back({name, "F32", {3, 1}, bytes});
  files.input = folder.write("m.safetensors", modelFile({}, arrays));
  const auto input = loadedFrom(files);
  REQUIRE(input->notes.size() == 1);
  CHECK(contains(input->notes[0], "also holds k, layer.0.q, q and v, which are not used"));
  files.attentionName = "layer.0.q";
  CHECK(contains(errorOf([&] { loadedFrom(files); }), "attention-name is \"layer.0.q\", but "));
}

TEST_CASE("an archive with every text and number that is read has no note") {
  const TemporaryFolder folder;
  const std::string zeros = npy("<f4", "(1, 1, 3, 1)", std::string(12, '\0'));
  const auto text = [](std::string value) {
    return npy("|S" + std::to_string(value.size()), "()", value);
  };
  FileInput files;
  files.input = folder.write("m.npz", npzOf({{"q.npy", zeros},
                                             {"k.npy", zeros},
                                             {"v.npy", zeros},
                                             {"tokens.npy", npy("|S1", "(3,)", "abc")},
                                             {"patterns.npy", text(R"([{"mechanism": "causal"}])")},
                                             {"modifiers.npy", text(R"({"softcap": 5})")},
                                             {"model.npy", text("\"m\"")},
                                             {"title.npy", text("Three tokens")},
                                             {"scale.npy", npy("<f8", "()", raw<double>({0.5}))}}));
  CHECK(loadedFrom(files)->notes.empty());
}

TEST_CASE("what only describes an archive need not be readable") {
  const TemporaryFolder folder;
  const std::string zeros = npy("<f4", "(1, 1, 3, 1)", std::string(12, '\0'));
  FileInput files;
  files.input =
      folder.write("m.npz", npzOf({{"q.npy", zeros},
                                   {"k.npy", zeros},
                                   {"source.npy", npy("[('a', '<f4')]", "(1,)", "1234")},
                                   {"url.npy", npy("<U1", "()", littleEndian(0xD800, 4))}}));
  const auto input = loadedFrom(files);
  REQUIRE(input->notes.size() == 1);
  CHECK(contains(input->notes[0], "also holds source and url, which are not used"));
}

TEST_CASE("arrays beside ready weights that nothing reads are listed") {
  const TemporaryFolder folder;
  FileInput files;
  files.input = folder.write(
      "w.safetensors", modelFile({}, {{"attention", "F32", {1, 2, 2}, raw<float>({1, 0, 0.5, 0.5})},
                                      {"mask", "BOOL", {2, 2}, std::string(4, '\1')},
                                      {"sinks", "F32", {2}, std::string(8, '\0')}}));
  const auto input = loadedFrom(files);
  REQUIRE(input->notes.size() == 1);
  CHECK(contains(input->notes[0], "w.safetensors also holds mask and sinks, which are not used."));
}

TEST_CASE("what speaks of masks or scores and is not used has its own note") {
  for (const char* key : {"pattern", "segment_ids", "cu_seqlens", "attention_multiplier"}) {
    const auto input = loadedModel({{key, "2"}}, 1, 3);
    REQUIRE(input->notes.size() == 1);
    CHECK(contains(input->notes[0], "metadata " + std::string(key) + " is not used; "));
  }
}

TEST_CASE("one mask serves all layers") {
  const std::vector<std::uint8_t> cells{1, 1, 0, 0, 1, 0, 0, 0, 1};
  for (const std::vector<Index>& shape : {std::vector<Index>{3, 3}, {1, 3, 3}, {1, 1, 3, 3}}) {
    const auto input = loadedModel({}, 2, 3, {{"mask", "BOOL", shape, raw(cells)}});
    CHECK(pairsOf(*input, 0) == 4);
    CHECK(pairsOf(*input, 1) == 4);
    CHECK(input->notes.empty());
  }
}

TEST_CASE("own masks that attend to nothing, and masks that patterns replace, are told") {
  const std::string zeros(36, '\0');
  const auto nothing = loadedModel({}, 1, 3, {{"mask", "F32", {1, 3, 3}, zeros}});
  REQUIRE(nothing->notes.size() == 1);
  const auto forbidden =
      loadedModel({{"layers", "[4]"}}, 1, 3,
                  {{"mask", "F32", {1, 3, 3}, raw(std::vector<float>(9, kForbidden))}});
  REQUIRE(forbidden->notes.size() == 1); // of no zeros
  CHECK(forbidden->notes[0].ends_with("array \"mask\": in layer 4 no query sees a key."));
  CHECK(contains(nothing->notes[0],
                 "array \"mask\": in batch 0 no query sees a key; an array of zeros is read as "
                 "cells of 0 and 1, not as an additive mask."));
  const auto replaced = loadedModel({{"patterns", R"([{"mechanism": "causal"}])"}}, 1, 3,
                                    {{"mask", "BOOL", {3, 3}, std::string(9, '\1')}});
  REQUIRE(replaced->notes.size() == 1);
  CHECK(contains(replaced->notes[0],
                 "array \"mask\" is not used, since \"patterns\" names a pattern for each layer"));
}

TEST_CASE("an own pattern that chooses by the data is told, since nothing is measured against it") {
  const auto input = loadedModel({{"patterns", R"([{"mechanism": "topk"}])"}}, 1, 3);
  REQUIRE(input->notes.size() == 1);
  CHECK(contains(input->notes[0], "metadata patterns: topk chooses keys by the data"));
}

TEST_CASE("a layer's pattern that cannot be used is refused when the file is read") {
  CHECK(contains(patternsError(R"({"mechanism": "given", "params": {"mask": [[1, 0, 1, 1]]}})"),
                 "mask is 1 × 4; it must be 3 × 3"));
  for (const auto& [pattern, said] : std::vector<std::pair<std::string, std::string>>{
           {R"({"mechanism": "expr", "params": {"expr": "j <"}})", "E_EXPR"},
           {R"({"mechanism": "given", "params": {"mask": "m.npy"}})", "m.npy"},
           {R"({"mechanism": "compose", "params": {"op": "complement", "of":
               [{"mechanism": "given", "params": {"mask": "m.npy"}}]}})",
            "m.npy"},
           {R"({"mechanism": 5})", "E_TYPE"},
           {R"({"mechanism": null})", "E_TYPE"},
           {R"({"mechanism": ["given"]})", "E_TYPE"},
           {R"(7)", "E_TYPE"},
           {R"([])", "E_TYPE"}}) {
    const std::string error = patternsError(pattern);
    INFO(pattern << ": " << error);
    CHECK(contains(error, said));
    CHECK(contains(error, "m.safetensors: metadata patterns"));
    CHECK_FALSE(contains(error, "json.exception"));
  }
}

TEST_CASE("an encoder is called an encoder and a decoder a decoder") {
  const auto of = [](const std::vector<Pattern>& masks) { return attendsBy(withMasks(masks, 8)); };
  CHECK(of({Pattern(Full{}), Pattern(Full{})}) == Attends::BothWays);
  CHECK(of({Pattern(Causal{}), causalBand(3)}) == Attends::Backward);
  CHECK(of({Pattern(Causal{}), Pattern(Full{})}) == Attends::Mixed);
  CHECK(of({Pattern(Full{true}), Pattern(Full{true})}) == Attends::Backward);
  CHECK(of({}) == Attends::Unknown);
  CHECK(of({patternNamed("topk")}) == Attends::Unknown); // depends on the data
  CHECK(attendsText(Attends::BothWays).starts_with("This model is an encoder"));
  CHECK(attendsText(Attends::Backward).starts_with("This model is a decoder"));
  CHECK(attendsText(Attends::Mixed).starts_with("Some layers"));
  CHECK(attendsText(Attends::Unknown).empty());
}

TEST_CASE("how a model attends is determined once, when its file is read") {
  CHECK(loadedModel({{"mask", "full"}}, 2, 3)->attends == Attends::BothWays);
  CHECK(loadedModel({{"mask", "causal"}}, 2, 3)->attends == Attends::Backward);
  CHECK(loadedModel({}, 2, 3)->attends == Attends::Unknown);
  // Checking every row of a formula would take minutes.
  CHECK(loadedModel({{"patterns", R"([{"mechanism": "expr", "params": {"expr": "j <= i"}}])"}}, 1,
                    16384)
            ->attends == Attends::Unknown);
}
