#include "tests/app/gui/word_list.h"

#include "app/gui/platform/utf8.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>

namespace attention::gui {
namespace {

// "4 096 keys" and "7 keys" are both "# keys".
std::string withNumbersAlike(std::string_view text) {
  constexpr std::string_view kThinSpace = "\u2009";
  const auto digit = [&](std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  // How many more characters the number at `at` has: 0 at its end.
  const auto more = [&](std::size_t at) -> std::size_t {
    const std::string_view rest = text.substr(at);
    if (digit(at) || (rest.starts_with('.') && digit(at + 1)))
      return 1;
    return rest.starts_with(kThinSpace) && digit(at + kThinSpace.size()) ? kThinSpace.size() : 0;
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    result += digit(at) ? '#' : text[at];
    at += 1;
    while (result.back() == '#' && more(at) > 0)
      at += more(at);
  }
  return result;
}

std::string asOneLine(std::string_view text) {
  std::string line;
  for (const char c : text)
    line += c == '\n' ? " / " : std::string(1, c);
  return line;
}

bool isText(std::string words) {
  std::erase_if(words, [](char c) { return c == '\n' || c == '\t'; });
  return visibleText(words) == words;
}

struct WordsKept {
  std::string file;
  WordList list;
  explicit WordsKept(const char* name) : file(name) {}
  ~WordsKept() { std::ofstream(file) << list.text(); }
  WordsKept(WordsKept&&) = delete;
};

} // namespace

void WordList::add(const std::string& view, const std::string& scope, const std::string& words) {
  const std::string line = scope + " | " + asOneLine(words);
  const auto [at, isNew] = lines_.try_emplace(withNumbersAlike(line), Shown{line, view});
  if (!isNew && at->second.view != view)
    at->second.view.clear();
}

void WordList::take(const WidgetLog& log, const std::string& view) {
  for (const Widget& widget : log.widgets()) {
    const bool once = widget.value.empty() || widget.value == widget.label;
    add(view, widget.scope, widget.label + (once ? "" : ": " + widget.value));
  }
  for (const TooltipWords& tip : log.tooltips())
    add(view, tip.scope, "(" + tip.words + ")");
}

std::string WordList::text() const {
  std::set<std::string> lines;
  for (const auto& [key, shown] : lines_)
    lines.insert((shown.view.empty() ? "several views" : shown.view) + " | " + shown.line);
  std::string all;
  for (const std::string& line : lines)
    all += line + "\n";
  return all;
}

std::string brokenWords(const WidgetLog& log) {
  for (const Widget& widget : log.widgets())
    for (const std::string& words : {widget.label, widget.value})
      if (!isText(words))
        return widget.scope + " | " + visibleText(words);
  for (const TooltipWords& tip : log.tooltips())
    if (!isText(tip.words))
      return tip.scope + " | " + visibleText(tip.words);
  return {};
}

void keepWords(const WidgetLog& log, const std::string& view) {
  static const std::unique_ptr<WordsKept> kept = [] {
    const char* file = std::getenv("ATTENTION_WORDS");
    return file ? std::make_unique<WordsKept>(file) : nullptr;
  }();
  if (kept)
    kept->list.take(log, view);
}

} // namespace attention::gui
