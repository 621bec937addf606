// The table of commands: dispatch and help.
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <new>
#include <ostream>

namespace attention::cli {
namespace {

constexpr int kOk = 0;
constexpr int kFailure = 1;
constexpr int kWrongUse = 2;
constexpr int kInterrupted = 130; // as shells report SIGINT

// Whether one of the words is the flag --NAME or --p.NAME.
bool isFlagOf(std::span<const std::string> words, std::string_view name) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    for (const std::string_view prefix : {"--p.", "--"})
      if (word.substr(0, prefix.size()) == prefix)
        return sameName(word.substr(prefix.size(), word.find('=') - prefix.size()), name);
    return false;
  });
}

// By cause: NaN as an argument is wrong use; NaN in a file or from a computation is a failure.
int exitCode(const Error& error, std::span<const std::string> words) {
  if (error.code() == ErrorCode::NonFinite)
    return isFlagOf(words, error.subject()) ? kWrongUse : kFailure;
  return error.code() == ErrorCode::Io ? kFailure : kWrongUse;
}

const Command* commandNamed(std::string_view name) {
  const auto all = commands();
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Command& c) { return sameName(c.name, name); });
  return at == all.end() ? nullptr : &*at;
}

[[noreturn]] void throwUnknownCommand(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands())
    names.push_back(command.name);
  const std::string hint = nearestHint(name, names);
  throw Error(ErrorCode::Unknown, name,
              "command " + excerpt(name) + " is unknown" +
                  (hint.empty() ? "; attnx --help lists them" : hint));
}

int dispatch(std::span<const std::string> words, const Context& context) {
  const std::string name = words.empty() ? "gui" : words.front();
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp(context.out);
    return kOk;
  }
  if (name == "--version") {
    context.out << "attnx " << ATTENTION_VERSION << '\n';
    return kOk;
  }
  const bool flagsAlone = name.rfind("--", 0) == 0; // attnx --scene F opens the window
  const Command* command = commandNamed(flagsAlone ? "gui" : name);
  if (!command)
    throwUnknownCommand(name);
  const auto rest = words.subspan(words.empty() || flagsAlone ? 0 : 1);
  if (std::find(rest.begin(), rest.end(), "--help") != rest.end()) {
    printHelp(*command, context.out);
    return kOk;
  }
  Arguments arguments(command->grammar, rest);
  Context with = context;
  with.run.threads = threadsFrom(arguments); // for preparing patterns
  arguments.readFiles(with.run.quiet());
  sayMasks(arguments, command->grammar, with);
  return command->run(arguments, with);
}

} // namespace

std::span<const Command> commands() {
  static const std::vector<Command> kCommands{
      guiCommand(),     patternsCommand(), maskCommand(),    infoCommand(),   countCommand(),
      tilesCommand(),   ranksCommand(),    whyCommand(),     diffCommand(),   attendCommand(),
      stepsCommand(),   headsCommand(),    compareCommand(), kernelCommand(), kernelErrorCommand(),
      lowrankCommand(), axialCommand(),    lshCommand(),     reachCommand(),  timeCommand(),
      codeCommand(),    figureCommand(),   animateCommand(), verifyCommand(), completionCommand()};
  return kCommands;
}

int runCommandLine(std::span<const std::string> words, const Context& context) {
  try {
    return dispatch(words, context);
  } catch (const Error& error) {
    context.err << "attnx: " << error.text() << '\n';
    return exitCode(error, words);
  } catch (const Stopped&) {
    return kInterrupted;
  } catch (const std::bad_alloc&) {
    context.err << "attnx: E_IO: there is not enough memory for this\n";
    return kFailure;
  }
}

void printHelp(std::ostream& out) {
  out << "attnx: explore the attention patterns of transformers\n\n"
         "Without arguments it opens the window.\n\nCommands\n";
  std::size_t width = 0;
  for (const Command& command : commands())
    width = std::max(width, command.name.size());
  for (const Command& command : commands())
    out << "  " << command.name << std::string(width - command.name.size() + 2, ' ')
        << command.summary << '\n';
  out << "\nattnx COMMAND --help lists the flags of a command, attnx patterns those of a pattern.\n"
         "PATTERN is a mechanism's name with its parameters as flags (strided --stride 128), or\n"
         "--pattern-json '{\"mechanism\": …, \"params\": {…}}', or --pattern-json @file,\n"
         "or a library's convention: --preset NAME (attnx patterns --presets lists them).\n\n"
         "Exit code 0: done. 1: a failure: a file cannot be read or written, memory runs out,\n"
         "numbers of an input or of a computation are not finite, a check of verify or of a "
         "script\n"
         "fails. 2: usage error: wrong arguments, or files of the wrong kind or shape. 130: "
         "Ctrl+C.\n";
}

void printHelp(const Command& command, std::ostream& out) {
  out << "attnx " << command.name << ' ' << command.synopsis << "\n\n" << command.summary << "\n";
  if (command.grammar.flags.empty())
    return;
  out << "\nFlags\n";
  std::size_t width = 0;
  const auto left = [](const Flag& flag) {
    return "--" + flag.name + (flag.value.empty() ? "" : " " + flag.value);
  };
  for (const Flag& flag : command.grammar.flags)
    width = std::max(width, letters(left(flag)));
  for (const Flag& flag : command.grammar.flags)
    out << "  " << left(flag) << std::string(width - letters(left(flag)) + 2, ' ') << flag.help
        << '\n';
  if (!command.grammar.dataFlags.empty())
    out << "\nA pattern that depends on the data takes INPUT as attend does; n then comes from "
           "it.\n";
}

} // namespace attention::cli
