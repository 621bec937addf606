#include "core/model/tokenizer_pattern.h"

#include "core/model/tokenizer_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <utility>

namespace attention {
namespace {

constexpr std::size_t kJitStackBegin = std::size_t{32} << 10; // bytes
constexpr std::size_t kJitStackEnd = std::size_t{4} << 20;
constexpr std::uint32_t kHeapLimit = 64U << 10;       // KiB of one search
constexpr std::uint32_t kStepsBeyondText = 1'000'000; // of one search
constexpr std::uint32_t kMostSteps = 0x7FFF'FFFF;
constexpr std::uint32_t kMostParentheses = 64; // one within the other

template <auto release>
struct Release {
  template <class T>
  void operator()(T* held) const {
    release(held);
  }
};
using Code = std::unique_ptr<pcre2_code, Release<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Release<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Release<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Release<pcre2_match_data_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Release<pcre2_jit_stack_free>>;

template <class T>
T required(T made) {
  if (!made)
    throw std::bad_alloc();
  return made;
}

std::string messageOf(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

PCRE2_SPTR unitsOf(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

Code compile(std::string_view expression, std::uint32_t options, std::string_view written,
             const std::string& subject) {
  const CompileContext context(required(pcre2_compile_context_create(nullptr)));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_parens_nest_limit(context.get(), kMostParentheses);
  int error = 0;
  PCRE2_SIZE at = 0;
  Code code(
      pcre2_compile(unitsOf(expression), expression.size(), options, &error, &at, context.get()));
  if (!code)
    throw Error(ErrorCode::Expr, subject,
                subject + " is " + excerpt(written) +
                    ", which is not a regular expression: " + messageOf(error));
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE); // without it the search is only slower
  return code;
}

// One run through a text: the state that PCRE2 needs beside the expression.
class Search {
public:
  Search(const pcre2_code* code, std::string_view text, const std::string& subject)
      : code_(code), text_(text), subject_(subject),
        data_(required(pcre2_match_data_create(1, nullptr))),
        context_(required(pcre2_match_context_create(nullptr))) {
    const std::size_t steps = kStepsBeyondText + 16 * text.size();
    pcre2_set_match_limit(context_.get(),
                          static_cast<std::uint32_t>(std::min<std::size_t>(steps, kMostSteps)));
    pcre2_set_heap_limit(context_.get(), kHeapLimit);
  }

  // The first match that begins at `from` or later.
  std::optional<TextRange> next(std::size_t from) {
    int found = match(from);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT && growStack())
      found = match(from);
    if (found == PCRE2_ERROR_NOMATCH)
      return std::nullopt;
    if (found < 0)
      throw Error(ErrorCode::Expr, subject_,
                  subject_ + " cannot be searched for in this text: " + messageOf(found));
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(data_.get());
    return TextRange{range[0], range[1], true};
  }

private:
  int match(std::size_t from) const {
    return pcre2_match(code_, unitsOf(text_), text_.size(), from, PCRE2_NO_UTF_CHECK, data_.get(),
                       context_.get());
  }

  // Few searches need more than what PCRE2 takes from the thread's stack.
  bool growStack() {
    if (stack_)
      return false;
    stack_.reset(required(pcre2_jit_stack_create(kJitStackBegin, kJitStackEnd, nullptr)));
    pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
    return true;
  }

  const pcre2_code* code_;
  std::string_view text_;
  const std::string& subject_;
  MatchData data_;
  MatchContext context_;
  JitStack stack_;
};

} // namespace

struct TextPattern::Compiled {
  Code code;
};

TextPattern::TextPattern(std::string subject, std::shared_ptr<const Compiled> compiled)
    : subject_(std::move(subject)), compiled_(std::move(compiled)) {}

TextPattern TextPattern::expression(std::string_view expression, const std::string& subject) {
  constexpr std::uint32_t kOptions =
      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
  return {subject, std::make_shared<const Compiled>(Compiled{compile(
                       pcreExpression(expression, subject), kOptions, expression, subject)})};
}

TextPattern TextPattern::fixed(std::string_view text, const std::string& subject) {
  return {subject, std::make_shared<const Compiled>(
                       Compiled{compile(text, PCRE2_UTF | PCRE2_LITERAL, text, subject)})};
}

std::vector<TextRange> TextPattern::ranges(std::string_view text) const {
  Search search(compiled_->code.get(), text, subject_);
  std::vector<TextRange> ranges;
  std::size_t end = 0; // of the last match
  bool any = false;
  for (std::size_t from = 0; from <= text.size();) {
    const std::optional<TextRange> match = search.next(from);
    if (!match)
      break;
    if (match->begin == match->end && any && match->end == end) {
      from += from < text.size() ? characterLength(text, from) : 1;
      continue;
    }
    if (match->begin > end)
      ranges.push_back({end, match->begin, false});
    ranges.push_back(*match);
    from = end = match->end;
    any = true;
  }
  if (end < text.size())
    ranges.push_back({end, text.size(), false});
  return ranges;
}

} // namespace attention
