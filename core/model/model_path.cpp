#include "core/model/model_path.h"

#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/text.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace attention {
namespace {

namespace fs = std::filesystem;

// Nothing where the variable is not set or names no absolute path, which XDG says to ignore.
fs::path folderOf(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? fs::path() : fs::path(value);
  return path.is_absolute() ? path : fs::path();
}

// None where the folder cannot be read.
std::vector<fs::path> modelsIn(const fs::path& folder) {
  std::vector<fs::path> models;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (endingOf(entry->path()) == ".gguf")
      models.push_back(entry->path());
  std::sort(models.begin(), models.end());
  return models;
}

} // namespace

fs::path broughtModels() {
  const fs::path own = "attention-explorer/models";
  if (const fs::path data = folderOf("XDG_DATA_HOME"); !data.empty())
    return data / own;
  const fs::path home = folderOf("HOME");
  return home.empty() ? home : home / ".local/share" / own;
}

std::optional<fs::path> findModel(const std::string& model) {
  std::error_code ignored;
  if (fs::exists(model, ignored))
    return model;
  for (const fs::path& path : modelsIn(broughtModels()))
    if (path.filename() == model || path.stem() == model)
      return path;
  return std::nullopt;
}

fs::path modelPath(const std::string& model) {
  if (const auto found = findModel(model))
    return *found;
  std::vector<std::string> names;
  std::string listed;
  for (const fs::path& path : modelsIn(broughtModels())) {
    names.insert(names.end(), {path.filename().string(), path.stem().string()});
    listed += (listed.empty() ? "" : ", ") + names[names.size() - 2];
  }
  throw Error(ErrorCode::Io, model,
              "model " + excerpt(model) + " was not found" + nearestHint(model, names) +
                  "; it must be a .gguf file, a folder with config.json, or " +
                  (listed.empty() ? "the name of a model that tools/get_model.sh downloaded"
                                  : "one of the downloaded models: " + listed));
}

} // namespace attention
