// A command of the program: its name, its grammar, what it does. One table of them feeds dispatch,
// --help and completion.
#pragma once

#include "app/cli/arguments.h"
#include "core/support/run.h"

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention::cli {

// What a command may use of its surroundings.
struct Context {
  std::ostream& out;
  std::ostream& err;
  Run run; // stops at Ctrl+C, shows progress on a terminal
};

struct Command {
  std::string name;
  std::string synopsis; // "PATTERN --n N -o FILE"
  std::string summary;
  Grammar grammar;
  int (*run)(const Arguments&, const Context&); // the exit code
};

// In the order of the help.
std::span<const Command> commands();

// Runs the command line without the program's name. Errors end as one line on `err`: exit code 2
// for wrong use, 1 for failures of the system, 130 after a stop.
int runCommandLine(std::span<const std::string> words, const Context& context);

void printHelp(std::ostream& out);
void printHelp(const Command& command, std::ostream& out);

} // namespace attention::cli
