// The words of a command line sorted into patterns with their flags, the command's own flags and
// the rest. A flag belongs to the nearest pattern on its left; the command's own flags stand
// anywhere; --p.NAME is the pattern's where both know NAME, and so is --NAME where the command
// wants a file and the value is an integer. No ready-made parser has these rules.
#pragma once

#include "core/pattern/pattern.h"
#include "core/pattern/value_text.h"
#include "core/support/run.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention::cli {

// Throws where a flag may not have that value.
using FlagCheck = void (*)(const std::string& flag, const std::string& text);

struct Flag {
  std::string name;  // without the dashes: "lse"
  std::string value; // what follows, for help: "FILE"; empty for a switch
  std::string help;
  std::vector<std::string> choices = {}; // of the value, where `value` does not list them: "a|b"
  // A pattern on its left that knows the name takes it, whatever the grammar says.
  bool patternFirst = false;
  bool ofInput = false; // one of INPUT's, which help lists behind the command's own
  // Checks the value even where the command does not read it.
  FlagCheck check = nullptr;
  std::string inCore = {}; // the name that errors from core use, where it differs

  // What its value can be, where it can be nothing else: "light|dark". Empty for other flags.
  std::vector<std::string> allChoices() const;
};

Flag checkedBy(FlagCheck check, Flag flag);
Flag calledInCore(const char* name, Flag flag);
// Checks of values; whoever reads a flag checks the rest.
void needsLength(const std::string& flag, const std::string& text); // an integer of at least 1, E_N
void needsIndex(const std::string& flag, const std::string& text);  // an integer of at least 0
void needsCount(const std::string& flag, const std::string& text);  // … of at least 1
void needsCounts(const std::string& flag, const std::string& text); // a list of these
void needsText(const std::string& flag, const std::string& text);   // any, even an empty one

// E_TYPE, E_RANGE: the flag may not have the value by its choices, its check or, of a switch, by
// its kind; or the value is empty.
void checkFlagText(const Flag& flag, const std::string& text);

// What a command understands.
struct Grammar {
  std::vector<Flag> flags;
  // Flags that are also understood, and owned by the command, where a pattern depends on the data.
  std::vector<Flag> dataFlags = {};
  // A switch that makes the command read data whatever the patterns are: "rollout"; may be empty.
  std::string dataSwitch = {};
  int patterns = 0;          // at the start: 0 or 1
  bool optional = false;     // whether it may be left out
  bool manyPatterns = false; // whether any number of them may be given without a flag
  // Words that may stand among those patterns and go to the rest; a flag after one belongs to no
  // pattern.
  std::vector<std::string> others = {};
  std::string mechanism;    // the pattern where its name is the command's; else empty
  std::string morePatterns; // the flag that begins a further one: "with"; may be empty
  std::string rest;         // name of what else may stand without a flag, for help: "DIR"
  // Flags that begin a pattern of that mechanism where none stands before them: --mask F is short
  // for given --mask F.
  std::vector<std::string> beginners = {};
  bool patternFirst = true; // who gets a flag that both know: the pattern, or the command

  void add(const std::vector<Flag>& more) { flags.insert(flags.end(), more.begin(), more.end()); }

  // Whether patterns, named by mechanism or preset, are part of the command line.
  bool takesPatterns() const {
    return mechanism.empty() && (patterns > 0 || manyPatterns || !morePatterns.empty());
  }
};

class Arguments {
public:
  // Throws Error: E_UNKNOWN (flag, mechanism; with the nearest known name), E_TYPE (missing or
  // wrong value), E_RANGE (a choice that does not exist).
  Arguments(const Grammar& grammar, std::span<const std::string> words);

  // Reads the files that the patterns name, so that lengths may come from them; without an input
  // --batch and --head-index choose among the masks of a file, as FILE[batch=B,head=H] does. The
  // patterns keep the names. E_IO, E_RANGE where no such mask exists, E_TYPE where the two name
  // different ones, and what resolveFiles throws.
  void readFiles(const Run& run);
  // Whether an input is given, by any of the flags that name one.
  bool namesArrays() const;
  // The same with other patterns.
  Arguments withPatterns(std::vector<Pattern> patterns) const;

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<std::string>& rest() const { return rest_; }

  bool takes(std::string_view flag) const { return taken_.contains(flag); } // given or not
  bool has(std::string_view flag) const { return find(flag) != nullptr; }
  const std::string* find(std::string_view flag) const;
  std::string text(std::string_view flag, std::string_view fallback = {}) const;
  // E_TYPE where the text is no such number.
  std::optional<Index> integer(std::string_view flag) const;
  std::optional<double> real(std::string_view flag) const;
  // A switch, or a flag of true and false: `fallback` where it is absent.
  bool on(std::string_view flag, bool fallback = false) const;

private:
  class Reader;
  std::vector<Pattern> patterns_;
  std::vector<std::string> rest_;
  std::map<std::string, std::string, std::less<>> flags_;
  std::set<std::string, std::less<>> taken_;
};

// A parameter's value as a flag gives it (core/pattern/value_text.h): @file reads the text from a
// file; anything that begins with [ or { is JSON.
Value flagValue(const ParameterFacts& parameter, const std::string& text);

// --threads: 0 (the machine's) where it is absent. E_RANGE: not in 0 … 1024.
int threadsFrom(const Arguments& arguments);

// A length: E_N where the text is no integer of at least 1 (S1). Whoever takes the lengths checks
// how large they may be.
std::optional<Index> lengthFrom(const Arguments& arguments, std::string_view flag);

// A seed, 0 if it is absent. E_TYPE: no integer; E_RANGE: not in 0 … 2^64 − 1.
std::uint64_t seedFrom(const Arguments& arguments, std::string_view flag = "seed");

// ---- files to write, checked before the work that fills them ----

// The path that `flag` gives, checked so that a mistyped ending or folder costs no work.
// E_UNSUPPORTED: its ending is none of `endings` (".npy"); E_IO: its folder is missing or not
// writable, or it is itself a folder, a device or another special file.
std::string outputPath(const Arguments& arguments, std::string_view flag,
                       std::span<const std::string_view> endings);

// The same for the flags of a command that writes arrays, each a .npy file of its own. E_TYPE: two
// of them name one file, or --output is missing without --json.
void requireArrayOutputs(const Arguments& arguments, std::span<const std::string_view> flags);

} // namespace attention::cli
