// A model by its name, or by its config.json.
#include "app/cli/masks.h"

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

// Whether a sentence only says where a text is no JSON, and not what to do.
bool endsAtByte(std::string_view sentence) {
  constexpr std::string_view kPlace = " is not JSON: it goes wrong at byte ";
  const std::size_t place = sentence.rfind(kPlace);
  return place != sentence.npos &&
         sentence.find_first_not_of("0123456789", place + kPlace.size()) == sentence.npos;
}

// Readers know only that they want text or JSON; what they want is said here. What they advise,
// such as to save the file as UTF-8, remains.
nlohmann::json configOf(const fs::path& path) {
  try {
    return parseJson(textOfFile(path), path.string());
  } catch (const Error& error) {
    std::string_view found = error.what();
    bool vague = endsAtByte(found);
    for (const std::string_view must : {"; it must be text", "; it must be JSON"})
      if (found.ends_with(must)) {
        found.remove_suffix(must.size());
        vague = true;
      }
    if (!vague)
      throw;
    throw Error(error.code(), error.subject(),
                std::string(found) + "; it must be a model's config.json");
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
