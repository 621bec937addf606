// Text from users and files, and text for them: words and numbers in the C locale, excerpts for
// messages that stay valid UTF-8.
#pragma once

#include <charconv>
#include <concepts>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// `text` without spaces, tabs and line ends at either end.
std::string_view trimmed(std::string_view text);

// The pieces between the separators, including empty ones; nothing for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);
// Deleted: the pieces would outlive a temporary text.
template <class Temporary>
requires std::same_as<Temporary, std::string>
void split(Temporary&& text, char separator) = delete;

// All of `text` as a number of type T; nothing if it is not a number or beyond the type.
template <class T>
std::optional<T> numberOf(std::string_view text) {
  T value{};
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') // which from_chars does not read
    text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

// Whether `text` is a number that is too large or too close to 0 for float64.
bool isBeyondReals(std::string_view text);

// Whether `text` is a whole number, of any size: digits, with or without a sign before them.
bool isWholeNumber(std::string_view text);

// The shortest text that reads back as the same number of that type: 0.1F is "0.1"; also "inf",
// "-inf" and "NaN".
std::string shortest(double value);
std::string shortest(float value);

// `value` with the given number of digits after the point.
std::string fixed(double value, int digits);

// `text` with a capital first letter, where that is an ASCII one.
std::string capitalised(std::string text);

// The ending of a file's name with its dot, in lower case; empty if there is none.
std::string endingOf(const std::filesystem::path& path);

// `text` with control characters and bytes that are not UTF-8 as \x0b, so that it can be shown and
// different texts stay different.
std::string printableLabel(std::string_view text);

// At most `bytes` of `text`, in whole characters, followed by "…" if anything is cut off.
std::string shortened(std::string_view text, std::size_t bytes);

// How many characters it has, and at most so many of them, of which "…" is the last where some are
// left out.
std::size_t lettersOf(std::string_view text);
std::string cutToLetters(const std::string& text, std::size_t most);

// `text` for a message: in quotes, at most 48 bytes of it, printable; in single ones where it
// begins or ends with a quote itself.
std::string excerpt(std::string_view text);

} // namespace attention
