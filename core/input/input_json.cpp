// InputSpec as JSON. One list of fields serves both directions for files.
#include "core/attention/modifiers_json.h"
#include "core/input/input_spec.h"
#include "core/input/metadata_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <array>

namespace attention {
namespace {

using nlohmann::json;

struct PathField {
  const char* key;
  std::string FileInput::*field;
};

constexpr std::array<PathField, 16> kFileFields{{{"input", &FileInput::input},
                                                 {"q_name", &FileInput::qName},
                                                 {"k_name", &FileInput::kName},
                                                 {"v_name", &FileInput::vName},
                                                 {"attention_name", &FileInput::attentionName},
                                                 {"q", &FileInput::q},
                                                 {"k", &FileInput::k},
                                                 {"v", &FileInput::v},
                                                 {"qk", &FileInput::qk},
                                                 {"x", &FileInput::x},
                                                 {"wq", &FileInput::wq},
                                                 {"wk", &FileInput::wk},
                                                 {"wv", &FileInput::wv},
                                                 {"wo", &FileInput::wo},
                                                 {"attention", &FileInput::attention},
                                                 {"layout", &FileInput::layout}}};

[[noreturn]] void failType(const std::string& field, const json& found, const char* allowed) {
  const std::string text = found.is_string()
                               ? found.get<std::string>()
                               : found.dump(-1, ' ', false, json::error_handler_t::replace);
  throw Error(ErrorCode::Type, field, field + " is " + excerpt(text) + "; it must be " + allowed);
}

void read(const json& object, const char* key, std::string& value) {
  const auto found = object.find(key);
  if (found == object.end())
    return;
  if (!found->is_string())
    failType(std::string("input.") + key, *found, "text");
  value = found->get<std::string>();
}

void read(const json& object, const char* key, Index& value) {
  const auto found = object.find(key);
  if (found == object.end())
    return;
  const bool fits =
      found->is_number_integer() &&
      (!found->is_number_unsigned() || found->get<std::uint64_t>() <= std::uint64_t{1} << 62U);
  if (!fits)
    failType(std::string("input.") + key, *found, "an integer");
  value = found->get<Index>();
}

void read(const json& object, const char* key, std::uint64_t& value) {
  const auto found = object.find(key);
  if (found == object.end())
    return;
  if (!found->is_number_unsigned())
    failType(std::string("input.") + key, *found, "an integer from 0 to 2^64 − 1");
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
  for (const PathField& field : kFileFields)
    if (!(files.*field.field).empty())
      object[field.key] = files.*field.field;
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
  for (const PathField& field : kFileFields)
    read(object, field.key, files.*field.field);
  read(object, "heads", files.heads);
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
  if (auto* files = std::get_if<FileInput>(&all.source))
    for (const PathField& field : kFileFields)
      files->*field.field = "set"; // a layout too, which is not read again
  const json known = toJson(all);
  std::vector<std::string> unknown;
  for (const auto& [name, value] : object.items())
    if (!known.contains(name))
      unknown.push_back(name);
  return unknown;
}

} // namespace attention
