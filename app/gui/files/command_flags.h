// Pieces of attnx command lines that give what a Scene shows, for a POSIX shell.
#pragma once

#include "core/input/input.h"

#include <string>
#include <vector>

namespace attention::gui {

// "'it'\''s'".
std::string shellQuoted(const std::string& text);

// " --name 'value'", or nothing if the value is the default.
std::string flag(const std::string& name, const std::string& value, const std::string& usual = {});
// " --name 3", or nothing where the number is the usual one.
template <class Number>
std::string numberFlag(const std::string& name, Number value, Number usual) {
  return value == usual ? "" : " --" + name + " " + std::to_string(value);
}
// " --name 1,2,3": the numbers unchanged; nothing without any.
std::string listFlag(const std::string& name, const std::vector<Index>& numbers);

// "strided --p.stride 8" where every parameter is plain, else --pattern-json.
std::string patternText(const Pattern& pattern);
// The same after --with and --then.
std::string furtherPatternText(const Pattern& pattern);
// The parameters as flags where all are plain (isPlain), for the mechanism's own command.
bool isPlain(const Pattern& pattern);
std::string flagsOf(const Pattern& pattern);

// Whether flags can describe the input: all but random ones with different numbers of queries and
// keys.
bool hasFlags(const InputSpec& spec);
// The flags of INPUT, with layer and head; a random input is drawn with `n` tokens where that is
// given; its first rows are the same at any n.
std::string inputText(const InputSpec& spec, std::optional<Index> n = {});
// The Scene's own score modifiers, for commands that compute scores.
std::string scoresText(const InputSpec& spec);

} // namespace attention::gui
