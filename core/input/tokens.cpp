#include "core/input/tokens.h"

#include "core/input/mapped_file.h"
#include "core/input/text_lines.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <nlohmann/json.hpp>

#include <array>

namespace attention {
namespace {

constexpr std::size_t kMaxLabel = 4096; // bytes
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool isContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Length of the well-formed UTF-8 sequence at the front of `text`, 0 where there is none
// (Unicode standard, table 3-7).
std::size_t sequenceLength(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80)
    return 1;
  const std::size_t length = first < 0xC2   ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length)
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!isContinuation(text[i]))
      return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || beyond ? 0 : length;
}

// C0 and C1 control characters and the separators that break or turn lines.
bool isControl(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1)
    return first < 0x20 || first == 0x7F;
  if (sequence.size() == 2)
    return first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
  return sequence == "\u2028" || sequence == "\u2029" ||
         (sequence >= "\u202A" && sequence <= "\u202E");
}

void appendEscaped(std::string& out, std::string_view sequence) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (sequence == "\n" || sequence == "\t" || sequence == "\r") {
    out += sequence == "\n" ? "\\n" : sequence == "\t" ? "\\t" : "\\r";
    return;
  }
  for (const char c : sequence) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
}

// A line may well be [CLS]: only an array that begins with a string, or is empty, is JSON.
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
    throwRange(file, "a label of " + std::to_string(text.size()) + " bytes", "at most 4096");
  return printableLabel(text);
}

std::vector<std::string> labelsOfJson(std::string_view text, const std::string& file) {
  const nlohmann::json json = parseJson(text, file);
  if (!json.is_array())
    throw Error(ErrorCode::Type, file,
                file + " is " + json.type_name() + "; allowed is an array of strings");
  std::vector<std::string> labels;
  for (const auto& entry : json) {
    if (!entry.is_string())
      throw Error(ErrorCode::Type, file,
                  file + " holds " + entry.type_name() + " as label " +
                      std::to_string(labels.size()) + "; allowed are strings");
    labels.push_back(checkedLabel(entry.get_ref<const std::string&>(), file));
  }
  return labels;
}

} // namespace

std::string printableLabel(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    if (length == 0)
      out += kReplacement;
    else if (isControl(sequence))
      appendEscaped(out, sequence);
    else
      out += sequence;
    text.remove_prefix(sequence.size());
  }
  return out;
}

std::vector<std::string> parseTokens(std::span<const std::byte> bytes, const std::string& file) {
  const std::string_view text = textOf(bytes);
  std::vector<std::string> labels;
  if (isJson(text, file))
    labels = labelsOfJson(text, file);
  else
    for (Lines lines(text); const auto line = lines.next();)
      labels.push_back(checkedLabel(*line, file));
  if (labels.empty())
    throwRange(file, "without labels", "at least one");
  return labels;
}

std::vector<std::string> readTokens(const std::filesystem::path& path) {
  return parseTokens(MappedFile::open(path)->bytes(), path.string());
}

} // namespace attention
