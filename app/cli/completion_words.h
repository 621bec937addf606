// What may follow on a command line: the words of a command, and the values of a flag. Completion
// scripts are made of it.
#pragma once

#include "app/cli/command.h"

#include <string>
#include <vector>

namespace attention::cli {

// A flag as completion sees it.
struct FlagWords {
  std::string name;                 // "--reading"; "-o"
  bool takesValue = false;          // a switch and a truth value may stand alone
  std::vector<std::string> choices; // of the value; none: a number, a text, a file
};

// The command's own flags, rising by name.
std::vector<FlagWords> flagsOf(const Command& command);
// The parameters of a mechanism as flags.
std::vector<FlagWords> flagsOf(const Pattern& mechanism);

// Whether patterns, named by mechanism or preset, are part of the command line.
bool takesPatterns(const Command& command);

// What may stand without a flag: mechanisms, where the command takes them so, and its own words.
std::vector<std::string> plainWordsOf(const Command& command);

// All flags that the command may know, and those words.
std::vector<std::string> wordsOf(const Command& command);

// The name of a mechanism, its aliases, and the conventions that are of this mechanism.
std::vector<std::string> namesOf(const Pattern& mechanism);

// The names of mechanisms and those of libraries' conventions.
std::vector<std::string> patternNames();

} // namespace attention::cli
