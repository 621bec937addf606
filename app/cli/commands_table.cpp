// The table of commands, and dispatch.
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"

#include "app/gui/run_gui.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <new>
#include <ostream>
#include <sstream>

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

// Whether the sentence tells a value that the flag has: "k is 2; it must be …".
bool tellsValueOf(const Flag& flag, const std::string& sentence, const Arguments& arguments) {
  const std::string* text = arguments.find(flag.name);
  if (!text || arguments.has(flag.inCore))
    return false;
  const std::vector<std::string_view> values = split(*text, ',');
  return std::any_of(values.begin(), values.end(), [&](std::string_view value) {
    const std::string told = flag.inCore + " is " + std::string(trimmed(value));
    return sentence.starts_with(told + ";") || sentence.starts_with(told + " ");
  });
}

// The error under the name of the flag that was typed. A parameter of the patterns keeps its own.
Error asTyped(const Error& error, const Grammar& grammar, const Arguments& arguments,
              std::span<const Pattern> patterns) {
  const std::string& subject = error.subject();
  const std::string sentence = error.what();
  const auto has = [&](const Pattern& pattern) { return description(pattern).find(subject); };
  if (subject.empty() || std::any_of(patterns.begin(), patterns.end(), has))
    return error;
  for (const auto* flags : {&grammar.flags, &grammar.dataFlags})
    for (const Flag& flag : *flags)
      if (flag.inCore == subject && tellsValueOf(flag, sentence, arguments))
        return {error.code(), flag.name, flag.name + sentence.substr(subject.size())};
  return error;
}

int dispatch(std::span<const std::string> words, const Context& context) {
  const std::string name = !words.empty() ? words.front() : gui::hasWindow() ? "gui" : "help";
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp(context.out);
    return kOk;
  }
  if (name == "--version") {
    context.out << "attnx " << programVersion() << '\n';
    return kOk;
  }
  const bool flagsAlone = name.rfind("--", 0) == 0; // attnx --scene F opens the window
  const Command* command = commandNamed(flagsAlone ? "gui" : name);
  if (!command)
    throwUnknownCommand(name);
  const auto rest = words.subspan(words.empty() || flagsAlone ? 0 : 1);
  if (std::any_of(rest.begin(), rest.end(),
                  [](const std::string& word) { return word == "--help" || word == "-h"; })) {
    printHelp(*command, context.out);
    return kOk;
  }
  Arguments arguments(command->grammar, rest);
  const std::vector<Pattern> typed = arguments.patterns(); // whole where reading files fails
  std::ostringstream notes;
  Context with{context.out, context.err, context.run, notes, &notes};
  with.run.threads = threadsFrom(arguments); // for preparing patterns
  try {
    arguments.readFiles(with.run.quiet());
    sayUnreadHeads(arguments, command->grammar, notes);
    sayMasks(arguments, command->grammar, with);
    sayUnreadParameters(arguments, notes);
    const int code = command->run(arguments, with);
    with.releaseNotes();
    return code;
  } catch (const Error& error) {
    throw asTyped(error, command->grammar, arguments, typed);
  } catch (...) { // stopped, or out of memory
    with.releaseNotes();
    throw;
  }
}

} // namespace

const char* programVersion() {
  return ATTENTION_VERSION;
}

std::span<const Command> commands() {
  static const std::vector<Command> kCommands{
      guiCommand(),         patternsCommand(), maskCommand(),    infoCommand(),
      countCommand(),       tilesCommand(),    ranksCommand(),   stackCommand(),
      checkCommand(),       whyCommand(),      diffCommand(),    attendCommand(),
      stepsCommand(),       headsCommand(),    compareCommand(), kernelCommand(),
      kernelErrorCommand(), lowrankCommand(),  axialCommand(),   lshCommand(),
      reachCommand(),       timeCommand(),     codeCommand(),    figureCommand(),
      animateCommand(),     modelCommand(),    verifyCommand(),  verifyModelCommand(),
      completionCommand()};
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

} // namespace attention::cli
