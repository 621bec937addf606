#include "core/views/panel_words.h"

#include "core/pattern/presets.h"
#include "core/support/text.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace attention {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isNumber(ParameterType type) {
  return type == ParameterType::Integer || type == ParameterType::Real ||
         type == ParameterType::Seed;
}

// Whether the patterns differ in numbers alone, if at all.
bool sameButNumbers(const Pattern& a, const Pattern& b) {
  Pattern changed = a;
  if (!sameMechanism(a, b))
    return false;
  for (const Parameter& parameter : description(a).parameters)
    if (isNumber(parameter.type))
      parameter.set(changed, parameter.given(b));
  return changed == b;
}

// Letters that pictures use for rows, columns and the length in any case; and an article.
bool isUsual(char letter) {
  return std::string_view("ijnaA").find(letter) != std::string_view::npos;
}

// "W" of "W + 1 keys", but neither that of "W = 4", which says its value, nor "(a)".
bool callsByLetter(const std::string& words) {
  const auto at = [&](std::size_t k) { return k < words.size() ? words[k] : ' '; };
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool alone = (k == 0 || words[k - 1] == ' ') && (at(k + 1) == ' ' || at(k + 1) == ',');
    const bool valued = words.compare(k + 1, 3, " = ") == 0 && isDigit(at(k + 4));
    if (isLetter(words[k]) && alone && !valued && !isUsual(words[k]))
      return true;
  }
  return false;
}

// What has become of the pattern that a panel's words described.
enum class Change { None, Numbers, More };

Change changeOf(const Pattern& own, const Pattern& edited) {
  if (own == edited)
    return Change::None;
  return sameButNumbers(own, edited) ? Change::Numbers : Change::More;
}

// Words belong to the panel that had the same ones, wherever it stands; new words belong to none.
template <class Words>
Change changeUnder(Words Panel::*words, const Panel& panel, const std::vector<Panel>& own) {
  std::optional<Change> least;
  for (const Panel& other : own)
    if (other.*words == panel.*words)
      least = std::min(least.value_or(Change::More), changeOf(other.pattern, panel.pattern));
  return least.value_or(Change::None);
}

// Names of conventions, which may have digits that are no values: "Mistral 7B, the text".
bool namesPreset(const std::string& words) {
  const auto presets = allPresets();
  return std::any_of(presets.begin(), presets.end(),
                     [&](const Preset& preset) { return preset.title == words; });
}

bool isStale(const std::string& words, Change change, bool anyChange) {
  if (change != Change::More && namesPreset(words))
    return false;
  return change == Change::More || (change == Change::Numbers && tellsNumbers(words)) ||
         (anyChange && callsByLetter(words));
}

// Not part of another number or of a name, as in "1.5", "7B", "GPT-2", "2-d".
bool standsIn(const std::string& words, const std::string& number) {
  const auto sign = [&](std::size_t k) { return k < words.size() ? words[k] : ' '; };
  for (auto at = words.find(number); at != std::string::npos; at = words.find(number, at + 1)) {
    const std::size_t end = at + number.size();
    const char before = at == 0 ? ' ' : words[at - 1];
    const bool point = sign(end) == '.' && isDigit(sign(end + 1));
    const bool within = isDigit(before) || before == '.' || before == '-' || isDigit(sign(end)) ||
                        isLetter(sign(end)) || sign(end) == '-' || point;
    if (!within)
      return true;
  }
  return false;
}

std::string textOf(const Value& value) {
  if (const auto* whole = std::get_if<Index>(&value))
    return std::to_string(*whole);
  if (const auto* seed = std::get_if<std::uint64_t>(&value))
    return std::to_string(*seed);
  if (const auto* real = std::get_if<double>(&value))
    return shortest(*real);
  return "";
}

} // namespace

bool tellsNumbers(const std::string& words) {
  return std::any_of(words.begin(), words.end(), isDigit);
}

bool tellsChanged(const std::string& words, const Pattern& own, const Pattern& edited) {
  if (!sameMechanism(own, edited))
    return false;
  const auto& parameters = description(own).parameters;
  return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
    const Value value = parameter.given(own);
    const std::string number = textOf(value);
    return !number.empty() && value != parameter.given(edited) && standsIn(words, number);
  });
}

void dropStaleWords(std::vector<Panel>& edited, const std::vector<Panel>& own) {
  const bool anyChange =
      !std::equal(edited.begin(),
                  edited.begin() + static_cast<std::ptrdiff_t>(std::min(edited.size(), own.size())),
                  own.begin(), [](const Panel& panel, const Panel& before) {
                    return changeOf(before.pattern, panel.pattern) != Change::Numbers;
                  });
  for (Panel& panel : edited) {
    if (isStale(panel.title, changeUnder(&Panel::title, panel, own), anyChange))
      panel.title.clear();
    const Change change = changeUnder(&Panel::parts, panel, own);
    if (change == Change::More)
      panel.parts.clear();
    for (PartLook& part : panel.parts)
      if (isStale(part.label, change, anyChange))
        part.label.clear();
  }
}

void keepCommonWords(std::vector<Panel>& panels, const std::vector<Panel>& other) {
  for (std::size_t k = 0; k < std::min(panels.size(), other.size()); ++k) {
    if (other[k].title.empty())
      panels[k].title.clear();
    std::vector<PartLook>& parts = panels[k].parts;
    parts.resize(std::min(parts.size(), other[k].parts.size()));
    for (std::size_t part = 0; part < parts.size(); ++part)
      if (other[k].parts[part].label.empty())
        parts[part].label.clear();
  }
}

} // namespace attention
