// What may follow on a command line: the words of a command, and the values of a flag. Completion
// scripts are made from it.
#pragma once

#include "app/cli/command.h"

#include <string>
#include <vector>

namespace attention::cli {

// A flag as completion sees it.
struct FlagWords {
  std::string name;                 // "--reading"; "-o"
  bool takesValue = false;          // a switch or a truth value, which need no value after them
  std::vector<std::string> choices; // of the value; empty for a number, a text or a file
};

// The command's own flags, sorted by name.
std::vector<FlagWords> flagsOf(const Command& command);
// The parameters of a mechanism as flags.
std::vector<FlagWords> flagsOf(const Pattern& mechanism);

// "--sink-keys" of sink_keys.
std::string dashed(std::string name);

// What may be given without a flag: mechanisms, where the command takes them, and its own words.
std::vector<std::string> plainWordsOf(const Command& command);

// All flags that the command may know, and those words.
std::vector<std::string> wordsOf(const Command& command);

// The name of a mechanism, its aliases, and the library conventions that use it.
std::vector<std::string> namesOf(const Pattern& mechanism);

// The names of mechanisms and those of libraries' conventions.
std::vector<std::string> patternNames();

} // namespace attention::cli
