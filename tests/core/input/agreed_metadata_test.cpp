// What files say about their model when q, k and v each come from their own file.
#include "core/pattern/mechanism/causal.h"
#include "tests/catch.h"
#include "tests/core/input/model_file_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

using Metadata = std::map<std::string, std::string>;

const Metadata kCapped{{"scale", "0.5"},
                       {"softcap", "20"},
                       {"patterns", R"([{"mechanism": "causal"}])"},
                       {"tokens", R"(["a", "b", "c"])"},
                       {"model", "one"}};

// q, k and v from separate files.
std::shared_ptr<const Input> separate(const Metadata& q, const Metadata& k, const Metadata& v) {
  const TemporaryFolder folder;
  FileInput files;
  files.q = folder.write("q.safetensors", modelFile(q, zeroArrays(1, 3)));
  files.k = folder.write("k.safetensors", modelFile(k, zeroArrays(1, 3)));
  files.v = folder.write("v.safetensors", modelFile(v, zeroArrays(1, 3)));
  return loadedFrom(files);
}

} // namespace

TEST_CASE("files named one by one give the same as one file with all of them") {
  for (const auto& input : {separate(kCapped, kCapped, kCapped), separate(kCapped, {}, {}),
                            separate({}, {}, kCapped)}) {
    CHECK(input->modifiers.scale == 0.5);
    CHECK(input->modifiers.softcap == 20.0);
    REQUIRE(input->ownMasks.size() == 1);
    CHECK(input->ownMasks[0] == Pattern(Causal{}));
    CHECK(input->attends == Attends::Backward);
    CHECK(input->tokens == std::vector<std::string>{"a", "b", "c"});
    CHECK(input->metadata.at("model") == "one");
  }
}

TEST_CASE("files of one input that state different scores are refused by name") {
  for (const auto& [key, text] : Metadata{{"scale", "1"},
                                          {"softcap", "30"},
                                          {"modifiers", R"({"softcap": 30})"},
                                          {"patterns", R"([{"mechanism": "full"}])"}}) {
    const std::string error = errorOf([&, key = key, text = text] {
      separate(kCapped, {{key, text}}, {});
    });
    INFO(key << ": " << error);
    CHECK(contains(error, "E_RANGE"));
    CHECK(contains(error, "q.safetensors"));
    CHECK(contains(error, "k.safetensors"));
  }
}

TEST_CASE("labels that are not as many as tokens are named with their file") {
  const std::string error = errorOf([] {
    separate({}, {{"tokens", R"(["a", "b"])"}}, {{"tokens", R"(["a"])"}});
  });
  CHECK(contains(error, "k.safetensors: metadata tokens has 2 labels; it must have one for each "
                        "token, 3"));
}

TEST_CASE("a mask of another name in one of the files is said not to be used") {
  const TemporaryFolder folder;
  std::vector<ModelArray> arrays = zeroArrays(1, 3);
  arrays.push_back({"attn_mask", "BOOL", {3, 3}, std::string(9, '\1')});
  FileInput files;
  files.q = folder.write("q.safetensors", modelFile({}, arrays));
  files.k = folder.write("k.safetensors", modelFile({}, zeroArrays(1, 3)));
  const auto input = loadedFrom(files);
  REQUIRE(input->notes.size() == 1);
  CHECK(contains(input->notes[0], "q.safetensors: array \"attn_mask\" is not used"));
}

TEST_CASE("files of one input may differ in words") {
  const auto input = separate(kCapped, {{"model", "two"}, {"tokens", R"(["x", "y", "z"])"}}, {});
  CHECK_FALSE(input->metadata.contains("model"));
  CHECK(input->tokens == std::vector<std::string>{"x", "y", "z"}); // of the keys
  REQUIRE(input->notes.size() == 1);
  CHECK(contains(input->notes[0], "q.safetensors: metadata tokens differ from "));
  CHECK(contains(input->notes[0], "k.safetensors: metadata tokens, which the labels are from."));
  CHECK(separate(kCapped, kCapped, kCapped)->notes.empty());
  CHECK(separate({{"tokens", R"(["only"])"}}, {}, {})->tokens.empty());
  CHECK(contains(errorOf([] { separate({}, {{"tokens", R"(["only"])"}}, {}); }), "E_SHAPE"));
}

TEST_CASE("embeddings with weights keep what their files say") {
  const TemporaryFolder folder;
  const std::string zeros(16, '\0');
  const auto file = [&](const std::string& name, const Metadata& metadata) {
    return folder.write(name + ".safetensors", modelFile(metadata, {{name, "F32", {2, 2}, zeros}}));
  };
  FileInput files;
  files.x = file("x", {{"softcap", "20"}});
  files.wq = file("wq", {{"scale", "0.25"}});
  files.wk = file("wk", {});
  files.wv = file("wv", {});
  const auto input = loadedFrom(files);
  CHECK(input->modifiers.softcap == 20.0);
  CHECK(input->modifiers.scale == 0.25);
}

TEST_CASE("weights in their own file keep its labels") {
  const TemporaryFolder folder;
  FileInput files;
  files.attention = folder.write("a.safetensors",
                                 modelFile({{"tokens", R"(["a", "b"])"}},
                                           {{"attention", "F32", {2, 2}, std::string(16, '\0')}}));
  CHECK(loadedFrom(files)->tokens == std::vector<std::string>{"a", "b"});
}
