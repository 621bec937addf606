#include "app/gui/files/command_flags.h"

#include "core/attention/modifiers_json.h"
#include "core/pattern/pattern_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

using JsonField = decltype(toJson(Pattern()))::value_type;

// A list of numbers, which a flag takes with commas: 4,2.
bool isFlat(const JsonField& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const auto& of) { return of.is_number(); });
}

// A comma after a single number marks a list.
std::string flagValue(const JsonField& value) {
  if (value.is_string())
    return shellQuoted(value.get<std::string>());
  if (!isFlat(value))
    return value.dump();
  const std::string text = value.dump();
  return text.substr(1, text.size() - 2) + (value.size() == 1 ? "," : "");
}

// Whether the generator takes the values where nothing is given.
bool isStandard(std::string_view generator, std::string_view name, const GeneratorValues& values) {
  for (const GeneratorInfo& info : generators())
    for (const GeneratorParameter& parameter : info.parameters)
      if (info.name == generator && parameter.name == name)
        return parameter.standard == values;
  return false;
}

struct InputFlags {
  std::optional<Index> n; // of random inputs

  std::string operator()(const NoInput&) const { return {}; }
  std::string operator()(const AssetInput& asset) const { return flag("sample", asset.name); }
  std::string operator()(const TypedInput& typed) const {
    return flag("typed", toJson(typed).dump());
  }
  std::string operator()(const ModelInput& of) const {
    return flag("input-model", of.model) + flag("input-text", of.text) +
           (of.text.empty() ? flag("input-string", of.typed) : "") + listFlag("input-ids", of.ids) +
           numberFlag("n", n.value_or(of.n), ModelInput().n);
  }
  std::string operator()(const RandomInput& random) const {
    const RandomInput usual;
    std::string text = flag("random", random.generator) + " --n " +
                       std::to_string(n.value_or(random.n)) + numberFlag("d", random.d, usual.d) +
                       numberFlag("heads", random.heads, usual.heads) +
                       numberFlag("seed", random.seed, usual.seed);
    for (const auto& [name, values] : random.parameters) {
      if (isStandard(random.generator, name, values))
        continue;
      std::string list;
      for (const double value : values)
        list += (list.empty() ? "" : ",") + nlohmann::json(value).dump();
      text += flag(name, list);
    }
    return text;
  }
  std::string operator()(const FileInput& files) const {
    const FileInput usual;
    std::string text;
    for (const FileField& field : fileFields())
      text += flag(field.flag(), files.*field.member, usual.*field.member);
    return text + flag("input-layout", files.layout) +
           numberFlag("heads", files.heads, usual.heads);
  }
};

} // namespace

std::string shellQuoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string flag(const std::string& name, const std::string& value, const std::string& usual) {
  return value == usual ? "" : " --" + name + " " + shellQuoted(value);
}

std::string listFlag(const std::string& name, const std::vector<Index>& numbers) {
  std::string list;
  for (const Index number : numbers)
    list += (list.empty() ? "" : ",") + std::to_string(number);
  return list.empty() ? "" : " --" + name + " " + list;
}

bool isPlain(const Pattern& pattern) {
  const auto json = toJson(pattern);
  const auto params = json.find("params");
  return params == json.end() ||
         std::none_of(params->begin(), params->end(),
                      [](const auto& value) { return value.is_structured() && !isFlat(value); });
}

std::string flagsOf(const Pattern& pattern) {
  const auto json = toJson(pattern);
  const auto params = json.find("params");
  std::string flags;
  if (params == json.end())
    return flags;
  for (const auto& [name, value] : params->items()) {
    std::string dashed = name;
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    flags += " --p." + dashed + " " + flagValue(value);
  }
  return flags;
}

std::string patternText(const Pattern& pattern) {
  if (isPlain(pattern))
    return description(pattern).name + flagsOf(pattern);
  return "--pattern-json " + shellQuoted(toJson(pattern).dump());
}

std::string furtherPatternText(const Pattern& pattern) {
  return isPlain(pattern) ? patternText(pattern) : shellQuoted(toJson(pattern).dump());
}

bool hasFlags(const InputSpec& spec) {
  const auto* random = std::get_if<RandomInput>(&spec.source);
  return !random || random->keyCount() == random->n;
}

std::string inputText(const InputSpec& spec, std::optional<Index> n) {
  const InputSpec usual;
  const auto* files = std::get_if<FileInput>(&spec.source);
  const bool embedded = files && !files->x.empty(); // of which commands want one item named
  return std::visit(InputFlags{n}, spec.source) + flag("tokens", spec.tokens) +
         (embedded ? " --batch " + std::to_string(spec.batch)
                   : numberFlag("batch", spec.batch, usual.batch)) +
         numberFlag("head-index", spec.head, usual.head);
}

std::string scoresText(const InputSpec& spec) {
  return spec.modifiers ? flag("modifiers", toJson(*spec.modifiers).dump()) : "";
}

} // namespace attention::gui
