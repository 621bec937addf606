#include "core/input/text_lines.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

// Quotes within are doubled, of which those at the ends become single; others are words of nobody.
std::string_view unquoted(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"')
    return field;
  field = field.substr(1, field.size() - 2);
  if (field.starts_with("\"\""))
    field.remove_prefix(1);
  if (field.ends_with("\"\""))
    field.remove_suffix(1);
  return field;
}

// The length of the quoted field that `text` begins with, its quotes included; 0 where it begins
// with none. Quotes within are doubled.
std::size_t quotedSize(std::string_view text) {
  if (!text.starts_with('"'))
    return 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] != '"')
      continue;
    if (at + 1 == text.size() || text[at + 1] != '"')
      return at + 1;
    ++at;
  }
  return 0;
}

std::string withoutQuoted(std::string_view line) {
  std::string bare;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool begins = at == 0 || std::string_view(",; \t").find(line[at - 1]) != line.npos;
    at += begins ? quotedSize(line.substr(at)) : 0;
    bare += at < line.size() ? line[at] : ' ';
  }
  return bare;
}

enum class Quotes { Closed, Open, Stray };

// How the quoted fields of `line` end: Open if one may go on below it, since nothing closes it, and
// Stray if something follows its end. A quote before a separator is a word.
Quotes quotesOf(std::string_view line) {
  const auto isOneOf = [&](std::size_t at, std::string_view signs) {
    return at < line.size() && signs.find(line[at]) != signs.npos;
  };
  constexpr std::string_view kSeparators = ",;\t";
  constexpr std::string_view kEnds = ",;\t\r\n";
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool begins = line[at] == '"' && (at == 0 || isOneOf(at - 1, kEnds));
    if (!begins || isOneOf(at + 1, kSeparators))
      continue;
    const std::size_t size = quotedSize(line.substr(at));
    if (size == 0)
      return Quotes::Open;
    at += size;
    if (at < line.size() && !isOneOf(at, kEnds))
      return Quotes::Stray;
  }
  return Quotes::Closed;
}

bool separates(char c, char separator) {
  return c == separator || (separator == ' ' && c == '\t');
}

// Where the first field of `line` ends: separators within quotes belong to it.
std::size_t fieldEnd(std::string_view line, char separator) {
  const char* blanks = separator == '\t' ? " " : " \t";
  const std::size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  if (const std::size_t size = quotedSize(line.substr(begin)); size > 0) {
    const std::size_t after =
        separator == ' ' ? begin + size
                         : std::min(line.find_first_not_of(blanks, begin + size), line.size());
    if (after == line.size())
      return line.npos;
    if (separates(line[after], separator))
      return after;
  }
  return separator == ' ' ? line.find_first_of(" \t") : line.find(separator);
}

template <class T>
std::optional<T> parsed(std::string_view field) {
  if (field.size() > 1 && field.front() == '+' && field[1] != '-' && field[1] != '+')
    field.remove_prefix(1); // from_chars takes no plus sign
  return numberOf<T>(field);
}

// `line` without spaces at either end, but keeping a tab before a word: the empty first field of a
// heading, above the index column of pandas.
std::string_view withFirstField(std::string_view line) {
  const std::string_view text = trimmed(line);
  const auto skipped = static_cast<std::size_t>(text.data() - line.data());
  const std::string_view first = text.substr(0, text.find_first_of(" \t,;"));
  const bool heading = !realOf(first) || text.starts_with("0\t1");
  const bool empty = skipped > 0 && line[skipped - 1] == '\t' && heading;
  return empty ? std::string_view(text.data() - 1, text.size() + 1) : text;
}

} // namespace

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Lines::Lines(std::string_view text) : rest_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (rest_.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    rest_.remove_prefix(kByteOrderMark.size());
  done_ = rest_.empty();
  if (rest_.find('\n') == rest_.npos)
    lineEnd_ = '\r'; // of old Macs
}

std::optional<std::string_view> Lines::next() {
  return done_ ? std::nullopt : std::optional(nextTo(rest_.find(lineEnd_)));
}

// The rest up to a line end, or to the end of the text.
std::string_view Lines::nextTo(std::size_t end) {
  std::string_view line = rest_.substr(0, end);
  number_ += 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), lineEnd_));
  rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
  done_ = rest_.empty();
  if (!line.empty() && line.back() == '\r')
    line.remove_suffix(1);
  return line;
}

std::string_view Lines::withQuotedBreaks(std::string_view line) {
  constexpr std::size_t kMostBreaks = 16; // an unclosed quote does not swallow the file
  const std::string_view text(line.data(),
                              static_cast<std::size_t>(rest_.data() + rest_.size() - line.data()));
  std::size_t end = line.size();
  for (std::size_t breaks = 0; breaks < kMostBreaks && end < text.size(); ++breaks) {
    end = std::min(text.find(lineEnd_, end + 1), text.size());
    const Quotes quotes = quotesOf(text.substr(0, end));
    if (quotes == Quotes::Stray)
      break;
    if (quotes == Quotes::Open)
      continue;
    rest_ = text;
    --number_;
    return nextTo(end);
  }
  return line;
}

std::optional<std::string_view> Lines::nextFilled(char comment) {
  while (const auto line = next()) {
    const std::string_view text = trimmed(*line);
    if (text.empty())
      continue;
    if (text.front() != comment) {
      const auto whole = quotesOf(*line) == Quotes::Open ? withQuotedBreaks(*line) : *line;
      return std::exchange(begun_, true) ? trimmed(whole) : withFirstField(whole);
    }
    if (!begun_)
      comments_.push_back(
          trimmed(text.substr(std::min(text.find_first_not_of(comment), text.size()))));
  }
  return std::nullopt;
}

char separatorOf(std::string_view line) {
  const std::string bare = line.find('"') == line.npos ? std::string() : withoutQuoted(line);
  const std::string_view searched = bare.empty() ? line : bare;
  for (const char separator : {',', ';', '\t'})
    if (searched.find(separator) != std::string_view::npos)
      return separator;
  return ' ';
}

void splitFields(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  if (separator != '\t')
    line = trimmed(line);
  while (true) {
    const std::size_t end = fieldEnd(line, separator);
    fields.push_back(unquoted(trimmed(line.substr(0, end))));
    if (end == std::string_view::npos)
      return;
    line.remove_prefix(end + 1);
    if (separator == ' ')
      line = trimmed(line);
  }
}

std::optional<double> realOf(std::string_view field) {
  return parsed<double>(field);
}

std::optional<std::int64_t> integerOf(std::string_view field) {
  return parsed<std::int64_t>(field);
}

std::string atLine(std::size_t number) {
  return "line " + std::to_string(number);
}

} // namespace attention
