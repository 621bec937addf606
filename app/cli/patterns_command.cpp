// attnx patterns: every pattern with its parameters.
#include "app/cli/commands.h"
#include "app/cli/report.h"

#include "core/pattern/pattern_json.h"
#include "core/pattern/presets.h"

#include <cmath>
#include <ostream>

namespace attention::cli {
namespace {

// Defaults and bounds that depend on n are shown for this length.
constexpr Index kExampleLength = 1024;

const char* typeName(ParameterType type) {
  switch (type) {
  case ParameterType::Integer:
    return "int";
  case ParameterType::Seed:
    return "seed";
  case ParameterType::Real:
    return "real";
  case ParameterType::Boolean:
    return "bool";
  case ParameterType::Choice:
    return "choice";
  case ParameterType::Text:
    return "text";
  case ParameterType::Integers:
    return "list";
  case ParameterType::Reals:
    return "list of reals";
  case ParameterType::IntegersOrCount:
    return "list or count";
  case ParameterType::IntegersOrOne:
    return "int or list";
  case ParameterType::BooleansOrOne:
    return "bool or list";
  case ParameterType::Pairs:
    return "pairs";
  case ParameterType::Paths:
    return "paths";
  case ParameterType::Named:
    return "names";
  case ParameterType::Mask:
    return "mask file";
  case ParameterType::Matrix:
    return "matrix";
  case ParameterType::Pattern:
    return "pattern";
  case ParameterType::Patterns:
    return "patterns";
  case ParameterType::Strokes:
    return "strokes";
  }
  return "";
}

std::string rangeText(const Bounds& bounds) {
  if (!bounds.allowed.empty())
    return bounds.allowed;
  const bool low = !std::isinf(bounds.minimum);
  const bool high = !std::isinf(bounds.maximum);
  if (low && high)
    return textNumber(bounds.minimum) + " … " + textNumber(bounds.maximum);
  if (low)
    return "≥ " + textNumber(bounds.minimum);
  return high ? "≤ " + textNumber(bounds.maximum) : "";
}

bool hasRange(const Parameter& p) {
  return p.type != ParameterType::Boolean && p.type != ParameterType::BooleansOrOne &&
         p.type != ParameterType::Choice && p.type != ParameterType::Text &&
         p.type != ParameterType::Pattern && p.type != ParameterType::Patterns;
}

// What reads a parameter: the pattern, or the same with another choice, which `with` names
// ("policy tova"; further choices may have other defaults).
struct Reader {
  Pattern pattern;
  std::string with = {};
};

Reader readerOf(const Pattern& pattern, const Parameter& p) {
  if (!p.visible(pattern))
    for (const Parameter& other : description(pattern).parameters)
      for (const Choice& choice : other.choices) {
        Pattern changed = pattern;
        set(changed, other.name, Value{choice.value});
        if (p.visible(changed))
          return {changed, other.name + " " + choice.value};
      }
  return {pattern};
}

Json parameterJson(const Pattern& of, const Parameter& p) {
  const auto [pattern, with] = readerOf(of, p);
  Json json{{"name", p.name}, {"type", typeName(p.type)}, {"meaning", p.meaning}};
  if (!p.symbol.empty())
    json["symbol"] = p.symbol;
  if (!p.unit.empty())
    json["unit"] = p.unit;
  json["required"] = p.required;
  json["default"] = valueToJson(p.resolved(pattern, kExampleLength));
  if (!with.empty())
    json["default_with"] = with;
  if (hasRange(p))
    json["range"] = rangeText(p.bounds(pattern, kExampleLength));
  for (const Choice& choice : p.choices)
    json["choices"].push_back({{"value", choice.value}, {"meaning", choice.meaning}});
  return json;
}

Json patternJson(const Pattern& pattern) {
  const Description& d = description(pattern);
  Json json{{"name", d.name},
            {"aliases", d.aliases},
            {"title", d.title},
            {"group", d.group},
            {"summary", d.summary},
            {"source", d.source},
            {"definition", d.definition}};
  if (!d.conventions.empty())
    json["conventions"] = d.conventions;
  json["complexity"] = d.complexity;
  json["parameters"] = Json::array();
  for (const Parameter& p : d.parameters)
    json["parameters"].push_back(parameterJson(pattern, p));
  for (const OptionalArray& array : d.arrays)
    json["arrays"].push_back({{"name", array.name}, {"meaning", array.meaning}});
  return json;
}

std::string parameterLine(const Pattern& of, const Parameter& p) {
  const auto [pattern, with] = readerOf(of, p);
  std::string values;
  for (const Choice& choice : p.choices)
    values += (values.empty() ? "" : "|") + choice.value;
  if (values.empty())
    values = typeName(p.type);
  std::string line = "  --" + p.name + " " + values;
  const std::string range = hasRange(p) ? rangeText(p.bounds(pattern, kExampleLength)) : "";
  if (!range.empty())
    line += " (" + range + ")";
  line += "  " + p.meaning;
  const Json fallback = valueToJson(p.resolved(pattern, kExampleLength));
  if (p.required)
    line += "; required";
  else if (!fallback.is_null())
    line += "; default " + fallback.dump() + (with.empty() ? "" : " with " + with);
  return line;
}

void printPattern(const Pattern& pattern, std::ostream& out) {
  const Description& d = description(pattern);
  out << d.name;
  for (const std::string& alias : d.aliases)
    out << " = " << alias;
  out << ": " << d.summary << " [" << d.source << "]\n";
  for (const Parameter& p : d.parameters)
    out << parameterLine(pattern, p) << '\n';
  for (const OptionalArray& array : d.arrays)
    out << "  array " << array.name << " of the input  " << array.meaning << '\n';
}

Json presetJson(const Preset& preset) {
  Json json{{"name", preset.name},         {"title", preset.title},   {"meaning", preset.meaning},
            {"keys_per_row", preset.keys}, {"source", preset.source}, {"arguments", Json::array()}};
  for (const PresetArgument& a : preset.arguments)
    json["arguments"].push_back(
        {{"name", a.name}, {"default", a.fallback}, {"minimum", a.least}, {"meaning", a.meaning}});
  json["pattern"] = toJson(preset.pattern());
  return json;
}

void printPreset(const Preset& preset, std::ostream& out) {
  out << "--preset " << preset.name;
  for (const PresetArgument& a : preset.arguments)
    out << " --" << a.name << ' ' << a.fallback;
  out << "\n  " << preset.title << ": " << preset.meaning
      << (preset.keys.empty() ? "" : "; keys per row: " + preset.keys) << " [" << preset.source
      << "]\n  with these defaults: " << shortText(preset.pattern()) << '\n';
}

int listPresets(bool json, std::ostream& out) {
  Json all = Json::array();
  for (const Preset& preset : allPresets()) {
    if (json)
      all.push_back(presetJson(preset));
    else
      printPreset(preset, out);
  }
  if (json)
    print(out, Json{{"presets", all}});
  return 0;
}

int runPatterns(const Arguments& arguments, const Context& context) {
  if (arguments.on("presets"))
    return listPresets(arguments.on("json"), context.out);
  if (arguments.on("json")) {
    Json all = Json::array();
    for (const Pattern& pattern : allMechanisms())
      all.push_back(patternJson(pattern));
    print(context.out, Json{{"n", kExampleLength}, {"patterns", all}});
    return 0;
  }
  context.out << "Defaults and ranges that depend on n are those for n = " << kExampleLength
              << ".\n";
  for (const Pattern& pattern : allMechanisms()) {
    context.out << '\n';
    printPattern(pattern, context.out);
  }
  return 0;
}

} // namespace

Command patternsCommand() {
  Grammar grammar;
  grammar.flags = {{"presets", "", "the library conventions for --preset NAME instead"},
                   {"json", "", "one JSON object instead of lines"}};
  return {"patterns", "[--presets] [--json]",
          "every pattern with its parameters, ranges, defaults and source", grammar, runPatterns};
}

} // namespace attention::cli
