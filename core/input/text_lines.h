// Lines and fields of text files: views into the bytes, numbers in the C locale, line numbers for
// errors. Line ends are \n or \r\n, or \r where there is no \n; a byte order mark at the beginning
// is skipped.
#pragma once

#include "core/support/text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

std::string_view textOf(std::span<const std::byte> bytes);

class Lines {
public:
  explicit Lines(std::string_view text);

  // The next line, or nothing at the end.
  std::optional<std::string_view> next();
  // The next line of a table that is neither blank nor begins with `comment`, trimmed; the first
  // one keeps a leading tab after an empty field. A line goes on where it breaks within a quoted
  // field.
  std::optional<std::string_view> nextFilled(char comment);
  // The texts of the comments that nextFilled has skipped before the first line that is not one.
  const std::vector<std::string_view>& comments() const { return comments_; }
  // The number of the last line that was returned, from 1; of its last one where it has breaks.
  std::size_t number() const { return number_; }

private:
  std::string_view nextTo(std::size_t end);
  std::string_view withQuotedBreaks(std::string_view line);

  std::string_view rest_;
  char lineEnd_ = '\n';
  std::vector<std::string_view> comments_;
  std::size_t number_ = 0;
  bool begun_ = false; // a filled line was returned
  bool done_ = false;
};

// The separator that a line uses: the first of , ; tab that it holds outside of quotes, else a
// space.
char separatorOf(std::string_view line);

// Fields of `line`, trimmed and without quotes around them, in which a separator may stand; a space
// separates as any number of spaces does.
void splitFields(std::string_view line, char separator, std::vector<std::string_view>& fields);

// The whole of `field` as a number; nothing if it is not one.
std::optional<double> realOf(std::string_view field);
std::optional<std::int64_t> integerOf(std::string_view field);

// "line 12".
std::string atLine(std::size_t number);
} // namespace attention
