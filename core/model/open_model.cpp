// Opening a model: a GGUF file, or a folder of transformers.
#include "core/model/hf_folder.h"
#include "core/model/model_parts.h"
#include "core/support/text.h"

#include <array>

namespace attention {
namespace {

// Files of transformers may have names of whole models (with a head) or of their bodies.
std::string prefixIn(const StoredWeights& stored, const TensorNames& names) {
  constexpr std::array kPrefixes{"model.",
                                 "",
                                 "transformer.",
                                 "gpt_neox.",
                                 "bert.",
                                 "language_model.model.",
                                 "model.language_model."};
  for (const char* prefix : kPrefixes)
    if (stored.has(prefix + std::string(names.embedding) + ".weight"))
      return prefix;
  return kPrefixes.front();
}

// The rows of the embedding must be those that the configuration counts.
void requireVocabulary(std::optional<Index> counted, const WeightLayout& layout,
                       const std::string& configFile, const StoredWeights& stored) {
  const std::string name = layout.prefix + std::string(layout.names.embedding) + ".weight";
  const Index rows = stored.matrix(name).rows;
  if (counted && *counted != rows)
    throw Error(ErrorCode::Shape, "vocab_size",
                configFile + ": vocab_size is " + std::to_string(*counted) + "; it must be " +
                    std::to_string(rows) + ", the rows of tensor " + excerpt(name) + " in " +
                    stored.file());
}

// Call it once the tensors are read.
void requireFeedForward(const ConfigModel& made, const std::string& file) {
  if (made.feedForward && *made.feedForward != made.model.feedForwardWidth)
    throw Error(ErrorCode::Shape, made.feedForwardField,
                file + ": " + made.feedForwardField + " is " + std::to_string(*made.feedForward) +
                    "; it must be " + std::to_string(made.model.feedForwardWidth) +
                    ", the width of the feed-forward tensors");
}

std::string nameOf(const std::filesystem::path& path) {
  const std::filesystem::path whole = path.lexically_normal();
  const std::filesystem::path& last = whole.has_filename() ? whole : whole.parent_path();
  return last.extension() == ".gguf" ? last.stem().string() : last.filename().string();
}

std::shared_ptr<const Model> finished(Model model, const std::filesystem::path& path) {
  model.name = nameOf(path);
  model.path = path;
  requireUnchanged(model);
  return std::make_shared<const Model>(std::move(model));
}

std::shared_ptr<const Model> openGguf(const std::filesystem::path& path) {
  const GgufFile gguf = readGguf(path);
  const auto mapped = std::static_pointer_cast<const MappedFile>(gguf.owner);
  return readUnchanged(mapped->bytes().data(),
                       [&] { return finished(modelWithWeights(gguf), path); });
}

std::shared_ptr<const Model> openFolder(const std::filesystem::path& path) {
  const ModelFolder folder = readModelFolder(path);
  try {
    return finished(modelWithWeights(folder.config, folder.configFile, folder.weights), path);
  } catch (const Error&) {
    for (const auto& file : folder.files)
      file->requireUnchanged();
    throw;
  }
}

[[noreturn]] void failKind(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  const std::string file = path.string();
  if (ending == ".bin" || ending == ".pt" || ending == ".pth" || ending == ".pkl" ||
      ending == ".ckpt")
    throw Error(ErrorCode::Unsupported, file, file + " " + std::string(kPickledModel));
  throw Error(ErrorCode::Unsupported, file,
              file + " is not a model; it must be a .gguf file, or a folder with config.json and "
                     "model.safetensors");
}

} // namespace

Model modelWithWeights(const GgufFile& gguf) {
  ConfigModel made;
  try {
    made = modelOfGguf(gguf);
  } catch (const Error& error) {
    throw Error(error.code(), error.subject(), gguf.file + ": " + error.what());
  }
  WeightLayout layout;
  layout.names = ggufNames(*made.family);
  layout.tied = made.tied;
  StoredWeights stored(gguf.file);
  stored.add(gguf, gguf.owner);
  addWeights(made.model, stored, layout);
  requireFeedForward(made, gguf.file);
  return std::move(made.model);
}

Model modelWithWeights(const nlohmann::json& config, const std::string& configFile,
                       const StoredWeights& stored) {
  ConfigModel made;
  try {
    made = modelOfConfig(config);
  } catch (const Error& error) {
    throw Error(error.code(), error.subject(), configFile + ": " + error.what());
  }
  const Family& family = *made.family;
  WeightLayout layout;
  layout.names = family.names;
  layout.prefix = prefixIn(stored, family.names);
  layout.tied = made.tied;
  layout.biases = made.biases;
  layout.transposed = family.transposed;
  layout.threePerHead = family.threePerHead;
  layout.normsPlusOne = family.normsPlusOne;
  requireVocabulary(made.vocabulary, layout, configFile, stored);
  addWeights(made.model, stored, layout);
  requireFeedForward(made, configFile);
  return std::move(made.model);
}

std::shared_ptr<const Model> openModel(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return openFolder(path);
  if (!std::filesystem::exists(path, ignored) || endingOf(path) == ".gguf")
    return openGguf(path);
  failKind(path);
}

} // namespace attention
