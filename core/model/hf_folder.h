// A folder as transformers saves a model: config.json, and weights in model.safetensors, or in
// several files that model.safetensors.index.json names.
#pragma once

#include "core/model/stored_weights.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string_view>

namespace attention {

// What a sentence says of a file of torch.save.
constexpr std::string_view kPickledModel =
    "is pickled, which only Python can unpack; load it with transformers and save it with "
    "save_pretrained, which writes model.safetensors";

struct ModelFolder {
  nlohmann::json config;
  std::string configFile; // its name in errors
  StoredWeights weights{""};
  std::vector<std::shared_ptr<const MappedFile>> files; // of the weights
};

// E_IO: no config.json, or a file that is named is missing; E_UNSUPPORTED: weights that are only
// pickled, damaged files, an index that leaves the folder; E_TYPE: no JSON; E_UNKNOWN: a tensor
// that is not in the file where the index has it.
ModelFolder readModelFolder(const std::filesystem::path& folder);

// The files of an index, each with the tensors that are in it. E_TYPE, E_UNSUPPORTED name `file`.
std::map<std::string, std::vector<std::string>> shardsOfIndex(const nlohmann::json& index,
                                                              const std::string& file);

} // namespace attention
