// A command of the program: its name, its grammar, what it does. One table of them feeds dispatch,
// --help and completion.
#pragma once

#include "app/cli/arguments.h"
#include "core/support/part_of_run.h"
#include "core/support/run.h"

#include <ostream>
#include <span>
#include <sstream>
#include <string>

namespace attention::cli {

// What a command may use of its surroundings.
struct Context {
  std::ostream& out;
  std::ostream& err;
  Run run; // stops at Ctrl+C, shows progress on a terminal
  // Notes on the result: held back until there is one, since an error is printed alone, or until
  // long work begins.
  std::ostream& notes = err;
  std::ostringstream* held = nullptr; // notes, where they are held back

  void releaseNotes() const {
    if (!held)
      return;
    err << held->str();
    held->str({});
  }

  // The context for the part of the work between the shares `begin` and `end` (part_of_run.h).
  Context part(double begin, double end) const {
    Context of = *this;
    of.run = partOf(run, begin, end);
    return of;
  }
};

struct Command {
  std::string name;
  std::string synopsis; // "PATTERN --n N -o FILE"
  std::string summary;
  Grammar grammar;
  int (*run)(const Arguments&, const Context&); // the exit code
};

// "0.1.0".
const char* programVersion();

// In the order of the help.
std::span<const Command> commands();

// Runs the command line without the program's name. Errors end as one line on `err`. Exit code 1
// for failures: the system refuses (E_IO, no memory), numbers of an input or of a computation are
// not finite, a check fails (verify, scripts); 2 for wrong use: bad arguments (NaN too) and files
// of the wrong kind; 130 after a stop.
int runCommandLine(std::span<const std::string> words, const Context& context);

void printHelp(std::ostream& out);
void printHelp(const Command& command, std::ostream& out);

} // namespace attention::cli
