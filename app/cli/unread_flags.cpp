#include "app/cli/unread_flags.h"

#include "app/cli/feature_flags.h"
#include "app/cli/masks.h"

#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
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

// The parameters that every head of the mechanism has for itself (S4.17).
std::vector<std::string> parametersOfHeads(const Arguments& arguments, const Pattern& pattern) {
  if (pattern.is<Strided>() || pattern.is<BigBird>())
    return {"head"};
  if (pattern.is<Fixed>())
    return {"head", "subblock"};
  if (pattern.is<DilatedSegments>() && arguments.integer("heads") != 1)
    return {"head", "heads"};
  if (pattern.is<Longformer>() && arguments.has("dilations"))
    return {"dilation"};
  return {};
}

void refuseFlags(const Arguments& arguments, const Grammar& grammar, const Pattern& pattern) {
  const bool factors = pattern.is<Strided>() || pattern.is<Fixed>();
  const std::string with = "with " + description(pattern).name;
  if (!factors && arguments.text("head-mode") == "alternate")
    refuse(arguments, {"head-mode"}, with + "; alternate belongs to strided and fixed");
  if (!pattern.is<Longformer>())
    refuse(arguments, {"dilations"}, with + "; it belongs to longformer");
  if (!pattern.is<Fixed>())
    refuse(arguments, {"num-subblocks"}, with + "; it belongs to fixed");
  const HeadOptions options = headsFrom(arguments);
  const Index second = options.alternate ? options.heads / 2 : options.heads; // have sub-blocks
  if (ownFlag(grammar, "heads") && second < 2)
    refuse(arguments, {"num-subblocks"},
           "where fewer than two heads have sub-blocks; it belongs to more, --heads H");
}

} // namespace

void requireReadHeadFlags(const Arguments& arguments, const Grammar& grammar) {
  if (arguments.patterns().empty() || !ownFlag(grammar, "head-mode"))
    return;
  const Pattern& pattern = belowStrokes(arguments.patterns().front());
  refuseFlags(arguments, grammar, pattern);
  const char* flag = headFlag(arguments, grammar);
  if (!flag)
    return;
  for (const std::string& name : parametersOfHeads(arguments, pattern))
    if (isGiven(pattern, parameterNamed(pattern, name)))
      throw Error(ErrorCode::Type, name,
                  name + " of " + description(pattern).name + " is given with --" + flag +
                      ", by which every head has its own; one of the two must be left out");
}

void sayUnreadParameters(const Arguments& arguments, std::ostream& notes) {
  std::vector<const Pattern*> left;
  for (const Pattern& pattern : arguments.patterns())
    left.push_back(&pattern);
  for (std::size_t at = 0; at < left.size(); ++at) {
    const Pattern& pattern = *left[at];
    for (const Parameter& parameter : description(pattern).parameters)
      if (!parameter.visible(pattern) && isGiven(pattern, parameter))
        notes << "attnx: note: " << parameter.name
              << " is given, but not read beside the other parameters of "
              << description(pattern).name << '\n';
    for (const Pattern* operand : operandsOf(pattern))
      left.push_back(operand);
  }
}

} // namespace attention::cli
