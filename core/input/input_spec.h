// What the Scene says about its input: nothing, a random draw, a bundled sample, files, a model
// that reads a text, or the numbers themselves; which model head of it, and where its token labels
// are. Plain data with equality and JSON. What the files hold is an Input (input.h); a spec with
// missing files stays unchanged.
#pragma once

#include "core/attention/modifiers.h"
#include "core/input/generators.h"
#include "core/input/typed_input.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attention {

struct NoInput {
  bool operator==(const NoInput&) const = default;
};

// A bundled sample by name; the application knows its path.
struct AssetInput {
  std::string name;
  bool operator==(const AssetInput&) const = default;
};

// Paths; empty means not given. Exactly one of these sets is given: `input`; `q` and `k`, or `qk`,
// with `v` where values are used; `x` with `wq`, `wk`, `wv`; `attention`,
// with `v` where outputs are wanted.
struct FileInput {
  std::string input; // one file with named arrays: .npz .safetensors .csv
  std::string qName = "q";
  std::string kName = "k";
  std::string vName = "v";
  std::string attentionName = "attention"; // ready weights, optional in `input`

  std::string q;
  std::string k;
  std::string v;
  std::string qk; // queries and keys in one

  std::string x; // embeddings, n × D
  std::string wq;
  std::string wk;
  std::string wv;
  std::string wo;
  Index heads = 1; // of the weights (S3.5)

  // Axes of q, k and v: "" and "bhnd" are [batch, heads, n, d], "bnhd" [batch, n, heads, d], with
  // or without the batch.
  std::string layout;

  std::string attention; // ready weights: [n, n], [heads, n, n], [batch, heads, n, n]
  bool operator==(const FileInput&) const = default;
};

// A text of FileInput, as JSON and the command line have it.
struct FileField {
  std::string_view name; // in JSON: "q_name"
  std::string FileInput::*member;
  std::string_view value; // what stands for it in the help: "FILE"
  std::string_view meaning;

  std::string flag() const; // "q-name"
};
// All of them but the layout, in the order of the help.
std::span<const FileField> fileFields();
// The files that it names, in that order, which is also that of their fingerprints.
std::vector<std::string> filesOf(const FileInput& files);

// A model that reads a text: queries, keys and values of each of its layers and heads.
struct ModelInput {
  std::string model; // a .gguf file, a folder with config.json, or a model's name
  std::string text;  // a file's name; empty: what is typed, else the bundled text
  std::string typed;
  std::vector<Index> ids; // instead of a text: no tokenizer is needed
  Index n = 512;          // the first tokens, as many as there are
  bool operator==(const ModelInput&) const = default;
};

struct InputSpec {
  std::variant<NoInput, RandomInput, AssetInput, FileInput, TypedInput, ModelInput> source;
  std::string tokens;      // path of token labels; empty: what the file itself says
  std::string contentHash; // fingerprint of the files when the Scene was saved; empty: unknown
  Index batch = 0;         // item of the leading axis: layer or batch
  Index head = 0;          // model head
  std::optional<ScoreModifiers> modifiers = {}; // in place of those that the input states
  bool operator==(const InputSpec&) const = default;
};

// E_RANGE names `field` where `layout` is none of FileInput's.
void checkLayout(const std::string& layout, const char* field);

// {"kind": "random", "generator": …} and so on; fields at their defaults are written too, except
// empty paths.
nlohmann::json toJson(const InputSpec& spec);

// Missing fields take defaults. E_TYPE, E_RANGE, E_UNKNOWN name the field: "input.n".
InputSpec inputSpecFromJson(const nlohmann::json& json);

// The fields that inputSpecFromJson would read from the object but that its kind of input does not
// have.
std::vector<std::string> unknownFields(const nlohmann::json& json);

} // namespace attention
