#include "app/cli/score_flags.h"

#include "core/input/mapped_file.h"
#include "core/input/score_modifiers.h"
#include "core/scene/input_data.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <nlohmann/json.hpp>

namespace attention::cli {

std::vector<Flag> scoreFlags() {
  return {{"scale", "X", "multiplier of q·k (1/√d, or what the file states)"},
          {"softcap", "C", "scores become C tanh(score / C) (none, or what the file states)"},
          {"modifiers", "JSON|@FILE",
           "score modifiers as JSON, replacing the file's: {\"softcap\": 50}"}};
}

void refuseScoreFlags(const Arguments& arguments, const std::string& where,
                      const std::string& why) {
  for (const Flag& flag : scoreFlags())
    if (arguments.has(flag.name))
      throw Error(ErrorCode::Unsupported, std::string(flag.name),
                  std::string(flag.name) + " is given " + where + "; it must be left out, since " +
                      why);
}

void refuseScoreFlagsOfWeights(const Arguments& arguments) {
  refuseScoreFlags(arguments, "with ready attention weights", "these have no scores");
}

AttendOptions attendOptionsFrom(const Arguments& arguments, const Input& input) {
  AttendOptions options = attendOptions(input, threadsFrom(arguments));
  if (arguments.has("modifiers")) {
    const std::string given = arguments.text("modifiers");
    const std::string text = given.starts_with('@') ? textOfFile(given.substr(1)) : given;
    const ScoreModifiers modifiers = scoreModifiers(parseJson(text, "modifiers"), "modifiers");
    options.scale = modifiers.scale;
    options.softcap = modifiers.softcap;
  }
  if (const auto scale = arguments.real("scale"))
    options.scale = scale;
  if (const auto softcap = arguments.real("softcap"))
    options.softcap = softcap;
  return options;
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
