// Where models lie: what a user may write for MODEL on the command line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace attention {

// The folder of models that tools/get_model.sh downloads: XDG_DATA_HOME/attention-explorer/models,
// or
// ~/.local/share/attention-explorer/models; empty where neither XDG_DATA_HOME nor HOME is set.
std::filesystem::path broughtModels();

// A .gguf file or a folder, or the name of a file that get_model.sh has downloaded, with or without
// its ending. E_IO with the names that there are, and how to download one.
std::filesystem::path modelPath(const std::string& model);
// The same; nothing where there is none.
std::optional<std::filesystem::path> findModel(const std::string& model);

} // namespace attention
