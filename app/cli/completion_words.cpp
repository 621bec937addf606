#include "app/cli/completion_words.h"

#include "core/pattern/pattern.h"
#include "core/pattern/presets.h"
#include "core/support/text.h"

#include <algorithm>
#include <set>

namespace attention::cli {
namespace {

FlagWords wordsOf(const Flag& flag) {
  return {flag.name == "output" ? "-o" : dashed(flag.name), !flag.value.empty(),
          flag.choices.empty() ? flag.allChoices() : flag.choices};
}

std::vector<std::string> presetNames() {
  std::vector<std::string> names;
  for (const Preset& preset : allPresets())
    names.push_back(preset.name);
  return names;
}

void add(std::vector<std::string>& to, const std::vector<std::string>& names) {
  to.insert(to.end(), names.begin(), names.end());
}

} // namespace

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::vector<std::string> patternNames() {
  std::vector<std::string> names = mechanismNames();
  add(names, presetNames());
  return names;
}

std::vector<std::string> namesOf(const Pattern& mechanism) {
  const Description& of = description(mechanism);
  std::vector<std::string> names{of.name};
  add(names, of.aliases);
  for (const Preset& preset : allPresets())
    if (description(preset.pattern()).name == of.name)
      names.push_back(preset.name);
  return names;
}

std::vector<std::string> plainWordsOf(const Command& command) {
  const Grammar& grammar = command.grammar;
  std::vector<std::string> words;
  if ((grammar.patterns > 0 || grammar.manyPatterns) && grammar.mechanism.empty())
    words = patternNames();
  add(words, grammar.others);
  return words;
}

std::vector<FlagWords> flagsOf(const Command& command) {
  std::vector<FlagWords> flags{{"--help", false, {}}};
  for (const auto* own : {&command.grammar.flags, &command.grammar.dataFlags})
    for (const Flag& flag : *own)
      flags.push_back(wordsOf(flag));
  if (command.grammar.takesPatterns()) {
    flags.push_back({"--pattern-json", true, {}});
    flags.push_back({"--preset", true, presetNames()});
  }
  if (!command.grammar.morePatterns.empty())
    flags.push_back({"--" + command.grammar.morePatterns, true, patternNames()});
  std::sort(flags.begin(), flags.end(),
            [](const FlagWords& a, const FlagWords& b) { return a.name < b.name; });
  return flags;
}

std::vector<FlagWords> flagsOf(const Pattern& mechanism) {
  std::vector<FlagWords> flags;
  for (const Parameter& parameter : description(mechanism).parameters) {
    FlagWords flag{dashed(parameter.name), parameter.type != ParameterType::Boolean, {}};
    for (const Choice& choice : parameter.choices)
      flag.choices.push_back(choice.value);
    if (flag.name == "--preset") // a mechanism's own beside the libraries'
      add(flag.choices, presetNames());
    flags.push_back(std::move(flag));
  }
  return flags;
}

std::vector<std::string> wordsOf(const Command& command) {
  std::set<std::string> flags;
  for (const FlagWords& flag : flagsOf(command))
    flags.insert(flag.name);
  for (const Pattern& mechanism : allMechanisms())
    if (command.grammar.takesPatterns() || command.grammar.mechanism == description(mechanism).name)
      for (const FlagWords& flag : flagsOf(mechanism))
        flags.insert(flag.name);
  std::vector<std::string> words(flags.begin(), flags.end());
  add(words, plainWordsOf(command));
  return words;
}

} // namespace attention::cli
