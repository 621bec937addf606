#include "app/cli/score_flags.h"

#include "core/attention/scoring.h"
#include "core/input/mapped_file.h"
#include "core/input/score_modifiers.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace attention::cli {

std::vector<Flag> scoreFlags() {
  return {{"scale", "X", "multiplier of q·k (1/√d, or what the file states)"},
          {"softcap", "C", "scores become C tanh(score / C) (none, or what the file states)"},
          {"modifiers", "JSON|@FILE",
           "score modifiers as JSON, replacing the file's: {\"softcap\": 50}"}};
}

void refuseScoreFlags(const Arguments& arguments, const std::string& where,
                      const std::string& why) {
  const std::string reason = " is given " + where + "; it must be left out, since " + why;
  for (const Flag& flag : scoreFlags())
    if (arguments.has(flag.name))
      throw Error(ErrorCode::Unsupported, flag.name, flag.name + reason);
}

namespace {

void readModifiers(const std::string& given, Input& input) {
  const std::string text = given.starts_with('@') ? textOfFile(given.substr(1)) : given;
  const ScoreModifiers modifiers = scoreModifiers(parseJson(text, "modifiers"), "modifiers");
  input.scale = modifiers.scale;
  input.softcap = modifiers.softcap;
}

bool hasScoreFlags(const Arguments& arguments) {
  const std::vector<Flag> flags = scoreFlags();
  return std::any_of(flags.begin(), flags.end(),
                     [&](const Flag& flag) { return arguments.has(flag.name); });
}

} // namespace

Input withScoreFlags(const Arguments& arguments, Input input) {
  if (!hasScoreFlags(arguments))
    return input;
  if (input.hasAttention() && !input.hasQkv())
    refuseScoreFlags(arguments, "with ready attention weights", "these have no scores");
  if (const std::string* given = arguments.find("modifiers"))
    readModifiers(*given, input);
  if (const auto scale = arguments.real("scale"))
    input.scale = scale;
  if (const auto softcap = arguments.real("softcap"))
    input.softcap = softcap;
  scoringOf(input.scale, input.softcap, 1); // says what is wrong with them
  return input;
}

std::shared_ptr<const Input> withScoreFlags(const Arguments& arguments,
                                            std::shared_ptr<const Input> input) {
  return input && hasScoreFlags(arguments)
             ? std::make_shared<const Input>(withScoreFlags(arguments, *input))
             : std::move(input);
}

Flag baseFlag() {
  return {"base", "own|full|causal",
          "attention to measure against (own: the input's own mask where its file names one, else "
          "causal for a causal pattern, full for others)"};
}

std::optional<Base> baseFrom(const Arguments& arguments) {
  const std::string base = arguments.text("base", "own");
  if (base == "own")
    return std::nullopt;
  if (base != "full" && base != "causal")
    throwRange("base", "\"" + base + "\"", "own, full or causal");
  return base == "full" ? Base::Full : Base::Causal;
}

} // namespace attention::cli
