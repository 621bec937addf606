#include "app/cli/stack_choice.h"

#include "core/analysis/stack/models.h"
#include "core/input/mapped_file.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

// A file, or a folder with a config.json; a name of the table has neither slash nor .json.
bool isFile(const std::string& word) {
  std::error_code ignored;
  return word.find('/') != std::string::npos || endingOf(word) == ".json" ||
         fs::exists(word, ignored);
}

// The sentence of a file that cannot be read as one says what it must be.
nlohmann::json configOf(const fs::path& path) {
  try {
    return parseJson(textOfFile(path), path.string());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Unsupported && error.code() != ErrorCode::Type)
      throw;
    const std::string found = error.what();
    throw Error(error.code(), error.subject(),
                found.substr(0, found.find(';')) + "; it must be a model's config.json");
  }
}

Stack stackFromFile(const std::string& word) {
  std::error_code ignored;
  const fs::path path =
      fs::is_directory(word, ignored) ? fs::path(word) / "config.json" : fs::path(word);
  const nlohmann::json config = configOf(path);
  try {
    return stackFromConfig(config);
  } catch (const Error& error) {
    throw Error(error.code(), error.subject(), path.string() + ": " + error.what());
  }
}

} // namespace

Stack stackNamed(const std::string& word) {
  return isFile(word) ? stackFromFile(word) : modelNamed(word);
}

} // namespace attention::cli
