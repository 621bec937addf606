// A small random model with a tokenizer of letters, in a folder of its own.
#pragma once

#include "core/scene/scene.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace attention {

// The golden model `name`, which has 160 tokens; removed at the end.
class TinyModel {
public:
  explicit TinyModel(const std::string& name = "llama") {
    namespace fs = std::filesystem;
    std::string pattern = (fs::temp_directory_path() / "attention-tiny-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
    const fs::path golden = fs::path(ATTENTION_TEST_DATA) / "golden/models" / name;
    for (const char* file : {"config.json", "model.safetensors"})
      fs::copy_file(golden / file, path_ / file);
    std::ofstream(path_ / "tokenizer.json") << tokenizer();
  }
  ~TinyModel() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TinyModel(TinyModel&&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // 40 letters are as many tokens.
  Scene scene() const {
    Scene scene;
    scene.view = View::Model;
    scene.pattern = patternNamed("local");
    set(scene.pattern, "window", Value(Index{4}));
    scene.model.model = path_.string();
    scene.model.typed = "it is a truth universally acknowledged th";
    scene.model.n = 40;
    return scene;
  }

private:
  // Byte-level BPE without merges: a token for each letter, and Ġ for a space.
  static std::string tokenizer() {
    std::string vocabulary = "\"Ġ\": 0";
    for (char letter = 'a'; letter <= 'z'; ++letter)
      vocabulary += std::string(", \"") + letter + "\": " + std::to_string(letter - 'a' + 1);
    return R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
 "normalizer": null,
 "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
                   "use_regex": true},
 "post_processor": null, "decoder": {"type": "ByteLevel"},
 "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
           "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
           "vocab": {)" +
           vocabulary + R"(}, "merges": []}})";
  }

  std::filesystem::path path_;
};

} // namespace attention
