// Where lines of text may break.
#pragma once

#include <algorithm>
#include <string_view>

namespace attention {

// Whether a word is a number or a symbol of a formula: "4 095", "w", "n²", "√m".
inline bool isTerm(std::string_view word) {
  constexpr std::size_t kSign = 3; // bytes, with an exponent
  return !word.empty() && ((word.front() >= '0' && word.front() <= '9') || word.size() <= kSign ||
                           word.starts_with("√"));
}

// Whether a word takes a number after it: "figure 3", "(table 2)".
inline bool isNumbered(std::string_view word) {
  while (word.starts_with("("))
    word.remove_prefix(1);
  for (const std::string_view name : {"figure", "Figure", "figures", "fig.", "Fig.", "table",
                                      "Table", "section", "equation", "appendix"})
    if (word == name)
      return true;
  return false;
}

// Whether a line may break at the space at `at`: not inside a number with grouped digits ("16
// 384"), beside an equals or comparison sign ("n = 6", "i − j ≤ 6"), a minus or times sign ("8 ×
// 8"), before a percent sign, between a letter or "figure" and its number ("n 4096"), beside an
// operator between two terms ("4 095 + 1", "n · w", "1 / √m"), inside a pair of numbers ("(1, 0)"),
// nor before a dot between phrases, which may end a line but not begin one.
inline bool breaksAt(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t k) {
    return k < text.size() && text[k] >= '0' && text[k] <= '9';
  };
  const bool group =
      at > 0 && digit(at - 1) && digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4);
  const std::string_view before = text.substr(0, at);
  const std::string_view after = text.substr(at + 1);
  const auto beside = [&](std::string_view sign) {
    return before.ends_with(sign) || after.starts_with(sign);
  };
  const bool alone = at == 1 || (at > 1 && (before[at - 2] == ' ' || before[at - 2] == '\n'));
  const bool letter = alone && before[at - 1] >= 'A' && digit(at + 1);
  const std::size_t start = before.rfind(' ') + 1; // 0 if there is none
  const std::string_view last = before.substr(start);
  const std::string_view first = after.substr(0, after.find_first_of(" \n"));
  const bool dot = first == "·";
  const std::string_view phrase = before.substr(0, start == 0 ? 0 : start - 1);
  const bool product = isTerm(phrase.substr(phrase.find_last_of(" \n") + 1)); // before a dot
  const bool named = isNumbered(last) && digit(at + 1);
  const bool pair = last.starts_with("(") && last.ends_with(",") && digit(start + 1) &&
                    digit(at + 1) && first.find(')') != std::string_view::npos;
  const auto joins = [&](std::string_view sign, std::string_view term) {
    return (sign == "+" || (sign == "·" && product) || sign == "/") && isTerm(term);
  };
  const std::string_view bare = last.substr(std::min(last.find_first_not_of('('), last.size()));
  const auto relates = [](std::string_view word) {
    return word == "<" || word == ">" || word == "≤" || word == "≥";
  };
  return !group && !letter && !dot && !named && !pair && !joins(last, first) &&
         !joins(first, last) && !relates(bare) && !relates(first) && !after.starts_with("%") &&
         !beside("=") && !beside("≈") && !beside("−") && !beside("×");
}

// Whether a cut before the byte at `at` goes through a number: "12" of "128" is another number.
inline bool cutsNumber(std::string_view text, std::size_t at) {
  constexpr std::string_view kThin = "\u2009"; // between digits in threes
  const auto digit = [&](std::size_t k) {
    return k < text.size() && text[k] >= '0' && text[k] <= '9';
  };
  if (at == 0 || at >= text.size())
    return false;
  const std::string_view before = text.substr(0, at);
  const std::string_view after = text.substr(at);
  const auto joins = [&](std::string_view joint) { // digits on both sides
    const bool behind = after.starts_with(joint) && digit(at - 1) && digit(at + joint.size());
    return behind || (before.ends_with(joint) && at > joint.size() &&
                      digit(at - joint.size() - 1) && digit(at));
  };
  return (digit(at - 1) && digit(at)) || joins(".") || joins(kThin);
}

// A line without the dot at its end that parted it from the phrase on the next line.
inline std::string_view withoutHangingDot(std::string_view line) {
  constexpr std::string_view kDot = " ·";
  if (line == kDot.substr(1))
    return {};
  return line.ends_with(kDot) ? line.substr(0, line.size() - kDot.size()) : line;
}

// The end of the words from `from` on that must stay together: at a space where a line may break,
// at a line's end or at the end of the text.
inline std::size_t lineBreak(std::string_view text, std::size_t from) {
  const auto next = [&](std::size_t at) {
    return std::min(text.find_first_of(" \n", at), text.size());
  };
  std::size_t end = next(from);
  while (end < text.size() && text[end] == ' ' && !breaksAt(text, end))
    end = next(end + 1);
  return end;
}

} // namespace attention
