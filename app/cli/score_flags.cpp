#include "app/cli/score_flags.h"

#include "app/cli/input_flags.h"

#include "core/attention/bias/bias_json.h"
#include "core/attention/modifiers_json.h"
#include "core/input/mapped_file.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace attention::cli {

std::vector<Flag> scoreFlags() {
  return {
      {"scale", "X", "multiplier of q·k (1/√d, or what the file states)"},
      {"softcap", "C", "scores become C tanh(score / C) (none, or what the file states)"},
      calledInCore("slopes",
                   {"alibi", "SLOPES",
                    "ALiBi: standard, plain, a slope for all heads, or one for each: 0.5,0.25"}),
      {"alibi-side", "distance|signed|column",
       "what a slope m adds: −m|i − j|, m(j − i) or m·j (distance)"},
      {"bias", "t5:FILE|relative:FILE",
       "a bias table, .npy or .json: buckets × heads, or of the distances −R … R"},
      {"temperature", "T", "scores are divided by T (1, or what the file states)"},
      calledInCore("sink",
                   {"sink-logit", "S,…", "the score of a sink, for all heads or one for each"}),
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

// "0.5" for all heads, "0.5,0.25" one for each.
HeadNumbers headNumbers(const std::string& flag, const std::string& text) {
  if (text.find(',') == std::string::npos)
    return headNumbersFrom(realFromText(flag, text), flag);
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    list.push_back(realFromText(flag, std::string_view(text).substr(at, comma - at)));
    at = comma + 1;
  }
  return headNumbersFrom(list, flag);
}

AlibiBias alibiFrom(const Arguments& arguments, const std::string& slopes) {
  AlibiBias alibi;
  const bool letters = !slopes.empty() &&
                       slopes.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  const bool number = slopes == "nan" || slopes == "inf"; // which are refused as such
  if (slopes == "standard" || slopes == "plain")
    alibi.slopes = alibiSlopesNamed(slopes);
  else if (letters && !number)
    throwRange("alibi", excerpt(slopes), "standard, plain or numbers");
  else
    alibi.slopes = headNumbers("alibi", slopes);
  alibi.side = alibiSideNamed(arguments.text("alibi-side", "distance"), "alibi-side");
  return alibi;
}

// Rows of the file's only array.
nlohmann::json arrayOf(const std::string& path) {
  Tensor tensor = onlyArray("bias", path);
  const bool list = tensor.shape.size() == 1;
  if (list)
    tensor.shape.insert(tensor.shape.begin(), 1), tensor.strides.clear();
  if (tensor.shape.size() > 2)
    throw Error(ErrorCode::Shape, "bias",
                "bias is " + tensor.label() + " of shape " + shapeText(tensor.shape) +
                    "; it must be a matrix or a list");
  const Matrix<double> table = slice<double>(tensor);
  nlohmann::json rows = nlohmann::json::array();
  for (Index row = 0; row < table.rows(); ++row) {
    const auto numbers = table.view().row(row);
    rows.push_back(std::vector<double>(numbers.begin(), numbers.end()));
  }
  return list ? rows[0] : rows;
}

// A table, or in JSON also the whole bias with its other parameters.
ScoreBiasSpec biasOfFile(const std::string& given) {
  const std::size_t colon = given.find(':');
  const std::string kind = given.substr(0, colon);
  if (colon == std::string::npos || colon + 1 == given.size() ||
      (kind != "t5" && kind != "relative"))
    throwRange("bias", excerpt(given), "t5:FILE or relative:FILE");
  const std::filesystem::path path = given.substr(colon + 1);
  const bool text = path.extension() == ".json";
  nlohmann::json table =
      text ? parseJson(textOfFile(path), path.filename().string()) : arrayOf(path.string());
  nlohmann::json bias = table.is_object() ? table : nlohmann::json{{"table", std::move(table)}};
  bias["kind"] = kind;
  return biasFrom(bias, "bias");
}

void takeNumbers(const Arguments& arguments, ScoreModifiers& modifiers) {
  ScoreModifiers given;
  given.scale = arguments.real("scale");
  given.softcap = arguments.real("softcap");
  given.temperature = arguments.real("temperature").value_or(1);
  checkModifiers(given, 1, "");
  if (given.scale)
    modifiers.scale = given.scale;
  if (given.softcap)
    modifiers.softcap = given.softcap;
  if (arguments.has("temperature"))
    modifiers.temperature = given.temperature;
}

// The length of their lists; one where there are none.
Index headsOf(const ScoreModifiers& modifiers) {
  const auto* alibi = std::get_if<AlibiBias>(&modifiers.bias);
  const auto* slopes = alibi ? std::get_if<HeadNumbers>(&alibi->slopes) : nullptr;
  const auto* t5 = std::get_if<T5Bias>(&modifiers.bias);
  if (slopes && !slopes->all)
    return std::ssize(slopes->values);
  if (t5 && !t5->table.empty())
    return std::ssize(t5->table.front());
  return modifiers.sink && !modifiers.sink->all ? std::ssize(modifiers.sink->values) : 1;
}

// `heads`: 0 where any number of them will do.
void takeBias(const Arguments& arguments, Index heads, ScoreModifiers& modifiers) {
  const std::string* slopes = arguments.find("alibi");
  const std::string* file = arguments.find("bias");
  if (slopes && file)
    throw Error(ErrorCode::Type, "bias",
                "bias is given together with --alibi; only one of them may be given");
  if (!slopes && arguments.has("alibi-side"))
    throw Error(ErrorCode::Type, "alibi-side",
                "alibi-side is given without --alibi; it must be left out");
  if (file) {
    ScoreModifiers read;
    read.bias = biasOfFile(*file);
    checkModifiers(read, heads > 0 ? heads : headsOf(read), "");
    modifiers.bias = std::move(read.bias);
  }
  if (!slopes)
    return;
  AlibiBias alibi = alibiFrom(arguments, *slopes);
  if (const auto* numbers = std::get_if<HeadNumbers>(&alibi.slopes); numbers && heads > 0)
    checkHeadNumbers(*numbers, heads, "alibi");
  modifiers.bias = std::move(alibi);
}

void takeFlags(const Arguments& arguments, Index heads, ScoreModifiers& modifiers) {
  takeNumbers(arguments, modifiers);
  takeBias(arguments, heads, modifiers);
  const std::string* sink = arguments.find("sink-logit");
  if (!sink)
    return;
  modifiers.sink = headNumbers("sink-logit", *sink);
  if (heads > 0)
    checkHeadNumbers(*modifiers.sink, heads, "sink-logit");
}

bool hasScoreFlags(const Arguments& arguments) {
  const std::vector<Flag> flags = scoreFlags();
  return std::any_of(flags.begin(), flags.end(),
                     [&](const Flag& flag) { return arguments.has(flag.name); });
}

} // namespace

ScoreModifiers scoreModifiersFrom(const Arguments& arguments, ScoreModifiers modifiers,
                                  Index heads) {
  if (const std::string* given = arguments.find("modifiers")) {
    if (*given == "@")
      throwRange("modifiers", "\"@\"", "JSON, or @ and the name of a file");
    const std::string text = given->starts_with('@') ? textOfFile(given->substr(1)) : *given;
    modifiers = scoreModifiers(parseJson(text, "modifiers"), "modifiers");
  }
  takeFlags(arguments, heads, modifiers);
  checkModifiers(modifiers, heads > 0 ? heads : headsOf(modifiers), "modifiers");
  return modifiers;
}

Input withScoreFlags(const Arguments& arguments, Input input) {
  if (!hasScoreFlags(arguments))
    return input;
  if (input.hasAttention() && !input.hasQkv())
    refuseScoreFlags(arguments, "with ready attention weights", "these have no scores");
  input.modifiers = scoreModifiersFrom(arguments, std::move(input.modifiers), input.heads);
  return input;
}

std::shared_ptr<const Input> withScoreFlags(const Arguments& arguments,
                                            std::shared_ptr<const Input> input) {
  return input && hasScoreFlags(arguments)
             ? std::make_shared<const Input>(withScoreFlags(arguments, *input))
             : std::move(input);
}

CodeScores scoresWithoutInput(const Arguments& arguments) {
  const Index heads = arguments.integer("heads").value_or(0);
  if (arguments.has("heads") && heads < 1)
    throwRange("heads", std::to_string(heads), "an integer of at least 1");
  CodeScores scores{scoreModifiersFrom(arguments, {}, heads), heads};
  if (heads > 0)
    return scores;
  scores.heads = headsOf(scores.modifiers);
  const auto* alibi = std::get_if<AlibiBias>(&scores.modifiers.bias);
  if (alibi && std::holds_alternative<AlibiSlopes>(alibi->slopes))
    throw Error(ErrorCode::Type, "heads",
                "heads is missing; it must be the number of heads, on which the slopes of ALiBi "
                "depend");
  return scores;
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
  return base == "full" ? Base::Full : Base::Causal;
}

} // namespace attention::cli
