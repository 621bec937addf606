// InputSpec as JSON. One list of fields serves both directions for files.
#include "core/attention/modifiers_json.h"
#include "core/input/input_spec.h"
#include "core/input/metadata_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace attention {
namespace {

using nlohmann::json;

[[noreturn]] void failType(const std::string& field, const json& found, const char* allowed) {
  const std::string text = found.is_string()
                               ? found.get<std::string>()
                               : found.dump(-1, ' ', false, json::error_handler_t::replace);
  throw Error(ErrorCode::Type, field, field + " is " + excerpt(text) + "; it must be " + allowed);
}

void read(const json& object, std::string_view key, std::string& value) {
  const auto found = object.find(key);
  if (found == object.end())
    return;
  if (!found->is_string())
    failType("input." + std::string(key), *found, "text");
  value = found->get<std::string>();
}

void read(const json& object, std::string_view key, Index& value) {
  const auto found = object.find(key);
  if (found == object.end())
    return;
  const bool fits =
      found->is_number_integer() &&
      (!found->is_number_unsigned() || found->get<std::uint64_t>() <= std::uint64_t{1} << 62U);
  if (!fits)
    failType("input." + std::string(key), *found, "an integer");
  value = found->get<Index>();
}

void read(const json& object, std::string_view key, std::uint64_t& value) {
  const auto found = object.find(key);
  if (found == object.end())
    return;
  if (!found->is_number_unsigned())
    failType("input." + std::string(key), *found, "an integer from 0 to 2^64 − 1");
  value = found->get<std::uint64_t>();
}

GeneratorValues valuesOf(const std::string& name, const json& found) {
  GeneratorValues values;
  const auto take = [&](const json& value) {
    if (!value.is_number())
      failType("input.parameters." + name, value, "a number");
    values.push_back(value.get<double>());
  };
  if (!found.is_array())
    take(found);
  else
    for (const json& value : found)
      take(value);
  return values;
}

json jsonOf(const NoInput&) {
  return {{"kind", "none"}};
}

json jsonOf(const RandomInput& random) {
  json parameters = json::object();
  for (const auto& [name, values] : random.parameters)
    parameters[name] = values.size() == 1 ? json(values.front()) : json(values);
  json object{{"kind", "random"},
              {"generator", random.generator},
              {"parameters", parameters},
              {"n", random.n},
              {"d", random.d},
              {"heads", random.heads},
              {"seed", random.seed}};
  if (random.keys != 0)
    object["n_k"] = random.keys;
  return object;
}

json jsonOf(const AssetInput& asset) {
  return {{"kind", "sample"}, {"name", asset.name}};
}

json jsonOf(const TypedInput& typed) {
  json object = toJson(typed);
  object["kind"] = "typed";
  return object;
}

json jsonOf(const ModelInput& of) {
  json object{{"kind", "model"}, {"model", of.model}, {"n", of.n}};
  if (!of.text.empty())
    object["text"] = of.text;
  if (!of.typed.empty())
    object["typed"] = of.typed;
  if (!of.ids.empty())
    object["ids"] = of.ids;
  return object;
}

json jsonOf(const FileInput& files) {
  json object{{"kind", "files"}, {"heads", files.heads}};
  for (const FileField& field : fileFields())
    if (!(files.*field.member).empty())
      object[std::string(field.name)] = files.*field.member;
  if (!files.layout.empty())
    object["layout"] = files.layout;
  return object;
}

RandomInput randomOf(const json& object) {
  RandomInput random;
  read(object, "generator", random.generator);
  read(object, "n", random.n);
  read(object, "n_k", random.keys);
  read(object, "d", random.d);
  read(object, "heads", random.heads);
  read(object, "seed", random.seed);
  if (const auto found = object.find("parameters"); found != object.end()) {
    if (!found->is_object())
      failType("input.parameters", *found, "an object");
    for (const auto& [name, values] : found->items())
      random.parameters[name] = valuesOf(name, values);
  }
  checkRandom(random);
  return random;
}

ModelInput modelOf(const json& object) {
  ModelInput of;
  read(object, "model", of.model);
  read(object, "text", of.text);
  read(object, "typed", of.typed);
  read(object, "n", of.n);
  if (const auto ids = object.find("ids"); ids != object.end())
    of.ids = idsOf(ids->dump(), "input.ids");
  return of;
}

FileInput filesOf(const json& object) {
  FileInput files;
  for (const FileField& field : fileFields())
    read(object, field.name, files.*field.member);
  read(object, "heads", files.heads);
  read(object, "layout", files.layout);
  checkLayout(files.layout, "input.layout");
  return files;
}

// Fields that only some kind of input has would be lost without a kind.
void requireKind(const json& object) {
  for (const auto& [name, value] : object.items())
    if (name != "tokens" && name != "content_hash" && name != "batch" && name != "head" &&
        name != "modifiers")
      throw Error(ErrorCode::Unknown, "input.kind",
                  "input.kind is missing beside input." + name +
                      "; it must be one of none, random, sample, files, typed and model");
}

} // namespace

std::string FileField::flag() const {
  std::string dashed(name);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  return dashed;
}

std::span<const FileField> fileFields() {
  using F = FileInput;
  static constexpr std::array<FileField, 15> kAll{
      {{"input", &F::input, "FILE", ".npz, .safetensors or .csv with named arrays"},
       {"q_name", &F::qName, "NAME", "name of the queries in FILE (q)"},
       {"k_name", &F::kName, "NAME", "name of the keys (k)"},
       {"v_name", &F::vName, "NAME", "name of the values (v)"},
       {"attention_name", &F::attentionName, "NAME", "name of the attention weights (attention)"},
       {"q", &F::q, "FILE", "queries, .npy"},
       {"k", &F::k, "FILE", "keys, .npy"},
       {"v", &F::v, "FILE", "values, .npy"},
       {"qk", &F::qk, "FILE", "one array for both queries and keys, .npy"},
       {"x", &F::x, "FILE", "embeddings, with --wq --wk --wv [--wo]"},
       {"wq", &F::wq, "FILE", "weight matrix of the queries"},
       {"wk", &F::wk, "FILE", "weight matrix of the keys"},
       {"wv", &F::wv, "FILE", "weight matrix of the values"},
       {"wo", &F::wo, "FILE", "weight matrix of the output"},
       {"attention", &F::attention, "FILE",
        "ready attention weights, .npy; with --v F for outputs"}}};
  return kAll;
}

std::vector<std::string> filesOf(const FileInput& files) {
  std::vector<std::string> named;
  for (const FileField& field : fileFields())
    if (field.value == "FILE" && !(files.*field.member).empty())
      named.push_back(files.*field.member);
  return named;
}

void checkLayout(const std::string& layout, const char* field) {
  if (!layout.empty() && layout != "bhnd" && layout != "bnhd")
    throw Error(ErrorCode::Range, field,
                std::string(field) + " is " + excerpt(layout) + "; it must be bhnd or bnhd");
}

json toJson(const InputSpec& spec) {
  json object = std::visit([](const auto& source) { return jsonOf(source); }, spec.source);
  object["batch"] = spec.batch;
  object["head"] = spec.head;
  if (spec.modifiers)
    object["modifiers"] = toJson(*spec.modifiers);
  if (!spec.tokens.empty())
    object["tokens"] = spec.tokens;
  if (!spec.contentHash.empty())
    object["content_hash"] = spec.contentHash;
  return object;
}

InputSpec inputSpecFromJson(const json& object) {
  if (!object.is_object())
    failType("input", object, "an object");
  if (!object.contains("kind"))
    requireKind(object);
  InputSpec spec;
  std::string kind = "none";
  read(object, "kind", kind);
  if (kind == "random")
    spec.source = randomOf(object);
  else if (kind == "files")
    spec.source = filesOf(object);
  else if (kind == "typed")
    spec.source = typedInput(object, "input");
  else if (kind == "model")
    spec.source = modelOf(object);
  else if (kind == "sample") {
    AssetInput asset;
    read(object, "name", asset.name);
    spec.source = asset;
  } else if (kind != "none")
    throw Error(ErrorCode::Unknown, "input.kind",
                "input.kind is " + excerpt(kind) +
                    "; it must be one of none, random, sample, files, typed and model");
  if (const auto found = object.find("modifiers"); found != object.end())
    spec.modifiers = scoreModifiers(*found, "input.modifiers");
  read(object, "tokens", spec.tokens);
  read(object, "content_hash", spec.contentHash);
  read(object, "batch", spec.batch);
  read(object, "head", spec.head);
  return spec;
}

std::vector<std::string> unknownFields(const json& object) {
  InputSpec all = inputSpecFromJson(object); // with a value in each field that is written
  all.tokens = all.contentHash = "set";
  all.modifiers = ScoreModifiers();
  if (auto* random = std::get_if<RandomInput>(&all.source))
    random->keys = 1;
  if (auto* model = std::get_if<ModelInput>(&all.source)) {
    model->text = model->typed = "set";
    model->ids = {0};
  }
  if (auto* files = std::get_if<FileInput>(&all.source)) {
    for (const FileField& field : fileFields())
      files->*field.member = "set";
    files->layout = "set"; // which is not read again
  }
  const json known = toJson(all);
  std::vector<std::string> unknown;
  for (const auto& [name, value] : object.items())
    if (!known.contains(name))
      unknown.push_back(name);
  return unknown;
}

} // namespace attention
