// attnx completion: completion scripts for shells, made of the tables of commands and patterns.
#include "app/cli/commands.h"

#include "core/pattern/pattern.h"
#include "core/support/error.h"

#include <ostream>
#include <set>

namespace attention::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words)
    all += (all.empty() ? "" : " ") + word;
  return all;
}

std::string dashed(std::string name) {
  for (char& c : name)
    if (c == '_')
      c = '-';
  return name;
}

// The command's own flags, and those of every pattern where it takes one.
std::vector<std::string> flagsOf(const Command& command) {
  std::set<std::string> flags{"--help"};
  for (const Flag& flag : command.grammar.flags)
    flags.insert(flag.name == "output" ? "-o" : "--" + flag.name);
  for (const Flag& flag : command.grammar.dataFlags)
    flags.insert("--" + flag.name);
  if (command.grammar.patterns > 0) {
    flags.insert("--pattern-json");
    flags.insert("--preset");
    if (!command.grammar.morePatterns.empty())
      flags.insert("--" + command.grammar.morePatterns);
    for (const Pattern& pattern : allMechanisms())
      for (const Parameter& p : description(pattern).parameters)
        flags.insert("--" + dashed(p.name));
  }
  return {flags.begin(), flags.end()};
}

std::vector<std::string> commandNames() {
  std::vector<std::string> names;
  for (const Command& command : commands())
    names.push_back(command.name);
  return names;
}

void printCases(std::ostream& out, const std::string& indent) {
  for (const Command& command : commands())
    out << indent << command.name << ") words=\"" << joined(flagsOf(command))
        << (command.grammar.patterns > 0 ? " " + joined(mechanismNames()) : "") << "\" ;;\n";
}

void printBash(std::ostream& out) {
  out << "# bash completion of attnx: source <(attnx completion bash)\n"
         "_attnx() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    words=\""
      << joined(commandNames())
      << " --help --version\"\n"
         "  else\n"
         "    case \"${COMP_WORDS[1]}\" in\n";
  printCases(out, "      ");
  out << "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _attnx attnx\n";
}

void printZsh(std::ostream& out) {
  out << "#compdef attnx\n"
         "# zsh completion of attnx: attnx completion zsh > \"${fpath[1]}/_attnx\"\n"
         "_attnx() {\n"
         "  if (( CURRENT == 2 )); then\n"
         "    compadd -- "
      << joined(commandNames())
      << " --help --version\n"
         "    return\n"
         "  fi\n"
         "  case \"$words[2]\" in\n";
  for (const Command& command : commands())
    out << "    " << command.name << ") compadd -- " << joined(flagsOf(command))
        << (command.grammar.patterns > 0 ? " " + joined(mechanismNames()) : "") << " ;;\n";
  out << "  esac\n"
         "  _files\n"
         "}\n"
         "_attnx \"$@\"\n";
}

void printFish(std::ostream& out) {
  out << "# fish completion of attnx: attnx completion fish > "
         "~/.config/fish/completions/attnx.fish\n";
  for (const Command& command : commands()) {
    out << "complete -c attnx -n __fish_use_subcommand -f -a " << command.name << " -d '"
        << command.summary << "'\n";
    const std::string seen =
        "complete -c attnx -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const std::string& flag : flagsOf(command))
      out << seen << (flag == "-o" ? " -s o" : " -l " + flag.substr(2)) << '\n';
    if (command.grammar.patterns > 0)
      out << seen << " -a '" << joined(mechanismNames()) << "'\n";
  }
}

int run(const Arguments& arguments, const Context& context) {
  if (arguments.rest().empty())
    throw Error(ErrorCode::Type, "shell", "shell is missing; allowed is bash, zsh or fish");
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
  return {"completion", "bash|zsh|fish", "a completion script for a shell", grammar, run};
}

} // namespace attention::cli
