// Sweeps over a number of the patterns.
#include "core/pattern/beginning.h"
#include "core/pattern/pattern_title.h"
#include "core/support/error.h"
#include "core/views/compare/match_pairs.h"
#include "core/views/model/scene_model.h"
#include "core/views/model/sweep_series.h"
#include "core/views/model/variant_names.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace attention {
namespace {

constexpr Index kFirstSwept = 16; // tokens

bool varies(const Parameter& parameter, const Pattern& pattern) {
  return parameter.type == ParameterType::Integer && parameter.visible(pattern);
}

// The named one, else the main one, else the first number of tokens, else the first number; null
// where it has none.
const Parameter* findSwept(const Pattern& pattern, const std::string& name) {
  const auto& all = description(pattern).parameters;
  const Parameter* found = name.empty() ? mainParameter(pattern) : nullptr;
  if (found)
    return found;
  for (const Parameter& parameter : all) {
    if (!varies(parameter, pattern))
      continue;
    if (name.empty() ? !found || (found->unit != "tokens" && parameter.unit == "tokens")
                     : parameter.name == name)
      found = &parameter;
  }
  return found;
}

// The first rule with such a number, and the number; null where none has it.
std::pair<const Rule*, const Parameter*> sweptIn(const ModelVariant& variant,
                                                 const std::string& name) {
  for (const Rule& rule : variant.rules)
    if (const Parameter* parameter = findSwept(rule.pattern, name))
      return {&rule, parameter};
  return {};
}

// 16, 32, 64 … n, of other numbers 1, 2, 4 …, as far as the bounds allow.
std::vector<Index> usualValues(const Pattern& pattern, const Parameter& parameter, Index n) {
  const Bounds bounds = parameter.bounds(pattern, n);
  const double first = parameter.unit == "tokens" ? kFirstSwept : 1;
  const auto least = static_cast<Index>(std::max(first, bounds.minimum));
  const auto most = static_cast<Index>(std::min(static_cast<double>(n), bounds.maximum));
  std::vector<Index> values;
  for (Index value = least; value < most; value *= 2)
    values.push_back(value);
  values.push_back(std::max(most, std::min(least, n)));
  return values;
}

// The rules with that value of the number, in all patterns that have it; nothing where one of them
// refuses it.
std::optional<std::vector<Rule>> rulesWith(const std::vector<Rule>& rules, const std::string& name,
                                           Index value, const SweepPlace& at, const Run& run) {
  std::vector<Rule> with = rules;
  for (Rule& rule : with) {
    if (const Parameter* parameter = findSwept(rule.pattern, name)) {
      parameter->set(rule.pattern, Value{value});
      if (!isValid(rule.pattern, at.n))
        return std::nullopt;
    }
    rule.pattern = maskFor(at.model, rule.pattern, at.n, run);
  }
  return with;
}

// What a series is called whose number is varied: without the number.
std::string nameOfVaried(const ModelVariant& variant, const Pattern& pattern, Index n) {
  const bool byPattern = variant.name == titleText(pattern) ||
                         variant.name == sizedTitle(pattern) ||
                         variant.name == sizedTitle(pattern, n);
  return byPattern ? mechanismTitle(pattern) : variant.name;
}

void addOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
}

// The numbers of tokens in its patterns.
std::set<std::string> numbersOf(const SweptVariant& swept) {
  std::set<std::string> names;
  for (const Rule& rule : swept.given.rules)
    for (const Parameter& parameter : description(rule.pattern).parameters)
      if (varies(parameter, rule.pattern) && parameter.unit == "tokens")
        names.insert(parameter.name);
  return names;
}

} // namespace

std::string sharedNumber(const std::vector<SweptVariant>& all) {
  std::vector<std::string> names; // the main ones first, which win where others are as frequent
  for (const SweptVariant& swept : all)
    for (const Rule& rule : swept.given.rules)
      if (const Parameter* main = mainParameter(rule.pattern); main && main->unit == "tokens")
        addOnce(names, main->name);
  for (const SweptVariant& swept : all)
    for (const std::string& name : numbersOf(swept))
      addOnce(names, name);
  const auto times = [&](const std::string& name) {
    return std::count_if(all.begin(), all.end(), [&](const SweptVariant& swept) {
      return numbersOf(swept).count(name) > 0;
    });
  };
  const auto most =
      std::max_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        return times(a) < times(b);
      });
  return most == names.end() || times(*most) < 2 ? std::string() : *most;
}

std::optional<SweepSeries> seriesOfValues(const SweptVariant& swept, const std::string& shared,
                                          const SweepPlace& at, const Run& run) {
  const bool automatic = at.spec.parameter.empty();
  auto [rule, parameter] = sweptIn(swept.given, automatic ? shared : at.spec.parameter);
  if (!rule && automatic)
    std::tie(rule, parameter) = sweptIn(swept.given, {});
  if (!rule)
    return std::nullopt;
  const std::string& name = parameter->name;
  SweepSeries series{nameOfVaried(swept.given, rule->pattern, at.n), swept.hue};
  const bool alone = swept.prefix.empty(); // several share an axis, whatever their symbols
  series.number = parameter->symbol.empty() || !alone ? name : name + " " + parameter->symbol;
  std::vector<Index> values =
      at.spec.values.empty() ? usualValues(rule->pattern, *parameter, at.n) : at.spec.values;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const Index value : values)
    if (auto rules = rulesWith(swept.given.rules, name, value, at, run)) {
      std::string step = name + " " + std::to_string(value);
      ModelVariant variant{swept.prefix + step, std::move(*rules)};
      series.steps.push_back({static_cast<double>(value), std::move(step), std::move(variant)});
    }
  if (series.steps.empty() && !alone)
    return std::nullopt;
  if (series.steps.empty())
    throwRange("values", std::to_string(values.front()), "values that the pattern allows");
  return series;
}

std::vector<std::string> sweptParameters(const ModelSpec& spec, const Pattern& own) {
  std::vector<std::string> names;
  const auto add = [&](const Pattern& pattern) {
    for (const Parameter& parameter : description(pattern).parameters)
      if (varies(parameter, pattern))
        addOnce(names, parameter.name);
  };
  if (!sweepsVariants(spec))
    add(own);
  else
    for (const ModelVariantSpec& variant : spec.variants)
      for (const ModelRuleSpec& rule : variant.rules)
        add(rule.pattern);
  return names;
}

} // namespace attention
