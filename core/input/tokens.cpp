#include "core/input/tokens.h"

#include "core/input/file_kind.h"
#include "core/input/mapped_file.h"
#include "core/input/text_lines.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"

#include <nlohmann/json.hpp>

namespace attention {
namespace {

// A line may well be [CLS]: only an array that begins with a string, or is empty, counts as JSON.
bool isJson(std::string_view text, const std::string& file) {
  constexpr std::string_view kSpace = " \t\r\n\xEF\xBB\xBF";
  if (file.size() >= 5 && file.substr(file.size() - 5) == ".json")
    return true;
  const std::size_t bracket = text.find_first_not_of(kSpace);
  if (bracket == std::string_view::npos || text[bracket] != '[')
    return false;
  const std::size_t inner = text.find_first_not_of(kSpace, bracket + 1);
  return inner != std::string_view::npos && (text[inner] == '"' || text[inner] == ']');
}

std::string checkedLabel(std::string_view text, const std::string& file) {
  if (text.size() > kMaxLabel)
    throwRange(file, "a label of " + countText(text.size(), "byte"),
               "at most " + std::to_string(kMaxLabel));
  return printableLabel(text);
}

std::vector<std::string> labelsOfJson(std::string_view text, const std::string& file) {
  const nlohmann::json json = parseJson(text, file);
  if (!json.is_array())
    failJsonType(file, json, "a list of texts");
  std::vector<std::string> labels;
  for (const auto& entry : json) {
    if (!entry.is_string())
      failJsonType(file + ": label " + std::to_string(labels.size()), entry, "a text");
    labels.push_back(checkedLabel(entry.get_ref<const std::string&>(), file));
  }
  return labels;
}

} // namespace

std::vector<std::string> parseTokens(std::span<const std::byte> bytes, const std::string& file) {
  const std::string_view text = textOf(bytes);
  std::vector<std::string> labels;
  if (isJson(text, file))
    labels = labelsOfJson(text, file);
  else
    for (Lines lines(text); const auto line = lines.next();)
      labels.push_back(checkedLabel(*line, file));
  if (labels.empty())
    throw Error(ErrorCode::Range, file, file + " has no label; it must have at least one");
  return labels;
}

std::vector<std::string> readTokens(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  requireData(file->bytes(), path.string());
  if (textOf(file->bytes()).find('\0') != std::string_view::npos)
    throw Error(ErrorCode::Unsupported, path.string(),
                path.string() + " is not text; labels must be lines of text or a JSON list");
  return parseTokens(file->bytes(), path.string());
}

} // namespace attention
