// attnx completion: completion scripts for shells, made from the tables of commands and patterns.
#include "app/cli/commands.h"
#include "app/cli/completion_words.h"

#include "core/pattern/pattern.h"
#include "core/support/error.h"

#include <ostream>

namespace attention::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string all;
  for (const std::string& word : words)
    all += (all.empty() ? "" : between) + word;
  return all;
}

std::vector<std::string> commandNames() {
  std::vector<std::string> names;
  for (const Command& command : commands())
    names.push_back(command.name);
  return names;
}

// Case clauses for sh-like shells, over "OWNER FLAG": `choices` for a flag's value, or files where
// it has none.
void printValueCases(std::ostream& out, const std::string& owner,
                     const std::vector<FlagWords>& flags) {
  std::vector<std::string> others;
  for (const FlagWords& flag : flags) {
    const std::string label = '"' + owner + ' ' + flag.name + '"';
    if (!flag.choices.empty())
      out << "      " << label << ") choices=\"" << joined(flag.choices) << "\" ;;\n";
    else if (flag.takesValue)
      others.push_back(label);
  }
  if (!others.empty())
    out << "      " << joined(others, "|") << ") files=1 ;;\n";
}

// Sets `pattern` to the mechanism to which flags after the words of $before belong.
void printPattern(std::ostream& out) {
  for (const Command& command : commands())
    if (!command.grammar.mechanism.empty())
      out << "  [ \"$command\" = " << command.name << " ] && pattern=" << command.grammar.mechanism
          << '\n';
  out << "  for word in $before; do\n"
         "    case \"$word\" in\n";
  for (const Pattern& mechanism : allMechanisms())
    out << "      " << joined(namesOf(mechanism), "|")
        << ") pattern=" << description(mechanism).name << " ;;\n";
  out << "    esac\n"
         "  done\n";
}

// Sets `choices` and `files` for the value of $flag, or if it takes none, for whatever may follow
// in $command.
void printChoices(std::ostream& out) {
  out << "  case \"$pattern $flag\" in\n";
  for (const Pattern& mechanism : allMechanisms())
    printValueCases(out, description(mechanism).name, flagsOf(mechanism));
  out << "  esac\n"
         "  if [ -z \"$choices$files\" ]; then\n"
         "    case \"$command $flag\" in\n";
  for (const Command& command : commands())
    printValueCases(out, command.name, flagsOf(command));
  out << "    esac\n"
         "  fi\n"
         "  if [ -z \"$choices$files\" ]; then\n"
         "    files=1\n"
         "    case \"$command\" in\n";
  for (const Command& command : commands())
    out << "      " << command.name << ") choices=\"" << joined(wordsOf(command)) << "\" ;;\n";
  out << "    esac\n"
         "  fi\n";
}

void printBash(std::ostream& out) {
  out << "# bash completion of attnx: source <(attnx completion bash)\n"
         "_attnx() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" flag=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
         "  local command=\"${COMP_WORDS[1]}\" before= pattern= word choices= files=\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \""
      << joined(commandNames())
      << " --help --version\" -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  before=\"${COMP_WORDS[*]:2:COMP_CWORD-2}\"\n"
         "  [ \"$current\" = = ] && current=\n" // --flag=value is three words here
         "  [ \"$flag\" = = ] && flag=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
         "  flag=\"${flag/#--p./--}\"\n";
  printPattern(out);
  printChoices(out);
  out << "  COMPREPLY=($(compgen -W \"$choices\" -- \"$current\"))\n"
         "  [ -z \"$files\" ] || [ ${#COMPREPLY[@]} -gt 0 ] ||\n"
         "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _attnx attnx\n";
}

void printZsh(std::ostream& out) {
  out << "#compdef attnx\n"
         "# zsh completion of attnx: attnx completion zsh > \"${fpath[1]}/_attnx\"\n"
         "_attnx() {\n"
         "  setopt localoptions shwordsplit\n"
         "  local command=\"$words[2]\" flag=\"${words[CURRENT-1]/#--p./--}\"\n"
         "  local before=\"${words[3,CURRENT-1]}\" pattern= word choices= files=\n"
         "  if (( CURRENT == 2 )); then\n"
         "    compadd -- "
      << joined(commandNames())
      << " --help --version\n"
         "    return\n"
         "  fi\n";
  printPattern(out);
  printChoices(out);
  out << "  [ -z \"$choices\" ] || compadd -- $choices\n"
         "  [ -z \"$files\" ] || _files\n"
         "}\n"
         "_attnx \"$@\"\n";
}

// A flag after `seen`, with what its value may be.
void printFishFlag(std::ostream& out, const std::string& seen, const FlagWords& flag) {
  out << "complete -c attnx -n '__fish_seen_subcommand_from " << seen << '\''
      << (flag.name == "-o" ? " -s o" : " -l " + flag.name.substr(2));
  if (!flag.choices.empty())
    out << " -x -a '" << joined(flag.choices) << '\'';
  else if (flag.takesValue)
    out << " -r";
  out << '\n';
}

void printFish(std::ostream& out) {
  out << "# fish completion of attnx: attnx completion fish > "
         "~/.config/fish/completions/attnx.fish\n";
  for (const Command& command : commands()) {
    out << "complete -c attnx -n __fish_use_subcommand -f -a " << command.name << " -d '"
        << command.summary << "'\n";
    for (const FlagWords& flag : flagsOf(command))
      printFishFlag(out, command.name, flag);
    if (const auto words = plainWordsOf(command); !words.empty())
      out << "complete -c attnx -n '__fish_seen_subcommand_from " << command.name << "' -a '"
          << joined(words) << "'\n";
  }
  for (const Pattern& mechanism : allMechanisms())
    for (const FlagWords& flag : flagsOf(mechanism))
      printFishFlag(out, description(mechanism).name, flag);
}

int runCompletion(const Arguments& arguments, const Context& context) {
  if (arguments.rest().empty())
    throw Error(ErrorCode::Type, "shell", "shell is missing; it must be bash, zsh or fish");
  const std::string& shell = arguments.rest().front();
  if (shell == "bash")
    printBash(context.out);
  else if (shell == "zsh")
    printZsh(context.out);
  else if (shell == "fish")
    printFish(context.out);
  else
    throwRange("shell", "\"" + shell + "\"", "bash, zsh or fish");
  return 0;
}

} // namespace

Command completionCommand() {
  Grammar grammar;
  grammar.rest = "SHELL";
  return {"completion", "bash|zsh|fish", "a completion script for a shell", grammar, runCompletion};
}

} // namespace attention::cli
