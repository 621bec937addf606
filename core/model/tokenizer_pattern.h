// A regular expression or a fixed text that a tokenizer splits or replaces by. The expressions of
// tokenizer.json are written for Oniguruma (Ruby's syntax); PCRE2 matches them with the same
// meaning, and what the two read differently is refused.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// A range of a text, in bytes: a match, or what lies between two.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool matched = false;
};

class TextPattern {
public:
  // E_EXPR names `subject`: no expression that can be read, or one that PCRE2 would read
  // differently.
  static TextPattern expression(std::string_view expression, const std::string& subject);
  // Every occurrence of `text`; between all characters where it is empty.
  static TextPattern fixed(std::string_view text, const std::string& subject);

  // The ranges of `text`, which is UTF-8, in order: together they are all of it. An empty match
  // directly behind another match is none. E_EXPR: the search takes too many steps.
  std::vector<TextRange> ranges(std::string_view text) const;

private:
  struct Compiled;
  TextPattern(std::string subject, std::shared_ptr<const Compiled> compiled);

  std::string subject_;
  std::shared_ptr<const Compiled> compiled_;
};

// An expression of Oniguruma as PCRE2 writes it (PCRE2_UTF, PCRE2_UCP, PCRE2_MULTILINE). E_EXPR
// names `subject`: sets within sets, intersections (&&), \h, \W in a set, (?m), repeated intervals
// {n,m}+ and {,m}, which PCRE2 has not or reads differently.
std::string pcreExpression(std::string_view oniguruma, const std::string& subject);

} // namespace attention
