// Flags of patterns and of a mechanism's heads that have no effect.
#include "app/cli/masks.h"

#include "app/cli/feature_flags.h"

#include "core/pattern/heads.h"
#include "core/pattern/mechanism/drawn.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace attention::cli {
namespace {

bool isGiven(const Pattern& pattern, const Parameter& parameter) {
  return !std::holds_alternative<std::monostate>(parameter.given(pattern));
}

const Flag* ownFlag(const Grammar& grammar, std::string_view name) {
  const auto at = std::find_if(grammar.flags.begin(), grammar.flags.end(), [&](const Flag& flag) {
    return flag.name == name && !flag.ofInput;
  });
  return at == grammar.flags.end() ? nullptr : &*at;
}

// The flag that makes heads of a mechanism of which each has its own pattern; null without one.
const char* headFlag(const Arguments& arguments, const Grammar& grammar) {
  for (const char* flag : {"head-mode", "num-subblocks", "dilations"})
    if (arguments.has(flag))
      return flag;
  // There --heads means the input's heads.
  return arguments.has("heads") && ownFlag(grammar, "heads") && !readsInput(arguments) ? "heads"
                                                                                       : nullptr;
}

// "strided and fixed": the mechanisms whose heads read an option.
std::string readersOf(std::string_view option) {
  std::string names;
  for (const Pattern& pattern : allMechanisms())
    if (headsRead(pattern, option))
      names += (names.empty() ? "" : " and ") + description(pattern).name;
  return names;
}

// The defaults change nothing.
void sayFlags(const Arguments& arguments, const Pattern& pattern, std::ostream& notes) {
  const HeadOptions options = headsFrom(arguments);
  const HeadOptions defaults;
  const auto say = [&](const char* flag, const char* option, bool changes) {
    if (changes && !headsRead(pattern, option))
      noteUnread(arguments, notes, {flag},
                 "with " + description(pattern).name + "; it belongs to " + readersOf(option));
  };
  say("head-mode", "alternate", options.alternate != defaults.alternate);
  say("num-subblocks", "subblocks", options.subblocks != defaults.subblocks);
  say("dilations", "dilations", options.dilations != defaults.dilations);
}

// Whether heads are made of the pattern, which may read what it does not read itself.
bool makesHeads(const Arguments& arguments, const Pattern& pattern) {
  HeadOptions options = headsFrom(arguments);
  if (arguments.has("head-mode")) // the input has the heads
    options.heads = kMostHeads;
  return options.heads > 1 && !setByHeads(pattern, options).empty();
}

} // namespace

void sayUnreadHeads(const Arguments& arguments, const Grammar& grammar, std::ostream& notes) {
  if (arguments.patterns().empty() || !ownFlag(grammar, "head-mode"))
    return;
  const Pattern& pattern = belowStrokes(arguments.patterns().front());
  sayFlags(arguments, pattern, notes);
  const char* flag = headFlag(arguments, grammar);
  if (!flag)
    return;
  for (const std::string_view name : setByHeads(pattern, headsFrom(arguments)))
    if (isGiven(pattern, parameterNamed(pattern, name)))
      notes << "attnx: note: " << name << " of " << description(pattern).name
            << " is not used, since with --" << flag << " every head has its own\n";
}

void sayUnreadParameters(const Arguments& arguments, std::ostream& notes) {
  std::vector<const Pattern*> left;
  for (const Pattern& pattern : arguments.patterns())
    left.push_back(&pattern);
  for (std::size_t at = 0; at < left.size(); ++at) {
    const Pattern& pattern = *left[at];
    const bool hasHeads = at < arguments.patterns().size() && makesHeads(arguments, pattern);
    for (const Parameter& parameter : description(pattern).parameters)
      if (!hasHeads && !parameter.visible(pattern) && isGiven(pattern, parameter))
        notes << "attnx: note: " << parameter.name << " has no effect with the other parameters of "
              << description(pattern).name << '\n';
    for (const Pattern* operand : operandsOf(pattern))
      left.push_back(operand);
  }
}

} // namespace attention::cli
