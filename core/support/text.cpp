#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attention {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool isContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Length of the well-formed UTF-8 sequence at the front of `text`, 0 if there is none
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

// C0 and C1 control characters and the separators that break or reverse lines.
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

std::string shortestOf(auto value) {
  if (std::isnan(value)) // whose sign some libraries print
    return "NaN";
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

} // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (bool more = !text.empty(); more;) {
    const auto at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    more = at != std::string_view::npos;
    text.remove_prefix(more ? at + 1 : text.size());
  }
  return pieces;
}

bool isBeyondReals(std::string_view text) {
  if (text.starts_with('+'))
    text.remove_prefix(1);
  double ignored = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), ignored);
  return code == std::errc::result_out_of_range && end == text.data() + text.size();
}

bool isWholeNumber(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+'))
    text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string fixed(double value, int digits) {
  if (std::isnan(value))
    return shortest(value);
  char buffer[400]; // the largest double has 309 digits before the point
  const auto [end, code] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
  return code == std::errc() ? std::string(buffer, end) : shortest(value);
}

std::string shortest(double value) {
  return shortestOf(value);
}

std::string shortest(float value) {
  return shortestOf(value);
}

std::string endingOf(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return ending;
}

std::string printableLabel(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || isControl(sequence))
      appendEscaped(out, sequence);
    else
      out += sequence;
    text.remove_prefix(sequence.size());
  }
  return out;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes)
    return std::string(text);
  std::size_t end = bytes;
  // Back to the first byte of the character that the cut would split; at most three in UTF-8.
  for (int back = 0; back < 3 && end > 0 && isContinuation(text[end]); ++back)
    --end;
  return std::string(text.substr(0, isContinuation(text[end]) ? bytes : end)) + "…";
}

std::size_t lettersOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string cutToLetters(const std::string& text, std::size_t most) {
  if (lettersOf(text) <= most)
    return text;
  std::size_t end = 0;
  for (std::size_t kept = 1; kept < most; ++kept)
    do
      ++end;
    while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
  while (end > 0 && text[end - 1] == ' ')
    --end;
  return text.substr(0, end) + "…";
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kShown = 48;
  const bool quoted =
      text.find('"') != text.npos && !text.starts_with('\'') && !text.ends_with('\'');
  const char quote = quoted ? '\'' : '"'; // a text with " in it stands in single ones
  return quote + printableLabel(shortened(text, kShown)) + quote;
}

} // namespace attention
