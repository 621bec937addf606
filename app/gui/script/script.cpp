#include "app/gui/script/script.h"

#include "app/gui/platform/key.h"
#include "app/gui/platform/utf8.h"
#include "core/support/error.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace attention::gui {
namespace {

constexpr std::size_t kMostLines = 100000;
constexpr std::string_view kActions = "click, double-click, right-click, shift-click, ctrl-click, "
                                      "drag, move, scroll, type, key, set, "
                                      "wait, frames, drop, resize, screenshot, check";

// The beginning of the found text, fit for a message.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  const std::string all = visibleText(text.substr(0, kMost));
  return text.size() > kMost ? all + "…" : all;
}

// Reads one line from left to right; every complaint names the line.
class LineReader {
public:
  LineReader(int line, std::string_view text) : line_(line), rest_(text) { skipSpace(); }

  bool atEnd() const { return rest_.empty() || rest_[0] == '#'; }
  bool atString() const { return !rest_.empty() && rest_[0] == '"'; }

  [[noreturn]] void fail(ErrorCode code, const std::string& message) const {
    const std::string subject = "script line " + std::to_string(line_);
    throw Error(code, subject, subject + ": " + message);
  }

  // Up to the next space.
  std::string_view word(const char* what) {
    if (atEnd())
      fail(ErrorCode::Type, std::string(what) + " is missing");
    std::size_t end = 0;
    while (end < rest_.size() && !isSpace(rest_[end]))
      ++end;
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    skipSpace();
    return found;
  }

  // In double quotes.
  std::string quoted(const char* what) {
    if (!atString())
      fail(ErrorCode::Type, std::string(what) + " is missing; it must be a text in double quotes");
    std::string text;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        if (!rest_.empty() && !isSpace(rest_[0]))
          fail(ErrorCode::Type, "a space is missing after the text \"" + shown(text) + "\"");
        skipSpace();
        return text;
      }
      if (rest_[i] != '\\') {
        text += rest_[i];
        continue;
      }
      if (++i == rest_.size())
        break;
      text += escaped(rest_[i]);
    }
    fail(ErrorCode::Type, std::string(what) + " has no closing double quote");
  }

  // A text in double quotes or one word.
  std::string textOrWord(const char* what) {
    return atString() ? quoted(what) : std::string(word(what));
  }

  double number(const char* what) {
    const std::string_view text = word(what);
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || last != end || !std::isfinite(value) || std::abs(value) > 1e6)
      fail(ErrorCode::Range, std::string(what) + " is " + shown(text) +
                                 "; it must be a number from -1000000 to 1000000");
    return value;
  }

  int integer(const char* what, int least, int most) {
    const double value = number(what);
    if (value != std::floor(value) || value < least || value > most)
      fail(ErrorCode::Range, std::string(what) + " is out of range; it must be an integer from " +
                                 std::to_string(least) + " to " + std::to_string(most));
    return static_cast<int>(value);
  }

  // Whether the next word is `expected`, which is then taken.
  bool take(std::string_view expected) {
    if (rest_.substr(0, expected.size()) != expected)
      return false;
    const std::string_view after = rest_.substr(expected.size());
    if (!after.empty() && !isSpace(after[0]))
      return false;
    rest_ = after;
    skipSpace();
    return true;
  }

  // The rest, without trailing spaces.
  std::string_view remainder() {
    std::string_view all = rest_;
    while (!all.empty() && isSpace(all.back()))
      all.remove_suffix(1);
    rest_ = {};
    return all;
  }

  void end() const {
    if (!atEnd())
      fail(ErrorCode::Type, "nothing may follow the action, found " + shown(rest_));
  }

private:
  static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skipSpace() {
    while (!rest_.empty() && isSpace(rest_[0]))
      rest_.remove_prefix(1);
  }
  char escaped(char c) const {
    if (c == 'n')
      return '\n';
    if (c == 't')
      return '\t';
    if (c == '"' || c == '\\')
      return c;
    fail(ErrorCode::Type, "\\" + shown(std::string_view(&c, 1)) +
                              " is not an escape; it must be one of \\\" \\\\ \\n \\t");
  }

  int line_;
  std::string_view rest_;
};

std::string label(LineReader& in) {
  std::string text = in.quoted("the label");
  if (text.empty())
    in.fail(ErrorCode::Range, "the label is empty");
  return text;
}

// "Label" [at x y] or x y.
ScriptTarget target(LineReader& in) {
  ScriptTarget where;
  if (!in.atString()) {
    where.x = in.number("a label or x");
    where.y = in.number("y");
    return where;
  }
  where.address = label(in);
  if (in.take("at")) {
    where.placed = true;
    where.x = in.number("the share of the width");
    where.y = in.number("the share of the height");
  }
  return where;
}

ClickStep click(LineReader& in, int button, int count, bool shift, bool ctrl) {
  return {target(in), button, count, shift, ctrl};
}

DragStep drag(LineReader& in) {
  DragStep step;
  step.from = target(in);
  if (in.take("to")) {
    step.to = target(in);
    return step;
  }
  step.relative = true;
  step.to.x = in.number("dx or the word to");
  step.to.y = in.number("dy");
  return step;
}

KeyStep key(LineReader& in) {
  const std::string chord = in.textOrWord("the key");
  if (!parseChord(chord))
    in.fail(ErrorCode::Unknown,
            shown(chord) + " is not a key; it must be one such as Ctrl+Shift+Z or F5");
  return {chord};
}

// scene.pattern.params.stride → /pattern/params/stride
std::string pointer(LineReader& in, std::string_view path) {
  std::string result;
  bool start = true;
  for (const char c : path) {
    if (c == '.' || c == '/') {
      if (start)
        in.fail(ErrorCode::Type, "a name is empty in " + shown(path));
      result += '/';
      start = true;
    } else {
      result += c;
      start = false;
    }
  }
  if (start)
    in.fail(ErrorCode::Type, "a name is empty in scene." + shown(path));
  return "/" + result;
}

CheckDocumentStep documentCheck(LineReader& in, std::string_view path) {
  CheckDocumentStep step;
  step.pointer = pointer(in, path);
  step.comparison = in.word("the comparison");
  constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<", "<=", ">", ">="};
  bool known = false;
  for (const std::string_view name : kComparisons)
    known = known || step.comparison == name;
  if (!known)
    in.fail(ErrorCode::Unknown,
            shown(step.comparison) + " is not a comparison; it must be one of == != < <= > >=");
  const std::string text(in.remainder());
  const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  if (value.is_discarded())
    in.fail(ErrorCode::Type, "the value " + shown(text) + " is not JSON");
  step.value = text;
  return step;
}

CheckWidgetStep widgetCheck(LineReader& in) {
  CheckWidgetStep step;
  step.address = label(in);
  const std::string_view what = in.word("what to check");
  struct Named {
    std::string_view name;
    WidgetCheck what;
  };
  constexpr std::array<Named, 9> kChecks{{{"exists", WidgetCheck::Exists},
                                          {"missing", WidgetCheck::Missing},
                                          {"enabled", WidgetCheck::Enabled},
                                          {"disabled", WidgetCheck::Disabled},
                                          {"checked", WidgetCheck::Checked},
                                          {"unchecked", WidgetCheck::Unchecked},
                                          {"focused", WidgetCheck::Focused},
                                          {"value", WidgetCheck::Value},
                                          {"contains", WidgetCheck::Contains}}};
  for (const Named& check : kChecks) {
    if (check.name != what)
      continue;
    step.what = check.what;
    if (step.what == WidgetCheck::Value || step.what == WidgetCheck::Contains)
      step.text = in.quoted("the expected text");
    return step;
  }
  in.fail(ErrorCode::Unknown,
          shown(what) + " cannot be checked; it must be exists, missing, enabled, disabled, "
                        "checked, unchecked, focused, value, contains");
}

ScriptAction check(LineReader& in) {
  if (in.atString())
    return widgetCheck(in);
  const std::string_view word = in.word("what to check");
  constexpr std::string_view kScene = "scene";
  if (word.size() <= kScene.size() || word.substr(0, kScene.size()) != kScene ||
      (word[kScene.size()] != '.' && word[kScene.size()] != '/'))
    in.fail(ErrorCode::Unknown, shown(word) +
                                    " cannot be checked; it must be a label in double quotes or "
                                    "scene. and a path");
  return documentCheck(in, word.substr(kScene.size() + 1));
}

SetStep set(LineReader& in) {
  SetStep step;
  step.target.address = label(in);
  step.value = in.textOrWord("the value");
  return step;
}

ResizeStep resize(LineReader& in) {
  ResizeStep step;
  step.width = in.integer("the width", 1, 16384);
  step.height = in.integer("the height", 1, 16384);
  return step;
}

ScriptAction action(LineReader& in) {
  const std::string verb(in.word("the action"));
  if (verb == "click")
    return click(in, 0, 1, false, false);
  if (verb == "double-click")
    return click(in, 0, 2, false, false);
  if (verb == "right-click")
    return click(in, 1, 1, false, false);
  if (verb == "shift-click")
    return click(in, 0, 1, true, false);
  if (verb == "ctrl-click")
    return click(in, 0, 1, false, true);
  if (verb == "drag")
    return drag(in);
  if (verb == "move")
    return MoveStep{target(in)};
  if (verb == "scroll") {
    const ScriptTarget where = target(in);
    return ScrollStep{where, in.number("the notches")};
  }
  if (verb == "type")
    return TypeStep{in.quoted("the text")};
  if (verb == "key")
    return key(in);
  if (verb == "set")
    return set(in);
  if (verb == "wait")
    return WaitStep{};
  if (verb == "frames")
    return FramesStep{in.integer("the number of frames", 1, 100000)};
  if (verb == "drop")
    return DropStep{in.quoted("the file")};
  if (verb == "resize")
    return resize(in);
  if (verb == "screenshot") {
    const bool speaker = in.take("speaker");
    return ScreenshotStep{in.quoted("the file"), speaker};
  }
  if (verb == "check")
    return check(in);
  in.fail(ErrorCode::Unknown,
          shown(verb) + " is not an action; it must be one of " + std::string(kActions));
}

} // namespace

Script parseScript(std::string_view text) {
  Script script;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (++line > kMostLines)
      throwRange("script", "longer than " + std::to_string(kMostLines) + " lines",
                 "at most " + std::to_string(kMostLines));
    LineReader in(static_cast<int>(line), content);
    if (in.atEnd())
      continue;
    ScriptAction step = action(in);
    in.end();
    script.push_back({static_cast<int>(line), std::move(step)});
  }
  return script;
}

} // namespace attention::gui
