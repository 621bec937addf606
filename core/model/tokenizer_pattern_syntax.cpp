#include "core/model/tokenizer_pattern.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cctype>

namespace attention {
namespace {

// Oniguruma's \s is White_Space; PCRE2's has U+180E too. Its \w has marks and connectors, which
// PCRE2's lacks, and Latin-1's raised digits and fractions (kkos/oniguruma:src/unicode.c).
constexpr std::string_view kWhiteSpace = R"(\p{Wspace})";
constexpr std::string_view kNoSpace = R"(\P{Wspace})";
constexpr std::string_view kWord = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\xB2\xB3\xB9\xBC-\xBE)";

class PcreWriter {
public:
  PcreWriter(std::string_view from, const std::string& subject) : from_(from), subject_(subject) {}

  std::string write() {
    while (at_ < from_.size())
      step();
    return to_;
  }

private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::Expr, subject_,
                subject_ + " is " + excerpt(from_) + ", with " + what +
                    ", which this program cannot match as Oniguruma does");
  }

  bool follows(std::string_view text) const { return from_.substr(at_, text.size()) == text; }
  void copy(std::size_t bytes) {
    to_ += from_.substr(at_, bytes);
    at_ += bytes;
  }

  void step() {
    if (from_[at_] == '\\')
      escape();
    else if (inSet_)
      stepInSet();
    else
      stepOutside();
  }

  void stepInSet() {
    if (from_[at_] == ']' && at_ != setBegin_)
      inSet_ = false;
    else if (follows("&&"))
      refuse("an intersection of character classes");
    else if (follows("[:")) {
      const std::size_t end = from_.find(":]", at_);
      return copy(end == std::string_view::npos ? 2 : end + 2 - at_);
    } else if (from_[at_] == '[')
      refuse("a nested character class");
    copy(1);
  }

  void stepOutside() {
    if (follows("[")) {
      inSet_ = true;
      copy(follows("[^") ? 2 : 1);
      setBegin_ = at_;
      return;
    }
    if (follows("(?"))
      requireKnownOptions();
    if (follows("{"))
      requirePlainInterval();
    copy(1);
  }

  // (?m) lets a point match line ends in Ruby's syntax and is another option in Perl's.
  void requireKnownOptions() const {
    for (std::size_t i = at_ + 2;
         i < from_.size() &&
         (std::isalpha(static_cast<unsigned char>(from_[i])) || from_[i] == '-');
         ++i)
      if (from_[i] == 'm' || from_[i] == 's')
        refuse(std::string("the option ") + from_[i]);
  }

  void requirePlainInterval() const {
    if (follows("{,"))
      refuse("a repetition without a lower bound");
    const std::size_t end = from_.find('}', at_);
    const bool interval = end != std::string_view::npos && at_ + 1 < end &&
                          from_.find_first_not_of("0123456789,", at_ + 1) == end;
    if (interval && end + 1 < from_.size() && from_[end + 1] == '+')
      refuse("a repeated repetition");
  }

  void escape() {
    if (at_ + 1 == from_.size())
      return copy(1);
    switch (from_[at_ + 1]) {
    case 's':
      return put(kWhiteSpace);
    case 'S':
      return put(kNoSpace);
    case 'w':
      return put(inSet_ ? std::string(kWord) : "[" + std::string(kWord) + "]");
    case 'W':
      if (inSet_)
        refuse("\\W in a character class");
      return put("[^" + std::string(kWord) + "]");
    case 'b':
      return inSet_ ? copy(2) : put(boundary("(?=", "(?!"));
    case 'B':
      return inSet_ ? copy(2) : put(boundary("(?!", "(?="));
    case 'h':
    case 'H':
    case 'K':
    case 'C':
    case 'N':
    case 'O':
      refuse(std::string("\\") + from_[at_ + 1]);
    default:
      break;
    }
    copy(2);
    if (follows("{") && std::string_view("pPxogku").find(from_[at_ - 1]) != std::string_view::npos)
      copy(std::min(from_.size(), from_.find('}', at_)) - at_); // of a name or number
  }

  // Behind a word's character `same` must hold for the next one, behind others `other`.
  static std::string boundary(std::string_view other, std::string_view same) {
    const std::string word = "[" + std::string(kWord) + "])";
    const auto ahead = [&](std::string_view look) { return std::string(look) + word; };
    return "(?:(?<=" + word + ahead(same) + "|(?<!" + word + ahead(other) + ")";
  }

  void put(std::string_view text) {
    to_ += text;
    at_ += 2;
  }

  std::string_view from_;
  const std::string& subject_;
  std::string to_;
  std::size_t at_ = 0;
  std::size_t setBegin_ = 0; // where a ] would be a character of the set
  bool inSet_ = false;
};

} // namespace

std::string pcreExpression(std::string_view oniguruma, const std::string& subject) {
  return PcreWriter(oniguruma, subject).write();
}

} // namespace attention
