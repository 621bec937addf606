// --help: the commands, and what one of them takes.
#include "app/cli/command.h"
#include "app/cli/completion_words.h"
#include "app/cli/report.h"

#include "app/gui/run_gui.h"

#include <algorithm>
#include <ostream>

namespace attention::cli {
namespace {

// A flag with what it means.
using HelpLine = std::pair<std::string, std::string>;

HelpLine lineOf(const Flag& flag) {
  return {dashed(flag.name) + (flag.value.empty() ? "" : " " + flag.value), flag.help};
}

struct Section {
  std::string title;
  std::vector<HelpLine> lines = {};
};

Section ownSection(const Grammar& grammar) {
  Section section{"Flags"};
  for (const Flag& flag : grammar.flags)
    if (!flag.ofInput)
      section.lines.push_back(lineOf(flag));
  section.lines.emplace_back("--help", "this text");
  return section;
}

bool isListed(const Grammar& grammar, const std::string& name) {
  return std::any_of(grammar.flags.begin(), grammar.flags.end(),
                     [&](const Flag& flag) { return flag.name == name; });
}

Section patternSection(const Grammar& grammar) {
  Section section{
      "PATTERN: a mechanism's name followed by its parameters as flags (attnx patterns)"};
  if (!grammar.takesPatterns())
    return section;
  if (!grammar.morePatterns.empty() && !isListed(grammar, grammar.morePatterns))
    section.lines.emplace_back("--" + grammar.morePatterns + " PATTERN",
                               "another pattern; its flags follow");
  section.lines.emplace_back("--pattern-json JSON|@FILE",
                             "a pattern as {\"mechanism\": …, \"params\": {…}}");
  section.lines.emplace_back("--preset NAME",
                             "a library's convention (attnx patterns --presets), or a "
                             "mechanism's own preset");
  section.lines.emplace_back("--p.NAME VALUE",
                             "a parameter of the pattern on the left; --NAME where the command "
                             "has no such flag");
  return section;
}

// Of a command that is about one mechanism.
Section mechanismSection(const Grammar& grammar) {
  Section section{"Parameters of the mechanism"};
  if (grammar.mechanism.empty())
    return section;
  for (const Parameter& parameter : description(patternNamed(grammar.mechanism)).parameters) {
    std::string values;
    for (const Choice& choice : parameter.choices)
      values += (values.empty() ? "" : "|") + choice.value;
    if (values.empty())
      values = parameter.type == ParameterType::Boolean ? "true|false" : "VALUE";
    const bool taken = isListed(grammar, parameter.name);
    section.lines.emplace_back(
        (taken ? "--p." + dashed(parameter.name).substr(2) : dashed(parameter.name)) + " " + values,
        parameter.meaning);
  }
  return section;
}

Section inputSection(const Grammar& grammar) {
  Section section{"INPUT: queries, keys and values"};
  for (const Flag& flag : grammar.flags)
    if (flag.ofInput)
      section.lines.push_back(lineOf(flag));
  if (grammar.dataFlags.empty())
    return section;
  section.title = "INPUT: for a pattern that depends on the data" +
                  (grammar.dataSwitch.empty() ? "" : ", or with --" + grammar.dataSwitch) +
                  "; n then comes from it";
  for (const Flag& flag : grammar.dataFlags)
    section.lines.push_back(lineOf(flag));
  return section;
}

void printSection(std::ostream& out, const Section& section, std::size_t width) {
  if (section.lines.empty())
    return;
  out << '\n' << section.title << '\n';
  for (const auto& [left, help] : section.lines)
    out << "  " << left << std::string(width - letters(left) + 2, ' ') << help << '\n';
}

} // namespace

void printHelp(std::ostream& out) {
  out << "attnx: explore the attention patterns of transformers\n\n"
      << (gui::hasWindow() ? "Without arguments it opens the window.\n"
                           : "The window, gui, is not in this build.\n")
      << "\nCommands\n";
  std::size_t width = 0;
  for (const Command& command : commands())
    width = std::max(width, command.name.size());
  for (const Command& command : commands())
    out << "  " << command.name << std::string(width - command.name.size() + 2, ' ')
        << command.summary << '\n';
  out << "\nattnx COMMAND --help lists a command's flags, attnx patterns those of the patterns.\n"
         "PATTERN is a mechanism's name with its parameters as flags (strided --stride 128), or\n"
         "--pattern-json '{\"mechanism\": …, \"params\": {…}}', or --pattern-json @file,\n"
         "or a library's convention: --preset NAME (attnx patterns --presets lists them).\n\n"
         "Exit code 0: done. 1: a failure: a file cannot be read or written, memory is short,\n"
         "numbers of an input or of a computation are not finite, a check of verify or of a "
         "script\n"
         "fails. 2: usage error: wrong arguments, or files of the wrong kind or shape. 130: "
         "Ctrl+C.\n";
}

void printHelp(const Command& command, std::ostream& out) {
  const Grammar& grammar = command.grammar;
  out << "attnx " << command.name << ' ' << command.synopsis << "\n\n" << command.summary << "\n";
  const std::vector<Section> sections{ownSection(grammar), patternSection(grammar),
                                      mechanismSection(grammar), inputSection(grammar)};
  std::size_t width = 0;
  for (const Section& section : sections)
    for (const auto& [left, help] : section.lines)
      width = std::max(width, letters(left));
  for (const Section& section : sections)
    printSection(out, section, width);
}

} // namespace attention::cli
