#include "core/scene/marked_words.h"

#include "core/pattern/pattern_title.h"
#include "core/pattern/value_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

// Where a marked number begins and ends: [shown](fact), the fact's own parentheses in pairs.
struct Mark {
  std::size_t begin = 0;
  std::size_t middle = 0; // of "]("
  std::size_t end = 0;    // behind ")"
};

std::optional<Mark> nextMark(std::string_view words, std::size_t from) {
  for (std::size_t middle = words.find("](", from); middle != std::string_view::npos;
       middle = words.find("](", middle + 2)) {
    const std::size_t begin = words.rfind('[', middle);
    if (begin == std::string_view::npos || begin < from)
      continue;
    int open = 1;
    std::size_t end = middle + 2;
    for (; end < words.size() && open > 0; ++end)
      open += words[end] == '(' ? 1 : words[end] == ')' ? -1 : 0;
    if (open == 0)
      return Mark{begin, middle, end};
  }
  return std::nullopt;
}

std::optional<Value> valueAt(const Pattern& pattern, std::string_view path);

// What `path` leads to within a value: ".g" of named numbers, "[1]" of a list, "[0].window" of
// operands.
std::optional<Value> valueWithin(const Value& value, std::string_view path) {
  if (path.empty())
    return value;
  if (const auto* named = std::get_if<Variables>(&value)) {
    const auto at = named->find(std::string(path.substr(1)));
    return at == named->end() ? std::nullopt : std::optional<Value>(at->second);
  }
  const std::size_t close = std::min(path.find(']'), path.size());
  const auto place = numberOf<std::size_t>(path.substr(1, close - 1));
  const std::string_view rest = path.substr(std::min(close + 1, path.size()));
  if (const auto* list = std::get_if<IndexList>(&value); list && place && rest.empty())
    return *place < list->size() ? std::optional<Value>((*list)[*place]) : std::nullopt;
  const auto* operands = std::get_if<std::shared_ptr<const PatternList>>(&value);
  if (operands && *operands && place && *place < (*operands)->size() && !rest.empty())
    return valueAt((**operands)[*place], rest.substr(1));
  return std::nullopt;
}

std::optional<Value> valueAt(const Pattern& pattern, std::string_view path) {
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  const Parameter* parameter = description(pattern).find(path.substr(0, end));
  if (!parameter)
    return std::nullopt;
  Value value = parameter->given(pattern);
  if (std::holds_alternative<std::monostate>(value))
    value = fixedDefault(*parameter, pattern);
  if (std::holds_alternative<std::monostate>(value))
    value = parameter->symbol.empty() ? parameter->name : parameter->symbol;
  return valueWithin(value, path.substr(end));
}

// Whole numbers are added up; what has no number, as a symbol, stands before their sum.
std::optional<std::string> sumNow(std::string_view fact, const Pattern& pattern) {
  std::string text;
  std::optional<Index> sum;
  for (const std::string_view each : split(fact, '+')) {
    const std::string_view term = trimmed(each);
    const auto number = numberOf<Index>(term);
    const auto value = number ? std::optional<Value>(*number) : valueAt(pattern, term);
    const auto* whole = value ? std::get_if<Index>(&*value) : nullptr;
    Index added = 0;
    if (!value || (whole && __builtin_add_overflow(sum.value_or(0), *whole, &added)))
      return std::nullopt;
    if (whole)
      sum = added;
    else
      text += (text.empty() ? "" : " + ") + textOf(*value);
  }
  if (text.empty() && !sum)
    return std::nullopt;
  return text + (sum && !text.empty() ? " + " : "") + (sum ? groupedDigits(*sum) : "");
}

// "4th", but neither "4" nor "left".
bool isOrdinal(std::string_view number) {
  return number.find_first_of("0123456789") == 0 && number.find_last_of("dht") == number.size() - 1;
}

const char* ordinalEnding(std::string_view number) {
  static constexpr std::array kEndings{"th", "st", "nd", "rd"};
  const auto last = static_cast<std::size_t>(number.back() - '0');
  const bool teens = number.size() > 1 && number[number.size() - 2] == '1';
  return kEndings[teens || last >= kEndings.size() ? 0 : last];
}

} // namespace

std::vector<MarkedNumber> numbersIn(std::string_view words) {
  std::vector<MarkedNumber> numbers;
  wordsWith(words, [&](const MarkedNumber& number) {
    numbers.push_back(number);
    return std::nullopt;
  });
  return numbers;
}

std::string plainWords(std::string_view words) {
  return wordsWith(words, [](const MarkedNumber& number) { return number.shown; });
}

std::string wordsWith(std::string_view words, const NumberNow& now) {
  std::string text;
  std::size_t from = 0;
  for (auto mark = nextMark(words, 0); mark; mark = nextMark(words, mark->end)) {
    const auto [begin, middle, end] = *mark;
    text += words.substr(from, begin - from);
    const auto number = now({std::string(words.substr(begin + 1, middle - begin - 1)),
                             std::string(words.substr(middle + 2, end - middle - 3))});
    text += number ? std::string_view(*number) : words.substr(begin, end - begin);
    from = end;
  }
  return text += words.substr(from);
}

std::optional<std::string> numberNow(const MarkedNumber& number, const Pattern& pattern) {
  auto now = sumNow(number.fact, pattern);
  if (now && isOrdinal(number.shown))
    *now += ordinalEnding(*now);
  return now;
}

std::string wordsNow(std::string_view words, const Pattern& pattern) {
  return wordsWith(words, [&](const MarkedNumber& number) { return numberNow(number, pattern); });
}

} // namespace attention
