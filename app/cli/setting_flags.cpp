#include "app/cli/setting_flags.h"

#include "core/pattern/value_text.h"
#include "core/support/error.h"

#include <cctype>

namespace attention::cli {
namespace {

bool isTrue(const Value& value) {
  const bool* truth = std::get_if<bool>(&value);
  return truth && *truth;
}

// What stands for the value: its choices, or the letter of its formula.
std::string placeholder(const ParameterFacts& setting, const Value& fallback) {
  if (setting.type == ParameterType::Boolean)
    return isTrue(fallback) ? "true|false" : "";
  std::string choices;
  for (const Choice& choice : setting.choices)
    choices += (choices.empty() ? "" : "|") + choice.value;
  if (!choices.empty())
    return choices;
  const std::string letter(1, static_cast<char>(std::toupper(setting.symbol.front())));
  return setting.type == ParameterType::Integers ? letter + "," + letter + ",…" : letter;
}

// Help begins with small letters, but for names: "Rows of E1" → "rows of E1", "Q and K".
std::string inHelp(std::string meaning) {
  if (meaning.size() > 1 && std::islower(static_cast<unsigned char>(meaning[1])) != 0)
    meaning[0] = static_cast<char>(std::tolower(meaning[0]));
  return meaning;
}

} // namespace

Flag flagOf(const ParameterFacts& setting, const Value& fallback, bool shows) {
  Flag flag{setting.name, placeholder(setting, fallback), inHelp(setting.meaning)};
  std::string text = shows && !flag.value.empty() ? textOf(fallback) : "";
  std::erase(text, ' '); // of a list
  if (!text.empty())
    flag.help += " (" + text + ")";
  return flag;
}

void throwMissing(const std::string& flag) {
  throw Error(ErrorCode::Type, flag, flag + " is missing; it must be given by --" + flag);
}

} // namespace attention::cli
